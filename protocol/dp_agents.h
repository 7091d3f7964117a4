/* SPDX-License-Identifier: BSD-2-Clause */
/* Agents by name: -DDP_AGENT=DP_AGENT_TINY. Each knob has a value for each of them, which
 * -DNAME=value overrides. Agent, protocol and ports have their own knobs: dp_sizes.h, dp_config.h,
 * dp_crc.h, the ports' headers. agent/README.md says what each agent can. The rights of programs
 * are a choice of their own, DP_PROFILE: DP_AGENT_FULL alone does not give DP_PROFILE_FULL. */
#ifndef DP_AGENTS_H
#define DP_AGENTS_H

#define DP_AGENT_TINY   1 /* for 16 KB of RAM: probes that log, in the RPN language and in D */
#define DP_AGENT_COUNTS 2 /* for 32 KB of RAM: counts on the target, too */
#define DP_AGENT_FULL   3 /* all features, for a board with RAM to spare */
#ifndef DP_AGENT
#define DP_AGENT DP_AGENT_FULL
#endif

/* DP_KNOB(tiny, counts, full): the value of a knob. */
#if DP_AGENT == DP_AGENT_TINY
#define DP_KNOB(tiny, counts, full) tiny
#elif DP_AGENT == DP_AGENT_COUNTS
#define DP_KNOB(tiny, counts, full) counts
#elif DP_AGENT == DP_AGENT_FULL
#define DP_KNOB(tiny, counts, full) full
#else
#error "DP_AGENT is DP_AGENT_TINY, DP_AGENT_COUNTS or DP_AGENT_FULL"
#endif

#endif
