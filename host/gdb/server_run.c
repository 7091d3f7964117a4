/* SPDX-License-Identifier: BSD-2-Clause */
/* Stops, steps and breakpoints. All breakpoints are one program, whose handlers end with `exit 1`.
 * gdb inserts and removes its breakpoints at each stop; the program changes when the target goes on
 * with other ones. */
#define _GNU_SOURCE
#include "server_parts.h"

#include "base/pool.h"
#include "expression.h"
#include "features.h"

#include "dp_object.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HAS_NO_HALT "the firmware runs, and this agent has no HALT to stop it"

enum {
	BY_REQUEST = 2, /* signals as gdb numbers them: SIGINT, */
	BY_TRAP = 5,    /* SIGTRAP */
	CODE = 1        /* the last kind of a breakpoint; others watch data */
};
/* The variables of the program of breakpoints: of the watchpoint that has stopped the target. */
enum {
	WATCH_ADDRESS,
	WATCH_KIND, /* the digit of its packet; 0: no watchpoint */
	WATCH_WORDS
};

/* gdb's kinds of watchpoints. */
static const struct {
	unsigned kind;      /* the digit of the packet */
	unsigned point;     /* of point_kinds.def */
	const char *letter; /* of a program */
	const char *what;   /* of the answer */
	bool behind;        /* the target stops behind the access */
} watches[] = {
	{2, DP_PROBE_WATCH_W, "w", "watch", true},
	{3, DP_PROBE_WATCH_R, "r", "rwatch", false},
	{4, DP_PROBE_WATCH_RW, "rw", "awatch", true},
};

/* Return why nothing stops the target; null: it can be stopped. */
static const char *no_stop(const struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;

	return target->ops->no_stop == NULL ? HAS_NO_HALT : target->ops->no_stop(target->context);
}

/* --- stops ----------------------------------------------------------------------------------- */

/* gdb gets the answer to its packet with the next stop. */
static void waits(struct dph_gdb_server *server)
{
	server->state = DPH_GDB_RUNS;
	server->silent = true;
}

/* Has a watchpoint stopped the target? Its handler has left address and kind in the variables. */
static bool is_watched(struct dph_gdb_server *server, struct dph_gdb_watched *watched)
{
	const struct dph_gdb_target *target = server->target;
	uint64_t words[WATCH_WORDS] = {0};

	if (!server->watches ||
	    target->ops->stop_variables(target->context, words, WATCH_WORDS) < WATCH_WORDS)
		return false;
	for (size_t i = 0; i < sizeof watches / sizeof watches[0]; i++)
		if (watches[i].kind == words[WATCH_KIND]) {
			*watched = (struct dph_gdb_watched){watches[i].what, words[WATCH_ADDRESS]};
			server->access_done =
				watches[i].behind && dph_gdb_steps_at_watchpoint(target);
			return true;
		}
	return false;
}

static void stands(struct dph_gdb_server *server, unsigned signal)
{
	struct dph_gdb_watched watched;
	const bool by_watch = is_watched(server, &watched);

	server->state = DPH_GDB_STANDS;
	dph_gdb_tell_stop_by(server, by_watch ? BY_TRAP : signal, by_watch ? &watched : NULL);
}

/* Tell gdb, which waits, of a stop. */
static void tell(struct dph_gdb_server *server, unsigned signal)
{
	dph_gdb_prints_say(server, true);
	dph_gdb_begin(&server->answer);
	stands(server, signal);
	dph_gdb_send_answer(server);
}

void dph_gdb_run_open(struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why;
	bool stopped;

	if (no_stop(server) != NULL)
		return;
	if (!target->ops->begin_stops(target->context, &stopped, &why))
		server->refusal = dph_strdup(why.text);
	else if (stopped)
		server->state = DPH_GDB_STANDS;
}

/* Why has the stop ended without gdb? Null: it has not, or the target does not tell. */
static const char *why_released(const struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;

	return target->ops->released != NULL ? target->ops->released(target->context) : NULL;
}

/* A stop that gdb knows of is over, as by a time-out: gdb sees memory, and no registers. gdb takes
 * no stop back: it is told when it resumes the target. */
