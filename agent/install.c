/* SPDX-License-Identifier: BSD-2-Clause */
/* From a received object to armed probes: everything is checked and prepared before the first byte
 * of text changes; what fails on the way is undone.  PROTOCOL.md 7 */
#include "dp_bytes.h"
#include "dp_core.h"
#include "dp_crc.h"
#include "dp_memory.h"

/* A verdict begins with no point and nothing found; so it is again after every step that agrees. */
static enum dp_err refuse(struct dp_verdict *verdict, enum dp_err error, uint32_t found)
{
	if (DP_WITH_DETAILS)
		verdict->found = found;
	return error;
}

static enum dp_err refuse_point(struct dp_verdict *verdict, enum dp_err error, unsigned point,
				uint32_t found)
{
	if (DP_WITH_DETAILS)
		verdict->probe = (uint16_t)point;
	return refuse(verdict, error, found);
}

/* --- modules --- */

#if DP_WITH_MODULES
const struct dp_module *dp_module_of(const struct dp_agent *agent, const struct dp_program *program,
				     const uint8_t *row)
{
	if (row[DP_MOD_TYPE] == DP_MODULE_KERNEL)
		return agent->module;
	return dp_module_find(agent,
			      program->object + program->strings + dp_get_u16(row + DP_MOD_NAME),
			      row[DP_MOD_NAME_BYTES]);
}
#endif

bool dp_module_matches(const struct dp_agent *agent, const struct dp_program *program,
		       const uint8_t *row, const struct dp_module *module)
{
	bool stamped = dp_module_stamped(module);
	uint8_t id[8];

	if (row[DP_MOD_IDENTITY] != (stamped ? DP_IDENTITY_BUILD_ID : DP_IDENTITY_TEXT_CRC))
		return program->options & DP_COMMIT_NO_IDENTITY;
	if (stamped)
		return dp_equal(row + DP_MOD_ID, module->build_id, module->build_id_bytes);
	if (!DP_WITH_IDENTITY)
		return false;
	if (!DP_WITH_MODULES || module == agent->module)
		return dp_equal(row + DP_MOD_ID, agent->identity, sizeof(id));
	return dp_module_identity(agent, module, id) && dp_equal(row + DP_MOD_ID, id, sizeof(id));
}

static enum dp_err check_modules(const struct dp_agent *agent, const struct dp_program *program,
				 unsigned count, struct dp_verdict *verdict)
{
	const uint8_t *row = program->object + program->modules;

	for (unsigned i = 0; i < count; i++, row += DP_MODULE_BYTES) {
		const struct dp_module *module = dp_module_of(agent, program, row);

		if (!DP_WITH_MODULES && row[DP_MOD_TYPE] != DP_MODULE_KERNEL)
			return refuse(verdict, DP_ERR_LEFT_OUT, DP_FOUND_PART + DP_PART_MODULES);
		if (module && !dp_module_matches(agent, program, row, module))
			return refuse(verdict, DP_ERR_WRONG_IMAGE, i);
	}
	return DP_ERR_OK;
}

/* --- one probe point --- */

/* Is the point's place something this target can put a probe at? */
static enum dp_err check_place(const struct dp_agent *agent, const uint8_t *point,
			       const struct dp_module *module, dp_addr *address)
{
	unsigned bytes = point[DP_PT_INSN_BYTES];

	*address = (dp_addr)dp_get_u64(point + DP_PT_ADDRESS);
	if (DP_WITH_MODULES && module != agent->module) {
		bool outside = *address >= module->bytes;

		*address += module->base;
		if (outside)
			return DP_ERR_NOT_TEXT;
	}
	if (point[DP_PT_KIND] != DP_PROBE_BREAK)
		return DP_ERR_NO_WATCHPOINT;
	if (DP_WITH_PHASES ? !(DP_AGENT_PHASES >> point[DP_PT_PHASE] & 1)
			   : point[DP_PT_PHASE] != DP_PHASE_BEFORE)
		return DP_ERR_BAD_PHASE;
	return dp_text_allowed(agent, *address, bytes ? bytes : 1);
}

/* Does the instruction share bytes with that of another site? Each would cut the other's trap, and
 * neither could be taken out again. */
static bool overlaps(const struct dp_agent *agent, const struct dp_site *site)
{
	const struct dp_site *other = agent->site;

	for (; other < agent->site + DP_MAX_PROBES; other++)
		if (other != site && other->chain != DP_SITE_FREE &&
		    (other->address - site->address < site->insn_bytes ||
		     site->address - other->address < other->insn_bytes))
			return true;
	return false;
}

