/* SPDX-License-Identifier: BSD-2-Clause */
/* From a received object to armed probes. The agent checks and prepares everything before the
 * first byte of text changes, and undoes the work when a step fails.  PROTOCOL.md 7 */
#include "dp_install.h"

#include "dp_at_work.h"
#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_entries.h"
#include "dp_hit.h"
#include "dp_identity.h"
#include "dp_items.h"
#include "dp_lock.h"
#include "dp_memory.h"
#include "dp_module_names.h"
#include "dp_point.h"
#include "dp_probes.h"
#include "dp_sites.h"
#include "dp_speculate.h"
#include "dp_store.h"
#include "dp_stream_line.h"
#include "dp_verdict.h"

static enum dp_err check_modules(const struct dp_agent *agent, const struct dp_program *program,
				 struct dp_verdict *verdict)
{
	const uint8_t *row = program->object + program->modules;

	for (unsigned i = 0; i < program->module_count; i++, row += DP_MODULE_BYTES) {
		const struct dp_module *module = dp_module_of(agent, program, row);

		if (!dp_module_possible(row))
			return dp_left_out(verdict, DP_PART_MODULES);
		if (module && !dp_module_matches(agent, program, row, module))
			return dp_refuse(verdict, DP_ERR_WRONG_IMAGE, i);
	}
	return DP_ERR_OK;
}

static bool is_selected(const struct dp_commit *commit, unsigned point)
{
	return point / 8 >= commit->selection_bytes ||
	       (commit->selection[point / 8] << point % 8 & 0x80) != 0;
}

static enum dp_err check_points(struct dp_agent *agent, const struct dp_program *program,
				struct dp_commit *commit)
{
	struct dp_verdict *verdict = &commit->verdict;
	unsigned wanted = 0;
	enum dp_err error;
	struct dp_spot spot;

	spot.program = program;
	spot.verdict = verdict;
	for (unsigned i = 0; i < program->probes; i++) {
		if (!is_selected(commit, i))
			continue;
		wanted++;
		error = dp_point_check(agent, &spot, i);
		if (error != DP_ERR_OK)
			return error;
	}
	dp_refuse(verdict, DP_ERR_OK, 0);
	if (wanted == 0)
		return DP_ERR_EMPTY;
	if (wanted <= dp_probe_numbers_free(agent))
		return DP_ERR_OK;
	if (wanted + agent->probes > DP_MAX_PROBES)
		return dp_refuse(verdict, DP_ERR_TABLE_FULL, DP_MAX_PROBES);
	return DP_ERR_BUSY; /* until records of what was removed have left */
}