static void is_released(struct dph_gdb_server *server)
{
	const char *why = why_released(server);

	server->state = DPH_GDB_LOOKS;
	server->released = why != NULL ? why : DPH_GDB_RELEASED;
	server->target->ops->tell(server->target->context, server->released);
}

/* gdb, which has resumed the target and waits, prints why the target was not stopped any more. */
static void say_released(struct dph_gdb_server *server)
{
	const char *why = server->released;

	server->released = NULL;
	if (why == NULL)
		return;
	dph_gdb_say(server, why, strlen(why));
	dph_gdb_say(server, "\n", 1);
}

void dph_gdb_run_idle(struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;
	bool was = server->state == DPH_GDB_STANDS, is;

	if (server->state == DPH_GDB_LOOKS)
		return;
	if (!was)
		dph_gdb_prints_say(server, false);
	if (no_stop(server) != NULL)
		return;
	is = target->ops->is_stopped(target->context, was);
	if (is && !was)
		tell(server, BY_TRAP);
	else if (!is && was)
		is_released(server);
}

/* gdb waits for a stop: it gets one without registers. why: null where gdb has asked for no other.
 */
static void stands_without(struct dph_gdb_server *server, const char *why)
{
	dph_gdb_prints_say(server, true);
	dph_gdb_begin(&server->answer);
	if (why != NULL) {
		dph_gdb_say(server, why, strlen(why));
		dph_gdb_say(server, "\n", 1);
	}
	server->state = DPH_GDB_LOOKS;
	dph_gdb_tell_stop_by(server, BY_REQUEST, NULL);
	dph_gdb_send_answer(server);
}

void dph_gdb_run_break(struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why = {"the target cannot be stopped"};

	if (server->state != DPH_GDB_RUNS) /* gdb takes the target for stopped */
		return;
	if (no_stop(server) != NULL) { /* gdb has waited for dprintf alone */
		stands_without(server, NULL);
		return;
	}
	if (target->ops->stop(target->context, &why)) {
		tell(server, BY_REQUEST);
		return;
	}
	stands_without(server, why.text);
}

/* --- breakpoints ----------------------------------------------------------------------------- */

static void forget(struct dph_gdb_breakpoint *breakpoint)
{
	free(breakpoint->conditions);
	free(breakpoint->commands);
	free(breakpoint->refused);
}

static void forget_all(struct dph_gdb_server *server)
{
	for (size_t i = 0; i < server->breakpoint_count; i++)
		forget(&server->breakpoints[i]);
	server->breakpoint_count = 0;
}

bool dph_gdb_write_conditions(struct dph_gdb_code *code, const char *args, bool first, unsigned all)
{
	uint8_t bytes[DPH_GDB_TEXT_MAX / 2];
	uint64_t count;

	for (; *args == 'X'; first = false) {
		args++;
		if (!dph_gdb_number_and(&args, &count, ',') ||
		    dph_gdb_bytes(&args, bytes, sizeof bytes) != count)
			return false;
		if (!first)
			fputs("ros 1\n", code->out);
		if (!dph_gdb_write_expression(code, bytes, (size_t)count))
			return false;
		fprintf(code->out, "jnz all%u\n", all);
	}
	return *args == '\0';
}

/* Do the conditions compile? Returns false: why has the reason. */
static bool check_conditions(const struct dph_gdb_server *server, const char *conditions,
			     struct dph_gdb_why *why)
{
	struct dph_gdb_variables none = {0};
	struct dph_gdb_code code = {.target = server->target, .variables = &none, .why = why};
	char *text = NULL;
	size_t bytes;
	bool good;

	snprintf(why->text, sizeof why->text, "a condition is not whole");
	code.out = open_memstream(&text, &bytes);
	if (code.out == NULL)
		return false;
	good = dph_gdb_write_conditions(&code, conditions, true, 0);
	if (good && none.count > 0) {
		snprintf(why->text, sizeof why->text,
			 "a condition of a breakpoint has no trace state variables");
		good = false;
	}
	fclose(code.out);
	free(text);
	free(none.numbers);
	return good;
}

/* Note conditions and commands behind a breakpoint, and whether they compile:
 * "CONDITIONS;cmds:PERSIST,COMMANDS", each of which may be left out. */
