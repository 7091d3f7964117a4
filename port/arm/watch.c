/* SPDX-License-Identifier: BSD-2-Clause */
/* The comparators of ARMv7-A by CP14: breakpoints (BVR, BCR) and watchpoints (WVR, WCR). DDI 0406C
 * C3 and C11. Numbers 0 to 5 are breakpoints, 6 to 9 watchpoints. The CPU reports both before the
 * access. An agent of DP_ARM_WITH_WATCH=1 has this file. */
#include "arm_port.h"
#include "arm_watch.h"
#include "dp_watch.h"

#if DP_ARM_WITH_WATCH
#define DP_MDBGEN   0x8000u /* DBGDSCR */
#define DP_ENABLE   0x00000001u
#define DP_ANY_MODE 0x00002006u /* HMC, PAC: also where secure PL1 counts as EL3 */
#define DP_LOADS    0x00000008u
#define DP_STORES   0x00000010u
#define DP_BYTES(n) ((uint32_t)(n) << 5)
#define DP_MASK(n)  ((uint32_t)(n) << 24)
/* What reads back on every core: not HMC, nor the upper bytes of WCR. */
#define DP_READ_BACK   0x1f0001ffu
#define DP_DEBUG_EVENT 2u

enum {
	DP_ARM_WATCH_BITS_MAX = 30 /* of a range */
};

/* One register of each number: CRm is a constant of the instruction. */
#define DP_REGISTER(name, op2)                                                                     \
	static uint32_t read_##name(unsigned n)                                                    \
	{                                                                                          \
		uint32_t value = 0;                                                                \
                                                                                                   \
		switch (n) {                                                                       \
			DP_READS(op2)                                                              \
		}                                                                                  \
		return value;                                                                      \
	}                                                                                          \
	static void write_##name(unsigned n, uint32_t value)                                       \
	{                                                                                          \
		switch (n) {                                                                       \
			DP_WRITES(op2)                                                             \
		}                                                                                  \
	}
