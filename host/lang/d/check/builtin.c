/* SPDX-License-Identifier: BSD-2-Clause */
/* Built-in variables: arguments, the caller, registers, the probe's own name. */
#define _GNU_SOURCE
#include "check.h"

#include "debuginfo/frame.h"
#include "dp_object.h"

#include <ctype.h>
#include <string.h>

/* A row of builtins.def. */
struct builtin {
	const char *name;
	void (*check)(const struct dph_d_check *c, struct d_node *node, const struct builtin *row);
	void (*index)(const struct dph_d_check *c, struct d_node *node);
	unsigned code;
	const char *text;
};

/* --- registers ----------------------------------------------------------------------------- */

static void set_register(const struct dph_d_check *c, struct d_node *node, unsigned reg)
{
	node->is.home = D_HOME_REGISTER;
	node->is.reg = reg;
	node->is.type = dph_d_type_integer(c->d, c->d->program->target.word_bytes, false);
}

bool dph_d_set_register(const struct dph_d_check *c, struct d_node *node, const char *name)
{
	const struct dp_reg *reg = dph_reg_named(c->d->program->target.cpu, name, strlen(name));
	if (reg && reg->words == 1)
		set_register(c, node, reg->index);
	return reg && reg->words == 1;
}

/* The register of the return address. Returns false: the CPU has none. */
static bool set_return_register(const struct dph_d_check *c, struct d_node *node)
{
	return dph_d_set_register(c, node, "lr") || dph_d_set_register(c, node, "ra");
}

/* --- arguments ----------------------------------------------------------------------------- */

static bool at_return(const struct dph_d_check *c)
{
	return c->point->kind == D_POINT_RETURN || c->point->kind == D_POINT_TAIL;
}

/* The first fault of the hit: clause, kind, value. */
static void check_fault_argument(const struct dph_d_check *c, struct d_node *node, unsigned n)
{
	if (n == 0 || n > 5) {
		dph_d_error(c->d, D_ARGS_IDX, node->place,
			    "ERROR has arg1 (clause), arg4 (kind of the fault) and arg5 (value)");
		dph_d_set_wrong(node);
	} else if (n == 2 || n == 3) { /* an exception of the agent has no code offset */
		dph_d_set_constant(c->d, node, 0, true);
	} else {
		node->is.home = D_HOME_FAULT;
		node->is.part = n;
		node->is.type = dph_d_type_integer(c->d, c->d->program->target.word_bytes, true);
	}
}

/* As in DTrace: the interrupted pc, and that of a user program, of which there is none. */
static void check_timer_argument(const struct dph_d_check *c, struct d_node *node, unsigned n)
{
	if (n > 1) {
		dph_d_error(c->d, D_ARGS_IDX, node->place, "%s has arg0 (%s) and arg1 (0) alone",
			    c->point->part[DPH_PROBE_NAME],
			    dph_d_is_sampled(c->point) ? "the interrupted pc" : "0");
		dph_d_set_wrong(node);
	} else if (n == 1 || !dph_d_is_sampled(c->point)) {
		dph_d_set_constant(c->d, node, 0, true);
	} else {
		dph_d_set_register(c, node, "pc");
	}
}

/* arg0: a signed word, extended from the parameter's type. */
static void check_argument(const struct dph_d_check *c, struct d_node *node,
			   const struct builtin *row)
{
	const unsigned n = row->code;
	if (c->point->hook)
		dph_d_check_hook_argument(c, node, n);
	else if (c->point->kind == D_POINT_ERROR)
		check_fault_argument(c, node, n);
	else if (c->point->timer)
		check_timer_argument(c, node, n);
	else if (at_return(c) && n == 0)
		dph_d_set_constant(c->d, node, c->point->offset, false);
	else if (at_return(c) && n == 1)
		dph_d_check_result(c, node);
	else
		dph_d_check_argument(c, node, n);
}

static void check_args(const struct dph_d_check *c, struct d_node *node)
{
	const struct d_node *index = node->list;
	dph_d_check(c, node->list);
	dph_d_set_wrong(node);
	if (dph_d_wrong(index))
		return;
	if (!index->is.constant || index->next)
		dph_d_error(c->d, D_ARGS_IDX, index->place, "the index of args[] is one constant");
	else if (c->point->hook)
		dph_d_check_hook_argument(c, node, index->is.number);
	else if (at_return(c) && index->is.number == 1)
		dph_d_check_result(c, node);
	else
		dph_d_check_typed_argument(c, node, index->is.number);
}