static void note_more(const struct dph_gdb_server *server, struct dph_gdb_breakpoint *breakpoint,
		      const char *args)
{
	static const char begin[] = "cmds:";
	const char *commands = strstr(args, begin);
	size_t bytes = commands != NULL ? (size_t)(commands - args) : strlen(args);
	struct dph_gdb_why why = {"the commands of a breakpoint are not whole"};
	uint64_t persist;
	bool good = true;

	bytes -= commands != NULL && bytes > 0 && args[bytes - 1] == ';';
	if (bytes > 0) {
		breakpoint->conditions = dph_print("%.*s", (int)bytes, args);
		good = check_conditions(server, breakpoint->conditions, &why);
	}
	if (good && commands != NULL) {
		commands += sizeof begin - 1;
		good = dph_gdb_number_and(&commands, &persist, ',') &&
		       dph_gdb_check_commands(server, commands, &why);
		breakpoint->commands = dph_strdup(commands);
	}
	if (!good)
		breakpoint->refused = dph_strdup(why.text);
}

/* "KIND,ADDRESS,BYTES" and perhaps conditions. Returns false for another text. */
static bool read_breakpoint(const struct dph_gdb_server *server, const char **args,
			    struct dph_gdb_breakpoint *breakpoint)
{
	uint64_t kind;

	*breakpoint = (struct dph_gdb_breakpoint){0};
	if (!dph_gdb_number_and(args, &kind, ',') || kind > 4 ||
	    !dph_gdb_number_and(args, &breakpoint->address, ',') ||
	    !dph_gdb_number(args, &breakpoint->bytes) || (**args != '\0' && **args != ';'))
		return false;
	breakpoint->kind = (unsigned)kind;
	breakpoint->address = dph_gdb_place(server, breakpoint->address);
	*args += **args == ';';
	return true;
}

static struct dph_gdb_breakpoint *find(struct dph_gdb_server *server,
				       const struct dph_gdb_breakpoint *like)
{
	for (size_t i = 0; i < server->breakpoint_count; i++)
		if (server->breakpoints[i].kind == like->kind &&
		    server->breakpoints[i].address == like->address &&
		    server->breakpoints[i].bytes == like->bytes)
			return &server->breakpoints[i];
	return NULL;
}

/* Has the CPU comparators for all accesses, and none for reads? gdb then takes one for all accesses
 * where the server does not know the packet of a watchpoint for reads. */
static bool lacks_reads(const struct dph_gdb_server *server, unsigned kind)
{
	const struct dph_gdb_target *target = server->target;

	return watches[kind - CODE - 1].point == DP_PROBE_WATCH_R && no_stop(server) == NULL &&
	       target->ops->stop_variables != NULL &&
	       target->ops->comparators(target->context, DP_PROBE_WATCH_R) == 0 &&
	       target->ops->comparators(target->context, DP_PROBE_WATCH_RW) != 0;
}

/* gdb has a sentence of its own for more watchpoints than there are comparators, and none for a CPU
 * that has no comparator: that is said when the target is to go on. Returns false: it is answered
 * with a refusal. */
static bool may_watch(struct dph_gdb_server *server, struct dph_gdb_breakpoint *breakpoint,
		      bool one_more)
{
	const struct dph_gdb_target *target = server->target;
	const char *no = no_stop(server);
	unsigned there = 0, count = one_more;

	if (no != NULL) /* the resumption is refused */
		return true;
	no = target->ops->no_watch != NULL ? target->ops->no_watch(target->context) : NULL;
	if (no != NULL) {
		breakpoint->refused = dph_strdup(no);
		return true;
	}
	if (target->ops->stop_variables != NULL)
		there = target->ops->comparators(target->context,
						 watches[breakpoint->kind - CODE - 1].point);
	for (size_t i = 0; i < server->breakpoint_count; i++)
		count += server->breakpoints[i].kind > CODE;
	if (there == 0)
		breakpoint->refused =
			dph_strdup("the CPU has no comparator for the watchpoint: 'delete' it, or "
				   "'set can-use-hw-watchpoints 0'");
	else if (count > there)
		dph_gdb_refuse(server, "the CPU has %u comparators", there);
	return count <= there || there == 0;
}