DP_APART static enum dp_err fetch_site(const struct dp_agent *agent, struct dp_site *site,
				       const uint8_t *point)
{
	enum dp_err error;

	site->isa = point[DP_PT_ISA];
	site->extent = site->address - dp_get_u32(point + DP_PT_BEFORE);
	site->extent_bytes = dp_get_u32(point + DP_PT_EXTENT);
	error = dp_port_fetch(site);
	if (error == DP_ERR_OK) /* only now is its length known */
		error = dp_text_allowed(agent, site->address, site->insn_bytes);
	if (error == DP_ERR_OK && overlaps(agent, site))
		error = DP_ERR_NOT_BOUNDARY;
	return error;
}

static bool is_expected(const struct dp_site *site, const uint8_t *point)
{
	return !(point[DP_PT_FLAGS] & DP_POINT_OPCODE) ||
	       (site->original == dp_get_u32(point + DP_PT_OPCODE) &&
		site->insn_bytes == point[DP_PT_INSN_BYTES]);
}

/* A site for the point: the one that is there or a new one, fetched, compared and prepared. One
 * whose probes have all ended is looked at again: the text may be another by now. */
static enum dp_err prepare_site(struct dp_agent *agent, const struct dp_program *program,
				const uint8_t *point, dp_addr address, struct dp_verdict *verdict,
				struct dp_site **place)
{
	struct dp_site *site = dp_site_find(agent, address);
	enum dp_err error = DP_ERR_OK;
	bool fresh;

	if (DP_WITH_TABLES && site) { /* before another probe is sealed with it */
		dp_tables_check(agent, site);
		site = dp_site_find(agent, address);
	}
	if (!DP_WITH_CHAINS && site && site->chain != DP_NONE)
		return refuse(verdict, DP_ERR_LEFT_OUT, DP_FOUND_PART + DP_PART_CHAINS);
	fresh = !site;
	if (fresh)
		site = dp_site_take(agent, address);
	if (DP_WITH_DETAILS)
		verdict->found = DP_MAX_PROBES;
	if (!site)
		return DP_ERR_TABLE_FULL;
	if (!fresh && site->isa != point[DP_PT_ISA]) {
		error = DP_ERR_NOT_BOUNDARY;
	} else if (!site->armed) {
		if (!fresh) /* or a second point of this program at the address */
			dp_port_release(site);
		error = fetch_site(agent, site, point);
		if (DP_WITH_PHASES || DP_WITH_TABLES)
			site->phases = (uint8_t)(DP_WITH_PHASES ? 1u << point[DP_PT_PHASE] : 1);
	}
	if (error == DP_ERR_OK) {
		error = dp_port_prepare(site, dp_text_original, &verdict->refusal);
		/* A debugger's breakpoint is the better reason: its sentence says what would do. */
		if (error != DP_ERR_FOREIGN_BREAK && !(program->options & DP_COMMIT_ANY_OPCODE) &&
		    !is_expected(site, point)) {
			if (error == DP_ERR_OK && fresh)
				dp_port_release(site);
			verdict->refusal = DP_REFUSE_NOTHING;
			error = DP_ERR_OPCODE_MISMATCH;
		}
	}
	if (DP_WITH_DETAILS)
		verdict->found = site->original;
	if (error == DP_ERR_OK)
		*place = site;
	else if (fresh)
		dp_site_drop(agent, site);
	return error;
}

/* Everything the target must agree to before this point can be armed. *place is its site, or
 * null when it must wait for its module. */
static enum dp_err check_point(struct dp_agent *agent, const struct dp_program *program,
			       unsigned index, struct dp_verdict *verdict, struct dp_site **place)
{
	const uint8_t *point = dp_program_point(program, index);
	const struct dp_module *module =
		dp_module_of(agent, program, dp_program_module(program, point));
	dp_addr address;
	enum dp_err error;

	DP_NEAR(point);
	*place = NULL;
	if (!module)
		return DP_ERR_OK;
	error = check_place(agent, point, module, &address);
	if (DP_WITH_DETAILS)
		verdict->found = (uint32_t)address;
	if (error == DP_ERR_OK)
		error = prepare_site(agent, program, point, address, verdict, place);
	return error == DP_ERR_OK ? error : refuse_point(verdict, error, index, verdict->found);
}

