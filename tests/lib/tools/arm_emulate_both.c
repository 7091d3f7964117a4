/* SPDX-License-Identifier: BSD-2-Clause */
/* On the host: emulate.c without DP_ARM_WITH_RARE against the whole one, on random frames, for
 * every row of the tables without it that emulates. test_arm_common.py compiles both with names of
 * their own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm_port.h"
#include "arm_rows.h"
#include "check.h"
#include "thumb/emulate.h"

struct dp_arm_plan common_decode(uint32_t insn, bool thumb, unsigned bytes, unsigned architecture);
extern const uint8_t *const common_table[DP_ARM_TABLES];
bool common_emulate(const struct dp_site *site, struct dp_frame *frame);

enum {
	TRIES = 20000, /* of each row */
	ACCESSES = 16,
	SHOWN = 10
};

struct dp_port_state *dp_arm;

static uint32_t random_word(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

/* What an instruction came to: memset first, compared as bytes. */
struct outcome {
	struct dp_frame frame;
	uint32_t good, stores, loads;
	struct {
		uint32_t address, width, user;
	} load[ACCESSES];
};
static struct outcome *now;

/* --- memory: what an address holds follows from it; one in eight is a hole --- */

static bool load(uint32_t address, unsigned width, void *to, uint32_t user)
{
	static const uint8_t bytes[] = {0, 1, 2, 4, 4, 0, 0, 0, 8};
	uint32_t words[2] = {address * 2654435761u, (address + 4) * 2654435761u};

	CHECK(width < sizeof(bytes) && bytes[width] != 0 && now->loads < ACCESSES);
	now->load[now->loads].address = address;
	now->load[now->loads].width = width;
	now->load[now->loads++].user = user;
	if ((words[0] >> 20 & 7) == 0)
		return false;
	memcpy(to, words, bytes[width]);
	return true;
}

bool dp_access_load(dp_addr address, unsigned width, void *to)
{
	return load(address, width, to, 0);
}

bool dp_arm_user_load(uint32_t address, unsigned width, void *to)
{
	return load(address, width, to, 1);
}

bool dp_access_store(dp_addr address, unsigned width, const void *from)
{
	(void)address;
	(void)width;
	(void)from;
	now->stores++;
	return true;
}

bool dp_arm_user_store(uint32_t address, unsigned width, const void *from)
{
	return dp_access_store(address, width, from);
}

/* --- one instruction, both ways --- */

static unsigned long per_class[DP_ARM_CLASSES], faults;

static void random_frame(struct dp_frame *frame, const struct dp_site *site)
{
	static const uint8_t its[] = {0x00, 0x08, 0x18, 0xa8, 0x04, 0x0c, 0x15, 0xe4};
	bool thumb = dp_arm_is_thumb(site);

	memset(frame, 0, sizeof(*frame));
	for (unsigned reg = 0; reg < DP_ARM_PC; reg++)
		frame->r[reg] = random_word() >> (random_word() & 31);
	frame->r[DP_ARM_PC] = site->address;
	frame->cpsr = (random_word() & 0xf80f01c0u) |
		      (random_word() & 1 ? DP_MODE_USR : DP_MODE_SYS) | (thumb ? DP_PSR_T : 0);
	if (thumb && DP_ARM_ARCHITECTURE >= 7)
		frame->cpsr = dp_thumb_with_it(frame->cpsr, its[random_word() & 7]);
}

static void run(bool (*emulate)(const struct dp_site *, struct dp_frame *),
		const struct dp_site *site, const struct dp_frame *frame, struct outcome *outcome)
{
	memset(outcome, 0, sizeof(*outcome));
	outcome->frame = *frame;
	now = outcome;
	outcome->good = emulate(site, &outcome->frame);
}

/* Returns whether the instruction is one that is emulated. */
static bool both(uint32_t insn, bool thumb, unsigned bytes)
{
	struct dp_arm_plan plan = common_decode(insn, thumb, bytes, DP_ARM_ARCHITECTURE);
	struct dp_site site = {.address = random_word() & (thumb ? ~1u : ~3u),
			       .original = insn,
			       .insn_bytes = (uint8_t)bytes,
			       .isa = thumb ? DP_ISA_THUMB : DP_ISA_MAIN};
	struct outcome whole, common;
	struct dp_frame frame;
	bool same;

	if (plan.action != DP_ARM_EMULATE)
		return false;
	site.port.action = plan.action;
	site.port.detail = plan.detail;
	random_frame(&frame, &site);
	run(dp_arm_emulate, &site, &frame, &whole);
	run(common_emulate, &site, &frame, &common);
	per_class[plan.detail]++;
	faults += !whole.good;
	same = memcmp(&whole, &common, sizeof(whole)) == 0 && whole.stores == 0;
	if (!same && check_failures < SHOWN)
		printf("%s %08x: not the same\n", thumb ? "thumb" : "a32", insn);
	CHECK(same);
	return true;
}

static void every_row(enum dp_arm_table table, unsigned rows)
{
	bool thumb = table != DP_ARM_TABLE_A32;

	for (unsigned row = 0; row < rows; row++) {
		const struct row r = row_of(common_table[table], row);

		for (unsigned i = 0; r.treat < DP_ARM_FIRST_ACTION && i < TRIES; i++) {
			uint32_t word = (random_word() & ~r.mask) | r.value;

			if (!thumb || dp_thumb_bytes(word >> 16) == 4)
				both(word, thumb, 4);
		}
	}
}

#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) 1,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char a32_rows[] = {
#include "common_a32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) 1,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char t32_rows[] = {
#include "thumb/common_t32.def"
};

#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) 1,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char system_rows[] = {
#include "common_system_t32.def"
};

/* Of ARMv7; those that there are without RARE. */
static bool expected(unsigned class)
{
	if (class == DP_ARM_A_MSR || class == DP_ARM_W_MSR || class == DP_ARM_A_CPS ||
	    class == DP_ARM_W_CPS)
		return false;
	if (class == DP_ARM_T_CPS)
		return DP_ARM_ARCHITECTURE >= 6;
	if (class == DP_ARM_T_CBZ || class == DP_ARM_T_IT)
		return DP_ARM_ARCHITECTURE >= 7;
	return class < DP_ARM_T_CPS || class == DP_ARM_W_BRANCH || class >= DP_ARM_A_BRANCH ||
	       DP_ARM_ARCHITECTURE >= 7;
}

int main(void)
{
	static struct dp_port_state state = {.store_pc = 8};

	dp_arm = &state;
	every_row(DP_ARM_TABLE_A32, sizeof(a32_rows));
	every_row(DP_ARM_TABLE_T32, sizeof(t32_rows));
	every_row(DP_ARM_TABLE_SYSTEM, sizeof(system_rows));
	for (uint32_t half = 0; half < 0xe800; half++)
		for (unsigned i = 0; i < 16 && both(half, true, 2); i++)
			;
	for (unsigned class = 0; class < DP_ARM_CLASSES; class ++) {
		printf("class %u: %lu\n", class, per_class[class]);
		CHECK((per_class[class] != 0) == expected(class));
	}
	printf("faults %lu\n", faults);
	CHECK(faults != 0);
	return check_status();
}
