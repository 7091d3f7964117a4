/* SPDX-License-Identifier: BSD-2-Clause */
/* From a received object to armed probes: everything is checked and prepared before the first byte
 * of text changes; what fails on the way is undone.  spec/safety.md 2.4, 3.4 (5) */
#include "dp_bytes.h"
#include "dp_core.h"
#include "dp_crc.h"
#include "dp_memory.h"

/* What a probe point of the object says, as numbers. */
struct point {
	dp_addr address; /* absolute; unknown while waiting */
	uint32_t before, extent, opcode;
	uint8_t kind, phase, isa, flags, insn_bytes;
	bool waiting;
};

static void set_verdict(struct dp_verdict *verdict, enum dp_err error, uint16_t probe,
			uint32_t found)
{
	verdict->error = error;
	verdict->refusal = DP_REFUSE_NOTHING;
	verdict->probe = probe;
	verdict->where = 0;
	verdict->found = found;
}

static struct dp_target target_of(const struct dp_agent *agent)
{
	struct dp_target t = {
		.cpu = DP_PORT_CPU,
		.word_bytes = sizeof(dp_word),
		.order = DP_PORT_BIG_ENDIAN ? DP_ORDER_BIG : DP_ORDER_LITTLE,
		.port_groups = DP_PORT_GROUPS,
		.build_groups = DP_PROFILE == DP_PROFILE_FULL
					? RPN_GROUP_ALL
					: RPN_GROUP_ALL & ~RPN_GROUP_DESTRUCTIVE,
		.may_write = (agent->link.rights & DP_RIGHT_WRITE) != 0,
		.log_max = DP_LOG_MAX,
		.trace_max = DP_TRACE_MAX,
		.vars_max = RPN_VARS_MAX,
		.gvars_max = DP_GVARS,
		.jmpmax_max = 0xffff,
		.probes_max = DP_MAX_PROBES,
	};

	t.regs = dp_port_regs(&t.reg_count);
	return t;
}

/* --- modules --- */

static const struct dp_module *find_module(const struct dp_agent *agent, const uint8_t *name,
					   uint8_t name_bytes)
{
	for (unsigned i = 1; i < agent->module_count; i++) {
		const char *own = agent->module[i].name;
		uint8_t k = 0;

		while (k < name_bytes && own[k] != '\0' && own[k] == (char)name[k])
			k++;
		if (k == name_bytes && own[k] == '\0')
			return &agent->module[i];
	}
	return NULL;
}

/* The announced module an object's module row means, or null while it is not there. */
static const struct dp_module *module_of(const struct dp_agent *agent, const uint8_t *object,
					 uint32_t strings, const uint8_t *row)
{
	if (row[DP_MOD_TYPE] == DP_MODULE_KERNEL)
		return &agent->module[0];
	return find_module(agent, object + strings + dp_get_u16(row + DP_MOD_NAME),
			   row[DP_MOD_NAME_BYTES]);
}

static bool identity_matches(const struct dp_agent *agent, const uint8_t *row,
			     const struct dp_module *module, bool allow_none)
{
	const uint8_t *id = row + DP_MOD_ID;

	if (row[DP_MOD_IDENTITY] == DP_IDENTITY_BUILD_ID && module->build_id)
		return dp_equal(id, module->build_id, module->build_id_bytes);
	if (row[DP_MOD_IDENTITY] == DP_IDENTITY_TEXT_CRC && !module->build_id) {
		uint32_t crc;

		if (module == &agent->module[0])
			return dp_equal(id, agent->identity, 8);
		return dp_text_crc(agent, module->base, (uint32_t)module->bytes, true, &crc,
				   NULL) &&
		       dp_get_u32(id) == crc && dp_get_u32(id + 4) == (uint32_t)module->bytes;
	}
	return allow_none;
}

static enum dp_err check_modules(const struct dp_agent *agent, const uint8_t *object,
				 const struct dp_layout *layout, bool allow_none,
				 struct dp_verdict *verdict)
{
	for (uint16_t i = 0; i < layout->module_count; i++) {
		const uint8_t *row = object + layout->modules + i * DP_MODULE_BYTES;
		const struct dp_module *module = module_of(agent, object, layout->strings, row);

		if (module && !identity_matches(agent, row, module, allow_none)) {
			set_verdict(verdict, DP_ERR_WRONG_IMAGE, 0xffff, i);
			return DP_ERR_WRONG_IMAGE;
		}
	}
	return DP_ERR_OK;
}

