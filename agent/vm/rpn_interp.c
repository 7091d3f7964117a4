/* SPDX-License-Identifier: BSD-2-Clause */
/* The dispatch loop.  dprobes.lang(8), RPN.md.
 *
 * The verifier has accepted the program: opcodes exist, operands are complete, targets are block
 * markers, immediate indices are in range. The loop checks only facts that depend on data.
 *
 * The stack is circular, in vm->stack; sp is the slot of its top, tos a copy of that slot. Every
 * push is stored immediately, so popped words stay where `push tsp, -1` finds them. */
#include "dp_build.h"
#include "dp_long.h"
#include "dp_map.h"
#include "dp_run.h"
#include "dp_string.h"
#include "dp_task.h"

/* --- arithmetic that C or the compiler's library would do otherwise --- */

/* Quotient and remainder; divisor is not 0. By hand: small cores have no divide, and the agent
 * calls no library. */
static dp_word divide(dp_word dividend, dp_word divisor, dp_word *remainder)
{
	dp_word quotient = 0, bit = 1;

	while (divisor < dividend && !(divisor >> (DP_WORD_BITS - 1))) {
		divisor <<= 1;
		bit <<= 1;
	}
	for (; bit != 0; bit >>= 1, divisor >>= 1) {
		if (dividend >= divisor) {
			dividend -= divisor;
			quotient |= bit;
		}
	}
	*remainder = dividend;
	return quotient;
}

static inline dp_word negate_if(dp_word value, dp_word sign)
{
	return sign >> (DP_WORD_BITS - 1) ? 0 - value : value;
}

/* Toward zero, remainder signed as the dividend; MIN / -1 is MIN, remainder 0. decisions.txt C70 */
static dp_word divide_signed(dp_word dividend, dp_word divisor, dp_word *remainder)
{
	dp_word quotient =
		divide(negate_if(dividend, dividend), negate_if(divisor, divisor), remainder);

	*remainder = negate_if(*remainder, dividend);
	return negate_if(quotient, dividend ^ divisor);
}

static inline dp_word rotate_left(dp_word value, dp_word count)
{
	unsigned n = (unsigned)count & (DP_WORD_BITS - 1);

	return (value << n) | (value >> ((DP_WORD_BITS - n) & (DP_WORD_BITS - 1)));
}

static inline dp_word shift_left(dp_word value, dp_word count)
{
	return count < DP_WORD_BITS ? value << count : 0; /* decisions.txt C72 */
}

static inline dp_word shift_right(dp_word value, dp_word count)
{
	return count < DP_WORD_BITS ? value >> count : 0;
}

/* pbl, pbr: copy bit n-1 to the bits above it, below it. n is 1..DP_WORD_BITS. */
static dp_word propagate(dp_word value, unsigned n, bool left)
{
	dp_word bit = (dp_word)1 << (n - 1);
	dp_word field = left ? (dp_word)0 - bit : bit - 1;

	return value & bit ? value | field : value & ~field;
}

/* --- memory --- */

/* width 1, 2, 4, 8 bytes, zero-extended. 64 bits on a 32-bit stack: out[0] is the lower address. */
static bool load(dp_addr address, unsigned width, dp_word *out)
{
	union {
		uint8_t bytes[8];
		uint64_t aligned;
		dp_word word;
	} value;
	/* The lowest bytes of a word: where a wider one has its other bytes, there are zeros. */
	unsigned at = DP_PORT_BIG_ENDIAN && width < DP_WORD_BYTES ? DP_WORD_BYTES - width : 0;

	value.word = 0;
	if (!dp_port_load(address, width, value.bytes + at))
		return false;
	out[0] = dp_load_word(value.bytes);
	if (DP_WORD_BYTES < 8 && width > DP_WORD_BYTES)
		out[1] = dp_load_word(value.bytes + DP_WORD_BYTES);
	return true;
}

#if DP_PROFILE == DP_PROFILE_FULL
static bool store(dp_addr address, unsigned width, dp_word low, dp_word high)
{
	union {
		uint8_t bytes[8];
		uint64_t aligned;
	} value;

	if (width == 1)
		value.bytes[0] = (uint8_t)low;
	else if (width == 2)
		dp_store_u16(value.bytes, (uint16_t)low);
	else if (width == 4)
		dp_store_u32(value.bytes, (uint32_t)low);
	else
		dp_store_word(value.bytes, low);
	if (DP_WORD_BYTES < 8 && width > DP_WORD_BYTES)
		dp_store_word(value.bytes + DP_WORD_BYTES, high);
	return dp_port_write(address, value.bytes, width, width) == width;
}
#endif

/* --- the stack, for what is not in the loop --- */

static dp_word pop(struct dp_vm *vm)
{
	dp_word value = vm->stack[vm->tsp & DP_STACK_MASK];

	vm->tsp = (vm->tsp + 1) & DP_STACK_MASK;
	return value;
}

static void push(struct dp_vm *vm, dp_word value)
{
	vm->tsp = (vm->tsp - 1) & DP_STACK_MASK;
	vm->stack[vm->tsp] = value;
}