#define DP_READ(n, op2)                                                                            \
	case n:                                                                                    \
		__asm__ volatile("mrc p14, 0, %0, c0, c" #n ", " #op2 : "=r"(value));              \
		break;
#define DP_WRITE(n, op2)                                                                           \
	case n:                                                                                    \
		__asm__ volatile("mcr p14, 0, %0, c0, c" #n ", " #op2 ::"r"(value));               \
		break;
#define DP_READS(op2)                                                                              \
	DP_READ(0, op2)                                                                            \
	DP_READ(1, op2) DP_READ(2, op2) DP_READ(3, op2) DP_READ(4, op2) DP_READ(5, op2)
#define DP_WRITES(op2)                                                                             \
	DP_WRITE(0, op2)                                                                           \
	DP_WRITE(1, op2) DP_WRITE(2, op2) DP_WRITE(3, op2) DP_WRITE(4, op2) DP_WRITE(5, op2)
DP_REGISTER(bvr, 4)
DP_REGISTER(bcr, 5)
DP_REGISTER(wvr, 6)
DP_REGISTER(wcr, 7)

static bool is_code(unsigned n)
{
	return n < DP_ARM_BREAKPOINTS;
}

static uint32_t read_control(unsigned n)
{
	return is_code(n) ? read_bcr(n) : read_wcr(n - DP_ARM_BREAKPOINTS);
}

static void write_control(unsigned n, uint32_t control)
{
	if (is_code(n))
		write_bcr(n, control);
	else
		write_wcr(n - DP_ARM_BREAKPOINTS, control);
}

static uint32_t read_value(unsigned n)
{
	return is_code(n) ? read_bvr(n) : read_wvr(n - DP_ARM_BREAKPOINTS);
}

static void write_value(unsigned n, uint32_t value)
{
	if (is_code(n))
		write_bvr(n, value);
	else
		write_wvr(n - DP_ARM_BREAKPOINTS, value);
}

static void synchronise(void)
{
	__asm__ volatile("isb" ::: "memory");
}

/* --- which there are --- */

/* DBGDIDR: WRPs, BRPs. 0: the core has no debug registers. */
static unsigned count_of(bool code)
{
	uint32_t didr;

	__asm__ volatile("mrc p14, 0, %0, c0, c0, 0" : "=r"(didr));
	return didr == 0 ? 0 : (didr >> (code ? 24 : 28) & 15) + 1;
}

static bool is_there(unsigned n)
{
	return is_code(n) ? n < count_of(true) : n - DP_ARM_BREAKPOINTS < count_of(false);
}

/* Open the registers, and see who has comparators on: a debugger, since those that an earlier run
 * of the agent had left are off (dp_arm_watch_attach). */
static struct dp_arm_watch *opened(void)
{
	struct dp_arm_watch *w = &dp_arm->watch;

	if (w->open)
		return w;
	__asm__ volatile("mcr p14, 0, %0, c1, c0, 4" ::"r"(0)); /* DBGOSLAR */
	synchronise();
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (is_there(n) && (read_control(n) & DP_ENABLE))
			w->foreign |= (uint16_t)(1u << n);
	w->open = 1;
	return w;
}

unsigned dp_port_comparators(void)
{
	unsigned end = 0;

	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (is_there(n) && !(opened()->foreign >> n & 1))
			end = n + 1;
	return end;
}

/* After a warm restart the old veneer tells what the earlier run had on. */
void dp_arm_watch_attach(uint32_t before)
{
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (before >> n & 1)
			write_control(n, 0);
	synchronise();
}

/* --- a range --- */

/* The smallest aligned piece that has the range: 2^bits bytes. */
static unsigned bits_of(const struct dp_watch *watch)
{
	uint32_t differ = watch->address ^ (watch->address + (watch->bytes - 1));

	return differ == 0 ? 0 : 32u - (unsigned)__builtin_clz(differ);
}

static bool prepare_code(struct dp_watch *watch, unsigned bits)
{
	if (bits > 2)
		return false;
	watch->means = DP_MEANS_COMPARE;
	if (watch->kind == DP_PROBE_BREAK) {
		watch->first = watch->address;
		watch->covers = watch->bytes;
		return true;
	}
	watch->covers = bits == 2 ? 4 : 2;
	watch->first = watch->address & ~(watch->covers - 1);
	return true;
}

static bool prepare_data(struct dp_watch *watch, unsigned bits)
{
	if (bits > DP_ARM_WATCH_BITS_MAX)
		return false;
	watch->first = watch->address;
	watch->covers = watch->bytes;
	if (bits > 2) {
		watch->covers = (dp_addr)1 << bits;
		watch->first = watch->address & ~(watch->covers - 1);
	}
	return true;
}

/* An instruction of four bytes at 2 modulo 4 is in two words: its first half counts. */
enum dp_err dp_port_watch_prepare(struct dp_watch *watch)
{
	unsigned n = watch->comparator, bits = bits_of(watch);
	bool code = watch->kind == DP_PROBE_BREAK || watch->kind == DP_PROBE_WATCH_X;

	if (watch->kind == DP_PROBE_BREAK)
		bits = 2;
	if (dp_arm->vector == NULL || !is_there(n) || code != is_code(n) ||
	    !(code ? prepare_code(watch, bits) : prepare_data(watch, bits)))
		return DP_ERR_NO_WATCHPOINT;
	return opened()->foreign >> n & 1 ? DP_ERR_NO_COMPARATOR : DP_ERR_OK;
}

/* Bytes of a word, as BAS has them. */
static uint32_t byte_select(dp_addr first, dp_addr bytes)
{
	return ((1u << bytes) - 1) << (first & 3) & 15;
}

static uint32_t control_of(const struct dp_watch *watch)
{
	uint32_t control = DP_ENABLE | DP_ANY_MODE;

	if (1u << watch->kind & DP_WATCHED_READ)
		control |= DP_LOADS;
	if (1u << watch->kind & DP_WATCHED_WRITE)
		control |= DP_STORES;
	if (watch->covers > 4) /* of a power of two; all bytes */
		return control | DP_MASK(__builtin_ctz(watch->covers)) | DP_BYTES(0xff);
	return control | DP_BYTES(byte_select(watch->first, watch->covers));
}

/* --- on and off --- */

static void let_monitor(bool on)
{
	uint32_t dscr;

	__asm__ volatile("mrc p14, 0, %0, c0, c2, 2" : "=r"(dscr));
	dscr = on ? dscr | DP_MDBGEN : dscr & ~DP_MDBGEN;
	__asm__ volatile("mcr p14, 0, %0, c0, c2, 2" ::"r"(dscr));
	synchronise();
}

/* Note for the next run which comparators this one has on. */
static void note(unsigned n, bool on)
{
	uint32_t *armed = &dp_arm->vector[DP_CLASS_DATA - 1].armed;

	*armed = on ? *armed | 1u << n : *armed & ~(1u << n);
}

bool dp_port_watch_holds(const struct dp_watch *watch)
{
	const struct dp_arm_watch *w = &dp_arm->watch;
	unsigned n = watch->comparator;
	uint32_t wanted = w->control[n] & ~(uint32_t)(w->off >> n & 1);

	return w->control[n] != 0 && ((read_control(n) ^ wanted) & DP_READ_BACK) == 0 &&
	       read_value(n) == (watch->first & ~3u);
}

enum dp_err dp_port_watch_arm(const struct dp_watch *watch)
{
	struct dp_arm_watch *w = opened();
	unsigned n = watch->comparator;

	w->control[n] = control_of(watch);
	w->first[n] = watch->first;
	w->covers[n] = watch->covers;
	note(n, true);
	write_value(n, watch->first & ~3u);
	write_control(n, w->control[n] & ~(uint32_t)(w->off >> n & 1));
	let_monitor(!w->all_off);
	if (dp_port_watch_holds(watch))
		return DP_ERR_OK;
	dp_port_watch_disarm(watch);
	return DP_ERR_NO_WATCHPOINT;
}

void dp_port_watch_disarm(const struct dp_watch *watch)
{
	struct dp_arm_watch *w = &dp_arm->watch;
	unsigned n = watch->comparator;

	if (w->control[n] == 0)
		return;
	w->control[n] = 0;
	write_control(n, 0);
	synchronise();
	note(n, false);
}

/* All: the monitor is off, which is one register. */
void dp_port_watch_pause(uint16_t comparators)
{
	struct dp_arm_watch *w = &dp_arm->watch;
	uint16_t differ = w->off ^ comparators;

	if (!w->open)
		return;
	w->all_off = comparators == DP_ALL_COMPARATORS;
	for (unsigned n = 0; !w->all_off && n < DP_PORT_COMPARATORS; n++)
		if (w->control[n] != 0 && (differ >> n & 1))
			write_control(n, w->control[n] & ~(uint32_t)(comparators >> n & 1));
	if (!w->all_off)
		w->off = comparators;
	let_monitor(!w->all_off);
}

/* --- an access --- */

static bool covers(dp_addr first, dp_addr bytes, dp_addr address, unsigned width)
{
	return address - first < bytes || first - address < width;
}

bool dp_port_watch_at(const struct dp_watched *access)
{
	const struct dp_arm_watch *w = &dp_arm->watch;
	bool code = access->kinds & DP_WATCHED_EXECUTE;

	for (unsigned n = code ? 0 : DP_ARM_BREAKPOINTS;
	     n < (code ? DP_ARM_BREAKPOINTS : DP_PORT_COMPARATORS); n++) {
		if (w->foreign >> n & 1)
			return true;
		if (w->control[n] != 0 &&
		    (!access->told || covers(w->first[n], w->covers[n], access->address, 4)))
			return true;
	}
	return false;
}

/* DFSR or IFSR has the number of a debug event. */
bool dp_arm_debug_event(unsigned class)
{
	uint32_t status;

	if (class == DP_CLASS_DATA)
		__asm__ volatile("mrc p15, 0, %0, c5, c0, 0" : "=r"(status));
	else if (class == DP_CLASS_PREFETCH)
		__asm__ volatile("mrc p15, 0, %0, c5, c0, 1" : "=r"(status));
	else
		return false;
	return (status & 0x40f) == DP_DEBUG_EVENT;
}

/* Older cores leave the address register alone: believe an address that a comparator watches. */
static void tell_address(struct dp_watched *access)
{
	const struct dp_arm_watch *w = &dp_arm->watch;

	__asm__ volatile("mrc p15, 0, %0, c6, c0, 0" : "=r"(access->address)); /* DFAR */
	for (unsigned n = DP_ARM_BREAKPOINTS; n < DP_PORT_COMPARATORS; n++)
		access->told |= w->control[n] != 0 &&
				covers(w->first[n], w->covers[n], access->address, access->bytes);
}

enum dp_taken dp_arm_watched(unsigned class, struct dp_frame *frame)
{
	struct dp_watched access;

	access.comparators = 0;
	access.told = false;
	access.pc = dp_port_slot_origin(frame->r[DP_ARM_PC]) & ~1u;
	access.kinds = DP_WATCHED_EXECUTE;
	if (class == DP_CLASS_DATA) {
		const uint16_t *half = (const uint16_t *)(uintptr_t)frame->r[DP_ARM_PC];
		struct dp_arm_access made = dp_arm_access_of(half, dp_arm_thumb(frame));

		access.kinds = (uint8_t)((made.stores ? DP_WATCHED_WRITE : 0) |
					 (made.loads ? DP_WATCHED_READ : 0));
		access.bytes = made.bytes;
		tell_address(&access);
	} else {
		access.address = access.pc;
		access.bytes = 2;
		access.told = true;
	}
	return dp_agent_watch(frame, &access);
}
#endif