/* --- probes --- */

DP_APART static bool number_free(const struct dp_agent *agent, unsigned i)
{
	const struct dp_probe *p = &agent->probe[i];

	/* retired_at no longer lies between tail and head */
	return p->program == DP_NONE &&
	       p->retired_at - agent->ring.tail - 1 >= agent->ring.head - agent->ring.tail;
}

static unsigned numbers_free(const struct dp_agent *agent)
{
	unsigned n = 0;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		n += number_free(agent, i);
	return n;
}

/* The next free number; check_points has seen that there is one. */
DP_APART static struct dp_probe *take_probe(struct dp_agent *agent, uint8_t program, unsigned index)
{
	const uint8_t *point = dp_program_point(dp_program_at(agent, program), index);
	struct dp_probe *probe;

	do
		agent->probe_last = (agent->probe_last + 1) & (DP_MAX_PROBES - 1);
	while (!number_free(agent, agent->probe_last));
	probe = dp_probe_at(agent, agent->probe_last);
	dp_clear(probe, sizeof(*probe));
	probe->program = program;
	probe->point = (uint8_t)index;
	probe->site = DP_NONE;
	probe->state = DP_PROBE_WAITING;
	probe->logonfault = point[DP_PT_FLAGS] & DP_POINT_LOGONFAULT;
	if (DP_WITH_PHASES)
		probe->phase = point[DP_PT_PHASE];
	probe->entry = (uint16_t)dp_get_u32(point + DP_PT_ENTRY);
	probe->excpt_mask = dp_get_u16(point + DP_PT_EXCPT_MASK);
	if (DP_KEEPS_CODES)
		probe->minor = dp_get_u16(point + DP_PT_MINOR);
	probe->ignore = dp_get_u32(point + DP_PT_IGNORE);
	probe->maxhits = dp_get_u32(point + DP_PT_MAXHITS);
	agent->probes++;
	return probe;
}

struct dp_probe *dp_probe_next(struct dp_agent *agent, unsigned program, struct dp_probe *after)
{
	struct dp_probe *probe = after ? after + 1 : agent->probe;

	for (; probe < agent->probe + DP_MAX_PROBES; probe++)
		if (probe->program == program)
			return probe;
	return NULL;
}

/* The place in a site's chain that holds the probe; null: its end. */
static uint8_t *chain_link(struct dp_agent *agent, struct dp_site *site,
			   const struct dp_probe *probe)
{
	uint8_t *link = &site->chain;
	struct dp_probe *there;

	while (DP_WITH_CHAINS && (there = dp_probe_at(agent, *link)) != probe)
		link = &there->next;
	return link;
}

void dp_site_drop_bare(struct dp_agent *agent, struct dp_site *site)
{
	dp_site_settle(agent, site);
	if (site->chain != DP_NONE || site->armed)
		return;
	dp_port_release(site);
	dp_site_drop(agent, site);
}

/* Give back the sites that checking took and nobody uses. */
static void drop_bare_sites(struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		if (agent->site[i].chain == DP_NONE)
			dp_site_drop_bare(agent, &agent->site[i]);
}

void dp_probe_unchain(struct dp_agent *agent, struct dp_probe *probe)
{
	struct dp_site *site = dp_site_at(agent, probe->site);

	if (!site)
		return;
	*chain_link(agent, site, probe) = DP_WITH_CHAINS ? probe->next : DP_NONE;
	probe->site = DP_NONE;
	if (probe->state == DP_PROBE_ARMED) /* what has ended does not begin again */
		probe->state = DP_PROBE_WAITING;
	if (DP_WITH_TABLES)
		dp_site_seal(agent, site);
	dp_site_drop_bare(agent, site);
}

void dp_probe_disarm(struct dp_agent *agent, struct dp_probe *probe)
{
	if (DP_WITH_PATROL && probe->site != DP_NONE)
		dp_site_check(agent, dp_site_at(agent, probe->site));
	dp_probe_unchain(agent, probe);
}

enum dp_err dp_probe_arm(struct dp_agent *agent, struct dp_probe *probe, struct dp_verdict *verdict)
{
	struct dp_site *site;
	enum dp_err error = check_point(agent, dp_program_at(agent, probe->program), probe->point,
					verdict, &site);

