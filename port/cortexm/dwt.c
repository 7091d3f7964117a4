/* SPDX-License-Identifier: BSD-2-Clause */
/* Watchpoints by the Data Watchpoint and Trace unit: cortexm_dwt.h. Sections are those of
 * DDI 0403E; M7: of DDI 0489.
 *
 * The CPU takes DebugMonitor for an access where nothing masks it. Else the access leaves no trace
 * but MATCHED, which the next read of the comparator's FUNCTION clears. So each look at FUNCTION
 * keeps MATCHED in `seen`, as long as DebugMonitor is pending. */
#include "cortexm_dwt.h"

#include "dprobes_cpu.h"

#if DP_CORTEXM_WITH_DWT
/* C1.8.7: NUMCOMP, and the bits of counters, samples and packets */
#define DP_DWT_CTRL        0xe0001000u
#define DP_DWT_NUMCOMP(c)  ((c) >> 28)
#define DP_DWT_CTRL_IN_USE 0x007f1001u
/* C1.8.15, C1.8.16: the largest mask is what 0x1f reads back as */
#define DP_DWT_COMP(n)  (0xe0001020u + 16u * (n))
#define DP_DWT_MASK(n)  (0xe0001024u + 16u * (n))
#define DP_DWT_MASK_ALL 0x1fu
/* C1.8.17 */
#define DP_DWT_FUNCTION(n)     (0xe0001028u + 16u * (n))
#define DP_DWT_KIND(f)         ((f)&15u)
#define DP_DWT_MATCHED         0x01000000u
#define DP_DWT_DATAVMATCH      0x00000100u
#define DP_DWT_CYCMATCH        0x00000080u
#define DP_DWT_WHAT            (DP_DWT_DATAVMATCH | DP_DWT_CYCMATCH | 15u)
#define DP_DWT_DATAVADDR(f, i) ((f) >> (12 + 4 * (i)) & 15)
enum {
	DP_DWT_VALUES = 1, /* the comparator that compares data, at the addresses of others */
};
/* M7 11.3: the lock. Without one the registers are zero. */
#define DP_DWT_LAR     0xe0001fb0u
#define DP_DWT_LAR_KEY 0xc5acce55u
#define DP_DWT_LSR     0xe0001fb4u
#define DP_DWT_LSR_SLK 0x2u
/* C1.7.6: packets of software, which want TRCENA too */
#define DP_ITM_TCR        0xe0000e80u
#define DP_ITM_TCR_ITMENA 0x1u
/* B3.2.12: the lowest byte is DebugMonitor's */
#define DP_SHPR3         0xe000ed20u
#define DP_SHPR3_MONITOR 0xffu
/* C1.6.1; a one clears its bit */
#define DP_DFSR         0xe000ed30u
#define DP_DFSR_DWTTRAP 0x4u
/* C1.6.2 */
#define DP_DHCSR           0xe000edf0u
#define DP_DHCSR_C_DEBUGEN 0x1u
/* C1.6.5 */
#define DP_DEMCR          0xe000edfcu
#define DP_DEMCR_TRCENA   0x01000000u
#define DP_DEMCR_MON_PEND 0x00020000u
#define DP_DEMCR_MON_EN   0x00010000u

/* --- registers --- */

static void set_bits(uint32_t address, uint32_t bits)
{
	dp_unit_set(address, dp_unit_get(address) | bits);
}

static void clear_bits(uint32_t address, uint32_t bits)
{
	dp_unit_set(address, dp_unit_get(address) & ~bits);
}

/* C1.5: with a debugger, the CPU halts in place of DebugMonitor. */
static bool is_debugged(void)
{
	return dp_unit_get(DP_DHCSR) & DP_DHCSR_C_DEBUGEN;
}

/* Is DebugMonitor pending for a watchpoint? C1.6.5 */
static bool is_pending(void)
{
	return (dp_unit_get(DP_DEMCR) & DP_DEMCR_MON_PEND) &&
	       (dp_unit_get(DP_DFSR) & DP_DFSR_DWTTRAP);
}

static uint32_t function_of(struct dp_dwt *dwt, unsigned n)
{
	uint32_t function = dp_unit_get(DP_DWT_FUNCTION(n));

	if (function & DP_DWT_MATCHED)
		dwt->seen |= (uint8_t)(1u << n);
	return function & DP_DWT_WHAT;
}

