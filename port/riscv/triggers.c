/* SPDX-License-Identifier: BSD-2-Clause */
/* The triggers of types 2 and 6 as comparators: registers, ranges, on and off. RISC-V Debug
 * Specification 1.0, chapter 5 (Sdtrig). The CPU reports each of them before the access. An agent
 * of DP_RISCV_TRIGGERS > 0 has this file. */
#include "dp_watch.h"
#include "riscv_triggers.h"

#if DP_RISCV_TRIGGERS > 0
/* tdata1: the bits that mcontrol and mcontrol6 have in common. Action 0 is a breakpoint exception.
 * 5.7.11, 5.7.12 */
#define DP_TD_LOAD     ((dp_word)1 << 0)
#define DP_TD_STORE    ((dp_word)1 << 1)
#define DP_TD_EXECUTE  ((dp_word)1 << 2)
#define DP_TD_U        ((dp_word)1 << 3)
#define DP_TD_M        ((dp_word)1 << 6)
#define DP_TD_NAPOT    ((dp_word)1 << 7)
#define DP_TD_MATCH    ((dp_word)15 << 7)
#define DP_TD_CHAIN    ((dp_word)1 << 11)
#define DP_TD_ACTION   ((dp_word)15 << 12)
#define DP_TD_DMODE    ((dp_word)1 << (DP_WORD_BITS - 5))
#define DP_TD_TYPE(n)  ((dp_word)(n) << (DP_WORD_BITS - 4))
#define DP_TD_KINDS    (DP_TD_LOAD | DP_TD_STORE | DP_TD_EXECUTE)
#define DP_TD_MAX_BITS (DP_WORD_BITS - 11) /* maskmax of type 2 */
/* size 0: an access of any size. Type 2 has timing in the same field, 0: before the access. */
#define DP_TD_SIZE ((dp_word)7 << 16)

/* What must read back as it was written; a CPU may lack U mode. */
#define DP_TD_READ_BACK                                                                            \
	(DP_TD_KINDS | DP_TD_M | DP_TD_MATCH | DP_TD_CHAIN | DP_TD_ACTION | DP_TD_SIZE |           \
	 DP_TD_DMODE | DP_TD_TYPE(15))

#define DP_TCONTROL_MTE  ((dp_word)1 << 3)
#define DP_TCONTROL_MPTE ((dp_word)1 << 7)

enum {
	DP_WORD_BYTES = DP_WORD_BITS / 8,
	DP_WORD_SHIFT = DP_WORD_BITS == 64 ? 3 : 2
};

static struct dp_riscv_triggers *triggers(void)
{
	return &dp_riscv->triggers;
}

/* Returns whether there is such a trigger: tselect keeps only numbers that exist. */
static bool selected(unsigned n)
{
	dp_word now;

	DP_RISCV_PUT((dp_word)n, DP_CSR_TSELECT);
	DP_RISCV_GET(now, DP_CSR_TSELECT);
	return now == n;
}

static dp_word read_control(void)
{
	dp_word control;

	DP_RISCV_GET(control, DP_CSR_TDATA1);
	return control;
}

static bool takes(dp_word control)
{
	DP_RISCV_PUT(control, DP_CSR_TDATA1);
	return ((read_control() ^ control) & DP_TD_READ_BACK) == 0;
}

/* Off: the type stays, because a CPU may ignore a write of 0. */
static dp_word off(dp_word control)
{
	return control & ~DP_TD_KINDS;
}

/* Let triggers stop the CPU in M mode, now and behind the trap that the CPU may be in. The CPU
 * keeps one level: a trap within a trap handler overwrites MPTE, and the handler would return with
 * the triggers off. 5.6.2 */
static void let_fire(void)
{
	dp_word value;

	DP_RISCV_GET(value, DP_CSR_TCONTROL);
	DP_RISCV_PUT(value | DP_TCONTROL_MTE | DP_TCONTROL_MPTE, DP_CSR_TCONTROL);
}

void dp_riscv_triggers_resume(dp_word before)
{
	DP_RISCV_PUT(triggers()->armed != 0 ? before | DP_TCONTROL_MPTE : before, DP_CSR_TCONTROL);
}

/* --- which there are --- */

/* Find what the selected trigger can do, by writing and reading back. Its address meanwhile is the
 * last word of all, where no memory is. Returns false: another type. */
