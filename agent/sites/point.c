/* SPDX-License-Identifier: BSD-2-Clause */
/* From a probe point of a program to an armed site. The agent checks the point against the
 * target before the first byte of text changes. */
#include "dp_point.h"

#include "dp_bounds.h"
#include "dp_bytes.h"
#include "dp_entries.h"
#include "dp_memory.h"
#include "dp_module_names.h"
#include "dp_plan.h"
#include "dp_probes.h"
#include "dp_site_check.h"
#include "dp_sites.h"
#include "dp_store.h"
#include "dp_tables.h"
#include "dp_text.h"
#include "dp_verdict.h"

/* Return whether this target can put a probe at the point's place. */
static enum dp_err check_place(const struct dp_agent *agent, const struct dp_point *point,
			       const struct dp_module *module, dp_addr *address)
{
	unsigned bytes = point->row[DP_PT_INSN_BYTES];

	*address = dp_point_address(point);
	if (!dp_is_image(agent, module)) {
		bool outside = *address >= module->bytes;

		*address += module->base;
		if (outside)
			return DP_ERR_NOT_TEXT;
	}
	if (point->traits[DP_TR_KIND] != DP_PROBE_BREAK)
		return DP_ERR_NO_WATCHPOINT;
	if (!(DP_PORT_PHASES >> point->traits[DP_TR_PHASE] & 1))
		return DP_ERR_BAD_PHASE;
	return dp_text_allowed(agent, *address, bytes ? bytes : 1);
}

/* Does the instruction share bytes with the instruction of another site? Each trap would cut the
 * other trap, and neither could be removed again. */
static bool overlaps(const struct dp_agent *agent, const struct dp_site *site)
{
	const struct dp_site *other = agent->site;

	for (; other < agent->site + DP_MAX_PROBES; other++)
		if (other->address != site->address && other->chain != DP_SITE_FREE &&
		    (other->address - site->address < site->insn_bytes ||
		     site->address - other->address < other->insn_bytes))
			return true;
	return false;
}

static enum dp_err fetch_site(const struct dp_agent *agent, struct dp_site *site,
			      const struct dp_point *point)
{
	enum dp_err error;

	site->isa = point->traits[DP_TR_ISA];
	dp_site_set_extent(site, dp_get_u32(point->row + DP_PT_BEFORE),
			   dp_get_u32(point->row + DP_PT_EXTENT));
	error = dp_bounds_find(agent, site);
	if (error == DP_ERR_OK)
		error = dp_port_fetch(site);
	if (error == DP_ERR_OK) /* only now is its length known */
		error = dp_text_allowed(agent, site->address, site->insn_bytes);
	if (error == DP_ERR_OK && overlaps(agent, site))
		error = DP_ERR_NOT_BOUNDARY;
	return error;
}

/* Is the instruction the one of the object, if the object names one? Where instructions can be
 * longer than an opcode, the object may have the first bytes only. */
static bool is_expected(const struct dp_site *site, const struct dp_point *point)
{
	unsigned given = point->row[DP_PT_INSN_BYTES], bytes = site->insn_bytes;
	uint32_t found = site->original;

	if (!(point->traits[DP_TR_FLAGS] & DP_POINT_OPCODE))
		return true;
	if (DP_PORT_INSN_BYTES_MAX > 4) {
		bytes = bytes < 4 ? bytes : 4;
		if (given > 0 && given < bytes) {
			found >>= 8 * (bytes - given);
			bytes = given;
		}
	}
	return given == bytes && found == dp_get_u32(point->row + DP_PT_OPCODE);
}

/* The site at the address, checked before another probe is sealed with it. */
static struct dp_site *site_there(struct dp_agent *agent, dp_addr address)
{
	struct dp_site *site = dp_site_find(agent, address);

	return site && !dp_tables_check(agent, site) ? dp_site_find(agent, address) : site;
}

/* Let the port prepare the fetched draft, and compare the instruction with the expected one. */
static enum dp_err prepare(struct dp_site *draft, const struct dp_program *program,
			   const struct dp_point *point, struct dp_verdict *verdict)
{
	enum dp_err error = dp_port_prepare(draft, dp_text_original, &verdict->refusal);

	dp_plan_drop(draft);
	/* A debugger's breakpoint is the better reason: its sentence names the remedy. */
	if (error == DP_ERR_FOREIGN_BREAK || (program->options & DP_COMMIT_ANY_OPCODE) ||
	    is_expected(draft, point))
		return error;
	if (error == DP_ERR_OK && !draft->armed)
		dp_port_release(draft);
	verdict->refusal = DP_REFUSE_NOTHING;
	return DP_ERR_OPCODE_MISMATCH;
}

