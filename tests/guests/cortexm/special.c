/* SPDX-License-Identifier: BSD-2-Clause */
/* What no case shows: returns from exceptions, restarts, half a trap. */
#include "checks.h"
#include "handlers.h"
#include "oracle.h"
#include "out.h"

/* A return through each instruction that can be one. The handler is that of SVC, and the frame that
 * the CPU takes is in `data`. */
static const struct exception_return {
	const char *what;
	uint32_t insn;
	uint8_t bytes, words; /* that the instruction takes from the stack */
} returns[] = {
	{"bx lr", 0x4770, 2, 0},
	{"bx r3", 0x4718, 2, 0},
	{"pop {pc}", 0xbd00, 2, 1},
	{"pop {r4, r5, pc}", 0xbd30, 2, 3},
#if DP_CORTEXM_HAS_FAULTS
	{"pop.w {r8, pc}", 0xe8bd8100u, 4, 2},
	{"ldr pc, [sp], #4", 0xf85dfb04u, 4, 1},
#endif
};

static void put_frame(uint32_t *words, uint32_t pc)
{
	for (unsigned i = 0; i < 6; i++)
		words[i] = 0x1000u + i;
	words[6] = pc;
	words[7] = 0x61000000u;
}

/* A thread's return to secure code, which takes address and xPSR from the stack. DDI 0553B */
#define FNC_RETURN 0xfeffffffu

/* Before the return: r3, lr and the word that is popped into pc have EXC_RETURN, or FNC_RETURN. */
static void before_return(const struct exception_return *r, const struct test_case *c,
			  struct state *in, uint32_t exc_return)
{
	uint32_t *stack;

	starts_of(c);
	initial(in, c, 0);
	in->pc = case_address();
	in->handler = exc_return != FNC_RETURN;
	in->control = 0;
	in->primask = in->basepri = 0;
	in->fp_active = 0;
	in->lr = in->r[3] = exc_return;
	fill_data(0);
	stack = (uint32_t *)(uintptr_t)in->sp;
	if (r->words != 0)
		stack[r->words - 1] = exc_return;
	if (exc_return != FNC_RETURN) {
		put_frame(&stack[r->words], case_address() + 64);
	} else {
		stack[r->words] = (case_address() + 64) | 1;
		stack[r->words + 1] = 0;
	}
}

/* A probe on the return changes nothing. emulated: as where no slot is left for its copy. */
static void returns_by_cpu(uint32_t exc_return, bool emulated)
{
	static struct state in, probed;
	static struct ending plain;
	static struct test_case c;
	enum dp_refusal why;

	for (unsigned i = 0; i < sizeof(returns) / sizeof(returns[0]); i++) {
		const struct exception_return *r = &returns[i];

		c.insn[0] = r->insn;
		c.text = r->what;
		c.bytes = r->bytes;
		fill_code(&c, case_address(), false);
		before_return(r, &c, &in, exc_return);
		run(&in, &plain.state);
		keep_data(&plain);
		before_return(r, &c, &in, exc_return);
		hits[0] = faults = 0;
		expect("a return by the CPU is prepared",
		       prepare_case(&c, case_address(), 1, &why) == DP_ERR_OK);
		if (emulated)
			site[0].port.action = DP_ARM_EMULATE;
		expect("armed", arm(&site[0]));
		run(&in, &probed);
		expect(r->what, same_end(&c, &in, &plain, &probed) && hits[0] == 1 &&
					plain.state.pc == case_address() + 64 &&
					(plain.state.exc_return & 0xf) == 9);
		expect("disarmed", disarm(&site[0]));
		release_sites();
	}
}

/* Where the handlers of NMI and HardFault begin, a trap is a lockup. */
/* proves: P3.13 */
static void urgent_handlers(void)
{
	extern const char fault_handler[];
	uint32_t entry = (uint32_t)(uintptr_t)fault_handler & ~1u;
	enum dp_refusal why;

	expect("not in the handler of hard faults",
	       prepare(&site[0], entry + 4, &why) == DP_ERR_IN_AGENT && why == DP_REFUSE_NOTHING);
	release_sites();
}

/* A run of the sample instruction, probed, in a thread with its own stack. */
static void probed_add(struct state *in, struct state *out, uint32_t control)
{
	const struct test_case *add = fill_word(0x36013601u); /* adds r6, #1 */
	enum dp_refusal why;

	starts_of(add);
	initial(in, add, 0);
	in->pc = case_address();
	in->control = control;
	in->handler = in->primask = in->basepri = 0;
	in->enabled = in->fp_active = 0;
	hits[0] = 0;
	expect("prepared", prepare(&site[0], case_address(), &why) == DP_ERR_OK && arm(&site[0]));
	run(in, out);
	expect("disarmed", disarm(&site[0]));
	release_sites();
}