/* Has a timer the register? The board tells three of the interrupted code. */
static bool timer_has(const struct dph_d_check *c, const struct d_node *node)
{
	static const char *const told[] = {"pc", "sp", "lr", "ra"};
	struct d_node other = *node;
	for (size_t i = 0; dph_d_is_sampled(c->point) && i < sizeof(told) / sizeof(*told); i++)
		if (dph_d_set_register(c, &other, told[i]) && other.is.reg == node->is.reg)
			return true;
	return !c->point->timer;
}

static void check_timer_register(const struct dph_d_check *c, struct d_node *node)
{
	const char *name = c->point->part[DPH_PROBE_NAME];
	if (dph_d_wrong(node) || timer_has(c, node))
		return;
	if (dph_d_is_sampled(c->point))
		dph_d_error(c->d, D_HERE_LOCATION, node->place,
			    "%s knows three registers of the interrupted code: the pc, the sp and "
			    "the return address; probe a function for the others",
			    name);
	else
		dph_d_error(c->d, D_HERE_LOCATION, node->place,
			    "%s is no place in the code; it has no registers", name);
	dph_d_set_wrong(node);
}

/* uregs[R_LR]: the register lr. */
static void check_uregs(const struct dph_d_check *c, struct d_node *node)
{
	const struct d_node *index = node->list;
	char name[24] = "";
	dph_d_set_wrong(node);
	if (index->kind == D_NODE_NAME && strncmp(index->text, "R_", 2) == 0 && !index->next)
		for (size_t i = 2; i < sizeof(name) && index->text[i]; i++)
			name[i - 2] = (char)tolower((unsigned char)index->text[i]);
	if (!dph_d_set_register(c, node, name))
		dph_d_error(
			c->d, D_IDENT_UNDEF, index->place,
			"no such register; uregs[R_NAME] takes the registers of %s, such as R_SP",
			c->d->program->target.cpu->name);
	check_timer_register(c, node);
}

/* --- the others ---------------------------------------------------------------------------- */

/* Events stand in no code. */
static void check_pc(const struct dph_d_check *c, struct d_node *node, const struct builtin *row)
{
	const struct d_type code = {.kind = D_TYPE_VOID};
	if (!dph_d_is_event(c->point) && dph_d_set_register(c, node, row->name)) {
		node->is.type = dph_d_type_pointer(c->d, &code);
		return;
	}
	dph_d_error(c->d, D_HERE_LOCATION, node->place, "%s is no place in the code; it has no pc",
		    c->point->part[DPH_PROBE_NAME]);
	dph_d_set_wrong(node);
}

/* A timer and a watchpoint interrupt any function: the handler does not know its call frame
 * information. */
static void check_interrupted_caller(const struct dph_d_check *c, struct d_node *node)
{
	const struct d_type code = {.kind = D_TYPE_VOID};
	if (!set_return_register(c, node)) {
		dph_d_error(c->d, D_HERE_LOCATION, node->place,
			    "%s has no register of the return address: the caller is not known",
			    c->d->program->target.cpu->name);
		dph_d_set_wrong(node);
		return;
	}
	node->is.type = dph_d_type_pointer(c->d, &code);
	if (!node->told)
		dph_warning(c->d, node->place,
			    "caller in %s is the register of the return address: behind its first "
			    "call, an interrupted function has another address there; stack(2) "
			    "prints the caller in each case",
			    c->point->watched ? "a watchpoint" : c->point->part[DPH_PROBE_NAME]);
	node->told = true;
}

