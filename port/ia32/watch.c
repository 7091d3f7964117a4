/* SPDX-License-Identifier: BSD-2-Clause */
/* The four debug registers as comparators, each for code, data or ports. Intel SDM 3B, chapter 18.
 * The CPU reports an execution before it, and accesses of data and ports behind the instruction. An
 * agent of DP_IA32_WITH_WATCH=1 has this file. */
#include "ia32_watch.h"

#if DP_IA32_WITH_WATCH
/* DR7: each comparator's enabling bits, L and G, and its form: R/W, LEN. SDM 3B 18.2.4 */
#define DP_DR7_ON(n)   (2u << 2 * (n))
#define DP_DR7_USED(n) (3u << 2 * (n))
#define DP_DR7_FORM(n) (16 + 4 * (n))
#define DP_DR7_ALL     0x000000ffu /* each L and G */
#define DP_DR7_EXACT   0x00000200u /* GE: older CPUs report late without it */
#define DP_DR7_GUARD   0x00002000u /* GD */
#define DP_DR6_GUARD   0x00002000u /* BD */
#define DP_DR6_OTHERS  0x0000e000u /* BD, BS, BT */
#define DP_CR4_DE      0x00000008u
#define DP_CPUID_DE    0x00000004u
/* Of struct dp_ia32_veneer, beside the comparators that are armed: the agent has set CR4.DE. */
#define DP_ARMED_DE (1u << DP_PORT_COMPARATORS)

enum {
	DP_FORM_EXECUTE = 0,
	DP_FORM_WRITE = 1,
	DP_FORM_IO = 2,
	DP_FORM_ACCESS = 3,
	DP_FORM_KIND = 3,
	DP_FORM_LENGTH = 2, /* shift: 0, 1, 3 are lengths of 1, 2, 4 */
};

static struct dp_ia32_watch *watches(void)
{
	return &dp_ia32->watch;
}

static uint32_t read_status(void)
{
	uint32_t dr6;

	DP_IA32_GET(dr6, "dr6");
	return dr6;
}

static void write_status(uint32_t dr6)
{
	DP_IA32_PUT(dr6, "dr6");
}

static void write_control(uint32_t dr7)
{
	DP_IA32_PUT(dr7, "dr7");
}

static uint32_t read_address(unsigned n)
{
	uint32_t address;

	switch (n) {
	case 0:
		DP_IA32_GET(address, "dr0");
		break;
	case 1:
		DP_IA32_GET(address, "dr1");
		break;
	case 2:
		DP_IA32_GET(address, "dr2");
		break;
	default:
		DP_IA32_GET(address, "dr3");
		break;
	}
	return address;
}

static void write_address(unsigned n, uint32_t address)
{
	switch (n) {
	case 0:
		DP_IA32_PUT(address, "dr0");
		break;
	case 1:
		DP_IA32_PUT(address, "dr1");
		break;
	case 2:
		DP_IA32_PUT(address, "dr2");
		break;
	default:
		DP_IA32_PUT(address, "dr3");
		break;
	}
}

/* Let accesses of ports be comparable, or not. SDM 3A 2.5, DE */
static void let_ports(bool on)
{
	uint32_t cr4;

	DP_IA32_GET(cr4, "cr4");
	cr4 = on ? cr4 | DP_CR4_DE : cr4 & ~DP_CR4_DE;
	DP_IA32_PUT(cr4, "cr4");
}

static bool lets_ports(void)
{
	uint32_t cr4;

	DP_IA32_GET(cr4, "cr4");
	return (cr4 & DP_CR4_DE) != 0;
}

static bool can_let_ports(void)
{
	uint32_t eax = 1, ebx, ecx = 0, edx;

	__asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
	return (edx & DP_CPUID_DE) != 0;
}

/* --- which there are --- */

/* Without the gate of debug exceptions the agent has no comparator. */
static bool is_ready(void)
{
	return dp_ia32->veneer->gate[DP_IA32_GATE_DEBUG].handler != 0;
}