#if DP_CORTEXM_HAS_FAULTS
/* A reset between the two stores of a 32-bit trap at 2 mod 4. */
/* proves: P3.24 P3.27 */
static void half_a_trap(void)
{
	static const struct test_case wide = {.insn = {0xf3af8000u}, .bytes = 4};
	uint32_t address = case_address() + 2, found;
	volatile uint16_t *half = (volatile uint16_t *)(uintptr_t)address;
	enum dp_refusal why;

	for (unsigned stored = 0; stored < 2; stored++) {
		put_insn(address, &wide, 0);
		expect("half a trap: prepared", prepare_case(&wide, address, 1, &why) == DP_ERR_OK);
		expect("the original is no trap", !dp_port_is_armed(&site[0], &found));
		half[stored] = (uint16_t)(DP_ARM_TRAP_THUMB32 >> (stored == 0 ? 16 : 0));
		expect("half a trap is taken out",
		       dp_port_is_armed(&site[0], &found) &&
			       dp_port_disarm(&site[0]) == DP_ERR_OK &&
			       half[0] == (uint16_t)(wide.insn[0] >> 16) &&
			       half[1] == (uint16_t)wide.insn[0]);
		release_sites();
	}
}

/* cpsid f to cpsie f: no exception can be taken. */
/* proves: P3.9 */
static void fault_mask(void)
{
	enum dp_refusal why;

	fill_word(0x3601b671u); /* cpsid f; adds r6, #1 */
	place(&site[0], case_address() + 2, case_address());
	expect("not while faults are masked", prepare_placed(&site[0], &why) == DP_ERR_IN_ATOMIC);
	fill_word(0x3601b661u); /* cpsie f */
	place(&site[0], case_address() + 2, case_address());
	expect("behind it", prepare_placed(&site[0], &why) == DP_ERR_OK);
	release_sites();
}

/* What earlier faults have left in the fault status decides nothing: firmware need not clear it. */
static void old_status(void)
{
	static struct state in, out;

	probed_add(&in, &out, 2);
	expect("a probe is hit", hits[0] == 1 && out.r[6] == in.r[6] + 2);
	runner[RUNNER_FLAGS / 4] = RUNNER_KEEP_STATUS | RUNNER_NO_STACK;
	fill_word(0xde0046cdu); /* mov sp, r9; udf */
	run(&in, &out);
	expect("a stack in a hole is the firmware's", (out.cfsr & DP_CFSR_STACKING) != 0);
	in.pc = 0xe0000000u;
	run(&in, &out);
	expect("so is a jump to a device", (out.cfsr & 1) != 0);
	for (unsigned level = 0; level < 4; level++) {
		probed_add(&in, &out, level);
		expect("a probe is hit with old status", hits[0] == 1 && out.r[6] == in.r[6] + 2);
	}
	expect("the old status stays",
	       (DP_SCS(CFSR) & DP_CFSR_STACKING) != 0 && (DP_SCS(CFSR) & 1) != 0);
	runner[RUNNER_FLAGS / 4] = 0;
}

/* An instruction that loads a wrong stack pointer: the firmware hears of it, not the agent. */
static void lost_stack(void)
{
	static const struct test_case load = {.insn = {0xf8dfd000u}, .bytes = 4};
	volatile uint32_t *literal = (volatile uint32_t *)(uintptr_t)(case_address() + 4);
	static struct state in, out;
	enum dp_refusal why;
	uint32_t was = *literal;

	fill_word(0xd000f8dfu); /* ldr.w sp, [pc, #0] */
	starts_of(&load);
	initial(&in, &load, 0);
	in.pc = case_address();
	in.control = 2;
	in.handler = in.primask = in.basepri = in.enabled = in.fp_active = 0;
	*literal = HOLE;
	hits[0] = 0;
	expect("prepared", prepare(&site[0], case_address(), &why) == DP_ERR_OK && arm(&site[0]));
	run(&in, &out);
	expect("a stack that is no memory is the firmware's",
	       hits[0] == 1 && out.class == DP_CLASS_HARD && out.pc == in.pc + 4 &&
		       out.sp == in.sp);
	expect("disarmed", disarm(&site[0]));
	*literal = was;
	release_sites();
}

/* A fault that comes late, when the copy has done its work and the second trap is next. */
static void late_fault(void)
{
	static struct dp_frame frame;
	enum dp_refusal why;

	fill_word(0xbf00c10cu); /* stmia r1!, {r2, r3} */
	faults = 0;
	expect("prepared", prepare(&site[0], case_address(), &why) == DP_ERR_OK);
	frame.xpsr = DP_XPSR_T;
	expect("two traps", dp_port_step(&site[0], &frame, false) == DP_STEP_PENDING);
	stepped = 1;
	frame.r[DP_ARM_PC] = dp_cortexm_pending()->trap2;
	DP_SCS(CFSR) = DP_CFSR_UNDEF;
	expect("a late fault is the firmware's",
	       dp_port_exception(DP_CLASS_HARD, &frame) == DP_FIRMWARE &&
		       frame.exception == DP_CLASS_HARD);
	expect("the step is over",
	       stepped == 0 && faults == 0 && frame.r[DP_ARM_PC] == case_address() + 2);
	release_sites();
}

