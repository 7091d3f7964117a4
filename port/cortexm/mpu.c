/* SPDX-License-Identifier: BSD-2-Clause */
/* A watchpoint by the memory protection unit of ARMv7-M: DDI 0403E B3.5. The region with the
 * highest number forbids stores, or all accesses, and each of them is a fault before the access.
 * The unit has no other use meanwhile: three regions below give all code what it has without the
 * unit. An agent of DP_CORTEXM_WITH_MPU=1 has this file. */
#include "cortexm_data.h"

#if DP_CORTEXM_WITH_MPU
/* MPU_TYPE: regions of data.  B3.5.4 */
#define DP_REGIONS() (DP_SCS(MPU_TYPE) >> 8 & 0xff)
/* MPU_CTRL: privileged code has the default map beside the regions; HardFault and NMI have it
 * alone.  B3.5.5 */
#define DP_ENABLE     0x1u
#define DP_PRIVDEFENA 0x4u
#define DP_ON         (DP_ENABLE | DP_PRIVDEFENA)
/* MPU_RASR.  B3.5.9 */
#define DP_RASR_XN        0x10000000u
#define DP_RASR_READS     0x06000000u /* AP: all code may read */
#define DP_RASR_FULL      0x03000000u /* AP: all code may read and write */
#define DP_RASR_SRD(mask) ((uint32_t)(mask) << 8)
#define DP_RASR_SIZE(log) (((log)-1u) << 1)
/* Memory types: TEX, S, C, B.  B3.5.10 */
#define DP_THROUGH 0x00020000u /* normal, write-through */
#define DP_BACK    0x000b0000u /* normal, write-back, allocated by writes */
#define DP_DEVICE  0x00050000u /* shared */

enum {
	DP_BACKGROUND = 3,  /* regions that stand for the default map */
	DP_REGION_BITS = 5, /* of the smallest region */
	DP_PARTS = 8        /* of the address space, and of each region of 256 bytes and more */
};

/* The default map: what each eighth of the address space is. The last one, where the unit itself
 * is, needs no region.  B3.1 */
static const uint32_t type_of[DP_PARTS] = {DP_THROUGH, DP_BACK,   DP_DEVICE, DP_BACK,
					   DP_THROUGH, DP_DEVICE, DP_DEVICE, 0};
static const uint32_t background_type[DP_BACKGROUND] = {DP_THROUGH, DP_BACK, DP_DEVICE};

static void synchronise(void)
{
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}

unsigned dp_mpu_count(void)
{
	return DP_REGIONS() > DP_BACKGROUND;
}

/* --- regions --- */

/* All parts of the address space that have the type of region n. */
static uint32_t background(unsigned n)
{
	uint32_t type = background_type[n], off = 0;

	for (unsigned part = 0; part < DP_PARTS; part++)
		off |= (uint32_t)(type_of[part] != type) << part;
	return type | (type == DP_DEVICE ? DP_RASR_XN : 0) | DP_RASR_FULL | DP_RASR_SRD(off) |
	       DP_RASR_SIZE(32u) | DP_ENABLE;
}

static void write_region(unsigned n, uint32_t first, uint32_t attributes)
{
	DP_SCS(MPU_RNR) = n;
	DP_SCS(MPU_RASR) = 0;
	DP_SCS(MPU_RBAR) = first;
	DP_SCS(MPU_RASR) = attributes;
}

static bool region_is(unsigned n, uint32_t first, uint32_t attributes)
{
	DP_SCS(MPU_RNR) = n;
	return (DP_SCS(MPU_RBAR) & ~31u) == first && DP_SCS(MPU_RASR) == attributes;
}

static bool background_is_ours(void)
{
	for (unsigned n = 0; n < DP_BACKGROUND; n++)
		if (!region_is(n, 0, background(n)))
			return false;
	return true;
}

/* Does the firmware use the unit? While it is off, a region that is on has been prepared for it,
 * and would be in force with the agent's. */
static bool is_firmwares(void)
{
	const uint32_t number = DP_SCS(MPU_RNR);
	uint32_t used = DP_SCS(MPU_CTRL) & DP_ENABLE;

	if (dp_cortexm->watches != 0)
		return false;
	for (unsigned n = 0; n < DP_REGIONS(); n++) {
		DP_SCS(MPU_RNR) = n;
		used |= DP_SCS(MPU_RASR) & DP_ENABLE;
	}
	DP_SCS(MPU_RNR) = number;
	return used != 0;
}

/* The unit, and the regions, as the firmware has left them: off. */
static void give_back(void)
{
	DP_SCS(MPU_CTRL) = 0;
	synchronise();
	for (unsigned n = 0; n < DP_BACKGROUND; n++)
		write_region(n, 0, 0);
	write_region(DP_REGIONS() - 1, 0, 0);
}

/* The start-up may have switched the unit off, and a pause too. The regions are still there. */
void dp_mpu_attach(void)
{
	if (dp_mpu_count() > 0 && (DP_SCS(MPU_CTRL) == DP_ON || DP_SCS(MPU_CTRL) == 0) &&
	    background_is_ours())
		give_back();
}

/* --- a range --- */

/* 2^bits bytes, aligned so, have the range. */
static unsigned bits_of(const struct dp_watch *watch)
{
	uint32_t differ = watch->address ^ (watch->address + (watch->bytes - 1));
	unsigned bits = differ == 0 ? 0 : 32u - (unsigned)__builtin_clz(differ);

	return bits < DP_REGION_BITS ? DP_REGION_BITS : bits;
}