static void check_caller(const struct dph_d_check *c, struct d_node *node,
			 const struct builtin *row)
{
	(void)row;
	if (dph_d_is_sampled(c->point) || c->point->watched) {
		check_interrupted_caller(c, node);
		return;
	}
	struct dph_location *location = dph_pool_take(c->d->pool, sizeof(*location));
	const char *why;
	const struct d_type returned = {.kind = D_TYPE_VOID};
	if (at_return(c) && c->point->phase != DP_PHASE_BEFORE &&
	    dph_d_set_register(c, node, "pc")) {
		node->is.type = dph_d_type_pointer(c->d, &returned); /* it has returned */
		return;
	}
	if (dph_d_is_event(c->point)) {
		dph_d_error(c->d, D_HERE_LOCATION, node->place,
			    "%s is no place in the code; it has no caller",
			    c->point->part[DPH_PROBE_NAME]);
		dph_d_set_wrong(node);
		return;
	}
	if (c->d->debug && dph_frame_caller(c->d->debug, c->point->address, location, &why) &&
	    dph_location_readable(location)) {
		node->is.home = D_HOME_LOCATION;
		node->is.location = location;
		node->is.offset = 0;
	} else if (c->point->kind != D_POINT_ENTRY || !set_return_register(c, node)) {
		dph_d_error(
			c->d, D_HERE_LOCATION, node->place,
			"the caller is not known here: the firmware has no call frame information "
			"for %s",
			c->point->part[DPH_PROBE_FUNCTION]);
		dph_d_set_wrong(node);
		return;
	}
	const struct d_type code = {.kind = D_TYPE_VOID};
	node->is.type = dph_d_type_pointer(c->d, &code);
}

/* A part of the probe's name. The record is one of the hit, which ERROR follows. */
static void check_part(const struct dph_d_check *c, struct d_node *node, const struct builtin *row)
{
	const bool id = row->code == DPH_PROBE_ID;
	node->is = (struct d_checked){.type = id ? dph_d_type_int(c->d)
						 : (struct d_type){.kind = D_TYPE_STRING},
				      .home = D_HOME_FIELD,
				      .form = DPH_FIELD_PROBE,
				      .part = row->code};
	if (c->point->kind != D_POINT_ERROR || id)
		return;
	node->is.form = DPH_FIELD_TEXT;
	node->is.text = row->code == DPH_PROBE_WHOLE ? "dtrace:::ERROR" : c->point->part[row->code];
}

/* An instruction pushes it. */
static void set_system(struct d_node *node, struct d_type type, const struct builtin *row)
{
	node->is = (struct d_checked){
		.type = type, .home = D_HOME_SYSTEM, .system = (enum rpn_op)row->code};
}

/* tick runs where the firmware polls the agent. */
static void warn_polling(const struct dph_d_check *c, struct d_node *node)
{
	if (!c->point->timer || c->point->timer->sampled || node->told)
		return;
	node->told = true;
	dph_warning(c->d, node->place,
		    "'%s' in %s is that of the task that polls the agent; use profile-97 for the "
		    "task that runs",
		    node->text, c->point->part[DPH_PROBE_NAME]);
}

static void check_system(const struct dph_d_check *c, struct d_node *node,
			 const struct builtin *row)
{
	if (row->code == RPN_PUSH_PID)
		warn_polling(c, node);
	set_system(node, dph_d_type_integer(c->d, c->d->program->target.word_bytes, false), row);
}

static void refuse_watched(const struct dph_d_check *c, struct d_node *node, const char *why)
{
	dph_d_error(c->d, D_HERE_LOCATION, node->place, "'%s' %s", node->text, why);
	dph_d_set_wrong(node);
}

/* The type of the watched variable; of other bytes a number. */
static struct d_type watched_type(const struct dph_d_check *c)
{
	const struct d_watched *watched = c->point->watched;
	const uint64_t bytes = watched->bytes;
	if (dph_d_type_scalar(&watched->type) && !dph_d_type_refused(c->d, &watched->type))
		return watched->type;
	return dph_d_type_integer(c->d, bytes > 4 ? 8 : bytes > 2 ? 4 : (unsigned)bytes, false);
}

static void check_watched(const struct dph_d_check *c, struct d_node *node,
			  const struct builtin *row)
{
	const struct d_watched *watched = c->point->watched;
	const struct d_type code = {.kind = D_TYPE_VOID};
	if (!watched)
		refuse_watched(c, node, "is for clauses of watch::VARIABLE:w and its kin");
	else if (row->code == RPN_PUSH_WPADDR)
		set_system(node, dph_d_type_pointer(c->d, &code), row);
	else if (watched->kind == DP_PROBE_WATCH_X || watched->kind == DP_PROBE_WATCH_IO)
		refuse_watched(c, node, "is for watchpoints of memory: w, rw or r");
	else if (watched->bytes > DPH_WATCH_VALUE)
		refuse_watched(c, node,
			       "is for watchpoints of 8 bytes or less; name the member to read, or "
			       "watch one member");
	else if (watched->type.kind == D_TYPE_FLOAT)
		refuse_watched(c, node,
			       "is a number without a fraction; record the variable itself");
	else
		set_system(node, watched_type(c), row);
}