	if (!site)
		return error;
	if (DP_WITH_TABLES && probe->state == DP_PROBE_DAMAGED) { /* while its site was looked at */
		dp_site_drop_bare(agent, site);
		return error;
	}
	probe->site = (uint8_t)(site - agent->site);
	if (DP_WITH_CHAINS)
		probe->next = DP_NONE;
	*chain_link(agent, site, NULL) = (uint8_t)(probe - agent->probe);
	probe->state = DP_PROBE_ARMED;
	if (DP_WITH_PHASES)
		dp_site_settle(agent, site);
	error = dp_site_arm(agent, site);
	if (error != DP_ERR_OK) {
		refuse_point(verdict, error, probe->point, (uint32_t)site->address);
		dp_probe_disarm(agent, probe);
	}
	return error;
}

/* --- programs --- */

DP_APART static bool is_selected(const struct dp_commit *commit, unsigned point)
{
	return point / 8 >= commit->selection_bytes ||
	       (commit->selection[point / 8] << point % 8 & 0x80) != 0;
}

static inline bool selected(const struct dp_commit *commit, unsigned point)
{
	return !DP_WITH_SELECT || is_selected(commit, point);
}

static enum dp_err check_points(struct dp_agent *agent, const struct dp_program *program,
				struct dp_commit *commit)
{
	struct dp_verdict *verdict = &commit->verdict;
	unsigned wanted = 0;
	enum dp_err error;
	struct dp_site *site;

	for (unsigned i = 0; i < program->probes; i++) {
		if (!selected(commit, i))
			continue;
		wanted++;
		error = check_point(agent, program, i, verdict, &site);
		if (error != DP_ERR_OK)
			return error;
	}
	refuse(verdict, DP_ERR_OK, 0);
	if (wanted == 0)
		return DP_ERR_EMPTY;
	if (wanted <= numbers_free(agent))
		return DP_ERR_OK;
	if (wanted + agent->probes > DP_MAX_PROBES)
		return refuse(verdict, DP_ERR_TABLE_FULL, DP_MAX_PROBES);
	return DP_ERR_BUSY; /* until records of what was removed have left */
}

static void target_of(const struct dp_agent *agent, struct dp_target *target)
{
	static const struct dp_target fixed = {
		.cpu = DP_PORT_CPU,
		.word_bytes = sizeof(dp_word),
		.order = DP_PORT_BIG_ENDIAN ? DP_ORDER_BIG : DP_ORDER_LITTLE,
		.port_groups = DP_PORT_GROUPS,
		.build_groups = DP_BUILD_GROUPS,
		.log_max = DP_LOG_MAX,
		.trace_max = DP_TRACE_MAX,
		.vars_max = RPN_VARS_MAX,
		.gvars_max = DP_GVARS,
		.jmpmax_max = 0xffff,
		.probes_max = DP_MAX_PROBES,
	};

	dp_copy(target, &fixed, sizeof(fixed));
	target->may_write = DP_PROFILE == DP_PROFILE_FULL && (agent->link.rights & DP_RIGHT_WRITE);
	target->regs = dp_port_regs(&target->reg_count);
}

static enum dp_err verify_upload(struct dp_agent *agent, struct dp_layout *layout,
				 struct dp_verdict *verdict)
{
	const struct dp_upload *upload = &agent->upload;
	uint8_t *object = dp_upload_bytes(agent);
	uint32_t padded = (upload->bytes + 7) & ~7u; /* at most what is there */
	struct dp_target target;

	if (dp_crc32(0, object, upload->bytes) != upload->crc)
		return DP_ERR_BAD_CRC;
	target_of(agent, &target);
	return dp_verify_object(object, upload->bytes, &target, object + padded,
				dp_arena_free(agent) - padded, layout, verdict);
}

/* The upload as a program, if verifier and target agree to it. */
static enum dp_err check_upload(struct dp_agent *agent, struct dp_commit *commit,
				struct dp_program *program)
{
	struct dp_verdict *verdict = &commit->verdict;
	struct dp_layout layout;
	enum dp_err error;