/* --- one probe point --- */

static struct point read_point(const struct dp_agent *agent, const uint8_t *object,
			       uint32_t modules, uint32_t strings, const uint8_t *p)
{
	const uint8_t *row = object + modules + dp_get_u16(p + DP_PT_MODULE) * DP_MODULE_BYTES;
	const struct dp_module *module = module_of(agent, object, strings, row);
	struct point point = {
		.address = (dp_addr)dp_get_u64(p + DP_PT_ADDRESS),
		.before = dp_get_u32(p + DP_PT_BEFORE),
		.extent = dp_get_u32(p + DP_PT_EXTENT),
		.opcode = dp_get_u32(p + DP_PT_OPCODE),
		.kind = p[DP_PT_KIND],
		.phase = p[DP_PT_PHASE],
		.isa = p[DP_PT_ISA],
		.flags = p[DP_PT_FLAGS],
		.insn_bytes = p[DP_PT_INSN_BYTES],
		.waiting = module == NULL,
	};

	if (module && row[DP_MOD_TYPE] != DP_MODULE_KERNEL) {
		point.waiting = false;
		if (point.address >= module->bytes)
			point.kind = DP_NONE; /* refused below: outside its module */
		point.address += module->base;
	}
	return point;
}

/* A site for the point: the one that is there, or a new one, fetched, compared and prepared.
 * Returns its index or DP_NONE with verdict. */
static uint8_t prepare_site(struct dp_agent *agent, const struct point *point, uint16_t index,
			    bool any_opcode, struct dp_verdict *verdict)
{
	uint8_t i = dp_site_find(agent, point->address);
	bool fresh = i == DP_NONE;
	enum dp_refusal why = DP_REFUSE_NOTHING;
	enum dp_err error = DP_ERR_OK;
	uint32_t found = 0;
	struct dp_site *site;

	if (fresh)
		i = dp_site_take(agent, point->address);
	if (i == DP_NONE) {
		set_verdict(verdict, DP_ERR_TABLE_FULL, index, DP_MAX_PROBES);
		return DP_NONE;
	}
	site = &agent->site[i];
	if (fresh) {
		site->isa = point->isa;
		site->extent = point->address - point->before;
		site->extent_bytes = point->extent;
		error = dp_port_fetch(site);
		if (error == DP_ERR_OK) /* only now is its length known */
			error = dp_text_allowed(agent, point->address, site->insn_bytes);
	} else if (site->isa != point->isa) {
		error = DP_ERR_NOT_BOUNDARY;
	}
	if (error == DP_ERR_OK) {
		found = site->original;
		if (!fresh && !site->armed) /* a second point of this program at the address */
			dp_port_release(site);
		error = dp_port_prepare(site, 1u << point->phase, dp_text_original, &why);
		/* A debugger's breakpoint is the better reason: its sentence says what would do. */
		if (error != DP_ERR_FOREIGN_BREAK && (point->flags & DP_POINT_OPCODE) &&
		    !any_opcode &&
		    (found != point->opcode || site->insn_bytes != point->insn_bytes)) {
			if (error == DP_ERR_OK && fresh)
				dp_port_release(site);
			error = DP_ERR_OPCODE_MISMATCH;
			why = DP_REFUSE_NOTHING;
		}
	}
	if (error == DP_ERR_OK)
		return i;
	if (fresh)
		dp_site_drop(agent, i);
	set_verdict(verdict, error, index, found);
	verdict->refusal = why;
	return DP_NONE;
}

/* Everything the target must agree to before this point can be armed. */
static uint8_t check_point(struct dp_agent *agent, const struct point *point, uint16_t index,
			   bool any_opcode, struct dp_verdict *verdict)
{
	enum dp_err error = DP_ERR_OK;

	if (point->kind == DP_NONE)
		error = DP_ERR_NOT_TEXT;
	else if (point->kind != DP_PROBE_BREAK)
		error = DP_ERR_NO_WATCHPOINT;
	else if (!(DP_PORT_PHASES & (1u << point->phase)))
		error = DP_ERR_BAD_PHASE;
	else
		error = dp_text_allowed(agent, point->address,
					point->insn_bytes ? point->insn_bytes : 1);
	if (error != DP_ERR_OK) {
		set_verdict(verdict, error, index, (uint32_t)point->address);
		return DP_NONE;
	}
	return prepare_site(agent, point, index, any_opcode, verdict);
}