void dph_gdb_do_note_breakpoint(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	struct dph_gdb_breakpoint breakpoint, *there;

	(void)bytes;
	if (!read_breakpoint(server, &args, &breakpoint)) {
		dph_gdb_malformed(server);
		return;
	}
	if (*args != '\0')
		note_more(server, &breakpoint, args);
	there = find(server, &breakpoint);
	if (breakpoint.kind > CODE && lacks_reads(server, breakpoint.kind)) {
		forget(&breakpoint); /* the answer is empty */
		return;
	}
	if (breakpoint.kind > CODE && !may_watch(server, &breakpoint, there == NULL)) {
		forget(&breakpoint);
		return;
	}
	if (there != NULL) {
		forget(there);
	} else {
		server->breakpoints =
			dph_grow(server->breakpoints, &server->breakpoint_capacity,
				 server->breakpoint_count, sizeof *server->breakpoints);
		there = &server->breakpoints[server->breakpoint_count++];
	}
	*there = breakpoint;
	dph_gdb_add_text(&server->answer, "OK");
}

void dph_gdb_do_forget_breakpoint(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	struct dph_gdb_breakpoint like, *there;

	(void)bytes;
	if (!read_breakpoint(server, &args, &like)) {
		dph_gdb_malformed(server);
		return;
	}
	there = find(server, &like);
	if (there != NULL) {
		forget(there);
		*there = server->breakpoints[--server->breakpoint_count];
	}
	dph_gdb_add_text(&server->answer, "OK");
}

/* The number of breakpoints that stop the target; the others have commands, and come behind them.
 */
static size_t stop_count(const struct dph_gdb_server *server)
{
	size_t count = 0;

	for (size_t i = 0; i < server->breakpoint_count; i++)
		count += server->breakpoints[i].commands == NULL;
	return count;
}

/* The breakpoints are sorted by address, and watchpoints come behind them. Is there one without a
 * condition at the address of the first one? *end: receives the next one that is at another
 * address. */
static bool always_stops(const struct dph_gdb_server *server, size_t first, size_t *end)
{
	const struct dph_gdb_breakpoint *all = server->breakpoints;
	bool always = false;

	for (*end = first; *end < stop_count(server) && all[*end].kind <= CODE &&
			   all[*end].address == all[first].address;
	     ++*end)
		always = always || all[*end].conditions == NULL;
	return always;
}

/* The handler of the breakpoints at one address. Z0 and Z1 are the same here. */
static void write_handler(struct dph_gdb_code *code, const struct dph_gdb_breakpoint *first,
			  size_t count, bool always)
{
	const unsigned all = code->labels;

	fprintf(code->out, "address = 0x%" PRIx64 "\n", first->address);
	if (!always) {
		code->labels++;
		for (size_t i = 0; i < count; i++)
			dph_gdb_write_conditions(code, first[i].conditions, i == 0, all);
		fprintf(code->out, "abort\nall%u:\nros 1\n", all);
	}
	fputs("exit 1\n", code->out);
}

/* The handler of a watchpoint. The range has its last byte. */
static void write_watch(FILE *out, const struct dph_gdb_breakpoint *watch)
{
	const char *letter = watches[watch->kind - CODE - 1].letter;

	fprintf(out, "address = 0x%" PRIx64 " : 0x%" PRIx64 "\nwatchpoint = %s\n", watch->address,
		watch->address + watch->bytes - 1, letter);
	fprintf(out, "push 0x%" PRIx64 "\npop lv, %u\npush %u\npop lv, %u\nexit 1\n",
		watch->address, WATCH_ADDRESS, watch->kind, WATCH_KIND);
}

/* Is a watchpoint among the breakpoints? They are the last ones that stop. */
static bool has_watches(const struct dph_gdb_server *server)
{
	const size_t count = stop_count(server);

	return count > 0 && server->breakpoints[count - 1].kind > CODE;
}

/* The program of all breakpoints that stop, which compile; null: there are none. Equal breakpoints
 * have equal programs. */