static void check_ticks(const struct dph_d_check *c, struct d_node *node, const struct builtin *row)
{
	set_system(node, dph_d_type_integer(c->d, sizeof(uint64_t), false), row);
}

/* The time of the record, until the target computes with it. */
static void check_time(const struct dph_d_check *c, struct d_node *node, const struct builtin *row)
{
	check_ticks(c, node, row);
	node->is.home = D_HOME_FIELD;
	node->is.form = DPH_FIELD_TIME;
}

static void check_day_time(const struct dph_d_check *c, struct d_node *node,
			   const struct builtin *row)
{
	(void)row;
	node->is = (struct d_checked){.type = dph_d_type_integer(c->d, sizeof(int64_t), true),
				      .home = D_HOME_HOST,
				      .function = DPH_FUNCTION_walltimestamp};
}

/* "struct task *", of the option */
static struct d_type task_type(const struct dph_d_check *c, const struct d_node *node)
{
	const struct d_type code = {.kind = D_TYPE_VOID};
	const char *text = c->d->task_type;
	if (!text)
		return dph_d_type_pointer(c->d, &code);
	size_t bytes = strlen(text);
	struct d_type_name name = {.place = node->place};
	for (; bytes > 0 && (text[bytes - 1] == '*' || text[bytes - 1] == ' '); bytes--)
		name.stars += text[bytes - 1] == '*';
	name.name = dph_pool_copy(c->d->pool, text, bytes);
	return dph_d_type_named(c->d, &name, c->point->address);
}

static void check_task(const struct dph_d_check *c, struct d_node *node, const struct builtin *row)
{
	warn_polling(c, node);
	set_system(node, task_type(c, node), row);
}

static void check_task_name(const struct dph_d_check *c, struct d_node *node,
			    const struct builtin *row)
{
	warn_polling(c, node);
	set_system(node, (struct d_type){.kind = D_TYPE_STRING}, row);
}

static void check_result(const struct dph_d_check *c, struct d_node *node,
			 const struct builtin *row)
{
	(void)row;
	dph_d_check_result(c, node);
}

static void check_fault_address(const struct dph_d_check *c, struct d_node *node,
				const struct builtin *row)
{
	if (dph_d_set_register(c, node, row->name)) {
		check_timer_register(c, node);
		return;
	}
	dph_d_error(c->d, D_IDENT_UNDEF, node->place, "%s has no register '%s'",
		    c->d->program->target.cpu->name, row->name);
	dph_d_set_wrong(node);
}

static void check_no_index(const struct dph_d_check *c, struct d_node *node,
			   const struct builtin *row)
{
	dph_d_error(c->d, D_SYNTAX, node->place, "'%s' needs an index: %s", row->name, row->text);
	dph_d_set_wrong(node);
}

static void refuse(const struct dph_d_check *c, struct d_node *node, const struct builtin *row,
		   enum d_tag tag)
{
	dph_d_error(c->d, tag, node->place, "'%s': %s", row->name, row->text);
	dph_d_set_wrong(node);
}

static void check_later(const struct dph_d_check *c, struct d_node *node, const struct builtin *row)
{
	refuse(c, node, row, D_HERE_STEP);
}

static void check_never(const struct dph_d_check *c, struct d_node *node, const struct builtin *row)
{
	refuse(c, node, row, D_HERE_METAL);
}

/* --- the table ----------------------------------------------------------------------------- */

static const struct builtin builtins[] = {
#define BUILTIN(name, check, index, code, text) {#name, check, index, code, text},
#include "builtins.def"
};

static const struct builtin *builtin_named(const char *name)
{
	for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++)
		if (strcmp(builtins[i].name, name) == 0)
			return &builtins[i];
	return NULL;
}

bool dph_d_is_probe_part(const char *name)
{
	const struct builtin *row = builtin_named(name);
	return row && row->check == check_part;
}

bool dph_d_check_builtin_index(const struct dph_d_check *c, struct d_node *node)
{
	const struct builtin *row =
		node->a->kind == D_NODE_NAME ? builtin_named(node->a->text) : NULL;
	if (!row || !row->index)
		return false;
	row->index(c, node);
	return true;
}

bool dph_d_check_builtin(const struct dph_d_check *c, struct d_node *node)
{
	const struct builtin *row = builtin_named(node->text);
	if (row)
		row->check(c, node, row);
	return row;
}