/* --- probes --- */

static bool number_free(const struct dp_agent *agent, unsigned i)
{
	const struct dp_probe *p = &agent->probe[i];

	/* retired_at no longer lies between tail and head */
	return !p->used &&
	       p->retired_at - agent->ring.tail - 1 >= agent->ring.head - agent->ring.tail;
}

static unsigned numbers_free(const struct dp_agent *agent)
{
	unsigned n = 0;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		n += number_free(agent, i);
	return n;
}

static uint8_t take_probe(struct dp_agent *agent)
{
	for (unsigned k = 1; k <= DP_MAX_PROBES; k++) {
		unsigned i = (agent->probe_last + k) & (DP_MAX_PROBES - 1);

		if (number_free(agent, i)) {
			agent->probe_last = (uint8_t)i;
			dp_clear(&agent->probe[i], sizeof(agent->probe[i]));
			agent->probe[i].used = 1;
			agent->probe[i].site = DP_NONE;
			agent->probe[i].next = DP_NONE;
			return (uint8_t)i;
		}
	}
	return DP_NONE;
}

static void fill_probe(struct dp_probe *probe, uint8_t program, uint8_t index, const uint8_t *p)
{
	probe->program = program;
	probe->point = index;
	probe->logonfault = (p[DP_PT_FLAGS] & DP_POINT_LOGONFAULT) != 0;
	probe->entry = (uint16_t)dp_get_u32(p + DP_PT_ENTRY);
	probe->minor = dp_get_u16(p + DP_PT_MINOR);
	probe->excpt_mask = dp_get_u16(p + DP_PT_EXCPT_MASK);
	probe->ignore = dp_get_u32(p + DP_PT_IGNORE);
	probe->maxhits = dp_get_u32(p + DP_PT_MAXHITS);
}

static void chain_append(struct dp_agent *agent, uint8_t site, uint8_t probe)
{
	uint8_t *link = &agent->site[site].chain;

	while (*link != DP_NONE)
		link = &agent->probe[*link].next;
	*link = probe;
	agent->probe[probe].site = site;
}

static void chain_remove(struct dp_agent *agent, uint8_t probe)
{
	uint8_t *link = &agent->site[agent->probe[probe].site].chain;

	while (*link != probe)
		link = &agent->probe[*link].next;
	*link = agent->probe[probe].next;
	agent->probe[probe].next = DP_NONE;
}

/* A site that no probe is chained to goes: text first, then slot, then entry. */
static void drop_site_if_bare(struct dp_agent *agent, uint8_t site)
{
	if (agent->site[site].chain != DP_NONE) {
		dp_site_settle(agent, site);
		return;
	}
	dp_site_disarm(agent, site);
	dp_port_release(&agent->site[site]);
	dp_site_drop(agent, site);
}

static void free_probe(struct dp_agent *agent, uint8_t i)
{
	struct dp_probe *probe = &agent->probe[i];

	if (probe->site != DP_NONE) {
		uint8_t site = probe->site;

		chain_remove(agent, i);
		drop_site_if_bare(agent, site);
	}
	probe->used = 0;
	probe->retired_at = probe->hits > 0 ? agent->ring.head : agent->ring.tail;
}

/* --- programs --- */

static bool selected(const struct dp_commit *commit, unsigned point)
{
	unsigned byte = point / 8;

	return byte >= commit->selection_bytes ||
	       (commit->selection[byte] & (0x80 >> (point % 8))) != 0;
}

/* Give back the sites that checking took and nobody uses. */
static void drop_bare_sites(struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		if (agent->site_used[i] && agent->site[i].chain == DP_NONE)
			drop_site_if_bare(agent, (uint8_t)i);
}

static enum dp_err check_points(struct dp_agent *agent, const uint8_t *object,
				const struct dp_layout *layout, const struct dp_commit *commit,
				struct dp_verdict *verdict)
{
	unsigned wanted = 0;

	for (uint16_t i = 0; i < layout->probe_count; i++) {
		const uint8_t *p = object + layout->probes + i * DP_PROBE_BYTES;
		struct point point;

		if (!selected(commit, i))
			continue;
		wanted++;
		point = read_point(agent, object, layout->modules, layout->strings, p);
		if (point.waiting)
			continue;
		if (check_point(agent, &point, i, commit->options & DP_COMMIT_ANY_OPCODE,
				verdict) == DP_NONE)
			return verdict->error;
	}
	if (wanted == 0)
		set_verdict(verdict, DP_ERR_EMPTY, 0xffff, 0);
	else if (wanted > numbers_free(agent))
		set_verdict(verdict, DP_ERR_TABLE_FULL, 0xffff, DP_MAX_PROBES);
	return verdict->error;
}

