/* SPDX-License-Identifier: BSD-2-Clause */
/* Work out what a hit at a site comes to.  Whoever changes a site, a probe, a program or the log
 * mode drops the plans that depend on it. */
#include "dp_plan.h"

#include "dp_build.h"
#include "dp_entries.h"
#include "dp_order.h"

/* --- the handler --- */

enum {
	REG_BYTES = 1 + 2, /* push r */
	LOG_BYTES = 1 + 2  /* log n */
};

static bool pushes_register(const uint8_t *code)
{
	return code[0] == RPN_PUSH_R || code[0] == RPN_PUSH_U;
}

/* Note the word of the frame that the instruction pushes. */
static bool plan_word(struct dp_plan *plan, const uint8_t *code)
{
	unsigned at = DP_PORT_REG_AT(dp_load_u16(code + 1)) / (unsigned)sizeof(dp_word);

	if (at > UINT8_MAX || plan->words == sizeof(plan->at))
		return false;
	plan->at[plan->words++] = (uint8_t)at;
	return true;
}

/* Does the code only push words of the frame, log them and end? */
static bool logs_words(struct dp_plan *plan, const struct dp_program_view *view,
		       const uint8_t *code)
{
	plan->words = 0;
	for (; pushes_register(code); code += REG_BYTES)
		if (!plan_word(plan, code))
			return false;
	if (plan->words * sizeof(dp_word) > view->logmax)
		return false;
	if (plan->words > 0) {
		if (code[0] != RPN_LOG_N || dp_load_u16(code + 1) != plan->words)
			return false;
		code += LOG_BYTES;
	}
	return code[0] == RPN_EXIT;
}

static enum dp_plan_kind kind_of(const struct dp_program *program, unsigned entry,
				 struct dp_plan *plan)
{
	const uint8_t *code = program->view.code + entry + 2; /* behind marker and count */

	if (code[0] == RPN_ABORT)
		return DP_PLAN_NOTHING;
	if (program->items == 0 && logs_words(plan, &program->view, code))
		return DP_PLAN_WORDS;
	return DP_PLAN_RUN;
}

/* --- the site --- */

static bool is_simple(const struct dp_agent *agent, const struct dp_probe *probe)
{
	return agent->transmit.mode == DP_MODE_BUFFERED && probe && probe->next == DP_NONE &&
	       probe->state == DP_PROBE_ARMED && probe->phase == DP_PHASE_BEFORE &&
	       probe->ignore == 0;
}

void dp_plan_make(struct dp_agent *agent, struct dp_site *site)
{
	struct dp_probe *probe = dp_probe_at(agent, site->chain);
	struct dp_plan *plan = &site->plan;

	plan->kind = DP_PLAN_CHAIN;
	if (!is_simple(agent, probe))
		return;
	plan->probe = probe;
	plan->resume = dp_port_resume(site);
	if (plan->resume != 0)
		plan->kind =
			(uint8_t)kind_of(dp_program_at(agent, probe->program), probe->entry, plan);
}