static bool overlaps(uint32_t first, uint32_t bytes, const void *start, uint32_t start_bytes)
{
	uint32_t other = (uint32_t)(uintptr_t)start;

	return other - first < bytes || first - other < start_bytes;
}

/* The range lies in one eighth of the address space, which has one type. The entry reads the word
 * that leads to the port's state before the region is off. */
enum dp_err dp_mpu_prepare(struct dp_watch *watch)
{
	unsigned bits = bits_of(watch);

	if ((watch->kind != DP_PROBE_WATCH_W && watch->kind != DP_PROBE_WATCH_RW) ||
	    dp_mpu_count() == 0 || bits >= 29 || type_of[watch->address >> 29] == 0)
		return DP_ERR_NO_WATCHPOINT;
	if (is_firmwares())
		return DP_ERR_WATCH_UNIT_USED;
	watch->covers = (uint32_t)1 << bits;
	watch->first = watch->address & ~(watch->covers - 1);
	if (overlaps(watch->first, watch->covers, &dp_cortexm, sizeof(void *)))
		return DP_ERR_NO_WATCHPOINT;
	return DP_ERR_OK;
}

static uint32_t attributes_of(const struct dp_watch *watch)
{
	uint32_t type = type_of[watch->first >> 29];

	return type | (type == DP_DEVICE ? DP_RASR_XN : 0) |
	       (watch->kind == DP_PROBE_WATCH_W ? DP_RASR_READS : 0) |
	       DP_RASR_SIZE((unsigned)__builtin_ctz(watch->covers)) | DP_ENABLE;
}

/* --- on and off --- */

static void switch_unit(bool on)
{
	DP_SCS(MPU_CTRL) = on ? DP_ON : 0;
	synchronise();
}

static bool is_as_written(void)
{
	const struct dp_cortexm_region *r = &dp_cortexm->region;

	return r->attributes != 0 && DP_SCS(MPU_CTRL) == (r->off ? 0 : DP_ON) &&
	       region_is(DP_REGIONS() - 1, r->first, r->attributes) && background_is_ours();
}

bool dp_mpu_holds(const struct dp_watch *watch)
{
	(void)watch;
	return is_as_written();
}

enum dp_err dp_mpu_arm(const struct dp_watch *watch)
{
	struct dp_cortexm_region *r = &dp_cortexm->region;

	if (is_firmwares())
		return DP_ERR_NO_WATCHPOINT;
	r->first = watch->first;
	r->covers = watch->covers;
	r->attributes = attributes_of(watch);
	for (unsigned n = 0; n < DP_BACKGROUND; n++)
		write_region(n, 0, background(n));
	write_region(DP_REGIONS() - 1, r->first, r->attributes);
	dp_cortexm->watches = 1;
	switch_unit(!r->off);
	if (is_as_written())
		return DP_ERR_OK;
	give_back();
	r->attributes = 0;
	dp_cortexm->watches = 0;
	return DP_ERR_NO_WATCHPOINT;
}

/* A firmware that has taken the unit meanwhile keeps it. */
void dp_mpu_disarm(const struct dp_watch *watch)
{
	struct dp_cortexm_region *r = &dp_cortexm->region;

	(void)watch;
	if (r->attributes == 0)
		return;
	if (is_as_written())
		give_back();
	r->attributes = 0;
	dp_cortexm->watches = 0;
}

void dp_mpu_pause(unsigned comparators)
{
	struct dp_cortexm_region *r = &dp_cortexm->region;
	const bool off = comparators != 0;

	if (off == r->off)
		return;
	if (r->attributes != 0 && DP_SCS(MPU_CTRL) == (off ? DP_ON : 0))
		switch_unit(!off);
	r->off = off;
}

/* --- an access --- */

static bool is_in_region(uint32_t address, unsigned bytes)
{
	const struct dp_cortexm_region *r = &dp_cortexm->region;

	return address - r->first < r->covers || r->first - address < bytes;
}

bool dp_mpu_at(const struct dp_watched *access)
{
	return dp_cortexm->watches != 0 &&
	       is_in_region(access->address, access->bytes ? access->bytes : 4);
}

bool dp_cortexm_looks_watched(void)
{
	return dp_cortexm->watches != 0 && (DP_SCS(CFSR) & DP_CFSR_DACCVIOL);
}

/* Read the instruction as the CPU has fetched it: of a slot, the copy. */
static uint32_t fetch(uint32_t pc, unsigned *bytes)
{
	const uint16_t *half = (const uint16_t *)(uintptr_t)pc;

	*bytes = dp_thumb_bytes(half[0]);
	return *bytes == 2 ? half[0] : (uint32_t)half[0] << 16 | half[1];
}

/* The address that the CPU tells is one of the access, which for several registers may have begun
 * before the region. An address of an earlier fault may still be there: B3.2.18. */
bool dp_cortexm_is_watched(const struct dp_frame *frame, struct dp_watched *access)
{
	const uint32_t valid = DP_CFSR_DACCVIOL | DP_CFSR_MMARVALID;
	uint32_t told, insn;
	unsigned bytes;

	if (!dp_cortexm_looks_watched() || (DP_SCS(CFSR) & valid) != valid)
		return false;
	told = DP_SCS(MMFAR);
	insn = fetch(frame->r[DP_ARM_PC], &bytes);
	access->comparators = 0;
	access->told = true;
	access->pc = dp_port_slot_origin(frame->r[DP_ARM_PC]) & ~1u;
	return dp_cortexm_access_of(insn, bytes, frame, access) &&
	       told + 3 - access->address < access->bytes + 3u &&
	       is_in_region(access->address, access->bytes);
}
#endif