#if DP_PROFILE == DP_PROFILE_FULL
dp_word dp_hook_pop(struct dp_hook_call *call)
{
	return pop(call->vm);
}

void dp_hook_push(struct dp_hook_call *call, dp_word value)
{
	push(call->vm, value);
}

static void call_hook(struct dp_run *run)
{
	struct dp_hook_call call = {run->vm, run->frame, run->program};

	if (run->hooks->callk)
		run->hooks->callk(&call);
}
#endif

static void push_register(struct dp_run *run, enum dp_context context, uint16_t index)
{
	dp_word words[DP_REG_WORDS_MAX], argument = 0;
	unsigned n;

	if (DP_PORT_REG_ARGUMENTS(index))
		argument = pop(run->vm);
	n = dp_port_reg_get(run->frame, context, index, argument, words);
	while (n-- > 0)
		push(run->vm, words[n]);
}

/* --- variables --- */

/* log lv, log gv: start range --. Logs those that exist, then INVALID_OPERAND. decisions.txt C54,
 * C55 */
static enum dp_next log_variables(struct dp_run *run, bool local)
{
	const struct dp_program_view *program = run->program;
	dp_word have = local ? program->vars : program->gvars;
	dp_word range = pop(run->vm), start = pop(run->vm);
	dp_word rest = start < have ? have - start : 0;
	enum dp_next next;

	next = dp_log_words(run, local ? RPN_TOKEN_LV : RPN_TOKEN_GV,
			    local ? program->lv : program->gv, (uint32_t)start,
			    range < rest ? range : rest);
	if (next != DP_NEXT_GO || range <= rest)
		return next;
	return dp_raise_next(run, RPN_X_INVALID_OPERAND, local ? RPN_BAD_LV : RPN_BAD_GV,
			     start + rest);
}

/* --- exceptions --- */

/* Raise run->raised[], at pc. on_stack: the three words are on the stack already (rx). Returns
 * the place where the handler continues, or null when the handler ended. decisions.txt C94-C105 */
static const uint8_t *raise(struct dp_run *run, const uint8_t *pc, bool on_stack)
{
	struct dp_vm *vm = run->vm;
	struct dp_activation *active = run->active;
	uint16_t handler, x = (uint16_t)run->raised[0];
	unsigned i;

	bool masked = !(x & run->program->excpt_mask);

	if (masked && !(x & RPN_X_FATAL))
		return pc;
	vm->end = RPN_END_EXCEPTION;
	for (i = 3; i-- > 0;) {
		if (DP_WITH_LANGUAGE)
			vm->exception[i] = run->raised[i];
		if (!masked && !on_stack)
			push(vm, run->raised[i]);
	}
	if (masked)
		return NULL;
	if (!DP_WITH_LANGUAGE) /* no handlers */
		return NULL;
	vm->last_handler = active->handler ? active->handler : UINT16_MAX;
	if (run->program->autostacktrace && !dp_trace_write(run)) {
		vm->end = RPN_END_BUDGET;
		return NULL;
	}
	while (!active->handler) {
		if (vm->depth == 0)
			return NULL;
		vm->sbp = active->sbp;
		vm->depth--;
		active--;
	}
	run->active = active;
	handler = active->handler;
	active->handler = 0;
	vm->end = RPN_END_EXIT;
	DP_BLOCK_BEGINS(run, 0);
	return run->program->code + handler;
}

/* --- the loop --- */

void dp_vm_start(struct dp_vm *vm, const struct dp_program_view *program, uint16_t entry)
{
	vm->pc = entry;
	vm->jumps = 0;
	vm->steps = 0;
	vm->end = RPN_END_EXIT;
	vm->log_bytes = vm->lp = 0;
	vm->wants = 0;
	vm->exit_number = 0;
	vm->task_known = false;
	vm->tsp = 0;
	vm->minor = program->minor;
	vm->major = program->major;
	if (DP_WITH_LANGUAGE) {
		vm->trace_bytes = vm->trace_top = 0;
		vm->trace_truncated = false;
		vm->last_handler = UINT16_MAX;
		vm->plp = vm->log_top = 0;
		vm->codes_set = false;
		vm->sbp = 0;
		vm->depth = 0;
		vm->activation[0].handler = 0;
		vm->exception[0] = vm->exception[1] = vm->exception[2] = 0;
	}
}

/* Enter the procedure that the operand at pc names. Returns its PROC marker. */
static const uint8_t *enter_procedure(struct dp_run *run, const uint8_t *pc)
{
	const uint8_t *code = run->program->code;
	struct dp_activation *active = ++run->active;
	unsigned i;

	run->vm->depth++;
	active->routine = dp_load_u16(pc);
	active->back = (uint16_t)(pc + 2 - code);
	active->handler = 0;
	active->sbp = run->vm->sbp;
	for (i = 0; i < sizeof active->trace / sizeof active->trace[0]; i++)
		active->trace[i] = 0;
	return code + active->routine;
}

/* In the loop sp is an offset in bytes: a multiplication less at each access. */
#define WORD         ((unsigned)sizeof(dp_word))
#define SP_MASK      (DP_STACK_WORDS * WORD - 1)
#define AT(offset)   (*(dp_word *)(void *)((uint8_t *)stack + (offset)))
#define ABOVE(words) ((sp + (unsigned)(words)*WORD) & SP_MASK)
#define SLOT(index)  (stack[(index)&DP_STACK_MASK])