/* Returns whether the unit was locked. */
static bool unlock(void)
{
	bool locked = dp_unit_get(DP_DWT_LSR) & DP_DWT_LSR_SLK;

	if (locked)
		dp_unit_set(DP_DWT_LAR, DP_DWT_LAR_KEY);
	return locked;
}

static void lock(bool locked)
{
	if (locked)
		dp_unit_set(DP_DWT_LAR, 0);
}

/* --- who uses the unit --- */

static bool is_armed(const struct dp_dwt *dwt, unsigned n)
{
	return n < DP_DWT_COMPARATORS && dwt->watch[n].function != DP_DWT_NOTHING;
}

unsigned dp_dwt_armed(const struct dp_dwt *dwt)
{
	unsigned armed = 0;

	for (unsigned n = 0; n < DP_DWT_COMPARATORS; n++)
		armed |= (unsigned)is_armed(dwt, n) << n;
	return armed;
}

static unsigned comparators(void)
{
	return DP_DWT_NUMCOMP(dp_unit_get(DP_DWT_CTRL));
}

/* Does a comparator stop the CPU, for DebugMonitor or a debugger? C1.8.1 */
static bool any_stops(void)
{
	for (unsigned n = 0; n < comparators(); n++)
		if (DP_DWT_KIND(dp_unit_get(DP_DWT_FUNCTION(n))) / 4 == 1)
			return true;
	return false;
}

/* Does the comparator tell its address to another one, which compares data? One of the agent's does
 * not, and a look at it would lose MATCHED. C1.8.17 */
static bool is_linked(const struct dp_dwt *dwt, unsigned n)
{
	uint32_t values;

	if (is_armed(dwt, DP_DWT_VALUES) || comparators() <= DP_DWT_VALUES)
		return false;
	values = dp_unit_get(DP_DWT_FUNCTION(DP_DWT_VALUES));
	return (values & DP_DWT_DATAVMATCH) &&
	       (DP_DWT_DATAVADDR(values, 0) == n || DP_DWT_DATAVADDR(values, 1) == n);
}

static bool is_taken(const struct dp_dwt *dwt, unsigned n)
{
	return !is_armed(dwt, n) &&
	       (DP_DWT_KIND(dp_unit_get(DP_DWT_FUNCTION(n))) != DP_DWT_NOTHING ||
		is_linked(dwt, n));
}

/* Does anybody need TRCENA? The time stamp's cycle counter is one of those. C1.6.5 */
static bool is_traced(void)
{
	uint32_t used = dp_unit_get(DP_DWT_CTRL) & DP_DWT_CTRL_IN_USE;

	used |= dp_unit_get(DP_ITM_TCR) & DP_ITM_TCR_ITMENA;
	for (unsigned n = 0; n < comparators(); n++)
		used |= DP_DWT_KIND(dp_unit_get(DP_DWT_FUNCTION(n)));
	return used != 0;
}

/* Look at the unit. Returns whether TRCENA was off: UNKNOWN is what its registers read as then. */
static bool begin_trace(void)
{
	bool off = !(dp_unit_get(DP_DEMCR) & DP_DEMCR_TRCENA);

	if (off)
		set_bits(DP_DEMCR, DP_DEMCR_TRCENA);
	return off;
}

static void end_trace(bool was_off)
{
	if (was_off && !is_traced())
		clear_bits(DP_DEMCR, DP_DEMCR_TRCENA);
}

/* --- attach --- */

/* C1.4: comparators keep their registers over each reset but that of power-on, and DebugMonitor is
 * off behind one. Without it and without a debugger nobody hears of what they match. */
static void clear_left(unsigned count)
{
	for (unsigned n = 0; n < count; n++) {
		uint32_t function = dp_unit_get(DP_DWT_FUNCTION(n));

		if (DP_DWT_KIND(function) >= DP_DWT_READ &&
		    DP_DWT_KIND(function) <= DP_DWT_ACCESS &&
		    !(function & (DP_DWT_DATAVMATCH | DP_DWT_CYCMATCH)))
			dp_unit_set(DP_DWT_FUNCTION(n), 0);
	}
}