/* Does the firmware use a comparator, or guard the registers? */
static bool is_used(void)
{
	const struct dp_ia32_watch *w = watches();
	uint32_t dr7;

	if (!dp_ia32_dr7(&dr7) || (dr7 & DP_DR7_GUARD))
		return true;
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (!(w->armed >> n & 1) && (dr7 & DP_DR7_USED(n)))
			return true;
	return false;
}

unsigned dp_port_comparators(void)
{
	return is_ready() && !is_used() ? DP_PORT_COMPARATORS : 0;
}

/* A reset of the CPU clears DR7. A firmware that starts anew without one finds it as it was. */
void dp_ia32_watch_attach(uint32_t before)
{
	uint32_t dr7;

	if (before & DP_ARMED_DE)
		let_ports(false);
	if (before == 0 || !dp_ia32_dr7(&dr7))
		return;
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (before >> n & 1)
			dr7 &= ~(DP_DR7_USED(n) | 15u << DP_DR7_FORM(n));
	write_control((dr7 & DP_DR7_ALL) == 0 ? dr7 & ~DP_DR7_EXACT : dr7);
}

/* --- a range --- */

static unsigned form_of(const struct dp_watch *watch)
{
	unsigned kind;

	switch (watch->kind) {
	case DP_PROBE_WATCH_W:
		kind = DP_FORM_WRITE;
		break;
	case DP_PROBE_WATCH_RW:
		kind = DP_FORM_ACCESS;
		break;
	case DP_PROBE_WATCH_IO:
		kind = DP_FORM_IO;
		break;
	default:
		return DP_FORM_EXECUTE;
	}
	return kind | (watch->bytes - 1) << DP_FORM_LENGTH;
}

/* The CPU tells no address: what a comparator covers beyond the range could not be left out. */
static bool fits(const struct dp_watch *watch)
{
	switch (watch->kind) {
	case DP_PROBE_BREAK:
		return true;
	case DP_PROBE_WATCH_X:
		return watch->bytes == 1;
	case DP_PROBE_WATCH_IO:
		if (!can_let_ports() || watch->address + (watch->bytes - 1) > UINT16_MAX)
			return false;
		break;
	case DP_PROBE_WATCH_W:
	case DP_PROBE_WATCH_RW:
		break;
	default:
		return false;
	}
	return (watch->bytes == 1 || watch->bytes == 2 || watch->bytes == 4) &&
	       (watch->address & (watch->bytes - 1)) == 0;
}

enum dp_err dp_port_watch_prepare(struct dp_watch *watch)
{
	if (watch->comparator >= DP_PORT_COMPARATORS || !is_ready() || !fits(watch))
		return DP_ERR_NO_WATCHPOINT;
	if (is_used())
		return DP_ERR_WATCH_UNIT_USED;
	watch->first = watch->address;
	watch->covers = watch->bytes;
	watch->means = DP_MEANS_COMPARE;
	return DP_ERR_OK;
}

/* --- on and off --- */

static bool is_on(const struct dp_ia32_watch *w, unsigned n)
{
	return (w->armed & ~w->off) >> n & 1;
}

static unsigned kind_of(const struct dp_ia32_watch *w, unsigned n)
{
	return w->form[n] & DP_FORM_KIND;
}

/* DR7 with the agent's comparators as they are to be, and the rest as it is. */
static uint32_t wanted(const struct dp_ia32_watch *w, uint32_t dr7)
{
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++) {
		if (!(w->armed >> n & 1))
			continue;
		dr7 &= ~(DP_DR7_USED(n) | 15u << DP_DR7_FORM(n));
		dr7 |= (uint32_t)w->form[n] << DP_DR7_FORM(n);
		dr7 |= is_on(w, n) ? DP_DR7_ON(n) : 0;
	}
	return w->armed != 0 ? dr7 | DP_DR7_EXACT : dr7;
}

static void put(const struct dp_ia32_watch *w)
{
	uint32_t dr7;

	if (dp_ia32_dr7(&dr7))
		write_control(wanted(w, dr7));
}