static enum dp_err check_upload(struct dp_agent *agent, const struct dp_commit *commit,
				struct dp_layout *layout, struct dp_verdict *verdict)
{
	const struct dp_upload *upload = &agent->upload;
	uint8_t *object = dp_upload_bytes(agent);
	struct dp_target target = target_of(agent);
	uint32_t padded = (upload->bytes + 7) & ~7u;
	uint32_t spare = dp_arena_free(agent) > padded ? dp_arena_free(agent) - padded : 0;
	enum dp_err error;

	set_verdict(verdict, DP_ERR_OK, 0xffff, 0);
	if (dp_crc32(0, object, upload->bytes) != upload->crc) {
		set_verdict(verdict, DP_ERR_BAD_CRC, 0xffff, 0);
		return DP_ERR_BAD_CRC;
	}
	error = dp_verify_object(object, upload->bytes, &target, object + padded, spare, layout,
				 verdict);
	if (error != DP_ERR_OK)
		return error;
	error = check_modules(agent, object, layout, commit->options & DP_COMMIT_NO_IDENTITY,
			      verdict);
	if (error != DP_ERR_OK)
		return error;
	if (!(commit->options & (DP_COMMIT_MERGE | DP_COMMIT_REPLACE)) &&
	    dp_store_find(agent, object + layout->strings + dp_get_u16(object + DP_OBJ_NAME),
			  object[DP_OBJ_NAME_BYTES], dp_get_u32(object + DP_OBJ_ID),
			  0) != DP_NONE) {
		set_verdict(verdict, DP_ERR_NAME_IN_USE, 0xffff, 0);
		return DP_ERR_NAME_IN_USE;
	}
	return check_points(agent, object, layout, commit, verdict);
}

/* Give the program's selected points their probes, sites linked, nothing armed yet. */
static void link_probes(struct dp_agent *agent, uint8_t program, const struct dp_commit *commit,
			struct dp_installed *installed)
{
	struct dp_program *p = &agent->program[program];

	for (uint8_t i = 0; i < p->probes; i++) {
		const uint8_t *bytes = dp_program_point(p, i);
		struct point point;
		uint8_t number;

		if (!selected(commit, i))
			continue;
		point = read_point(agent, p->object, p->modules_offset, p->strings_offset, bytes);
		number = take_probe(agent);
		fill_probe(&agent->probe[number], program, i, bytes);
		if (point.waiting) {
			agent->probe[number].state = DP_PROBE_WAITING;
			installed->waiting++;
			continue;
		}
		chain_append(agent, dp_site_find(agent, point.address), number);
		installed->armed++;
	}
}

static enum dp_err arm_program(struct dp_agent *agent, uint8_t program, struct dp_verdict *verdict)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		struct dp_probe *probe = &agent->probe[i];
		enum dp_err error;

		if (!probe->used || probe->program != program || probe->site == DP_NONE)
			continue;
		error = dp_site_arm(agent, probe->site);
		if (error != DP_ERR_OK) {
			set_verdict(verdict, error, probe->point,
				    (uint32_t)agent->site[probe->site].address);
			return error;
		}
	}
	return DP_ERR_OK;
}

void dp_uninstall(struct dp_agent *agent, uint8_t program)
{
	dp_irq irq = dp_port_mask();

	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		if (agent->probe[i].used && agent->probe[i].program == program)
			free_probe(agent, (uint8_t)i);
	dp_store_remove(agent, program);
	agent->transmit.sync_due = 1;
	dp_port_unmask(irq);
}

static void remove_replaced(struct dp_agent *agent, uint8_t program)
{
	const struct dp_program *p = &agent->program[program];
	uint8_t other = dp_store_find(agent, p->name, p->name_bytes, p->id, 0);

	while (other != DP_NONE) {
		if (other != program)
			dp_uninstall(agent, other);
		other = dp_store_find(agent, p->name, p->name_bytes, p->id, (uint8_t)(other + 1));
	}
}

enum dp_err dp_install(struct dp_agent *agent, const struct dp_commit *commit, bool install,
		       struct dp_verdict *verdict, struct dp_installed *installed)
{
	struct dp_layout layout;
	enum dp_err error;
	dp_irq irq = dp_port_mask();