/* Found by a comparator that nobody uses; each one has the same. C1.8.16 */
static unsigned largest_bits(const struct dp_dwt *dwt, unsigned count)
{
	uint32_t before, largest;
	unsigned n = 0;

	while (n < count && is_taken(dwt, n))
		n++;
	if (n == count)
		return 0;
	before = dp_unit_get(DP_DWT_MASK(n));
	dp_unit_set(DP_DWT_MASK(n), DP_DWT_MASK_ALL);
	largest = dp_unit_get(DP_DWT_MASK(n)) & DP_DWT_MASK_ALL;
	dp_unit_set(DP_DWT_MASK(n), before & largest);
	return largest;
}

static void look_at_unit(struct dp_dwt *dwt, bool ours)
{
	unsigned count = comparators();
	bool locked = unlock();

	if (ours)
		clear_left(count);
	dwt->count = (uint8_t)(count < DP_DWT_COMPARATORS ? count : DP_DWT_COMPARATORS);
	dwt->largest = (uint8_t)largest_bits(dwt, count);
	lock(locked);
}

void dp_dwt_attach(struct dp_dwt *dwt, bool hooked)
{
	bool was_off = begin_trace();
	bool ours = hooked || !(dp_unit_get(DP_DEMCR) & DP_DEMCR_MON_EN);

	dwt->count = 0;
	if (comparators() > 0)
		look_at_unit(dwt, ours && !is_debugged());
	if (hooked) {
		clear_bits(DP_DEMCR, DP_DEMCR_MON_EN | DP_DEMCR_MON_PEND);
		dp_unit_set(DP_DFSR, DP_DFSR_DWTTRAP);
	}
	end_trace(was_off);
	dp_dwt_publish();
}

/* --- a comparator --- */

static enum dp_err can_now(const struct dp_dwt *dwt, unsigned n)
{
	bool first = dp_dwt_armed(dwt) == 0;

	if (is_debugged())
		return DP_ERR_WATCH_DEBUGGED;
	if (first && ((dp_unit_get(DP_DEMCR) & DP_DEMCR_MON_EN) || any_stops()))
		return DP_ERR_WATCH_MONITOR;
	return is_taken(dwt, n) ? DP_ERR_NO_COMPARATOR : DP_ERR_OK;
}

enum dp_err dp_dwt_can(const struct dp_dwt *dwt, unsigned n, unsigned bits,
		       enum dp_dwt_function function)
{
	enum dp_err error;
	bool was_off;

	if (n >= dwt->count || bits > dwt->largest || function == DP_DWT_NOTHING)
		return DP_ERR_NO_WATCHPOINT;
	was_off = begin_trace();
	error = can_now(dwt, n);
	end_trace(was_off);
	return error;
}

/* B1.5.4: at priority 0 DebugMonitor preempts all code but that with PRIMASK or FAULTMASK set, and
 * exceptions of priority 0. */
static void switch_on(struct dp_dwt *dwt)
{
	dwt->traces = begin_trace();
	dwt->locked = unlock();
	dwt->priority = (uint8_t)(dp_unit_get(DP_SHPR3) & DP_SHPR3_MONITOR);
	clear_bits(DP_SHPR3, DP_SHPR3_MONITOR);
	dp_unit_set(DP_DFSR, DP_DFSR_DWTTRAP);
	set_bits(DP_DEMCR, DP_DEMCR_MON_EN);
}

/* A priority that the firmware has set meanwhile stays. */
static void switch_off(struct dp_dwt *dwt)
{
	clear_bits(DP_DEMCR, DP_DEMCR_MON_EN);
	if ((dp_unit_get(DP_SHPR3) & DP_SHPR3_MONITOR) == 0)
		set_bits(DP_SHPR3, dwt->priority);
	lock(dwt->locked);
	end_trace(dwt->traces);
}

/* What FUNCTION of an armed comparator holds now. */
static uint32_t expected(const struct dp_dwt *dwt, unsigned n)
{
	return dwt->off >> n & 1 ? DP_DWT_NOTHING : dwt->watch[n].function;
}

/* Has nobody else taken the comparator? */
static bool is_ours(struct dp_dwt *dwt, unsigned n)
{
	return dp_unit_get(DP_DWT_COMP(n)) == dwt->watch[n].first &&
	       (dp_unit_get(DP_DWT_MASK(n)) & DP_DWT_MASK_ALL) == dwt->watch[n].bits &&
	       function_of(dwt, n) == expected(dwt, n);
}

bool dp_dwt_holds(struct dp_dwt *dwt, unsigned n)
{
	const uint32_t both = DP_DEMCR_TRCENA | DP_DEMCR_MON_EN;

	return is_armed(dwt, n) && (dp_unit_get(DP_DEMCR) & both) == both && is_ours(dwt, n);
}