/* Note which comparators are armed, and whether they want CR4.DE, also for the next run. */
static void note(struct dp_ia32_watch *w, unsigned n, bool on)
{
	const unsigned bit = 1u << n;
	bool io = false;

	w->armed = (uint8_t)(on ? w->armed | bit : w->armed & ~bit);
	for (n = 0; n < DP_PORT_COMPARATORS; n++)
		io |= (w->armed >> n & 1) && kind_of(w, n) == DP_FORM_IO;
	if (io && !lets_ports()) {
		let_ports(true);
		w->let_ports = 1;
	} else if (!io && w->let_ports) {
		let_ports(false);
		w->let_ports = 0;
	}
	dp_ia32->veneer->armed = w->armed | (w->let_ports ? DP_ARMED_DE : 0);
}

bool dp_port_watch_holds(const struct dp_watch *watch)
{
	const struct dp_ia32_watch *w = watches();
	unsigned n = watch->comparator;
	uint32_t dr7;

	return (w->armed >> n & 1) && dp_ia32_dr7(&dr7) && dr7 == wanted(w, dr7) &&
	       read_address(n) == watch->first && (kind_of(w, n) != DP_FORM_IO || lets_ports());
}

/* The CPU never clears a bit of DR6, so one of an earlier use may stand there. */
enum dp_err dp_port_watch_arm(const struct dp_watch *watch)
{
	struct dp_ia32_watch *w = watches();
	unsigned n = watch->comparator;
	dp_irq irq = dp_port_mask();

	w->form[n] = (uint8_t)form_of(watch);
	w->first[n] = watch->first;
	write_address(n, watch->first);
	write_status(read_status() & ~(1u << n));
	note(w, n, true);
	put(w);
	dp_port_unmask(irq);
	if (dp_port_watch_holds(watch))
		return DP_ERR_OK;
	dp_port_watch_disarm(watch);
	return DP_ERR_NO_WATCHPOINT;
}

void dp_port_watch_disarm(const struct dp_watch *watch)
{
	struct dp_ia32_watch *w = watches();
	unsigned n = watch->comparator;
	dp_irq irq = dp_port_mask();
	uint32_t dr7;

	if (w->armed >> n & 1) {
		note(w, n, false);
		if (dp_ia32_dr7(&dr7)) {
			dr7 &= ~(DP_DR7_USED(n) | 15u << DP_DR7_FORM(n));
			write_control((dr7 & DP_DR7_ALL) == 0 && w->armed == 0 ? dr7 & ~DP_DR7_EXACT
									       : dr7);
		}
	}
	dp_port_unmask(irq);
}

void dp_port_watch_pause(uint16_t comparators)
{
	struct dp_ia32_watch *w = watches();

	w->off = (uint8_t)comparators;
	if (w->armed != 0)
		put(w);
}

/* --- an access --- */

static bool is_in(const struct dp_ia32_watch *w, unsigned n, unsigned of)
{
	const uint32_t bytes = (w->form[n] >> DP_FORM_LENGTH) + 1u;
	const uint32_t all = (w->form[of] >> DP_FORM_LENGTH) + 1u;

	return w->first[n] - w->first[of] < all && w->first[n] - w->first[of] + bytes <= all;
}

/* A CPU may name one comparator of several that the access is for. Where one has seen a write, or
 * an access, those of all accesses to the same bytes and more have seen it too. */
static unsigned with_wider(const struct dp_ia32_watch *w, unsigned named)
{
	unsigned all = named;

	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		for (unsigned of = 0; of < DP_PORT_COMPARATORS; of++)
			if ((named >> n & 1) && is_on(w, of) && is_in(w, n, of) &&
			    (kind_of(w, n) == kind_of(w, of) ||
			     (kind_of(w, n) == DP_FORM_WRITE && kind_of(w, of) == DP_FORM_ACCESS)))
				all |= 1u << of;
	return all;
}