static void fault_status_checks(void)
{
	half_a_trap();
	fault_mask();
	old_status();
	lost_stack();
	late_fault();
}
#else
/* There is no status. What the port has in the compiler's place, which an agent's switches use,
 * too. */
static void fault_status_checks(void)
{
	extern uint32_t dprobes_cortexm_divide(uint32_t dividend, uint32_t divisor);
	static const struct {
		uint32_t dividend, divisor, quotient;
	} divisions[] = {
		{0, 20, 0},
		{19, 20, 0},
		{20, 20, 1},
		{1000000, 20, 50000},
		{0xffffffff, 20, 214748364},
		{0xffffffff, 1, 0xffffffff},
		{0xffffffff, 0x80000001, 1},
		{0x80000000, 0x80000001, 0},
		{0xfffffffe, 0xffffffff, 0},
	};

	for (unsigned i = 0; i < sizeof(divisions) / sizeof(divisions[0]); i++)
		expect("divided",
		       dprobes_cortexm_divide(divisions[i].dividend, divisions[i].divisor) ==
			       divisions[i].quotient);
}
#endif

#if DP_CORTEXM_HAS_LIMITS
/* The limits of the stacks are the firmware's. The private stack of the agent lies below that of
 * PSP. */
static void stack_limits(void)
{
	extern char __bss_start[];
	const uint32_t low = (uint32_t)(uintptr_t)__bss_start, high = (uint32_t)(uintptr_t)data;
	static struct state in, out;
	uint32_t main, process;

	expect("a stack below the limit", (uint32_t)(uintptr_t)private_stack.stack < high);
	__asm__ volatile("msr msplim, %0\n\tmsr psplim, %1" ::"r"(low), "r"(high));
	for (unsigned level = 0; level < 4; level++) {
		probed_add(&in, &out, level);
		expect("a probe is hit with limits of stacks",
		       hits[0] == 1 && out.r[6] == in.r[6] + 2);
	}
	__asm__ volatile("mrs %0, msplim\n\tmrs %1, psplim" : "=r"(main), "=r"(process));
	expect("the limits stay", main == low && process == high);
	__asm__ volatile("msr msplim, %0\n\tmsr psplim, %0" ::"r"(0));
}
#else
static void stack_limits(void)
{
}
#endif

static void failing_callback(const struct dp_site *s, struct dp_frame *frame)
{
	(void)s;
	(void)frame;
	(void)*(volatile uint32_t *)HOLE;
}

/* A callback that fails leaves the firmware's fault handler the masks and rights of before the hit:
 * the firmware goes on elsewhere. */
/* proves: P6.3 */
static void lost_callback(void)
{
	static struct state in, out;
	uint32_t psp;

	for (unsigned control = 2; control < (DP_CORTEXM_HAS_FAULTS ? 4 : 3); control++) {
		at_hit = failing_callback;
		probed_add(&in, &out, control);
		at_hit = NULL;
		expect("a failed callback is the firmware's", out.class == DP_CLASS_HARD);
		expect("no mask stays", out.primask == 0);
		expect("nor do rights", out.control == (control & 1));
		dp_port_recover();
		__asm__ volatile("mrs %0, psp" : "=r"(psp));
		expect("the stack is the task's", psp - (uint32_t)(uintptr_t)private_stack.stack >=
							  sizeof(private_stack.stack));
		probed_add(&in, &out, control);
		expect("the next hit", hits[0] == 1 && out.r[6] == in.r[6] + 2);
	}
}

void special_checks(void)
{
	static const uint32_t restarted[] = {
		0xde00de00u, /* the firmware's own */
		0xde18de18u, /* of a probe that is not there any more */
		0xde1cde1cu, /* its second one */
		0x681a681au, /* ldr r2, [r3]: 8, where nothing is wrong */
		0x36013601u, /* adds r6, #1 */
	};
	unsigned count = sizeof(restarted) / sizeof(restarted[0]);

	access_checks();
	restart_checks(restarted, count, false);
	restart_checks(restarted, count, true);
	urgent_handlers();
	for (unsigned emulated = 0; emulated < 2; emulated++) {
		returns_by_cpu(0xfffffff9u, emulated);
		if (DP_CORTEXM_HAS_LIMITS)
			returns_by_cpu(FNC_RETURN, emulated);
	}
	fault_status_checks();
	stack_limits();
	lost_callback();
	expect("started anew", start() == DP_ERR_OK); /* vectors that are ours already */
}
