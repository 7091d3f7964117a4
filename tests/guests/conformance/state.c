/* SPDX-License-Identifier: BSD-2-Clause */
#include "state.h"

#include "dp_crc.h"
#include "dp_plan.h"
#include "dp_probes.h"

/* Append a number in hex and a character, while there is room. */
static char *append(char *p, const char *end, uint32_t value, char behind)
{
	static const char digits[] = "0123456789abcdef";
	int shift = 28;

	if (end - p < 10)
		return p;
	while (shift > 0 && value >> shift == 0)
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*p++ = digits[value >> shift & 15];
	*p++ = behind;
	return p;
}

void state_write(char *text, const struct dp_agent *agent, const void *registers, size_t bytes,
		 uint32_t memory)
{
	const struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	const char *end = text + STATE_TEXT - 1;
	char *p = text;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		const struct dp_probe *probe = &agent->probe[i];
		const uint32_t numbers[] = {i,
					    probe->state,
					    dp_probe_hits(probe),
					    probe->missed,
					    probe->faulted,
					    probe->overruns_total,
					    probe->ignore,
					    probe->maxhits};

		if (probe->program == DP_NONE)
			continue;
		for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++)
			p = append(p, end, numbers[n], n == 0 ? ':' : ' ');
	}
	p = append(p, end, cpu->ring.dropped, ' ');
	p = append(p, end, cpu->ring.missed, ' ');
	p = append(p, end, dp_crc32(0, registers, bytes), ' ');
	p = append(p, end, dp_crc32(0, cpu->vm.stack, sizeof(cpu->vm.stack)), ' ');
	p = append(p, end, memory, ' ');
	*p = '\0';
}

void state_plans(char *text, const struct dp_agent *agent)
{
	uint32_t count[DP_PLAN_NOTHING + 1] = {0};
	char *p = text;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		if (agent->site[i].chain < DP_MAX_PROBES)
			count[dp_plan_kind(&agent->site[i].plan)]++;
	for (unsigned kind = 0; kind <= DP_PLAN_NOTHING; kind++)
		p = append(p, text + STATE_TEXT - 1, count[kind], ' ');
	*p = '\0';
}