/* The comparators that are on, and watch execution. */
static unsigned of_code(const struct dp_ia32_watch *w)
{
	unsigned found = 0;

	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		found |= is_on(w, n) && kind_of(w, n) == DP_FORM_EXECUTE ? 1u << n : 0;
	return found;
}

bool dp_ia32_execution_watched(uint32_t pc)
{
	const struct dp_ia32_watch *w = watches();
	const unsigned code = of_code(w);

	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if ((code >> n & 1) && w->first[n] == pc)
			return true;
	return false;
}

bool dp_port_watch_at(const struct dp_watched *access)
{
	return (watches()->armed & access->comparators) != 0;
}

/* The CPU looks at the execution of the next instruction again when the context goes on: RF is
 * clear. SDM 3B 18.3.1 */
static void describe(const struct dp_ia32_watch *w, const struct dp_frame *frame, unsigned named,
		     struct dp_watched *access)
{
	const unsigned data = named & ~of_code(w);
	unsigned kinds = 0;

	access->pc = dp_port_slot_origin(frame->eip);
	access->told = data == 0;
	access->address = access->pc;
	access->bytes = 1;
	access->kinds = DP_WATCHED_EXECUTE;
	access->comparators = (uint16_t)named;
	if (data == 0)
		return;
	access->comparators = (uint16_t)with_wider(w, data);
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if (access->comparators >> n & 1)
			kinds |= kind_of(w, n) == DP_FORM_IO      ? DP_WATCHED_IO
				 : kind_of(w, n) == DP_FORM_WRITE ? 1u << DP_PROBE_WATCH_W
								  : 1u << DP_PROBE_WATCH_RW;
	access->kinds = (uint8_t)kinds;
}

/* The guard is off since the exception began: the firmware gets it back. SDM 3B 18.2.4 */
static enum dp_taken guarded(struct dp_frame *frame, uint32_t dr6)
{
	uint32_t dr7;

	if (!(dr6 & DP_DR6_GUARD) || !dp_ia32_in_access(frame->eip))
		return DP_NOT_OURS;
	write_status(dr6 & ~DP_DR6_GUARD);
	DP_IA32_GET(dr7, "dr7");
	write_control(dr7 | DP_DR7_GUARD);
	frame->eip = (uintptr_t)dp_ia32_access_failed;
	return DP_RESUME;
}

/* The code between an exception and the agent uses the stack of the context: its accesses, and
 * those of the CPU there, are no hits. */
static bool is_entry(uint32_t pc)
{
	const uint32_t veneer = (uintptr_t)dp_ia32->veneer, entry = (uintptr_t)dp_ia32_entry;
	const uint32_t end = (uintptr_t)dp_ia32_entry_end;

	return pc - veneer < sizeof(struct dp_ia32_veneer) || pc - entry < end - entry;
}

/* Is it the execution of an instruction whose segment has a base? It cannot be stepped. */
static bool is_elsewhere(const struct dp_ia32_watch *w, const struct dp_frame *frame,
			 unsigned named)
{
	return !(named & ~of_code(w)) && !dp_ia32_is_flat(frame->cs);
}

/* Comparators that are off may be named too. SDM 3B 18.2.3 */
enum dp_taken dp_ia32_debug(struct dp_frame *frame)
{
	const struct dp_ia32_watch *w = watches();
	const uint32_t dr6 = read_status();
	const unsigned named = dr6 & w->armed & ~(unsigned)w->off;
	struct dp_watched access;
	enum dp_taken taken = DP_RESUME;

	if (named == 0)
		return guarded(frame, dr6);
	write_status(dr6 & ~(uint32_t)w->armed);
	if (is_elsewhere(w, frame, named)) {
		frame->eflags |= DP_FLAG_RF;
	} else if (!is_entry(frame->eip)) {
		describe(w, frame, named, &access);
		taken = dp_agent_watch(frame, &access);
	}
	if (taken == DP_NOT_OURS)
		write_status(dr6);
	return dr6 & DP_DR6_OTHERS ? DP_NOT_OURS : taken;
}
#endif