static bool measure(struct dp_riscv_triggers *w, unsigned n, unsigned type)
{
	const dp_word base = DP_TD_TYPE(type) | DP_TD_M;
	unsigned bits = 0;

	if (!takes(base))
		return false;
	DP_RISCV_PUT((dp_word)0 - DP_WORD_BYTES, DP_CSR_TDATA2);
	w->type[n] = (uint8_t)type;
	for (dp_word kind = DP_TD_LOAD; kind <= DP_TD_EXECUTE; kind <<= 1)
		w->kinds[n] |= (uint8_t)(takes(base | kind) ? kind : 0);
	if (takes(base | DP_TD_NAPOT)) {
		bits = DP_WORD_BITS - 1;
		if (type == 2)
			bits = (unsigned)(read_control() >> DP_TD_MAX_BITS) & 63;
	}
	w->range_bits[n] = (uint8_t)bits;
	DP_RISCV_PUT(base, DP_CSR_TDATA1);
	return true;
}

static unsigned type_of(dp_word control)
{
	return (unsigned)(control >> (DP_WORD_BITS - 4));
}

/* Does the trigger compare addresses? Those that this file switches on do. */
static bool is_match(dp_word control)
{
	return type_of(control) == 2 || type_of(control) == 6;
}

/* The bits of tdata1 that let a trigger of the type fire: the accesses of 2 and 6; the modes of
 * icount (3), and of itrigger and etrigger (4, 5), with nmi; select and intctl of tmexttrigger (7).
 * 5.7.11 to 5.7.16; type 15 is a trigger that is disabled. One of another type may fire with any
 * bits. */
static bool is_on(dp_word control)
{
	static const uint32_t fires[16] = {
		[2] = 0x7, [3] = 0x60002c0, [4] = 0x1ec0, [5] = 0x1ec0, [6] = 0x7, [7] = 0x7fffc0};
	unsigned type = type_of(control);

	return fires[type] == 0 ? type != 15 : (control & fires[type]) != 0;
}

static bool is_used(dp_word control)
{
	return is_on(control) || (control & DP_TD_DMODE);
}

/* A debugger's trigger, or one that the firmware has on, is left alone: those that an earlier run
 * of the agent had left are off (dp_riscv_triggers_attach). */
static void look_at(struct dp_riscv_triggers *w, unsigned n)
{
	static const uint8_t types[] = {DP_RISCV_TRIGGER_TYPE, 8 - DP_RISCV_TRIGGER_TYPE};
	dp_word before = read_control();

	if (type_of(before) == 0) /* there is none, or a debugger has hidden it */
		return;
	if (is_used(before)) {
		w->foreign |= (uint16_t)(1u << n);
		return;
	}
	for (unsigned i = 0; i < 2 && w->type[n] == 0; i++)
		if (!measure(w, n, types[i]))
			DP_RISCV_PUT(before, DP_CSR_TDATA1);
}

/* Look once at what the CPU has. Without the debug extension tselect is an illegal instruction. */
static struct dp_riscv_triggers *opened(void)
{
	struct dp_riscv_triggers *w = triggers();
	dp_irq irq;

	if (w->open)
		return w;
	irq = dp_port_mask();
	if (dp_riscv->veneer != NULL && dp_riscv_has_tselect())
		for (unsigned n = 0; n < DP_PORT_COMPARATORS && selected(n); n++) {
			look_at(w, n);
			w->count = (uint8_t)(n + 1);
		}
	if (w->count > 0 && dp_riscv_has_tcontrol()) {
		w->has_tcontrol = 1;
		let_fire();
	}
	w->open = 1;
	dp_port_unmask(irq);
	return w;
}

unsigned dp_port_comparators(void)
{
	const struct dp_riscv_triggers *w = opened();
	unsigned end = 0;

	for (unsigned n = 0; n < w->count; n++)
		if (w->kinds[n] != 0)
			end = n + 1;
	return end;
}

unsigned dp_port_lacks_code(void)
{
	const struct dp_riscv_triggers *w = opened();

	if (dp_riscv->veneer == NULL)
		return DP_LACKS_OWN_VECTORS;
	for (unsigned n = 0; n < w->count; n++)
		if (w->kinds[n] & DP_TD_EXECUTE)
			return DP_LACKS_NOTHING;
	return w->foreign != 0 ? DP_LACKS_USED : DP_LACKS_UNIT;
}

/* After a warm restart the old veneer tells what the earlier run had on. */
void dp_riscv_triggers_attach(dp_word before)
{
	for (unsigned n = 0; n < DP_PORT_COMPARATORS; n++)
		if ((before >> n & 1) && selected(n) && is_match(read_control()) &&
		    !(read_control() & DP_TD_DMODE))
			DP_RISCV_PUT(off(read_control()), DP_CSR_TDATA1);
}

