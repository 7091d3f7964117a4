/* SPDX-License-Identifier: BSD-2-Clause */
/* The check of a breakpoint: may the target have a trap there, and can the port step the
 * instruction? */
#include "dp_kind.h"

#include "dp_bytes.h"
#include "dp_entries.h"
#include "dp_memory.h"
#include "dp_module_names.h"
#include "dp_plan.h"
#include "dp_site_check.h"
#include "dp_sites.h"
#include "dp_store.h"
#include "dp_text.h"
#include "dp_verdict.h"
#include "dp_watches.h"

/* Find the point's address in its module. */
static enum dp_err find_address(const struct dp_agent *agent, struct dp_spot *spot,
				const struct dp_module *module)
{
	bool outside = spot->address >= module->bytes;

	if (dp_is_image(agent, module))
		return DP_ERR_OK;
	spot->address += module->base;
	return outside ? DP_ERR_NOT_TEXT : DP_ERR_OK;
}

/* A handler may return only from the begin of a function. The target's own table of functions
 * decides, where it has one. */
static enum dp_err check_entry(const struct dp_agent *agent, const struct dp_spot *spot)
{
	const struct dp_point *point = &spot->point;
	struct dp_site here;
	enum dp_err error;

	if (!DP_RETURNS || !(point->traits[DP_TR_FLAGS] & DP_POINT_RETURNS))
		return DP_ERR_OK;
	here.address = spot->address;
	here.isa = point->traits[DP_TR_ISA] & 0xfu;
	dp_site_set_extent(&here, dp_get_u32(point->row + DP_PT_BEFORE),
			   dp_get_u32(point->row + DP_PT_EXTENT));
	error = dp_bounds_find(agent, &here);
	return error == DP_ERR_OK && here.before != 0 ? DP_ERR_NOT_ENTRY : error;
}

/* Return whether this target can put a probe at the point's place. */
static enum dp_err check_place(const struct dp_agent *agent, const struct dp_spot *spot)
{
	unsigned bytes = spot->point.row[DP_PT_INSN_BYTES];
	enum dp_err error;

	if (!(DP_BUILD_PHASES >> spot->point.traits[DP_TR_PHASE] & 1))
		return DP_ERR_BAD_PHASE;
	error = dp_text_allowed(agent, spot->address, bytes ? bytes : 1);
	return error == DP_ERR_OK ? check_entry(agent, spot) : error;
}

static enum dp_err fetch_site(const struct dp_agent *agent, struct dp_site *site,
			      const struct dp_point *point)
{
	enum dp_err error;

	site->isa = point->traits[DP_TR_ISA] & 0xfu;
	dp_site_set_extent(site, dp_get_u32(point->row + DP_PT_BEFORE),
			   dp_get_u32(point->row + DP_PT_EXTENT));
	error = dp_bounds_find(agent, site);
	if (error == DP_ERR_OK)
		error = dp_watches_fetch(site);
	if (error == DP_ERR_OK) /* only now is its length known */
		error = dp_text_allowed(agent, site->address, site->insn_bytes);
	if (error == DP_ERR_OK && dp_site_overlaps(agent, site))
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

/* The site at the address, checked before another probe gets into its sum. */
static struct dp_site *site_there(struct dp_agent *agent, dp_addr address)
{
	struct dp_site *site = dp_site_find(agent, address);

	return site && !dp_tables_check(agent, site) ? dp_site_find(agent, address) : site;
}

/* Let the port prepare the fetched draft, and compare the instruction with the expected one. */
static enum dp_err prepare(struct dp_site *draft, const struct dp_spot *spot)
{
	struct dp_verdict *verdict = spot->verdict;
	enum dp_err error = dp_port_prepare(draft, dp_text_original, &verdict->refusal);

	dp_plan_drop(draft);
	/* A debugger's breakpoint is the better reason: its sentence names the remedy. */
	if (error == DP_ERR_FOREIGN_BREAK || (spot->program->options & DP_COMMIT_ANY_OPCODE) ||
	    is_expected(draft, &spot->point))
		return error;
	if (error == DP_ERR_OK && !draft->armed)
		dp_port_release(draft);
	verdict->refusal = DP_REFUSE_NOTHING;
	return DP_ERR_OPCODE_MISMATCH;
}

/* Begin a draft of the site: as it is when it is armed, else without a slot and fetched again,
 * since the text may have changed. Hits use the site meanwhile. */
static enum dp_err begin_draft(struct dp_agent *agent, struct dp_site *draft,
			       const struct dp_site *site, const struct dp_spot *spot)
{
	const struct dp_point *point = &spot->point;

	if (site->chain == DP_SITE_FREE) {
		dp_clear(draft, sizeof(*draft));
		draft->address = spot->address;
	} else {
		dp_copy(draft, site, sizeof(*draft));
		if (draft->isa != point->traits[DP_TR_ISA])
			return DP_ERR_WRONG_ISA;
		if (draft->armed)
			return DP_ERR_OK;
		if (dp_site_is_stepped(agent, site))
			return DP_ERR_BUSY;
		dp_port_release(draft);
	}
	draft->phases = (uint8_t)(1u << point->traits[DP_TR_PHASE]);
	return fetch_site(agent, draft, point);
}

/* Find a site for the point, fetched, compared and prepared: the existing site or a new one. */
static enum dp_err prepare_site(struct dp_agent *agent, struct dp_spot *spot)
{
	struct dp_site *site = site_there(agent, spot->address), draft;
	enum dp_err error;

	if (!site)
		site = dp_site_free(agent);
	if (!site) {
		dp_found(spot->verdict, DP_MAX_PROBES);
		return DP_ERR_TABLE_FULL;
	}
	error = begin_draft(agent, &draft, site, spot);
	if (error == DP_ERR_OK) {
		error = prepare(&draft, spot);
		dp_found(spot->verdict, draft.original);
	}
	/* An ended site that is refused now has given its slot back. */
	if (!draft.armed && (error == DP_ERR_OK || site->chain != DP_SITE_FREE))
		dp_site_put(agent, site, &draft);
	spot->site = site;
	return error;
}

enum dp_err dp_break_check(struct dp_agent *agent, struct dp_spot *spot)
{
	const struct dp_module *module =
		dp_module_of(agent, spot->program, dp_program_module(spot->program, &spot->point));
	enum dp_err error;

	if (!module) /* the probe waits */
		return DP_ERR_OK;
	error = find_address(agent, spot, module);
	dp_found(spot->verdict, spot->address);
	if (error == DP_ERR_OK)
		error = check_place(agent, spot);
	if (error != DP_ERR_OK || spot->point.traits[DP_TR_PHASE] == DP_PHASE_RETURNED)
		return error;
	return prepare_site(agent, spot);
}