/* Top of the stack and the word below it. A binary operation is REPLACE(f(tos, BELOW())): the top
 * word goes, the one below becomes the result. */
#define PUSH(value)                                                                                \
	do {                                                                                       \
		tos = (value);                                                                     \
		sp = (sp - WORD) & SP_MASK;                                                        \
		AT(sp) = tos;                                                                      \
	} while (0)
#define DROP()         (sp = ABOVE(1), tos = AT(sp))
#define BELOW()        (sp = ABOVE(1), AT(sp))
#define REPLACE(value) (AT(sp) = tos = (value))
#define SIGNED(word)   ((dp_sword)(word))
#define OPERAND_S16()  ((dp_word)(dp_sword)(int16_t)dp_load_u16(pc))

/* Around whatever works on vm and run in memory. */
#define SAVE() (vm->tsp = sp / WORD, run.left = left)
#define LOAD() (sp = (unsigned)vm->tsp * WORD, tos = AT(sp), left = run.left)

#define UNLIKELY(condition) __builtin_expect((condition), 0)

/* pc is behind a block marker: charge the cost of the block. */
#define CHARGE_BLOCK()                                                                             \
	do {                                                                                       \
		if (UNLIKELY(*pc > left))                                                          \
			goto budget;                                                               \
		left -= *pc++;                                                                     \
		DP_BLOCK_BEGINS(&run, pc[-1]);                                                     \
	} while (0)

#define RAISE(code, parm1, parm2)                                                                  \
	do {                                                                                       \
		dp_raise_next(&run, (code), (parm1), (parm2));                                     \
		goto raise;                                                                        \
	} while (0)