bool dp_dwt_arm(struct dp_dwt *dwt, unsigned n, const struct dp_dwt_watch *watch)
{
	if (dp_dwt_can(dwt, n, watch->bits, watch->function) != DP_ERR_OK)
		return false;
	if (dp_dwt_armed(dwt) == 0)
		switch_on(dwt);
	dwt->watch[n] = *watch;
	dp_unit_set(DP_DWT_FUNCTION(n), DP_DWT_NOTHING);
	dp_unit_set(DP_DWT_COMP(n), watch->first);
	dp_unit_set(DP_DWT_MASK(n), watch->bits);
	dp_unit_set(DP_DWT_FUNCTION(n), expected(dwt, n));
	dp_dwt_publish();
	if (dp_dwt_holds(dwt, n))
		return true;
	dp_dwt_disarm(dwt, n);
	return false;
}

/* DebugMonitor is pending for this comparator alone: it does not come. */
static void forget(struct dp_dwt *dwt, unsigned n)
{
	if (dwt->seen == 1u << n && is_pending()) {
		clear_bits(DP_DEMCR, DP_DEMCR_MON_PEND);
		dp_unit_set(DP_DFSR, DP_DFSR_DWTTRAP);
	}
	dwt->seen &= (uint8_t) ~(1u << n);
}

static unsigned look(struct dp_dwt *dwt)
{
	unsigned before = dwt->seen, found;

	dwt->seen = 0;
	for (unsigned n = 0; n < DP_DWT_COMPARATORS; n++)
		if (is_armed(dwt, n))
			function_of(dwt, n);
	found = dwt->seen;
	dwt->seen = (uint8_t)before;
	return found;
}

/* A comparator that somebody has taken meanwhile stays as it is. */
void dp_dwt_disarm(struct dp_dwt *dwt, unsigned n)
{
	if (!is_armed(dwt, n))
		return;
	dwt->traces |= begin_trace();
	dwt->seen |= (uint8_t)look(dwt);
	if (is_ours(dwt, n))
		dp_unit_set(DP_DWT_FUNCTION(n), DP_DWT_NOTHING);
	forget(dwt, n);
	dwt->watch[n].function = DP_DWT_NOTHING;
	if (dp_dwt_armed(dwt) == 0)
		switch_off(dwt);
	dp_dwt_publish();
}

void dp_dwt_pause(struct dp_dwt *dwt, unsigned off)
{
	const unsigned changes = (dwt->off ^ off) & dp_dwt_armed(dwt);

	for (unsigned n = 0; n < DP_DWT_COMPARATORS; n++)
		if ((changes >> n & 1) && is_ours(dwt, n))
			dp_unit_set(DP_DWT_FUNCTION(n),
				    off >> n & 1 ? DP_DWT_NOTHING : dwt->watch[n].function);
	dwt->off = (uint8_t)off;
	if (changes == 0)
		return;
	if (!is_pending())
		dwt->seen = 0;
	dp_dwt_publish();
}

/* --- what has matched --- */

unsigned dp_dwt_lost(struct dp_dwt *dwt)
{
	return look(dwt);
}

unsigned dp_dwt_take(struct dp_dwt *dwt)
{
	unsigned found;

	if (!(dp_unit_get(DP_DFSR) & DP_DFSR_DWTTRAP))
		return 0;
	found = dwt->seen | look(dwt);
	dwt->seen = 0;
	if (found != 0)
		dp_unit_set(DP_DFSR, DP_DFSR_DWTTRAP);
	return found;
}

void dp_dwt_pass(void)
{
	set_bits(DP_DEMCR, DP_DEMCR_MON_PEND);
}

/* --- an access --- */

bool dp_dwt_covers(const struct dp_dwt *dwt, unsigned comparators, bool write, uint32_t address,
		   uint32_t bytes)
{
	for (unsigned n = 0; n < DP_DWT_COMPARATORS; n++) {
		const struct dp_dwt_watch *watch = &dwt->watch[n];

		if (!(comparators >> n & 1) || !is_armed(dwt, n) ||
		    watch->function == (write ? DP_DWT_READ : DP_DWT_WRITE))
			continue;
		if ((address - watch->first) >> watch->bits == 0 || watch->first - address < bytes)
			return true;
	}
	return false;
}
#endif