	if (!DP_WITH_ITEMS && commit->items != 0)
		return refuse(verdict, DP_ERR_LEFT_OUT, DP_FOUND_PART + DP_PART_ITEMS);
	if (DP_WITH_ITEMS && !DP_WITH_TIMES && (commit->items & DP_ITEM_TSC))
		return refuse(verdict, DP_ERR_LEFT_OUT, DP_FOUND_PART + DP_PART_TIMES);
	if (!DP_WITH_MERGE && (commit->options & (DP_COMMIT_MERGE | DP_COMMIT_REPLACE)))
		return refuse(verdict, DP_ERR_LEFT_OUT, DP_FOUND_PART + DP_PART_MERGE);
	if (!DP_WITH_SELECT && commit->selection_bytes != 0)
		return refuse(verdict, DP_ERR_LEFT_OUT, DP_FOUND_PART + DP_PART_SELECT);
	if (DP_WITH_OWN_TEXT && dp_text_own(agent))
		return DP_ERR_OWN_TEXT;
	dp_command_open(agent);
	error = verify_upload(agent, &layout, verdict);
	dp_command_close(agent);
	if (DP_WITH_STORM && !agent->upload.open) /* a HELLO, in between */
		error = DP_ERR_BAD_TXN;
	if (error != DP_ERR_OK)
		return error;
	dp_store_describe(agent, program, &layout);
	if (DP_WITH_ITEMS)
		program->items = commit->items;
	program->options = commit->options;
	error = check_modules(agent, program, layout.module_count, verdict);
	if (error != DP_ERR_OK)
		return error;
	if (!(DP_WITH_MERGE && (commit->options & (DP_COMMIT_MERGE | DP_COMMIT_REPLACE))) &&
	    dp_store_find(agent, program, 0) != DP_NONE)
		return DP_ERR_NAME_IN_USE;
	return check_points(agent, program, commit);
}

static enum dp_err arm_program(struct dp_agent *agent, struct dp_commit *commit)
{
	for (unsigned i = 0; i < dp_program_at(agent, commit->program)->probes; i++) {
		struct dp_probe *probe;
		enum dp_err error;

		if (!selected(commit, i))
			continue;
		probe = take_probe(agent, commit->program, i);
		error = dp_probe_arm(agent, probe, &commit->verdict);
		if (error != DP_ERR_OK)
			return error;
		if (DP_WITH_MODULES && probe->state == DP_PROBE_WAITING)
			commit->waiting++;
		else
			commit->armed++;
	}
	return DP_ERR_OK;
}

void dp_uninstall(struct dp_agent *agent, uint8_t program)
{
	struct dp_probe *probe = NULL;

	while ((probe = dp_probe_next(agent, program, probe))) {
		dp_probe_disarm(agent, probe);
		probe->program = DP_NONE;
		probe->retired_at = probe->hits > 0 ? agent->ring.head : agent->ring.tail;
		agent->probes--;
	}
	agent->programs--;
	dp_store_remove(agent, program);
	if (DP_WITH_TIMES)
		agent->transmit.sync_due = 1;
}

static void remove_replaced(struct dp_agent *agent, uint8_t program)
{
	const struct dp_program *replacing = dp_program_at(agent, program);
	unsigned other;

	for (other = 0; (other = dp_store_find(agent, replacing, other)) != DP_NONE; other++)
		if (other != program)
			dp_uninstall(agent, (uint8_t)other);
}

/* What has been checked is stored and armed; or it is gone again, its bytes where they were. */
static enum dp_err install_program(struct dp_agent *agent, const struct dp_program *program,
				   struct dp_commit *commit)
{
	enum dp_err error = dp_store_program(agent, program, &commit->program);

	if (error == DP_ERR_OK) {
		agent->upload.done = 1; /* not to be moved */
		error = arm_program(agent, commit);
		if (error != DP_ERR_OK) {
			dp_uninstall(agent, commit->program);
			agent->upload.done = 0;
		}
	}
	if (error != DP_ERR_OK) {
		commit->program = DP_NONE;
		commit->armed = commit->waiting = 0;
		return error;
	}
	if (DP_WITH_GLOBALS && program->view.gvars > agent->gv_count)
		agent->gv_count = program->view.gvars;
	if (DP_WITH_MERGE && (commit->options & DP_COMMIT_REPLACE))
		remove_replaced(agent, commit->program);
	return error;
}

void dp_install(struct dp_agent *agent, struct dp_commit *commit)
{
	struct dp_program program;
	enum dp_err error = check_upload(agent, commit, &program);

	if (error == DP_ERR_OK && commit->install)
		error = install_program(agent, &program, commit);
	if (error == DP_ERR_OK)
		refuse(&commit->verdict, error, 0);
	commit->verdict.error = error;
	drop_bare_sites(agent);
}