/* Begin a draft of the site: as it is when it is armed, else without a slot and fetched again,
 * since the text may have changed. Hits use the site meanwhile. */
static enum dp_err begin_draft(struct dp_agent *agent, struct dp_site *draft,
			       const struct dp_site *site, const struct dp_point *point,
			       dp_addr address)
{
	enum dp_err error;

	if (site->chain == DP_SITE_FREE) {
		dp_clear(draft, sizeof(*draft));
		draft->address = address;
	} else {
		dp_copy(draft, site, sizeof(*draft));
		if (draft->armed || draft->isa != point->traits[DP_TR_ISA])
			return draft->isa == point->traits[DP_TR_ISA] ? DP_ERR_OK
								      : DP_ERR_NOT_BOUNDARY;
		dp_port_release(draft);
	}
	error = fetch_site(agent, draft, point);
	draft->phases = (uint8_t)(1u << point->traits[DP_TR_PHASE]);
	return error;
}

/* Return a site for the point, fetched, compared and prepared: the existing site or a new one. */
static enum dp_err prepare_site(struct dp_agent *agent, const struct dp_program *program,
				const struct dp_point *point, dp_addr address,
				struct dp_verdict *verdict, struct dp_site **place)
{
	struct dp_site *site = site_there(agent, address), draft;
	enum dp_err error;

	if (!site)
		site = dp_site_free(agent);
	dp_found(verdict, DP_MAX_PROBES);
	if (!site)
		return DP_ERR_TABLE_FULL;
	error = begin_draft(agent, &draft, site, point, address);
	if (error == DP_ERR_OK)
		error = prepare(&draft, program, point, verdict);
	dp_found(verdict, draft.original);
	/* An ended site that is refused now has given its slot back. */
	if (!draft.armed && (error == DP_ERR_OK || site->chain != DP_SITE_FREE))
		dp_site_put(agent, site, &draft);
	if (error == DP_ERR_OK)
		*place = site;
	return error;
}

enum dp_err dp_point_check(struct dp_agent *agent, const struct dp_program *program, unsigned index,
			   struct dp_verdict *verdict, struct dp_site **place)
{
	const struct dp_point point = dp_program_point(program, index);
	const struct dp_module *module =
		dp_module_of(agent, program, dp_program_module(program, &point));
	dp_addr address;
	enum dp_err error;

	*place = NULL;
	if (!module || dp_point_is_event(&point))
		return DP_ERR_OK;
	error = check_place(agent, &point, module, &address);
	dp_found(verdict, (uint32_t)address);
	if (error == DP_ERR_OK)
		error = prepare_site(agent, program, &point, address, verdict, place);
	return error == DP_ERR_OK ? error : dp_refuse_point(verdict, error, index, verdict->found);
}

void dp_probe_disarm(struct dp_agent *agent, struct dp_probe *probe)
{
	struct dp_site *site = dp_site_at(agent, probe->site);

	if (site)
		dp_site_check(agent, site);
	dp_probe_unchain(agent, probe);
}

enum dp_err dp_probe_arm(struct dp_agent *agent, struct dp_probe *probe, struct dp_verdict *verdict)
{
	unsigned program = probe->program;
	struct dp_point point;
	struct dp_site *site;
	enum dp_err error;

	if (program == DP_NONE) /* a hit has removed the program */
		return DP_ERR_BUSY;
	point = dp_program_point(dp_program_at(agent, program), probe->point);
	if (dp_point_is_event(&point))
		probe->state = DP_PROBE_ARMED;
	error = dp_point_check(agent, dp_program_at(agent, program), probe->point, verdict, &site);
	if (!site)
		return error;
	if (!dp_probe_chain(agent, probe, site)) {
		dp_site_drop_bare(agent, site);
		return dp_probe_damaged(probe) ? error : DP_ERR_BUSY;
	}
	error = dp_site_arm(agent, site);
	if (error != DP_ERR_OK) {
		dp_refuse_point(verdict, error, probe->point, (uint32_t)site->address);
		dp_probe_disarm(agent, probe);
	}
	return error;
}
