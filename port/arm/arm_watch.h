/* SPDX-License-Identifier: BSD-2-Clause */
/* What watch.c shares with the rest of the port, and the access of an instruction. */
#ifndef DP_ARM_WATCH_H
#define DP_ARM_WATCH_H

#include "arm_port.h"

#if DP_ARM_WITH_WATCH
/* Switch off what an earlier run had on, bit n: comparator n. Context: THREAD. */
void dp_arm_watch_attach(uint32_t before);
/* Is the abort of this class a debug event? Context: HIT. */
bool dp_arm_debug_event(unsigned class);
/* Handle the debug event. Context: HIT. */
enum dp_taken dp_arm_watched(unsigned class, struct dp_frame *frame);

/* What an instruction does with memory. */
struct dp_arm_access {
	bool loads, stores;
	uint8_t bytes; /* of each access */
};

/* An instruction that is not named here may do both.
 * half: the instruction in memory. */
static inline struct dp_arm_access dp_arm_access_of(const uint16_t *half, bool thumb)
{
	struct dp_arm_access made = {true, true, 4};
	uint32_t w = thumb ? half[0] : (uint32_t)half[1] << 16 | half[0];
	bool load = w >> 20 & 1;

	if (thumb && w < 0xe800) {
		if (w >> 12 == 5) { /* register offset: str strh strb ldrsb ldr ldrh ldrb ldrsh */
			unsigned op = w >> 9 & 7;

			made.bytes = (uint8_t)(op == 0 || op == 4 ? 4 : op & 1 ? 2 : 1);
			if (op == 3)
				made.bytes = 1;
			load = op >= 3;
		} else {
			made.bytes = (uint8_t)(w >> 12 == 7 ? 1 : w >> 12 == 8 ? 2 : 4);
			load = w >> 11 & 1; /* also push and pop, stm and ldm */
		}
	} else if (thumb) {
		w = w << 16 | half[1];
		load = w >> 20 & 1;
		if (w >> 25 == 0xf8 >> 1 && !(w >> 24 & 1)) /* single */
			made.bytes = (uint8_t)(1u << (w >> 21 & 3));
		else if (w >> 24 == 0xf9 && !load) /* elements */
			load = w >> 21 & 1;
	} else if (w >> 24 == 0xf4) {
		load = w >> 21 & 1;
	} else if ((w & 0x0c000000) == 0x04000000) {
		made.bytes = w >> 22 & 1 ? 1 : 4;
	} else if ((w & 0x0e000090) == 0x00000090) {
		unsigned op = w >> 5 & 3;

		if (op == 0 && !(w & 0x00800000)) /* swp */
			return made;
		if (op == 0) /* exclusives */
			made.bytes = (uint8_t)((w >> 21 & 3) == 2 ? 1 : (w >> 21 & 3) == 3 ? 2 : 4);
		else if (!load && op != 1)
			load = op == 2; /* ldrd; strd */
		else
			made.bytes = load && op == 2 ? 1 : 2;
	}
	made.loads = load;
	made.stores = !load;
	return made;
}
#endif

#endif