/* --- a range --- */

static dp_word kinds_of(const struct dp_watch *watch)
{
	dp_word kinds = 0;

	if (1u << watch->kind & DP_WATCHED_READ)
		kinds |= DP_TD_LOAD;
	if (1u << watch->kind & DP_WATCHED_WRITE)
		kinds |= DP_TD_STORE;
	if (1u << watch->kind & DP_WATCHED_EXECUTE)
		kinds |= DP_TD_EXECUTE;
	return kinds;
}

/* The smallest aligned piece that has the range: 2^bits bytes. */
static unsigned bits_of(const struct dp_watch *watch)
{
	dp_word differ = watch->address ^ (watch->address + (watch->bytes - 1));
	unsigned bits = 0;

	for (; differ != 0; differ >>= 1)
		bits++;
	return bits;
}

/* The address of an instruction is compared, which is even. */
static bool prepare_code(struct dp_watch *watch, unsigned bits, unsigned range_bits)
{
	watch->means = DP_MEANS_COMPARE;
	if (watch->kind == DP_PROBE_BREAK) {
		watch->first = watch->address;
		watch->covers = watch->bytes;
		return true;
	}
	if (bits == 0)
		bits = 1;
	watch->covers = (dp_addr)1 << bits;
	watch->first = watch->address & ~(watch->covers - 1);
	return bits == 1 || bits <= range_bits;
}

/* A range has a word at least, so that an access that begins before the bytes asked for is in it.
 * Without ranges the CPU compares the address of an access, or that of each of its bytes. */
static bool prepare_data(struct dp_watch *watch, unsigned bits, unsigned range_bits)
{
	if (bits < DP_WORD_SHIFT)
		bits = DP_WORD_SHIFT;
	if (bits <= range_bits) {
		watch->covers = (dp_addr)1 << bits;
		watch->first = watch->address & ~(watch->covers - 1);
		return true;
	}
	watch->first = watch->address;
	watch->covers = DP_WORD_BYTES;
	return watch->bytes <= DP_WORD_BYTES;
}

enum dp_err dp_port_watch_prepare(struct dp_watch *watch)
{
	const struct dp_riscv_triggers *w = opened();
	unsigned n = watch->comparator, bits = bits_of(watch);
	dp_word kinds = kinds_of(watch);
	bool fits;

	if (w->foreign >> n & 1)
		return DP_ERR_NO_COMPARATOR;
	if (n >= w->count || kinds == 0 || (kinds & ~(dp_word)w->kinds[n]) || bits >= DP_WORD_BITS)
		return DP_ERR_NO_WATCHPOINT;
	fits = (kinds & DP_TD_EXECUTE) ? prepare_code(watch, bits, w->range_bits[n])
				       : prepare_data(watch, bits, w->range_bits[n]);
	return fits ? DP_ERR_OK : DP_ERR_NO_WATCHPOINT;
}

static bool is_range(const struct dp_riscv_triggers *w, const struct dp_watch *watch)
{
	dp_addr plain = (kinds_of(watch) & DP_TD_EXECUTE) ? 2 : DP_WORD_BYTES;

	return watch->kind != DP_PROBE_BREAK &&
	       (watch->covers > plain || (w->range_bits[watch->comparator] >= DP_WORD_SHIFT &&
					  watch->covers == DP_WORD_BYTES));
}

static dp_word control_of(const struct dp_riscv_triggers *w, const struct dp_watch *watch)
{
	return DP_TD_TYPE(w->type[watch->comparator]) | DP_TD_M | DP_TD_U | kinds_of(watch) |
	       (is_range(w, watch) ? DP_TD_NAPOT : 0);
}

/* A range of 2^n bytes ends in n - 1 bits of 1. 5.7.11, match */
static dp_word value_of(const struct dp_riscv_triggers *w, const struct dp_watch *watch)
{
	return watch->first | (is_range(w, watch) ? watch->covers / 2 - 1 : 0);
}

/* --- on and off --- */

/* Note for the next run which triggers this one has on, and for a hit whether there are any. */
static void note(struct dp_riscv_triggers *w, unsigned n, bool on)
{
	uint16_t bit = (uint16_t)(1u << n);

	w->armed = (uint16_t)(on ? w->armed | bit : w->armed & ~bit);
	dp_riscv->veneer->armed = w->armed;
}

