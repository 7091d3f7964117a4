/* SPDX-License-Identifier: BSD-2-Clause */
/* From a probe point of a program to an armed site. The agent checks the point against the
 * target before the first byte of text changes. */
#include "dp_point.h"

#include "dp_bounds.h"
#include "dp_bytes.h"
#include "dp_entries.h"
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
static enum dp_err check_place(const struct dp_agent *agent, const uint8_t *point,
			       const struct dp_module *module, dp_addr *address)
{
	unsigned bytes = point[DP_PT_INSN_BYTES];

	*address = (dp_addr)dp_get_u64(point + DP_PT_ADDRESS);
	if (!dp_is_image(agent, module)) {
		bool outside = *address >= module->bytes;

		*address += module->base;
		if (outside)
			return DP_ERR_NOT_TEXT;
	}
	if (point[DP_PT_KIND] != DP_PROBE_BREAK)
		return DP_ERR_NO_WATCHPOINT;
	if (!(DP_PORT_PHASES >> point[DP_PT_PHASE] & 1))
		return DP_ERR_BAD_PHASE;
	return dp_text_allowed(agent, *address, bytes ? bytes : 1);
}

/* Does the instruction share bytes with the instruction of another site? Each trap would cut the
 * other trap, and neither could be removed again. */
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

static enum dp_err fetch_site(const struct dp_agent *agent, struct dp_site *site,
			      const uint8_t *point)
{
	enum dp_err error;

	site->isa = point[DP_PT_ISA];
	site->extent = site->address - dp_get_u32(point + DP_PT_BEFORE);
	site->extent_bytes = dp_get_u32(point + DP_PT_EXTENT);
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
static bool is_expected(const struct dp_site *site, const uint8_t *point)
{
	unsigned given = point[DP_PT_INSN_BYTES], bytes = site->insn_bytes;
	uint32_t found = site->original;

	if (!(point[DP_PT_FLAGS] & DP_POINT_OPCODE))
		return true;
	if (DP_PORT_INSN_BYTES_MAX > 4) {
		bytes = bytes < 4 ? bytes : 4;
		if (given > 0 && given < bytes) {
			found >>= 8 * (bytes - given);
			bytes = given;
		}
	}
	return given == bytes && found == dp_get_u32(point + DP_PT_OPCODE);
}

/* The site at the address, checked before another probe is sealed with it. */
static struct dp_site *site_there(struct dp_agent *agent, dp_addr address)
{
	struct dp_site *site = dp_site_find(agent, address);

	return site && !dp_tables_check(agent, site) ? dp_site_find(agent, address) : site;
}

/* Let the port prepare the fetched site, and compare the instruction with the expected one. */
static enum dp_err prepare(struct dp_site *site, const struct dp_program *program,
			   const uint8_t *point, bool fresh, struct dp_verdict *verdict)
{
	enum dp_err error = dp_port_prepare(site, dp_text_original, &verdict->refusal);

	dp_plan_drop(site);
	/* A debugger's breakpoint is the better reason: its sentence names the remedy. */
	if (error == DP_ERR_FOREIGN_BREAK || (program->options & DP_COMMIT_ANY_OPCODE) ||
	    is_expected(site, point))
		return error;
	if (error == DP_ERR_OK && fresh)
		dp_port_release(site);
	verdict->refusal = DP_REFUSE_NOTHING;
	return DP_ERR_OPCODE_MISMATCH;
}

/* Return a site for the point: the existing site or a new one, fetched, compared and prepared. A
 * site with only ended probes is fetched again, since the text may have changed. */
static enum dp_err prepare_site(struct dp_agent *agent, const struct dp_program *program,
				const uint8_t *point, dp_addr address, struct dp_verdict *verdict,
				struct dp_site **place)
{
	struct dp_site *site = site_there(agent, address);
	enum dp_err error = DP_ERR_OK;
	bool fresh = !site;

	if (fresh)
		site = dp_site_take(agent, address);
	dp_found(verdict, DP_MAX_PROBES);
	if (!site)
		return DP_ERR_TABLE_FULL;
	if (!fresh && site->isa != point[DP_PT_ISA]) {
		error = DP_ERR_NOT_BOUNDARY;
	} else if (!site->armed) {
		if (!fresh) /* or a second point of this program at the address */
			dp_port_release(site);
		error = fetch_site(agent, site, point);
		site->phases = (uint8_t)(1u << point[DP_PT_PHASE]);
	}
	if (error == DP_ERR_OK)
		error = prepare(site, program, point, fresh, verdict);
	dp_found(verdict, site->original);
	if (error == DP_ERR_OK)
		*place = site;
	else if (fresh)
		dp_site_drop(agent, site);
	return error;
}

enum dp_err dp_point_check(struct dp_agent *agent, const struct dp_program *program, unsigned index,
			   struct dp_verdict *verdict, struct dp_site **place)
{
	const uint8_t *point = dp_program_point(program, index);
	const struct dp_module *module =
		dp_module_of(agent, program, dp_program_module(program, point));
	dp_addr address;
	enum dp_err error;

	*place = NULL;
	if (!module)
		return DP_ERR_OK;
	error = check_place(agent, point, module, &address);
	dp_found(verdict, (uint32_t)address);
	if (error == DP_ERR_OK)
		error = prepare_site(agent, program, point, address, verdict, place);
	return error == DP_ERR_OK ? error : dp_refuse_point(verdict, error, index, verdict->found);
}

void dp_probe_disarm(struct dp_agent *agent, struct dp_probe *probe)
{
	if (probe->site != DP_NONE)
		dp_site_check(agent, dp_site_at(agent, probe->site));
	dp_probe_unchain(agent, probe);
}

enum dp_err dp_probe_arm(struct dp_agent *agent, struct dp_probe *probe, struct dp_verdict *verdict)
{
	struct dp_site *site;
	enum dp_err error = dp_point_check(agent, dp_program_at(agent, probe->program),
					   probe->point, verdict, &site);

	if (!site)
		return error;
	if (dp_probe_damaged(probe)) {
		dp_site_drop_bare(agent, site);
		return error;
	}
	dp_probe_chain(agent, probe, site);
	probe->state = DP_PROBE_ARMED;
	dp_site_settle(agent, site);
	error = dp_site_arm(agent, site);
	if (error != DP_ERR_OK) {
		dp_refuse_point(verdict, error, probe->point, (uint32_t)site->address);
		dp_probe_disarm(agent, probe);
	}
	return error;
}