/* The verifier lets no code come here without the part; the compiler leaves out the rest. */
#define NEEDS(part)                                                                                \
	do {                                                                                       \
		if (!DP_HAS_##part)                                                                \
			goto absent;                                                               \
	} while (0)

/* The code below relies on opcodes at the same distance as in rpn_ops.def. */
#define STANDS(op, distance, other)                                                                \
	_Static_assert(RPN_##op == RPN_##other + (distance), #op ": " #distance " behind " #other)

/* Measured on a Cortex-M3 (tests/language/m3): a jump at the end of each operation takes 4
 * instructions, the switch 8, but is a third smaller. So the compiler's -Os chooses. */
#if !defined DP_VM_SWITCH && (defined __OPTIMIZE_SIZE__ || !defined __GNUC__)
#define DP_VM_SWITCH
#endif
#ifdef DP_VM_SWITCH
#define CASE(name) case RPN_##name:
#define DISPATCH() goto dispatch
#else
#define CASE(name) op_##name:
/* The empty asm keeps pc in one register: without it the compiler computes the next one apart. With
 * -O2 the file has 9,424 bytes of text in place of 9,632 (MIPS), 8,432 in place of 8,916
 * (PowerPC). */
#define DISPATCH()                                                                                 \
	do {                                                                                       \
		__asm__("" : "+r"(pc));                                                            \
		goto *labels[*pc++];                                                               \
	} while (0)
#endif
#ifdef DP_VM_ASSERT
#include "dp_claims.h"
#define NEXT goto claim
#else
#define NEXT DISPATCH()
#endif

typedef dp_word __attribute__((may_alias)) frame_word;

void dp_vm_go_on(struct dp_vm *vm, const struct dp_program_view *program, struct dp_frame *frame,
		 const struct dp_vm_hooks *hooks)
{
#ifndef DP_VM_SWITCH
#define OP(code, name, text, operand, pops, pushes, flow, group, exceptions, cost, part)           \
	[code] = &&op_##name,
	static const void *const labels[] = {
#include "rpn_ops.def"
	};
#endif
	struct dp_run run;
	const uint8_t *const code = program->code, *pc = code + vm->pc + 1;
	dp_word *const lv = program->lv, *const gv = program->gv;
	uint32_t left = DP_STEP_BUDGET - vm->steps;
	unsigned sp = (unsigned)vm->tsp * WORD;
	dp_word *const stack = vm->stack; /* a base of its own: no addition at each access */
	dp_word tos = AT(sp), below;      /* below: the second word, or any other temporary */
	enum dp_next next;
	dp_word *word;
	unsigned op;
	bool on_stack = false, local;

	run.vm = vm;
	run.active = vm->activation;
	run.program = program;
	run.frame = frame;
	run.hooks = hooks;
	run.jumps_left = program->jmpmax - vm->jumps;

enter: /* pc is behind a block marker */
	CHARGE_BLOCK();
#ifdef DP_VM_ASSERT
claim:
	dp_claim_instruction(&run, pc);
#elif defined DP_VM_SWITCH
dispatch:
#endif
#ifdef DP_VM_SWITCH
	op = *pc++;
	/* As in DISPATCH: each opcode takes 1 to 3 instructions less (Cortex-M3, -Os). */
	__asm__("" : "+r"(pc));
	switch (op) {
	default:
		__builtin_unreachable();
#else
	DISPATCH();
#endif

		/* --- markers --- */
#ifdef DP_VM_SWITCH
	case 0: /* never there: the table begins here, one subtraction less */
#endif
		CASE(HANDLER)
		CASE(PROC)
		CASE(BLOCK)
		goto enter;

		/* --- jumps --- */
		CASE(JMP)
	jump:
		if (UNLIKELY(--run.jumps_left < 0)) {
			run.jumps_left = 0;
			RAISE(RPN_X_JMP_MAX, program->jmpmax, 0);
		}
		pc = code + dp_load_u16(pc) + 1;
		CHARGE_BLOCK();
		NEXT;

		CASE(JLT)
		if (SIGNED(tos) < 0)
			goto jump;
		goto no_jump;

		CASE(JLE)
		if (SIGNED(tos) <= 0)
			goto jump;
		goto no_jump;

		CASE(JGT)
		if (SIGNED(tos) > 0)
			goto jump;
		goto no_jump;

		CASE(JGE)
		if (SIGNED(tos) >= 0)
			goto jump;
		goto no_jump;

		CASE(JZ)
		if (tos == 0)
			goto jump;
		goto no_jump;

		CASE(JNZ)
		if (tos != 0)
			goto jump;
		goto no_jump;

		CASE(LOOP)
		REPLACE(tos - 1);
		if (tos != 0)
			goto jump;
	no_jump:
		pc += 3; /* over the operand and the marker of the next block */
		goto enter;

		/* --- ends --- */
		CASE(ABORT)
		vm->lp = 0;
		vm->trace_bytes = 0;
		vm->end = RPN_END_ABORT;
		goto ended;

		CASE(EXIT)
		goto done;

		CASE(REMOVE)
		vm->wants |= DP_VM_REMOVE;
		goto done;

		CASE(EXIT_N)
		if ((uint8_t)(*pc - 1) >= 3)
			RAISE(RPN_X_INVALID_OPERAND, RPN_BAD_EXIT, *pc);
		vm->exit_number = *pc;
		goto done;

		/* --- numbers behind the opcode --- */
		CASE(SETMIN_N)
		NEEDS(STATE);
		vm->minor = dp_load_u16(pc);
		pc += 2;
		vm->codes_set = true;
		NEXT;

		CASE(SETMAJ_N)
		NEEDS(STATE);
		vm->major = dp_load_u16(pc);
		pc += 2;
		vm->codes_set = true;
		NEXT;

		CASE(LOG_N)
		below = dp_load_u16(pc);
		pc += 2;
		run.left = left;
		next = dp_log_words(&run, DP_NO_TOKEN, stack, sp / WORD, below);
		sp = ABOVE(below);
		goto logged;

		CASE(SHL_N)
		below = *pc++;
	shl:
		REPLACE(shift_left(tos, below));
		NEXT;

		CASE(SHR_N)
		below = *pc++;
	shr:
		REPLACE(shift_right(tos, below));
		NEXT;

		CASE(DUP_N)
		below = *pc++;
	duplicate:
		if (below > left)
			goto budget;
		left -= (uint32_t)below;
		for (; below != 0; below--)
			PUSH(tos);
		NEXT;

		CASE(ROS_N)
		below = *pc++;
		if (below > left)
			goto budget;
		left -= (uint32_t)below;
		sp = ABOVE(below);
		tos = AT(sp);
		NEXT;

		/* --- local and global variables --- */
		CASE(PUSH_LV_N)
		PUSH(lv[*pc++]);
		NEXT;

		CASE(POP_LV_N)
		lv[*pc++] = tos;
		DROP();
		NEXT;

		CASE(MOVE_LV_N)
		lv[*pc++] = tos;
		NEXT;

		CASE(INC_LV_N)
		lv[*pc++]++;
		NEXT;

		CASE(DEC_LV_N)
		lv[*pc++]--;
		NEXT;

		CASE(PUSH_GV_N)
		NEEDS(GLOBALS);
		PUSH(gv[*pc++]);
		NEXT;

		CASE(POP_GV_N)
		NEEDS(GLOBALS);
		gv[*pc++] = tos;
		DROP();
		NEXT;

		CASE(MOVE_GV_N)
		NEEDS(GLOBALS);
		gv[*pc++] = tos;
		NEXT;

		CASE(INC_GV_N)
		NEEDS(GLOBALS);
		gv[*pc++]++;
		NEXT;

		CASE(DEC_GV_N)
		NEEDS(GLOBALS);
		gv[*pc++]--;
		NEXT;

		/* --- constants --- */
		CASE(PUSH_8)
		PUSH((dp_word)(dp_sword)(int8_t)*pc);
		pc++;
		NEXT;

		CASE(PUSH_16)
		PUSH(OPERAND_S16());
		pc += 2;
		NEXT;

		CASE(PUSH_W)
		PUSH(dp_load_word(pc));
		pc += DP_WORD_BYTES;
		NEXT;

		/* --- registers, read --- */
		CASE(PUSH_R)
		CASE(PUSH_U)
		op = DP_PORT_REG_AT(dp_load_u16(pc));
		if (op != DP_REG_ELSEWHERE) {
			pc += 2;
			PUSH(*(const frame_word *)(const void *)((const uint8_t *)frame + op));
			NEXT;
		}
		SAVE();
		push_register(&run, pc[-1] == RPN_PUSH_R ? DP_CONTEXT_R : DP_CONTEXT_U,
			      dp_load_u16(pc));
		pc += 2;
		LOAD();
		NEXT;

		/* --- arithmetic, logic and the stack --- */
		CASE(NOP)
		NEXT;

		CASE(ADD)
		below = BELOW();
		REPLACE(below + tos);
		NEXT;

		CASE(SUB)
		below = BELOW();
		REPLACE(tos - below);
		NEXT;

		CASE(MUL)
		below = BELOW();
		REPLACE(below * tos);
		NEXT;

		CASE(NEG)
		REPLACE(~tos);
		NEXT;

		CASE(AND)
		below = BELOW();
		REPLACE(below & tos);
		NEXT;

		CASE(OR)
		below = BELOW();
		REPLACE(below | tos);
		NEXT;

		CASE(XOR)
		below = BELOW();
		REPLACE(below ^ tos);
		NEXT;

		CASE(SHL)
		below = BELOW();
		goto shl;

		CASE(SHR)
		below = BELOW();
		goto shr;

		CASE(XCHG)
		below = AT(ABOVE(1));
		AT(ABOVE(1)) = tos;
		REPLACE(below);
		NEXT;

		CASE(DUP)
		below = BELOW();
		REPLACE(tos);
		goto duplicate;

		/* --- memory, read --- */
		CASE(PUSH_MEM_8)
		CASE(PUSH_MEM_16)
		CASE(PUSH_MEM_32)
		CASE(PUSH_MEM_64)
		{
			dp_word value[2];
			STANDS(PUSH_MEM_16, 1, PUSH_MEM_8);
			STANDS(PUSH_MEM_32, 2, PUSH_MEM_8);
			STANDS(PUSH_MEM_64, 3, PUSH_MEM_8);
			unsigned width = 1u << (pc[-1] - RPN_PUSH_MEM_8);

			if (!load(tos, width, value)) {
				below = tos;
				DROP();
				RAISE(RPN_X_INVALID_ADDR, below, 0);
			}
			if (DP_WORD_BYTES < 8 && width > DP_WORD_BYTES) {
				AT(sp) = value[1];
				PUSH(value[0]);
			} else {
				REPLACE(value[0]);
			}
			NEXT;
		}

		/* --- logging, system variables --- */
		CASE(LOG)
		run.left = left;
		next = dp_log_words(&run, RPN_TOKEN_WORDS, stack, sp / WORD + 1, tos);
		sp = ABOVE(1 + tos);
		goto logged;

		CASE(PUSH_TASK)
		PUSH(dp_vm_task(vm, hooks)->task);
		NEXT;

		/* --- STATE --- */
		CASE(VFYR)
		NEEDS(STATE);
		REPLACE(!dp_port_readable(tos));
		NEXT;

		CASE(VFYRW)
		NEEDS(STATE);
		REPLACE(!(dp_port_readable(tos) && dp_port_writable(tos)));
		NEXT;

		CASE(SETMIN)
		NEEDS(STATE);
		vm->minor = (uint16_t)tos;
		DROP();
		vm->codes_set = true;
		NEXT;

		CASE(SETMAJ)
		NEEDS(STATE);
		vm->major = (uint16_t)tos;
		DROP();
		vm->codes_set = true;
		NEXT;

		CASE(PUSH_LP)
		NEEDS(STATE);
		PUSH(vm->lp);
		NEXT;

		CASE(POP_LP)
		NEEDS(STATE);
		below = tos;
		DROP();
		if (below > vm->log_top)
			RAISE(RPN_X_INVALID_OPERAND, RPN_BAD_POINTER, below);
		vm->lp = (uint16_t)below;
		NEXT;

		CASE(PUSH_PLP)
		NEEDS(STATE);
		PUSH(vm->plp);
		NEXT;

		CASE(PUSH_PID)
		NEEDS(STATE);
		PUSH(dp_vm_task(vm, hooks)->pid);
		NEXT;

		CASE(PUSH_PROCID)
		NEEDS(STATE);
		PUSH(dp_port_cpu_number());
		NEXT;

		/* --- BITS --- */
		CASE(DIV)
		CASE(IDIV)
		NEEDS(BITS);
		{
			dp_word remainder;

			if (tos == 0) {
				(void)BELOW();
				DROP();
				RAISE(RPN_X_DIVIDE_BY_ZERO, 0, 0);
			}
			below = AT(ABOVE(1));
			tos = pc[-1] == RPN_DIV ? divide(below, tos, &remainder)
						: divide_signed(below, tos, &remainder);
			AT(ABOVE(1)) = remainder;
			AT(sp) = tos;
			NEXT;
		}

		CASE(ROL)
		NEEDS(BITS);
		below = BELOW();
		REPLACE(rotate_left(tos, below));
		NEXT;

		CASE(ROR)
		NEEDS(BITS);
		below = BELOW();
		REPLACE(rotate_left(tos, 0 - below));
		NEXT;

		CASE(PBL)
		CASE(PBR)
		NEEDS(BITS);
		STANDS(PBR, RPN_PBL - RPN_PBL_N, PBR_N);
		_Static_assert(RPN_PBL_N < RPN_PBR_N, "propagate: left comes first");
		op = pc[-1] - (RPN_PBL - RPN_PBL_N);
		below = tos;
		DROP();
		goto propagate;

		/* --- BYTES --- */
		CASE(LOG_STR)
		CASE(LOG_MRF)
		NEEDS(BYTES);
		below = BELOW();
		run.left = left;
		next = pc[-1] == RPN_LOG_STR ? dp_log_string(&run, tos, below)
					     : dp_log_memory(&run, tos, below);
		sp = ABOVE(1);
		goto logged;

		/* --- INDEXED --- */
		CASE(LOG_LV)
		CASE(LOG_GV)
		NEEDS(INDEXED);
		SAVE();
		next = log_variables(&run, pc[-1] == RPN_LOG_LV);
		sp = (unsigned)vm->tsp * WORD;
	logged:
		left = run.left;
		tos = AT(sp);
		if (DP_WITH_LANGUAGE && next == DP_NEXT_GO)
			vm->plp = vm->lp;
		goto follow;

		CASE(PUSH_LV)
		CASE(POP_LV)
		CASE(MOVE_LV)
		CASE(INC_LV)
		CASE(DEC_LV)
		CASE(PUSH_GV)
		CASE(POP_GV)
		CASE(MOVE_GV)
		CASE(INC_GV)
		CASE(DEC_GV)
		NEEDS(INDEXED);
		STANDS(POP_GV, RPN_PUSH_GV - RPN_PUSH_LV, POP_LV);
		STANDS(MOVE_GV, RPN_PUSH_GV - RPN_PUSH_LV, MOVE_LV);
		STANDS(INC_GV, RPN_PUSH_GV - RPN_PUSH_LV, INC_LV);
		STANDS(DEC_GV, RPN_PUSH_GV - RPN_PUSH_LV, DEC_LV);
		_Static_assert(RPN_DEC_LV < RPN_PUSH_GV, "those of local variables come first");
		op = pc[-1];
		local = op < RPN_PUSH_GV;
		word = lv;
		if (!local) {
			op -= RPN_PUSH_GV - RPN_PUSH_LV;
			word = gv;
		}
		below = tos; /* the index; or, with pop, the value and the index below it */
		DROP();
		if (op == RPN_POP_LV) {
			dp_word index = tos;

			tos = below;
			below = index;
		}
		if (below >= (local ? program->vars : program->gvars)) {
			if (op == RPN_POP_LV)
				DROP();
			RAISE(RPN_X_INVALID_OPERAND, local ? RPN_BAD_LV : RPN_BAD_GV, below);
		}
		word += below;
	access: /* the variable or stack slot `word`, as the form with lv of the instruction does */
		switch (op) {
		case RPN_PUSH_LV:
			PUSH(*word);
			NEXT;
		case RPN_POP_LV:
			*word = tos;
			DROP();
			NEXT;
		case RPN_MOVE_LV:
			*word = tos;
			NEXT;
		case RPN_INC_LV:
			++*word;
			NEXT;
		default:
			--*word;
			NEXT;
		}

		/* --- TRACES --- */
		CASE(LOG_ST)
		NEEDS(TRACES);
		SAVE();
		if (!dp_trace_write(&run))
			goto budget;
		left = run.left;
		NEXT;

		CASE(PURGE_ST)
		NEEDS(TRACES);
		vm->trace_bytes = vm->trace_top = 0;
		vm->trace_truncated = false;
		NEXT;

		CASE(TRACE_PV)
		CASE(TRACE_LV)
		CASE(TRACE_GV)
		NEEDS(TRACES);
		{
			STANDS(TRACE_LV, 1, TRACE_PV);
			STANDS(TRACE_GV, 2, TRACE_PV);
			dp_word *trace = &run.active->trace[2 * (pc[-1] - RPN_TRACE_PV)];

			trace[1] = tos;
			trace[0] = BELOW();
			DROP();
			NEXT;
		}

		CASE(PUSH_STP)
		NEEDS(TRACES);
		PUSH(vm->trace_bytes);
		NEXT;

		CASE(POP_STP)
		NEEDS(TRACES);
		below = tos;
		DROP();
		if (below > vm->trace_top)
			RAISE(RPN_X_INVALID_OPERAND, RPN_BAD_POINTER, below);
		vm->trace_bytes = (uint16_t)below;
		NEXT;

		/* --- HANDLERS --- */
		CASE(UX)
		NEEDS(HANDLERS);
		run.active->handler = 0;
		NEXT;

		CASE(PUSH_X)
		NEEDS(HANDLERS);
		PUSH(vm->exception[2]);
		PUSH(vm->exception[1]);
		PUSH(vm->exception[0]);
		NEXT;

		CASE(RX)
		NEEDS(HANDLERS);
		if ((uint16_t)tos == 0)
			NEXT;
		dp_raise_next(&run, tos, AT(ABOVE(1)), AT(ABOVE(2)));
		on_stack = true;
		goto raise;

		/* --- CALLS --- */
		CASE(SAVE_SBP)
		NEEDS(CALLS);
		PUSH(vm->sbp);
		NEXT;

		CASE(RESTORE_SBP)
		NEEDS(CALLS);
		vm->sbp = tos;
		DROP();
		NEXT;

		CASE(SAVE_TSP)
		NEEDS(CALLS);
		PUSH(sp / WORD);
		NEXT;

		CASE(RESTORE_TSP)
		NEEDS(CALLS);
		sp = (unsigned)tos * WORD & SP_MASK;
		tos = AT(sp);
		NEXT;

		CASE(PUSH_SBP)
		CASE(POP_SBP)
		CASE(COPY_SBP)
		CASE(PUSH_TSP)
		CASE(POP_TSP) /* counted after n and value are popped, the others after n is */
		CASE(COPY_TSP)
		NEEDS(CALLS);
		op = pc[-1];
		if (op == RPN_POP_SBP || op == RPN_POP_TSP) {
			below = BELOW() + (op == RPN_POP_TSP);
		} else {
			below = tos;
			DROP();
		}
	slot:
		word = &SLOT(vm->sbp + below);
		if (op >= RPN_PUSH_TSP) {
			word = &AT(ABOVE(below));
			op -= RPN_PUSH_TSP - RPN_PUSH_SBP;
		}
		STANDS(POP_TSP, RPN_PUSH_TSP - RPN_PUSH_SBP, POP_SBP);
		STANDS(COPY_TSP, RPN_PUSH_TSP - RPN_PUSH_SBP, COPY_SBP);
		_Static_assert(RPN_COPY_SBP < RPN_PUSH_TSP, "those from SBP come first");
		STANDS(POP_SBP, RPN_PUSH_SBP - RPN_PUSH_LV, POP_LV);
		STANDS(COPY_SBP, RPN_PUSH_SBP - RPN_PUSH_LV, MOVE_LV);
		op -= RPN_PUSH_SBP - RPN_PUSH_LV;
		goto access;

		CASE(RET)
		NEEDS(CALLS);
		{
			const struct dp_activation *active = run.active;

			if (vm->depth == 0)
				RAISE(RPN_X_CALL_MAX, 0, 0);
			vm->depth--;
			run.active--;
			vm->sbp = active->sbp;
			pc = code + active->back + 1;
			goto enter;
		}

		CASE(CALL)
		NEEDS(CALLS);
		if (vm->depth == RPN_CALL_DEPTH)
			RAISE(RPN_X_CALL_MAX, RPN_CALL_DEPTH, 0);
		pc = enter_procedure(&run, pc) + 1;
		goto enter;

		CASE(PUSH_SBP_N)
		CASE(POP_SBP_N)
		CASE(COPY_SBP_N)
		CASE(PUSH_TSP_N)
		CASE(POP_TSP_N)
		CASE(COPY_TSP_N)
		NEEDS(CALLS);
		STANDS(POP_SBP_N, RPN_PUSH_SBP_N - RPN_PUSH_SBP, POP_SBP);
		STANDS(COPY_SBP_N, RPN_PUSH_SBP_N - RPN_PUSH_SBP, COPY_SBP);
		STANDS(PUSH_TSP_N, RPN_PUSH_SBP_N - RPN_PUSH_SBP, PUSH_TSP);
		STANDS(POP_TSP_N, RPN_PUSH_SBP_N - RPN_PUSH_SBP, POP_TSP);
		STANDS(COPY_TSP_N, RPN_PUSH_SBP_N - RPN_PUSH_SBP, COPY_TSP);
		op = pc[-1] - (RPN_PUSH_SBP_N - RPN_PUSH_SBP);
		below = OPERAND_S16();
		pc += 2;
		goto slot;

		/* --- HANDLERS again --- */
		CASE(SX)
		NEEDS(HANDLERS);
		run.active->handler = dp_load_u16(pc);
		pc += 2;
		NEXT;

		/* --- BITS again --- */
		CASE(ROL_N)
		NEEDS(BITS);
		REPLACE(rotate_left(tos, *pc++));
		NEXT;

		CASE(ROR_N)
		NEEDS(BITS);
		REPLACE(rotate_left(tos, 0u - *pc++));
		NEXT;

		CASE(PBL_N)
		CASE(PBR_N)
		NEEDS(BITS);
		op = pc[-1];
		below = *pc++;
	propagate:
		if (below - 1 >= DP_WORD_BITS)
			RAISE(RPN_X_INVALID_OPERAND, RPN_BAD_BIT, below);
		REPLACE(propagate(tos, (unsigned)below, op < RPN_PBR_N));
		NEXT;

		/* --- what changes or calls the firmware; ports and segments --- */
#if DP_PROFILE == DP_PROFILE_FULL
		CASE(POP_R)
		CASE(POP_U)
		dp_port_reg_set(frame, pc[-1] == RPN_POP_R ? DP_CONTEXT_R : DP_CONTEXT_U,
				dp_load_u16(pc), tos);
		pc += 2;
		DROP();
		NEXT;

		CASE(POP_MEM_8)
		CASE(POP_MEM_16)
		CASE(POP_MEM_32)
		CASE(POP_MEM_64)
		{
			STANDS(POP_MEM_16, 1, POP_MEM_8);
			STANDS(POP_MEM_32, 2, POP_MEM_8);
			STANDS(POP_MEM_64, 3, POP_MEM_8);
			unsigned width = 1u << (pc[-1] - RPN_POP_MEM_8);
			dp_word low = tos, high = 0;

			if (DP_WORD_BYTES < 8 && width > DP_WORD_BYTES)
				high = BELOW();
			below = BELOW();
			DROP();
			if (!store(below, width, low, high))
				RAISE(RPN_X_INVALID_ADDR, below, 0);
			NEXT;
		}

		CASE(PUSH_IO_8)
		CASE(PUSH_IO_16)
		CASE(PUSH_IO_32)
		if (!(DP_PORT_GROUPS & RPN_GROUP_IO))
			goto absent;
		STANDS(PUSH_IO_16, 1, PUSH_IO_8);
		STANDS(PUSH_IO_32, 2, PUSH_IO_8);
		REPLACE(dp_port_io_read(tos, 1u << (pc[-1] - RPN_PUSH_IO_8)));
		NEXT;

		CASE(POP_IO_8)
		CASE(POP_IO_16)
		CASE(POP_IO_32)
		if (!(DP_PORT_GROUPS & RPN_GROUP_IO))
			goto absent;
		STANDS(POP_IO_16, 1, POP_IO_8);
		STANDS(POP_IO_32, 2, POP_IO_8);
		below = BELOW();
		dp_port_io_write(below, 1u << (pc[-1] - RPN_POP_IO_8), tos);
		DROP();
		NEXT;

		CASE(CALLK)
		SAVE();
		call_hook(&run);
		vm->tsp &= DP_STACK_MASK;
		LOAD();
		NEXT;
#else
	CASE(POP_R)
	CASE(POP_U)
	CASE(POP_MEM_8)
	CASE(POP_MEM_16)
	CASE(POP_MEM_32)
	CASE(POP_MEM_64)
	CASE(PUSH_IO_8)
	CASE(PUSH_IO_16)
	CASE(PUSH_IO_32)
	CASE(POP_IO_8)
	CASE(POP_IO_16)
	CASE(POP_IO_32)
	CASE(CALLK)
#endif
	absent: /* the verifier refuses groups that port or build do not have */
		DP_CLAIM(false);
		/* Without parts the table ends before them; a whole one on PowerPC is faster so. */
		if (!DP_WITH_LANGUAGE)
			__builtin_unreachable();
		RAISE(RPN_X_INVALID_OPCODE, pc[-1], (dp_word)(pc - 1 - code));

		CASE(SEG2LIN)
		if (!(DP_PORT_GROUPS & RPN_GROUP_SEG))
			goto absent;
		below = BELOW();
		if (!dp_port_seg2lin(below, tos, &AT(sp))) {
			DROP();
			RAISE(RPN_X_SEG_FAULT, below, 0);
		}
		tos = AT(sp);
		NEXT;

		/* --- MAPS, LONG, STRINGS: in files of their own --- */
		CASE(PUSH_MAP)
		CASE(POP_MAP)
		CASE(ADD_MAP)
		CASE(BUCKET)
		NEEDS(MAPS);
		SAVE();
		next = dp_map_step(&run, pc[-1], *pc);
		pc++;
		LOAD();
		goto follow;

		CASE(LADD)
		CASE(LSUB)
		CASE(LMUL)
		CASE(LSHL)
		CASE(LSHR)
		CASE(LSAR)
		CASE(LDIV)
		CASE(LIDIV)
		CASE(LLT)
		CASE(LLTU)
		CASE(LEXT)
		CASE(PUSH_TICKS)
		CASE(PUSH_NS)
		NEEDS(LONG);
		SAVE();
		next = dp_long_step(&run, pc[-1]);
		LOAD();
		goto follow;

		CASE(PUSH_NAME)
		CASE(PUSH_STR)
		CASE(CMP_STR)
		CASE(FIND)
		NEEDS(STRINGS);
		SAVE();
		next = dp_string_step(&run, pc[-1], *pc);
		pc++;
		LOAD();
		goto follow;

		CASE(STOP)
		NEEDS(STOPS);
		vm->wants |= DP_VM_STOP;
		NEXT;

#ifdef DP_VM_SWITCH
	}
#endif

	/* --- ends and exceptions --- */
follow:
	if (next == DP_NEXT_GO)
		NEXT;
	if (next == DP_NEXT_BUDGET)
		goto budget;
	if (next == DP_NEXT_EXIT)
		goto done;
raise:
	SAVE();
	pc = raise(&run, pc, on_stack);
	LOAD();
	on_stack = false;
	if (pc)
		NEXT;
	goto done;
budget:
	vm->end = RPN_END_BUDGET;
done:
	vm->log_bytes = vm->lp;
ended:
	vm->tsp = sp / WORD;
	vm->steps = DP_STEP_BUDGET - left;
}