static void target_of(const struct dp_agent *agent, struct dp_target *target)
{
	static const struct dp_target fixed = {
		.cpu = DP_PORT_CPU,
		.isas = DP_PORT_ISAS,
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

/* The upload as a program, if the verifier agrees to it. */
static enum dp_err verify_program(struct dp_agent *agent, struct dp_commit *commit,
				  struct dp_program *program)
{
	struct dp_layout layout;
	enum dp_err error;

	if (commit->items & ~DP_ITEMS)
		return dp_left_out(&commit->verdict, DP_PART_ITEMS);
	if (commit->options & DP_COMMIT_FLIGHT && !DP_WITH_HISTORY)
		return dp_left_out(&commit->verdict, DP_PART_FLIGHT);
	if (commit->options & DP_COMMIT_FLIGHT && DP_FLIGHT_BYTES == 0)
		return DP_ERR_NO_FLIGHT;
	if (dp_text_own(agent))
		return DP_ERR_OWN_TEXT;
	error = verify_upload(agent, &layout, &commit->verdict);
	if (error != DP_ERR_OK)
		return error;
	dp_store_describe(agent, program, &layout);
	if (dp_speculates(program) &&
	    (commit->items & DP_ITEM_ALL || commit->options & DP_COMMIT_FLIGHT))
		return DP_ERR_SPECULATES;
	program->items = commit->items;
	program->options = commit->options & (DP_COMMIT_FAULTS - 1u);
#if DP_WITH_HISTORY
	program->flight = (commit->options & DP_COMMIT_FLIGHT) != 0;
#endif
	program->view.tells_faults = DP_WITH_LANGUAGE && (commit->options & DP_COMMIT_FAULTS) != 0;
	program->module_count = layout.module_count & 0xfu; /* sections.def: at most 8 */
	dp_names_describe(program, &layout);
	return error;
}

/* Does the target agree to the verified program? */
static enum dp_err check_program(struct dp_agent *agent, const struct dp_program *program,
				 struct dp_commit *commit)
{
	enum dp_err error = check_modules(agent, program, &commit->verdict);

	if (error != DP_ERR_OK)
		return error;
	if (!(commit->options & (DP_COMMIT_MERGE | DP_COMMIT_REPLACE)) &&
	    dp_store_find(agent, program, 0) != DP_NONE)
		return DP_ERR_NAME_IN_USE;
	return check_points(agent, program, commit);
}

/* Arm probe by probe: each one is live as soon as its trap is in the text. The probes of a program
 * that BEGIN has stopped stay out of the text.
 * early: the points that are armed before the others (its events), or the others. */
static enum dp_err arm_points(struct dp_agent *agent, struct dp_commit *commit, bool early)
{
	const struct dp_program *program = dp_program_at(agent, commit->program);

	for (unsigned i = 0; i < program->probes; i++) {
		struct dp_probe *probe;
		enum dp_err error;

		if (!is_selected(commit, i) || dp_point_is_early(program, i) != early)
			continue;
		probe = dp_probe_take(agent, commit->program, i);
		if (!probe)
			return DP_ERR_BUSY;
		if (!early && dp_event_stopped(program)) {
			probe->state = DP_PROBE_STOPPED;
			continue;
		}
		error = dp_probe_arm(agent, probe, &commit->verdict);
		/* one that hits have ended meanwhile has been armed */
		if (error != DP_ERR_OK && probe->state == DP_PROBE_WAITING)
			return error;
		if (probe->state == DP_PROBE_WAITING)
			commit->waiting++;
		else
			commit->armed++;
	}
	return DP_ERR_OK;
}

/* BEGIN runs before the first trap stands in the text. A COMMIT that a request or a module disturbs
 * begins again, with cleared variables, and BEGIN runs again. */
static enum dp_err arm_program(struct dp_agent *agent, struct dp_commit *commit)
{
	enum dp_err error = DP_WITH_D ? arm_points(agent, commit, true) : DP_ERR_OK;

	if (error != DP_ERR_OK)
		return error;
	dp_event_run(agent, commit->program, DP_EVENT_BEGIN);
	return arm_points(agent, commit, false);
}

/* Remove an installed program and its probes. */
static void uninstall(struct dp_agent *agent, uint8_t program)
{
	struct dp_probe *probe = NULL;

	while ((probe = dp_probe_next(agent, program, probe)))
		dp_probe_disarm(agent, probe);
	dp_speculated_end(agent, program);
	while ((probe = dp_probe_next(agent, program, probe)))
		dp_probe_drop(agent, probe);
	dp_store_forget(agent, program);
	if (dp_work_in_hit(agent))
		dp_work_disturb(agent);
	dp_stream_sync(agent);
	dp_stream_changed(agent);
}

void dp_stop(struct dp_agent *agent, uint8_t program)
{
	struct dp_probe *probe = NULL;

	while ((probe = dp_probe_next(agent, program, probe))) {
		dp_irq irq;

		dp_probe_disarm(agent, probe);
		irq = dp_lock_take();
		/* not one that has ended before, or that a hit has removed */
		if (probe->program == program && probe->state == DP_PROBE_WAITING)
			probe->state = DP_PROBE_STOPPED;
		dp_lock_give(irq);
	}
	dp_event_run(agent, program, DP_EVENT_END);
	if (dp_work_in_hit(agent))
		dp_work_disturb(agent); /* the request at work may be arming one of its probes */
	dp_stream_sync(agent);
	dp_stream_changed(agent);
}

unsigned dp_uninstall_all(struct dp_agent *agent, unsigned which)
{
	unsigned removed = 0;

	for (uint8_t i = 0; i < DP_MAX_PROGRAMS; i++) {
		if (!dp_program_there(&agent->program[i]) || (which != DP_ALL && which != i))
			continue;
		dp_event_run(agent, i, DP_EVENT_END);
		uninstall(agent, i);
		removed++;
	}
	return removed;
}

static void remove_replaced(struct dp_agent *agent, uint8_t program)
{
	const struct dp_program *replacing = dp_program_at(agent, program);
	unsigned other;

	for (other = 0; (other = dp_store_find(agent, replacing, other)) != DP_NONE; other++)
		if (other != program)
			uninstall(agent, (uint8_t)other);
}

/* The end of the installation, in one step: what comes later finds an installed program. False: the
 * request no longer holds. */
static bool complete(struct dp_agent *agent)
{
	dp_irq irq = dp_lock_take();
	bool holds = dp_work_holds(agent);

	if (holds)
		agent->upload.done = 1; /* not to be moved */
	dp_lock_give(irq);
	return holds;
}

/* Take the program that could not be armed back. A hit may have removed the program while it was
 * being armed: then the request is done. */
static enum dp_err undo(struct dp_agent *agent, const struct dp_commit *commit, enum dp_err error)
{
	if (!dp_program_there(dp_program_at(agent, commit->program)) && !dp_work_abandoned(agent)) {
		agent->upload.done = 1;
		return DP_ERR_OK;
	}
	uninstall(agent, commit->program);
	dp_store_reopen(agent, commit->program);
	return error;
}

/* Store and arm a checked object. On failure remove the object; the bytes are the original ones. */
static enum dp_err install_program(struct dp_agent *agent, struct dp_program *program,
				   struct dp_commit *commit)
{
	enum dp_err error = dp_store_program(agent, program, &commit->program);
	uint16_t gv_count = agent->gv_count;

	commit->armed = commit->waiting = 0;
	if (error == DP_ERR_OK) {
		if (program->view.gvars > gv_count)
			agent->gv_count = program->view.gvars;
		error = arm_program(agent, commit);
		if (error == DP_ERR_OK && !complete(agent))
			error = DP_ERR_BUSY;
		if (error != DP_ERR_OK)
			error = undo(agent, commit, error);
	}
	if (error != DP_ERR_OK) {
		agent->gv_count = gv_count;
		commit->program = DP_NONE;
		commit->armed = commit->waiting = 0;
	} else if (commit->options & DP_COMMIT_REPLACE) {
		remove_replaced(agent, commit->program);
	}
	return error;
}

static enum dp_err try_install(struct dp_agent *agent, struct dp_commit *commit)
{
	struct dp_program program;
	enum dp_err error = verify_program(agent, commit, &program);

	if (error == DP_ERR_OK)
		error = check_program(agent, &program, commit);
	if (error == DP_ERR_OK && commit->install)
		error = install_program(agent, &program, commit);
	dp_sites_tidy(agent);
	return error;
}

void dp_install(struct dp_agent *agent, struct dp_commit *commit)
{
	enum dp_err error;

	do { /* again when a hit or a module has changed what was checked */
		dp_work_note(agent);
		dp_store_tidy(agent);
		if (DP_PORT_CPUS > 1)
			dp_sites_tidy(agent); /* what another CPU has stepped meanwhile */
		error = try_install(agent, commit);
	} while (commit->program == DP_NONE && dp_work_disturbed(agent) &&
		 !dp_work_abandoned(agent) && !agent->locked);
	if (agent->locked && commit->program == DP_NONE)
		error = DP_ERR_BUSY; /* meanwhile; asked again, the request gets the right answer */
	if (error == DP_ERR_OK)
		dp_refuse(&commit->verdict, error, 0);
	commit->verdict.error = error;
}
