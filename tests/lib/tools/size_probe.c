/* SPDX-License-Identifier: BSD-2-Clause */
/* Never linked: the sizes of these objects are the sizes of the agent's memory parts, read with nm
 * by size_report.py. */
#include "dp_agent.h"
#include "dprobes.h"

#define PART(member) sizeof(((struct dp_agent *)0)->cpu->member)
#define POOL(member) sizeof(((struct dp_agent *)0)->member)

char size_agent_state[sizeof(struct dp_agent)];
char size__of_it_vm[PART(vm)];
char size__of_it_ring[PART(ring)];
char size__of_it_arena[POOL(arena)];
char size__without_ring_and_pools[sizeof(struct dp_agent) - PART(vm) - PART(ring) - POOL(arena) -
				  POOL(gv) - POOL(site) - POOL(probe) - POOL(program)];
char size_site[sizeof(struct dp_site)];
char size_probe[sizeof(struct dp_probe)];
char size_slot[DP_PORT_SLOT_BYTES + 1]; /* and its state */
char size_keep_area[DP_KEEP_BYTES];
char size_private_stack[DP_PORT_STACK_BYTES];
char size_hit_frame[sizeof(struct dp_frame)];
char size_callback_room[DP_CALLBACK_BYTES];
char size_slots[DP_MAX_PROBES * (DP_PORT_SLOT_BYTES + 1)];
/* Of the firmware: what DPROBES_MEMORY takes. */
char size_memory_of_the_firmware[DPROBES_STORAGE_BYTES + DPROBES_SLOTS_BYTES + DPROBES_KEEP_BYTES];