static dp_word wanted(const struct dp_riscv_triggers *w, unsigned n)
{
	return (w->off >> n & 1) ? off(w->control[n]) : w->control[n];
}

/* The patrol asks often: so triggers fire again behind nested traps of the firmware. */
bool dp_port_watch_holds(const struct dp_watch *watch)
{
	const struct dp_riscv_triggers *w = triggers();
	unsigned n = watch->comparator;
	dp_irq irq = dp_port_mask();
	bool holds = w->control[n] != 0 && selected(n) &&
		     ((read_control() ^ wanted(w, n)) & DP_TD_READ_BACK) == 0;

	if (holds) {
		dp_word value;

		DP_RISCV_GET(value, DP_CSR_TDATA2);
		holds = value == value_of(w, watch);
	}
	if (w->has_tcontrol)
		let_fire();
	dp_port_unmask(irq);
	return holds;
}

/* The address is written while the trigger is off. 5.6 */
enum dp_err dp_port_watch_arm(const struct dp_watch *watch)
{
	struct dp_riscv_triggers *w = opened();
	unsigned n = watch->comparator;
	dp_irq irq = dp_port_mask();

	if (selected(n)) {
		w->control[n] = control_of(w, watch);
		w->first[n] = watch->first;
		w->covers[n] = watch->covers;
		note(w, n, true);
		DP_RISCV_PUT(off(w->control[n]), DP_CSR_TDATA1);
		DP_RISCV_PUT(value_of(w, watch), DP_CSR_TDATA2);
		DP_RISCV_PUT(wanted(w, n), DP_CSR_TDATA1);
	}
	dp_port_unmask(irq);
	if (dp_port_watch_holds(watch))
		return DP_ERR_OK;
	dp_port_watch_disarm(watch);
	return DP_ERR_NO_WATCHPOINT;
}

void dp_port_watch_disarm(const struct dp_watch *watch)
{
	struct dp_riscv_triggers *w = triggers();
	unsigned n = watch->comparator;
	dp_irq irq = dp_port_mask();

	if (w->control[n] != 0 && selected(n)) {
		DP_RISCV_PUT(off(w->control[n]), DP_CSR_TDATA1);
		w->control[n] = 0;
		note(w, n, false);
	}
	dp_port_unmask(irq);
}

void dp_port_watch_pause(uint16_t comparators)
{
	struct dp_riscv_triggers *w = triggers();
	unsigned differ = w->off ^ comparators;

	w->off = comparators;
	for (unsigned n = 0; n < w->count; n++)
		if (w->control[n] != 0 && (differ >> n & 1) && selected(n))
			DP_RISCV_PUT(wanted(w, n), DP_CSR_TDATA1);
}

/* --- an access --- */

static bool covers(const struct dp_riscv_triggers *w, unsigned n, const struct dp_watched *access)
{
	return !access->told || access->address - w->first[n] < w->covers[n] ||
	       w->first[n] - access->address < access->bytes;
}

bool dp_port_watch_at(const struct dp_watched *access)
{
	const struct dp_riscv_triggers *w = triggers();
	dp_word kinds =
		access->kinds & DP_WATCHED_EXECUTE ? DP_TD_EXECUTE : DP_TD_LOAD | DP_TD_STORE;

	if (w->foreign != 0)
		return true;
	for (unsigned n = 0; n < w->count; n++)
		if ((w->control[n] & kinds) && covers(w, n, access))
			return true;
	return false;
}

bool dp_riscv_execution_watched(dp_word pc)
{
	const struct dp_riscv_triggers *w = triggers();

	for (unsigned n = 0; n < w->count; n++)
		if ((wanted(w, n) & DP_TD_EXECUTE) && pc - w->first[n] < w->covers[n])
			return true;
	return false;
}

/* No register tells which trigger has fired: the CPU compares the instruction's own address first,
 * then those of its accesses. 5.3 */
enum dp_taken dp_riscv_watched(struct dp_frame *frame)
{
	struct dp_watched access;
	uint32_t insn;

	access.comparators = 0;
	access.told = true;
	access.pc = dp_port_slot_origin(frame->pc);
	access.kinds = DP_WATCHED_EXECUTE;
	access.address = access.pc;
	access.bytes = 2;
	if (!dp_riscv_execution_watched(frame->pc)) {
		(void)dp_riscv_peek(frame->pc, &insn);
		dp_riscv_access_of(insn, frame, &access);
	}
	return dp_agent_watch(frame, &access);
}
#endif