	installed->program = DP_NONE;
	installed->armed = installed->waiting = 0;
	error = check_upload(agent, commit, &layout, verdict);
	if (error == DP_ERR_OK && install) {
		installed->program = dp_store_program(agent, &layout, &error);
		if (installed->program == DP_NONE)
			set_verdict(verdict, error, 0xffff, 0);
	}
	if (error == DP_ERR_OK && install) {
		agent->program[installed->program].items = commit->items;
		agent->program[installed->program].options = commit->options;
		link_probes(agent, installed->program, commit, installed);
		error = arm_program(agent, installed->program, verdict);
		if (error != DP_ERR_OK) {
			agent->upload.done = 1; /* not to be moved */
			dp_uninstall(agent, installed->program);
			agent->upload.done = 0; /* its bytes are where they were */
			*installed = (struct dp_installed){DP_NONE, 0, 0};
		} else {
			agent->upload.done = 1;
			if (agent->program[installed->program].gvars > agent->gv_count)
				agent->gv_count = agent->program[installed->program].gvars;
			if (commit->options & DP_COMMIT_REPLACE)
				remove_replaced(agent, installed->program);
		}
	}
	drop_bare_sites(agent);
	dp_port_unmask(irq);
	return error;
}

/* --- modules that come and go --- */

static bool names_module(const struct dp_agent *agent, const struct dp_probe *probe,
			 const struct dp_module *module)
{
	const struct dp_program *p = &agent->program[probe->program];
	const uint8_t *point = dp_program_point(p, probe->point);
	const uint8_t *row =
		p->object + p->modules_offset + dp_get_u16(point + DP_PT_MODULE) * DP_MODULE_BYTES;

	return module_of(agent, p->object, p->strings_offset, row) == module;
}

static enum dp_err arm_waiting(struct dp_agent *agent, uint8_t number, struct dp_verdict *verdict)
{
	struct dp_probe *probe = &agent->probe[number];
	const struct dp_program *p = &agent->program[probe->program];
	const uint8_t *bytes = dp_program_point(p, probe->point);
	const uint8_t *row =
		p->object + p->modules_offset + dp_get_u16(bytes + DP_PT_MODULE) * DP_MODULE_BYTES;
	const struct dp_module *module = module_of(agent, p->object, p->strings_offset, row);
	struct point point =
		read_point(agent, p->object, p->modules_offset, p->strings_offset, bytes);
	enum dp_err error;
	uint8_t site;

	if (!identity_matches(agent, row, module, p->options & DP_COMMIT_NO_IDENTITY))
		return DP_ERR_WRONG_IMAGE;
	site = check_point(agent, &point, probe->point, p->options & DP_COMMIT_ANY_OPCODE, verdict);
	if (site == DP_NONE)
		return verdict->error;
	chain_append(agent, site, number);
	error = dp_site_arm(agent, site);
	if (error != DP_ERR_OK) {
		chain_remove(agent, number);
		drop_site_if_bare(agent, site);
		probe->site = DP_NONE;
		return error;
	}
	probe->state = DP_PROBE_ARMED;
	return DP_ERR_OK;
}

void dp_module_arm(struct dp_agent *agent, const struct dp_module *module)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		struct dp_probe *probe = &agent->probe[i];
		struct dp_verdict verdict = {0};
		enum dp_err error;

		if (!probe->used || probe->state != DP_PROBE_WAITING ||
		    !names_module(agent, probe, module))
			continue;
		error = arm_waiting(agent, (uint8_t)i, &verdict);
		if (error != DP_ERR_OK) {
			uint8_t arguments[3] = {probe->program, (uint8_t)error, probe->point};

			dp_notice(agent, DP_NOTICE_MODULE_REFUSED, arguments, sizeof(arguments));
		}
	}
}

void dp_module_disarm(struct dp_agent *agent, const struct dp_module *module)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		struct dp_probe *probe = &agent->probe[i];

		if (!probe->used || probe->site == DP_NONE || !names_module(agent, probe, module))
			continue;
		uint8_t site = probe->site;

		chain_remove(agent, (uint8_t)i);
		probe->site = DP_NONE;
		if (probe->state == DP_PROBE_ARMED) /* what has ended does not begin again */
			probe->state = DP_PROBE_WAITING;
		drop_site_if_bare(agent, site);
	}
}
