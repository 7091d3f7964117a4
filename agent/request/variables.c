/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests about variables, long names, whole originals and several probes: the feature LANGUAGE.
 */
#include "dp_variables.h"

#include "dp_at_work.h"
#include "dp_entries.h"
#include "dp_fields.h"
#include "dp_lock.h"
#include "dp_memory.h"
#include "dp_probes.h"

enum {
	DP_NAME_BYTES_MAX = 48 /* in the answer to NAME */
};

enum dp_err dp_do_name(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	const struct dp_program_view *view = &ex->program->view;

	(void)agent;
	(void)a;
	if (DP_ARG(ex, name, offset) >= view->name_bytes)
		return DP_ERR_BAD_RANGE;
	dp_end_with(ex, view->name, view->name_bytes, DP_ARG(ex, name, offset), DP_NAME_BYTES_MAX);
	return DP_ERR_OK;
}

enum dp_err dp_do_vars(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	unsigned first = DP_ARG(ex, vars, first), count = DP_ARG(ex, vars, count);
	bool reset = DP_ARG(ex, vars, reset) != 0;
	dp_word *words = agent->gv;
	unsigned there = agent->gv_count;
	enum dp_err error = dp_may(agent, reset ? DP_RIGHT_INSERT : 0);

	(void)a;
	if (error != DP_ERR_OK)
		return error;
	ex->program = dp_program_of(agent, DP_ARG(ex, vars, program));
	if (ex->program) {
		words = ex->program->view.lv;
		there = ex->program->view.vars;
	} else if (DP_ARG(ex, vars, program) != DP_ALL) {
		return DP_ERR_NO_PROGRAM;
	}
	ex->n.vars = (uint16_t)there;
	ex->tail.bytes = ex->words;
	if (count > DP_VAR_BYTES_MAX / sizeof(dp_word))
		count = DP_VAR_BYTES_MAX / sizeof(dp_word);
	for (unsigned i = first; i < there && i < first + count; i++) {
		dp_irq irq = dp_lock_take(); /* a hit may count in between */
		dp_word word = words[i];

		if (reset && !dp_work_abandoned(agent))
			words[i] = 0;
		dp_lock_give(irq);
		dp_store_word(ex->words + ex->tail.count, word);
		ex->tail.count += sizeof(dp_word);
	}
	return DP_ERR_OK;
}

/* The probe of the program's point that has a site; null: the point has none. */
static const struct dp_site *site_of(struct dp_agent *agent, unsigned program, unsigned point)
{
	struct dp_probe *probe = NULL;

	while ((probe = dp_probe_next(agent, program, probe)))
		if (probe->point == point)
			return dp_site_at(agent, probe->site);
	return NULL;
}

enum dp_err dp_do_original(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	const struct dp_site *site;

	(void)a;
	if (DP_ARG(ex, original, index) >= ex->program->probes)
		return DP_ERR_BAD_RANGE;
	site = site_of(agent, DP_ARG(ex, original, program), DP_ARG(ex, original, index));
	if (site && site->insn_bytes <= sizeof(ex->insn)) {
		dp_port_insn_bytes(site, ex->insn);
		ex->tail.bytes = ex->insn;
		ex->tail.count = site->insn_bytes;
	}
	return DP_ERR_OK;
}

/* Set bits of the mask, which is zeros, for the bytes that differ. returns: how many bytes the row
 * takes with it. */
static unsigned compare_rows(const uint8_t *row, const uint8_t *before, uint8_t *mask)
{
	unsigned bytes = 1;

	for (unsigned i = 0; i < DP_ROW_BYTES; i++) {
		if (row[i] == before[i])
			continue;
		bytes += mask[i / 8] == 0 ? 2 : 1;
		mask[i / 8] |= (uint8_t)(0x80 >> i % 8);
	}
	return bytes;
}

bool dp_give_row(struct dp_answer *answer, const uint8_t *row, uint8_t *before)
{
	uint8_t mask[DP_ROW_MASK] = {0}, *first = answer->payload + answer->bytes, *p = first + 1;
	unsigned bytes;

	before[DP_ROW_NUMBER]++;
	before[DP_ROW_POINT] = row[DP_ROW_POINT];
	bytes = compare_rows(row, before, mask);
	if (answer->bytes + bytes > DP_PAYLOAD_MAX)
		return false;
	answer->bytes = (uint8_t)(answer->bytes + bytes);
	*first = 0;
	for (unsigned i = 0; i < DP_ROW_MASK; i++)
		if (mask[i] != 0) {
			*first |= (uint8_t)(0x80 >> i);
			*p++ = mask[i];
		}
	for (unsigned i = 0; i < DP_ROW_BYTES; i++)
		if (row[i] != before[i])
			*p++ = before[i] = row[i];
	return true;
}