static char *program_of(const struct dph_gdb_server *server)
{
	struct dph_gdb_why why;
	struct dph_gdb_variables none = {0};
	struct dph_gdb_code code = {.target = server->target, .variables = &none, .why = &why};
	char *text = NULL;
	size_t bytes;

	if (stop_count(server) == 0)
		return NULL;
	code.out = open_memstream(&text, &bytes);
	if (code.out == NULL)
		return NULL;
	fputs("modtype = kernel\n", code.out);
	if (has_watches(server))
		fprintf(code.out, "vars = %d\n", WATCH_WORDS);
	for (size_t i = 0, end; i < stop_count(server); i = end) {
		const bool always = always_stops(server, i, &end);

		if (end > i)
			write_handler(&code, &server->breakpoints[i], end - i, always);
		else
			write_watch(code.out, &server->breakpoints[end++]);
	}
	fclose(code.out);
	free(none.numbers);
	return text;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static int compare(const void *a, const void *b)
{
	const struct dph_gdb_breakpoint *x = a, *y = b;

	if ((x->commands != NULL) != (y->commands != NULL))
		return x->commands != NULL ? 1 : -1;
	if ((x->kind > CODE) != (y->kind > CODE))
		return x->kind > CODE ? 1 : -1;
	if (x->address != y->address)
		return x->address > y->address ? 1 : -1;
	return (int)x->kind - (int)y->kind;
}

/* Let the target have the breakpoints that stop it. */
static bool install_stops(struct dph_gdb_server *server, struct dph_gdb_why *why)
{
	const struct dph_gdb_target *target = server->target;
	char *program = program_of(server);

	if (is_same(program, server->installed_breakpoints)) {
		free(program);
		return true;
	}
	if (!target->ops->install(target->context, program, why)) {
		free(program);
		return false;
	}
	free(server->installed_breakpoints);
	server->installed_breakpoints = program;
	server->watches = has_watches(server);
	return true;
}

/* Let the target have gdb's breakpoints, and no others. Returns false: why has the reason. */
static bool install(struct dph_gdb_server *server, struct dph_gdb_why *why)
{
	for (size_t i = 0; i < server->breakpoint_count; i++)
		if (server->breakpoints[i].refused != NULL) {
			snprintf(why->text, sizeof why->text, "at 0x%" PRIx64 ": %.500s",
				 server->breakpoints[i].address, server->breakpoints[i].refused);
			return false;
		}
	/* gdb inserts them in any order. */
	if (server->breakpoint_count > 0)
		qsort(server->breakpoints, server->breakpoint_count, sizeof *server->breakpoints,
		      compare);
	return install_stops(server, why) &&
	       dph_gdb_prints_install(server, stop_count(server), why);
}

void dph_gdb_run_close(struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why;
	bool stood = server->state == DPH_GDB_STANDS;

	forget_all(server);
	free(server->breakpoints);
	if (server->installed_breakpoints != NULL)
		target->ops->install(target->context, NULL, &why);
	/* A breakpoint may have stopped it after the last look. */
	if (server->state == DPH_GDB_RUNS && server->installed_breakpoints != NULL)
		stood = target->ops->is_stopped(target->context, false);
	free(server->installed_breakpoints);
	if (stood)
		target->ops->resume(target->context, &why);
}

/* --- resumptions ----------------------------------------------------------------------------- */

void dph_gdb_do_tell_resumptions(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	dph_gdb_add_text(&server->answer, "vCont;c;C;s;S;r");
}

/* Refuse a resumption of a target that nothing stops. */
static bool is_refused(struct dph_gdb_server *server)
{
	const char *no = no_stop(server);

	if (no != NULL)
		dph_gdb_refuse(server, "%s%s", no,
			       stop_count(server) > 0
				       ? "; nothing stops at breakpoints and watchpoints"
				       : "");
	return no != NULL;
}

/* Is dprintf all that gdb waits for? That needs no stop. */
static bool prints_alone(const struct dph_gdb_server *server)
{
	return server->breakpoint_count > 0 && stop_count(server) == 0;
}

void dph_gdb_do_go_on(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why = {"the target does not go on"};

	(void)args;
	(void)bytes;
	if (!prints_alone(server) && is_refused(server))
		return;
	server->access_done = false;
	if (!install(server, &why) ||
	    (server->state == DPH_GDB_STANDS && !target->ops->resume(target->context, &why))) {
		dph_gdb_refuse(server, "%s", why.text);
		return;
	}
	if (server->state == DPH_GDB_STANDS)
		server->released = why_released(server);
	say_released(server);
	waits(server);
}

/* Does a breakpoint stand in the range? */
static bool has_breakpoint(const struct dph_gdb_server *server, uint64_t first, uint64_t bytes)
{
	for (size_t i = 0; i < server->breakpoint_count; i++)
		if (server->breakpoints[i].kind <= CODE &&
		    server->breakpoints[i].commands == NULL &&
		    server->breakpoints[i].address - first < bytes)
			return true;
	return false;
}

/* As when a stepped instruction has faulted: the firmware's handler runs. */
static void is_lost(struct dph_gdb_server *server)
{
	static const char text[] =
		"the target is no longer stopped: the instruction has faulted, and the firmware "
		"handles the fault, or another command or a restart has let the target go on\n";

	dph_gdb_say(server, text, strlen(text));
	waits(server);
}

/* Has gdb sent something during the step, as ^C? Then the stop is told behind that. */
static bool is_left(const struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;

	return server->broken ||
	       (target->ops->is_left != NULL && target->ops->is_left(target->context));
}

/* Answer a step of a target that ran, and is stopped now. gdb 13 ends with an internal error when
 * another thread stops than the one that was to step over a breakpoint. thread: that one; 0: any.
 */
static void stands_elsewhere(struct dph_gdb_server *server, unsigned thread)
{
	const struct dph_gdb_target *target = server->target;
	const unsigned here = target->ops->here != NULL ? target->ops->here(target->context) : 0;

	if (thread == 0 || here == 0 || here == thread) {
		say_released(server);
		stands(server, BY_TRAP);
		return;
	}
	server->state = DPH_GDB_STANDS;
	dph_gdb_refuse(server, "%s; it is stopped now, in thread %u",
		       server->released != NULL ? server->released : "the target ran", here);
	server->released = NULL;
}

static void stands_behind_step(struct dph_gdb_server *server)
{
	dph_gdb_prints_say(server, true);
	stands(server, BY_TRAP);
}

/* A target that runs is stopped in place of a step. bytes: of a range; 0: one instruction.
 * thread: that steps; 0: gdb names none. */
static void step(struct dph_gdb_server *server, uint64_t first, uint64_t bytes, unsigned thread)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why = {"the target does not step"};
	const bool stands_now = server->state == DPH_GDB_STANDS;

	if (is_refused(server))
		return;
	if (stands_now && server->access_done) {
		server->access_done = false;
		stands(server, BY_TRAP);
		return;
	}
	if (!install(server, &why)) { /* the step may end in a fault, and the firmware run on */
		dph_gdb_refuse(server, "%s", why.text);
		return;
	}
	if (has_breakpoint(server, first, bytes))
		bytes = 0;
	if (stands_now ? !target->ops->step(target->context, first, bytes, &why)
		       : !target->ops->stop(target->context, &why))
		dph_gdb_refuse(server, "%s", why.text);
	else if (stands_now && !target->ops->is_stopped(target->context, true))
		is_lost(server);
	else if (is_left(server))
		waits(server);
	else if (stands_now)
		stands_behind_step(server);
	else
		stands_elsewhere(server, thread);
}

void dph_gdb_do_step(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	step(server, 0, 0, 0);
}

/* ":THREAD", or nothing: 0. */
static unsigned thread_of(const char *args)
{
	uint64_t number;

	return *args == ':' && (args++, dph_gdb_number(&args, &number)) ? (unsigned)number : 0;
}

/* "ACTION[:THREAD]" and others: the first one counts, because the target stops and goes on as a
 * whole. gdb names the thread that steps first. */
void dph_gdb_do_resume(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	uint64_t first, end;

	if (*args == 'c' || *args == 'C') {
		dph_gdb_do_go_on(server, args, bytes);
	} else if (*args == 's' || *args == 'S') {
		step(server, 0, 0, *args == 's' ? thread_of(args + 1) : 0);
	} else if (*args == 'r' && dph_gdb_number_and((args++, &args), &first, ',') &&
		   dph_gdb_number(&args, &end) && end >= first) {
		first = dph_gdb_place(server, first);
		step(server, first, dph_gdb_place(server, end) - first, thread_of(args));
	} else {
		dph_gdb_malformed(server);
	}
}
