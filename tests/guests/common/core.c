/* SPDX-License-Identifier: BSD-2-Clause */
#include "core.h"

#include "out.h"

struct dp_site site[ALL_SITES];
unsigned hits[ALL_SITES], taken, stepped, faults, withdrawn, strays;
bool take_away;

static struct dp_site *find(dp_addr address)
{
	for (unsigned i = 0; i < ALL_SITES; i++)
		if (site[i].address == address && site[i].insn_bytes != 0)
			return &site[i];
	return NULL;
}

static void hit(struct dp_site *s, struct dp_frame *frame)
{
	hits[s - site] += s->armed && dp_port_fires(s, frame, false);
	taken += s == &site[0] && s->armed && dp_port_fires(s, frame, true);
	handle_hit(s, frame);
}

enum dp_taken dp_agent_trap(struct dp_frame *frame, dp_addr address)
{
	struct dp_site *s = find(address);
	enum dp_step step;
	uint32_t found;

	if (s == NULL) {
		if (!dp_port_trap_at(frame, &found))
			return DP_RESUME;
		strays++;
		return DP_NOT_OURS;
	}
	hit(s, frame);
	step = dp_port_step(s, frame, s < &site[SITES]);
	if (take_away && s == &site[0]) {
		if (dp_port_disarm(&site[1]) != DP_ERR_OK)
			failed++;
		site[1].insn_bytes = 0;
	}
	switch (step) {
	case DP_STEP_FAULT:
		faults++;
		return DP_FIRMWARE;
	case DP_STEP_PENDING:
		stepped++;
		return DP_RESUME;
	default:
		return DP_RESUME;
	}
}

enum dp_taken dp_agent_stepped(struct dp_frame *frame, dp_addr address)
{
	stepped--;
	if (find(address) == NULL)
		failed++;
	dp_port_stepped(find(address), frame);
	return DP_RESUME;
}

enum dp_taken dp_agent_fault(struct dp_frame *frame, dp_addr address)
{
	stepped--;
	faults++;
	dp_port_step_fault(find(address), frame);
	if (!is_fault_of(frame, address))
		failed++;
	handle_fault(frame);
	return DP_FIRMWARE;
}

void dp_agent_fault_away(const struct dp_frame *frame, dp_addr address)
{
	struct dp_site *s = find(address);

	(void)frame;
	faults++;
	withdrawn++;
	if (s == NULL || hits[s - site] == 0)
		failed++;
}

static uint8_t original_byte(dp_addr address)
{
	uint8_t insn[DP_PORT_INSN_BYTES_MAX];

	for (unsigned i = 0; i < ALL_SITES; i++)
		if (address - site[i].address < site[i].insn_bytes) {
			dp_port_insn_bytes(&site[i], insn);
			return insn[address - site[i].address];
		}
	return *(const uint8_t *)(uintptr_t)address;
}

bool original_at(dp_addr address, uint8_t *bytes, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		bytes[i] = original_byte(address + i);
	return true;
}

/* Field by field: an initialiser would be a call of memset. */
void place(struct dp_site *s, uint32_t address, uint32_t extent)
{
	s->address = address;
	dp_site_set_extent(s, address - extent, 256);
	s->isa = s->armed = s->chain = 0;
	s->phases = wants_end() ? 3 : 1;
	s->port = (struct dp_port_site){0};
}

enum dp_err prepare_placed(struct dp_site *s, enum dp_refusal *why)
{
	enum dp_err error;

	*why = DP_REFUSE_NOTHING;
	error = dp_port_fetch(s);
	if (error == DP_ERR_OK)
		error = dp_port_prepare(s, original_at, why);
	if (error != DP_ERR_OK)
		s->insn_bytes = 0;
	return error;
}

bool arm(struct dp_site *s)
{
	uint32_t found;

	if (dp_port_arm(s) != DP_ERR_OK || !dp_port_is_armed(s, &found))
		return false;
	s->armed = 1;
	return true;
}

bool disarm(struct dp_site *s)
{
	s->armed = 0;
	return dp_port_disarm(s) == DP_ERR_OK;
}

void release(struct dp_site *s)
{
	dp_port_release(s);
	s->insn_bytes = 0;
}

void release_sites(void)
{
	for (unsigned i = 0; i < SITES; i++)
		if (site[i].insn_bytes != 0)
			release(&site[i]);
	dp_port_quiescent();
}
