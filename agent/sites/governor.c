/* SPDX-License-Identifier: BSD-2-Clause */
/* Give each probe its portions of hits, and measure the seconds of the portions. */
#include "dp_governor.h"

#include "dp_clock.h"
#include "dp_tell.h"

#if DP_GOVERNOR
enum {
	DP_POLLS_PER_SECOND =
		1000 /* where no clock runs: dp_agent.h says how often dp_poll is called */
};

static bool second_is_over(const struct dp_agent *agent, uint64_t now)
{
	uint32_t hz = dp_tick_hz(agent);
	uint64_t passed = now - agent->second.began;

	if (hz != 0 && passed != 0)
		return passed >= hz;
	return agent->polls - agent->second.began_polls >= DP_POLLS_PER_SECOND;
}

/* The number of this second. */
static uint32_t second(struct dp_agent *agent)
{
	uint64_t now = dp_hit_now(agent);

	if (second_is_over(agent, now)) {
		agent->second.began = now;
		agent->second.began_polls = agent->polls;
		agent->second.number++;
	}
	return agent->second.number;
}

/* Move what is allowed from `later` to maxhits. */
static void give(struct dp_probe *probe)
{
	uint32_t hits = probe->later < probe->allowed ? probe->later : probe->allowed;

	probe->due += hits - probe->maxhits;
	probe->maxhits = hits;
	probe->later -= hits;
	probe->allowed -= hits;
}

void dp_governor_start(struct dp_agent *agent, struct dp_probe *probe)
{
	probe->later = probe->maxhits;
	probe->second = agent->second.number;
	probe->allowed = DP_HITS_PER_SECOND;
	give(probe);
}

void dp_governor_used_up(struct dp_agent *agent, struct dp_probe *probe)
{
	uint32_t number = second(agent);

	if (probe->later == 0) {
		probe->state = DP_PROBE_DISABLED;
		return;
	}
	if (number != probe->second) {
		probe->second = number;
		probe->allowed = DP_HITS_PER_SECOND;
	}
	give(probe);
	if (probe->maxhits > 0)
		return;
	probe->state = DP_PROBE_TOO_OFTEN;
	DP_TELL(agent, DP_NOTICE_TOO_OFTEN, DP_WIDTHS_too_often_notice,
		(unsigned)(probe - agent->probe));
}
#endif
