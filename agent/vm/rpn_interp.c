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
#include "dp_spec.h"
#include "dp_vm.h"

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
	vm->pc = (uint16_t)(pc - run->program->code);
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
#define DP_WORD         ((unsigned)sizeof(dp_word))
#define DP_SP_MASK      (DP_STACK_WORDS * DP_WORD - 1)
#define DP_AT(offset)   (*(dp_word *)(void *)((uint8_t *)stack + (offset)))
#define DP_ABOVE(words) ((sp + (unsigned)(words)*DP_WORD) & DP_SP_MASK)
#define DP_SLOT(index)  (stack[(index)&DP_STACK_MASK])

/* Top of the stack and the word below it. A binary operation is DP_REPLACE(f(tos, DP_BELOW())): the
 * top word goes, the one below becomes the result. */
#define DP_PUSH(value)                                                                             \
	do {                                                                                       \
		tos = (value);                                                                     \
		sp = (sp - DP_WORD) & DP_SP_MASK;                                                  \
		DP_AT(sp) = tos;                                                                   \
	} while (0)
#define DP_DROP()         (sp = DP_ABOVE(1), tos = DP_AT(sp))
#define DP_BELOW()        (sp = DP_ABOVE(1), DP_AT(sp))
#define DP_REPLACE(value) (DP_AT(sp) = tos = (value))
#define DP_SIGNED(word)   ((dp_sword)(word))
#define DP_OPERAND_S16()  ((dp_word)(dp_sword)(int16_t)dp_load_u16(pc))

/* Around whatever works on vm and run in memory. */
#define DP_SAVE() (vm->tsp = sp / DP_WORD, run.left = left)
#define DP_LOAD() (sp = (unsigned)vm->tsp * DP_WORD, tos = DP_AT(sp), left = run.left)

#if DP_RETURNS
/* Note what the function returns: words from the slot at the offset sp on. The first `return` of a
 * handler counts. */
static void keep_returned(struct dp_vm *vm, unsigned words, unsigned sp)
{
	const dp_word *stack = vm->stack;

	if (vm->wants & DP_VM_RETURN)
		return;
	vm->wants |= DP_VM_RETURN;
	vm->returned.words = (uint8_t)words;
	for (unsigned i = 0; i < words; i++)
		vm->returned.word[i] = DP_AT(DP_ABOVE(i));
}
#else
static void keep_returned(struct dp_vm *vm, unsigned words, unsigned sp)
{
	(void)vm, (void)words, (void)sp;
}
#endif

#define DP_UNLIKELY(condition) __builtin_expect((condition), 0)

/* pc is behind a block marker: charge the cost of the block. */
#define DP_CHARGE_BLOCK()                                                                          \
	do {                                                                                       \
		if (DP_UNLIKELY(*pc > left))                                                       \
			goto budget;                                                               \
		left -= *pc++;                                                                     \
		DP_BLOCK_BEGINS(&run, pc[-1]);                                                     \
	} while (0)

#define DP_RAISE(code, parm1, parm2)                                                               \
	do {                                                                                       \
		dp_raise_next(&run, (code), (parm1), (parm2));                                     \
		goto raise;                                                                        \
	} while (0)

/* The verifier lets no code come here without the part; the compiler leaves out the rest. */
#define DP_NEEDS_PART(part)                                                                        \
	do {                                                                                       \
		if (!DP_HAS_##part)                                                                \
			goto absent;                                                               \
	} while (0)

/* The code below relies on opcodes at the same distance as in rpn_ops.def. */
#define DP_STANDS(op, distance, other)                                                             \
	_Static_assert(RPN_##op == RPN_##other + (distance), #op ": " #distance " behind " #other)

/* Measured on a Cortex-M3 (tests/language/m3): a jump at the end of each operation takes 4
 * instructions, the switch 8, but is a third smaller. So the compiler's -Os chooses. */
#if !defined DP_VM_SWITCH && (defined __OPTIMIZE_SIZE__ || !defined __GNUC__)
#define DP_VM_SWITCH
#endif
#ifdef DP_VM_SWITCH
#define DP_CASE(name) case RPN_##name:
#define DP_DISPATCH() goto dispatch
#else
#define DP_CASE(name) op_##name:
/* The empty asm keeps pc in one register: without it the compiler computes the next one apart. With
 * -O2 the file has 9,424 bytes of text in place of 9,632 (MIPS), 8,432 in place of 8,916
 * (PowerPC). */
#define DP_DISPATCH()                                                                              \
	do {                                                                                       \
		__asm__("" : "+r"(pc));                                                            \
		goto *labels[*pc++];                                                               \
	} while (0)
#endif
#ifdef DP_VM_ASSERT
#include "dp_claims.h"
#define DP_NEXT goto claim
#else
#define DP_NEXT DP_DISPATCH()
#endif

typedef dp_word __attribute__((may_alias)) frame_word;

void dp_vm_go_on(struct dp_vm *vm, const struct dp_program_view *program, struct dp_frame *frame,
		 const struct dp_vm_hooks *hooks)
{
#ifndef DP_VM_SWITCH
#define DP_OP(code, name, text, operand, pops, pushes, flow, group, exceptions, cost, part)        \
	[code] = &&op_##name,
	static const void *const labels[] = {
#include "rpn_ops.def"
	};
#endif
	struct dp_run run;
	const uint8_t *const code = program->code, *pc = code + vm->pc + 1;
	dp_word *const lv = program->lv, *const gv = program->gv;
	uint32_t left = DP_STEP_BUDGET - vm->steps;
	unsigned sp = (unsigned)vm->tsp * DP_WORD;
	dp_word *const stack = vm->stack; /* a base of its own: no addition at each access */
	dp_word tos = DP_AT(sp), below;   /* below: the second word, or any other temporary */
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
	DP_CHARGE_BLOCK();
#ifdef DP_VM_ASSERT
claim:
	dp_claim_instruction(&run, pc);
#elif defined DP_VM_SWITCH
dispatch:
#endif
#ifdef DP_VM_SWITCH
	op = *pc++;
	/* As in DP_DISPATCH: each opcode takes 1 to 3 instructions less (Cortex-M3, -Os). */
	__asm__("" : "+r"(pc));
	switch (op) {
	default:
		__builtin_unreachable();
#else
	DP_DISPATCH();
#endif

		/* --- markers --- */
#ifdef DP_VM_SWITCH
	case 0: /* never there: the table begins here, one subtraction less */
#endif
		DP_CASE(HANDLER)
		DP_CASE(PROC)
		DP_CASE(BLOCK)
		goto enter;

		/* --- jumps --- */
		DP_CASE(JMP)
	jump:
		if (DP_UNLIKELY(--run.jumps_left < 0)) {
			run.jumps_left = 0;
			DP_RAISE(RPN_X_JMP_MAX, program->jmpmax, 0);
		}
		pc = code + dp_load_u16(pc) + 1;
		DP_CHARGE_BLOCK();
		DP_NEXT;

		DP_CASE(JLT)
		if (DP_SIGNED(tos) < 0)
			goto jump;
		goto no_jump;

		DP_CASE(JLE)
		if (DP_SIGNED(tos) <= 0)
			goto jump;
		goto no_jump;

		DP_CASE(JGT)
		if (DP_SIGNED(tos) > 0)
			goto jump;
		goto no_jump;

		DP_CASE(JGE)
		if (DP_SIGNED(tos) >= 0)
			goto jump;
		goto no_jump;

		DP_CASE(JZ)
		if (tos == 0)
			goto jump;
		goto no_jump;

		DP_CASE(JNZ)
		if (tos != 0)
			goto jump;
		goto no_jump;

		DP_CASE(LOOP)
		DP_REPLACE(tos - 1);
		if (tos != 0)
			goto jump;
	no_jump:
		pc += 3; /* over the operand and the marker of the next block */
		goto enter;

		/* --- ends --- */
		DP_CASE(ABORT)
		vm->lp = 0;
		vm->trace_bytes = 0;
		vm->end = RPN_END_ABORT;
		goto ended;

		DP_CASE(EXIT)
		goto done;

		DP_CASE(REMOVE)
		vm->wants |= DP_VM_REMOVE;
		goto done;

		DP_CASE(EXIT_N)
		if ((uint8_t)(*pc - 1) >= 3)
			DP_RAISE(RPN_X_INVALID_OPERAND, RPN_BAD_EXIT, *pc);
		vm->exit_number = *pc;
		goto done;

		/* --- numbers behind the opcode --- */
		DP_CASE(SETMIN_N)
		DP_NEEDS_PART(STATE);
		vm->minor = dp_load_u16(pc);
		pc += 2;
		vm->codes_set = true;
		DP_NEXT;

		DP_CASE(SETMAJ_N)
		DP_NEEDS_PART(STATE);
		vm->major = dp_load_u16(pc);
		pc += 2;
		vm->codes_set = true;
		DP_NEXT;

		DP_CASE(LOG_N)
		below = dp_load_u16(pc);
		pc += 2;
		run.left = left;
		next = dp_log_words(&run, DP_NO_TOKEN, stack, sp / DP_WORD, below);
		sp = DP_ABOVE(below);
		goto logged;

		DP_CASE(SHL_N)
		below = *pc++;
	shl:
		DP_REPLACE(shift_left(tos, below));
		DP_NEXT;

		DP_CASE(SHR_N)
		below = *pc++;
	shr:
		DP_REPLACE(shift_right(tos, below));
		DP_NEXT;

		DP_CASE(DUP_N)
		below = *pc++;
	duplicate:
		if (below > left)
			goto budget;
		left -= (uint32_t)below;
		for (; below != 0; below--)
			DP_PUSH(tos);
		DP_NEXT;

		DP_CASE(ROS_N)
		below = *pc++;
		if (below > left)
			goto budget;
		left -= (uint32_t)below;
		sp = DP_ABOVE(below);
		tos = DP_AT(sp);
		DP_NEXT;

		/* --- local and global variables --- */
		DP_CASE(PUSH_LV_N)
		DP_PUSH(lv[*pc++]);
		DP_NEXT;

		DP_CASE(POP_LV_N)
		lv[*pc++] = tos;
		DP_DROP();
		DP_NEXT;

		DP_CASE(MOVE_LV_N)
		lv[*pc++] = tos;
		DP_NEXT;

		DP_CASE(INC_LV_N)
		lv[*pc++]++;
		DP_NEXT;

		DP_CASE(DEC_LV_N)
		lv[*pc++]--;
		DP_NEXT;

		DP_CASE(PUSH_GV_N)
		DP_NEEDS_PART(GLOBALS);
		DP_PUSH(gv[*pc++]);
		DP_NEXT;

		DP_CASE(POP_GV_N)
		DP_NEEDS_PART(GLOBALS);
		gv[*pc++] = tos;
		DP_DROP();
		DP_NEXT;

		DP_CASE(MOVE_GV_N)
		DP_NEEDS_PART(GLOBALS);
		gv[*pc++] = tos;
		DP_NEXT;

		DP_CASE(INC_GV_N)
		DP_NEEDS_PART(GLOBALS);
		gv[*pc++]++;
		DP_NEXT;

		DP_CASE(DEC_GV_N)
		DP_NEEDS_PART(GLOBALS);
		gv[*pc++]--;
		DP_NEXT;

		/* --- constants --- */
		DP_CASE(PUSH_8)
		DP_PUSH((dp_word)(dp_sword)(int8_t)*pc);
		pc++;
		DP_NEXT;

		DP_CASE(PUSH_16)
		DP_PUSH(DP_OPERAND_S16());
		pc += 2;
		DP_NEXT;

		DP_CASE(PUSH_W)
		DP_PUSH(dp_load_word(pc));
		pc += DP_WORD_BYTES;
		DP_NEXT;

		/* --- registers, read --- */
		DP_CASE(PUSH_R)
		DP_CASE(PUSH_U)
		op = dp_load_u16(pc);
		op = pc[-1] == RPN_PUSH_R ? DP_PORT_REG_AT(op) : DP_PORT_USER_AT(op);
		if (op != DP_REG_ELSEWHERE) {
			pc += 2;
			DP_PUSH(*(const frame_word *)(const void *)((const uint8_t *)frame + op));
			DP_NEXT;
		}
		DP_SAVE();
		push_register(&run, pc[-1] == RPN_PUSH_R ? DP_CONTEXT_R : DP_CONTEXT_U,
			      dp_load_u16(pc));
		pc += 2;
		DP_LOAD();
		DP_NEXT;

		/* --- arithmetic, logic and the stack --- */
		DP_CASE(NOP)
		DP_NEXT;

		DP_CASE(ADD)
		below = DP_BELOW();
		DP_REPLACE(below + tos);
		DP_NEXT;

		DP_CASE(SUB)
		below = DP_BELOW();
		DP_REPLACE(tos - below);
		DP_NEXT;

		DP_CASE(MUL)
		below = DP_BELOW();
		DP_REPLACE(below * tos);
		DP_NEXT;

		DP_CASE(NEG)
		DP_REPLACE(~tos);
		DP_NEXT;

		DP_CASE(AND)
		below = DP_BELOW();
		DP_REPLACE(below & tos);
		DP_NEXT;

		DP_CASE(OR)
		below = DP_BELOW();
		DP_REPLACE(below | tos);
		DP_NEXT;

		DP_CASE(XOR)
		below = DP_BELOW();
		DP_REPLACE(below ^ tos);
		DP_NEXT;

		DP_CASE(SHL)
		below = DP_BELOW();
		goto shl;

		DP_CASE(SHR)
		below = DP_BELOW();
		goto shr;

		DP_CASE(XCHG)
		below = DP_AT(DP_ABOVE(1));
		DP_AT(DP_ABOVE(1)) = tos;
		DP_REPLACE(below);
		DP_NEXT;

		DP_CASE(DUP)
		below = DP_BELOW();
		DP_REPLACE(tos);
		goto duplicate;

		/* --- memory, read --- */
		DP_CASE(PUSH_MEM_8)
		DP_CASE(PUSH_MEM_16)
		DP_CASE(PUSH_MEM_32)
		DP_CASE(PUSH_MEM_64)
		{
			dp_word value[2];
			DP_STANDS(PUSH_MEM_16, 1, PUSH_MEM_8);
			DP_STANDS(PUSH_MEM_32, 2, PUSH_MEM_8);
			DP_STANDS(PUSH_MEM_64, 3, PUSH_MEM_8);
			unsigned width = 1u << (pc[-1] - RPN_PUSH_MEM_8);

			if (!load(tos, width, value)) {
				below = tos;
				DP_DROP();
				DP_RAISE(RPN_X_INVALID_ADDR, below, 0);
			}
			if (DP_WORD_BYTES < 8 && width > DP_WORD_BYTES) {
				DP_AT(sp) = value[1];
				DP_PUSH(value[0]);
			} else {
				DP_REPLACE(value[0]);
			}
			DP_NEXT;
		}

		/* --- logging, system variables --- */
		DP_CASE(LOG)
		run.left = left;
		next = dp_log_words(&run, RPN_TOKEN_WORDS, stack, sp / DP_WORD + 1, tos);
		sp = DP_ABOVE(1 + tos);
		goto logged;

		DP_CASE(PUSH_TASK)
		DP_PUSH(dp_vm_task(vm, hooks)->task);
		DP_NEXT;

		/* --- STATE --- */
		DP_CASE(VFYR)
		DP_NEEDS_PART(STATE);
		DP_REPLACE(!dp_port_readable(tos));
		DP_NEXT;

		DP_CASE(VFYRW)
		DP_NEEDS_PART(STATE);
		DP_REPLACE(!(dp_port_readable(tos) && dp_port_writable(tos)));
		DP_NEXT;

		DP_CASE(SETMIN)
		DP_NEEDS_PART(STATE);
		vm->minor = (uint16_t)tos;
		DP_DROP();
		vm->codes_set = true;
		DP_NEXT;

		DP_CASE(SETMAJ)
		DP_NEEDS_PART(STATE);
		vm->major = (uint16_t)tos;
		DP_DROP();
		vm->codes_set = true;
		DP_NEXT;

		DP_CASE(PUSH_LP)
		DP_NEEDS_PART(STATE);
		DP_PUSH(vm->lp);
		DP_NEXT;

		DP_CASE(POP_LP)
		DP_NEEDS_PART(STATE);
		below = tos;
		DP_DROP();
		if (below > vm->log_top)
			DP_RAISE(RPN_X_INVALID_OPERAND, RPN_BAD_POINTER, below);
		vm->lp = (uint16_t)below;
		DP_NEXT;

		DP_CASE(PUSH_PLP)
		DP_NEEDS_PART(STATE);
		DP_PUSH(vm->plp);
		DP_NEXT;

		DP_CASE(PUSH_PID)
		DP_NEEDS_PART(STATE);
		DP_PUSH(dp_vm_task(vm, hooks)->pid);
		DP_NEXT;

		DP_CASE(PUSH_PROCID)
		DP_NEEDS_PART(STATE);
		DP_PUSH(dp_port_cpu_number());
		DP_NEXT;

		/* --- BITS --- */
		DP_CASE(DIV)
		DP_CASE(IDIV)
		DP_NEEDS_PART(BITS);
		{
			dp_word remainder;

			if (tos == 0) {
				(void)DP_BELOW();
				DP_DROP();
				DP_RAISE(RPN_X_DIVIDE_BY_ZERO, 0, 0);
			}
			below = DP_AT(DP_ABOVE(1));
			tos = pc[-1] == RPN_DIV ? divide(below, tos, &remainder)
						: divide_signed(below, tos, &remainder);
			DP_AT(DP_ABOVE(1)) = remainder;
			DP_AT(sp) = tos;
			DP_NEXT;
		}

		DP_CASE(ROL)
		DP_NEEDS_PART(BITS);
		below = DP_BELOW();
		DP_REPLACE(rotate_left(tos, below));
		DP_NEXT;

		DP_CASE(ROR)
		DP_NEEDS_PART(BITS);
		below = DP_BELOW();
		DP_REPLACE(rotate_left(tos, 0 - below));
		DP_NEXT;

		DP_CASE(PBL)
		DP_CASE(PBR)
		DP_NEEDS_PART(BITS);
		DP_STANDS(PBR, RPN_PBL - RPN_PBL_N, PBR_N);
		_Static_assert(RPN_PBL_N < RPN_PBR_N, "propagate: left comes first");
		op = pc[-1] - (unsigned)(RPN_PBL - RPN_PBL_N);
		below = tos;
		DP_DROP();
		goto propagate;

		/* --- BYTES --- */
		DP_CASE(LOG_STR)
		DP_CASE(LOG_MRF)
		DP_NEEDS_PART(BYTES);
		below = DP_BELOW();
		run.left = left;
		next = pc[-1] == RPN_LOG_STR ? dp_log_string(&run, tos, below)
					     : dp_log_memory(&run, tos, below);
		sp = DP_ABOVE(1);
		goto logged;

		/* --- INDEXED --- */
		DP_CASE(LOG_LV)
		DP_CASE(LOG_GV)
		DP_NEEDS_PART(INDEXED);
		DP_SAVE();
		next = log_variables(&run, pc[-1] == RPN_LOG_LV);
		sp = (unsigned)vm->tsp * DP_WORD;
	logged:
		left = run.left;
		tos = DP_AT(sp);
		if (DP_WITH_LANGUAGE && next == DP_NEXT_GO)
			vm->plp = vm->lp;
		goto follow;

		DP_CASE(PUSH_LV)
		DP_CASE(POP_LV)
		DP_CASE(MOVE_LV)
		DP_CASE(INC_LV)
		DP_CASE(DEC_LV)
		DP_CASE(PUSH_GV)
		DP_CASE(POP_GV)
		DP_CASE(MOVE_GV)
		DP_CASE(INC_GV)
		DP_CASE(DEC_GV)
		DP_NEEDS_PART(INDEXED);
		DP_STANDS(POP_GV, RPN_PUSH_GV - RPN_PUSH_LV, POP_LV);
		DP_STANDS(MOVE_GV, RPN_PUSH_GV - RPN_PUSH_LV, MOVE_LV);
		DP_STANDS(INC_GV, RPN_PUSH_GV - RPN_PUSH_LV, INC_LV);
		DP_STANDS(DEC_GV, RPN_PUSH_GV - RPN_PUSH_LV, DEC_LV);
		_Static_assert(RPN_DEC_LV < RPN_PUSH_GV, "those of local variables come first");
		op = pc[-1];
		local = op < RPN_PUSH_GV;
		word = lv;
		if (!local) {
			op -= RPN_PUSH_GV - RPN_PUSH_LV;
			word = gv;
		}
		below = tos; /* the index; or, with pop, the value and the index below it */
		DP_DROP();
		if (op == RPN_POP_LV) {
			dp_word index = tos;

			tos = below;
			below = index;
		}
		if (below >= (local ? program->vars : program->gvars)) {
			if (op == RPN_POP_LV)
				DP_DROP();
			DP_RAISE(RPN_X_INVALID_OPERAND, local ? RPN_BAD_LV : RPN_BAD_GV, below);
		}
		word += below;
	access: /* the variable or stack slot `word`, as the form with lv of the instruction does */
		switch (op) {
		case RPN_PUSH_LV:
			DP_PUSH(*word);
			DP_NEXT;
		case RPN_POP_LV:
			*word = tos;
			DP_DROP();
			DP_NEXT;
		case RPN_MOVE_LV:
			*word = tos;
			DP_NEXT;
		case RPN_INC_LV:
			++*word;
			DP_NEXT;
		default:
			--*word;
			DP_NEXT;
		}

		/* --- TRACES --- */
		DP_CASE(LOG_ST)
		DP_NEEDS_PART(TRACES);
		DP_SAVE();
		if (!dp_trace_write(&run))
			goto budget;
		left = run.left;
		DP_NEXT;

		DP_CASE(PURGE_ST)
		DP_NEEDS_PART(TRACES);
		vm->trace_bytes = vm->trace_top = 0;
		vm->trace_truncated = false;
		DP_NEXT;

		DP_CASE(TRACE_PV)
		DP_CASE(TRACE_LV)
		DP_CASE(TRACE_GV)
		DP_NEEDS_PART(TRACES);
		{
			DP_STANDS(TRACE_LV, 1, TRACE_PV);
			DP_STANDS(TRACE_GV, 2, TRACE_PV);
			dp_word *trace = &run.active->trace[2 * (pc[-1] - RPN_TRACE_PV)];

			trace[1] = tos;
			trace[0] = DP_BELOW();
			DP_DROP();
			DP_NEXT;
		}

		DP_CASE(PUSH_STP)
		DP_NEEDS_PART(TRACES);
		DP_PUSH(vm->trace_bytes);
		DP_NEXT;

		DP_CASE(POP_STP)
		DP_NEEDS_PART(TRACES);
		below = tos;
		DP_DROP();
		if (below > vm->trace_top)
			DP_RAISE(RPN_X_INVALID_OPERAND, RPN_BAD_POINTER, below);
		vm->trace_bytes = (uint16_t)below;
		DP_NEXT;

		/* --- HANDLERS --- */
		DP_CASE(UX)
		DP_NEEDS_PART(HANDLERS);
		run.active->handler = 0;
		DP_NEXT;

		DP_CASE(PUSH_X)
		DP_NEEDS_PART(HANDLERS);
		DP_PUSH(vm->exception[2]);
		DP_PUSH(vm->exception[1]);
		DP_PUSH(vm->exception[0]);
		DP_NEXT;

		DP_CASE(RX)
		DP_NEEDS_PART(HANDLERS);
		if ((uint16_t)tos == 0)
			DP_NEXT;
		dp_raise_next(&run, tos, DP_AT(DP_ABOVE(1)), DP_AT(DP_ABOVE(2)));
		on_stack = true;
		goto raise;

		/* --- CALLS --- */
		DP_CASE(SAVE_SBP)
		DP_NEEDS_PART(CALLS);
		DP_PUSH(vm->sbp);
		DP_NEXT;

		DP_CASE(RESTORE_SBP)
		DP_NEEDS_PART(CALLS);
		vm->sbp = tos;
		DP_DROP();
		DP_NEXT;

		DP_CASE(SAVE_TSP)
		DP_NEEDS_PART(CALLS);
		DP_PUSH(sp / DP_WORD);
		DP_NEXT;

		DP_CASE(RESTORE_TSP)
		DP_NEEDS_PART(CALLS);
		sp = (unsigned)tos * DP_WORD & DP_SP_MASK;
		tos = DP_AT(sp);
		DP_NEXT;

		DP_CASE(PUSH_SBP)
		DP_CASE(POP_SBP)
		DP_CASE(COPY_SBP)
		DP_CASE(PUSH_TSP)
		DP_CASE(POP_TSP) /* counted after n and value are popped, the others after n is */
		DP_CASE(COPY_TSP)
		DP_NEEDS_PART(CALLS);
		op = pc[-1];
		if (op == RPN_POP_SBP || op == RPN_POP_TSP) {
			below = DP_BELOW() + (op == RPN_POP_TSP);
		} else {
			below = tos;
			DP_DROP();
		}
	slot:
		word = &DP_SLOT(vm->sbp + below);
		if (op >= RPN_PUSH_TSP) {
			word = &DP_AT(DP_ABOVE(below));
			op -= RPN_PUSH_TSP - RPN_PUSH_SBP;
		}
		DP_STANDS(POP_TSP, RPN_PUSH_TSP - RPN_PUSH_SBP, POP_SBP);
		DP_STANDS(COPY_TSP, RPN_PUSH_TSP - RPN_PUSH_SBP, COPY_SBP);
		_Static_assert(RPN_COPY_SBP < RPN_PUSH_TSP, "those from SBP come first");
		DP_STANDS(POP_SBP, RPN_PUSH_SBP - RPN_PUSH_LV, POP_LV);
		DP_STANDS(COPY_SBP, RPN_PUSH_SBP - RPN_PUSH_LV, MOVE_LV);
		op -= RPN_PUSH_SBP - RPN_PUSH_LV;
		goto access;

		DP_CASE(RET)
		DP_NEEDS_PART(CALLS);
		{
			const struct dp_activation *active = run.active;

			if (vm->depth == 0)
				DP_RAISE(RPN_X_CALL_MAX, 0, 0);
			vm->depth--;
			run.active--;
			vm->sbp = active->sbp;
			pc = code + active->back + 1;
			goto enter;
		}

		DP_CASE(CALL)
		DP_NEEDS_PART(CALLS);
		if (vm->depth == RPN_CALL_DEPTH)
			DP_RAISE(RPN_X_CALL_MAX, RPN_CALL_DEPTH, 0);
		pc = enter_procedure(&run, pc) + 1;
		goto enter;

		DP_CASE(PUSH_SBP_N)
		DP_CASE(POP_SBP_N)
		DP_CASE(COPY_SBP_N)
		DP_CASE(PUSH_TSP_N)
		DP_CASE(POP_TSP_N)
		DP_CASE(COPY_TSP_N)
		DP_NEEDS_PART(CALLS);
		DP_STANDS(POP_SBP_N, RPN_PUSH_SBP_N - RPN_PUSH_SBP, POP_SBP);
		DP_STANDS(COPY_SBP_N, RPN_PUSH_SBP_N - RPN_PUSH_SBP, COPY_SBP);
		DP_STANDS(PUSH_TSP_N, RPN_PUSH_SBP_N - RPN_PUSH_SBP, PUSH_TSP);
		DP_STANDS(POP_TSP_N, RPN_PUSH_SBP_N - RPN_PUSH_SBP, POP_TSP);
		DP_STANDS(COPY_TSP_N, RPN_PUSH_SBP_N - RPN_PUSH_SBP, COPY_TSP);
		op = pc[-1] - (RPN_PUSH_SBP_N - RPN_PUSH_SBP);
		below = DP_OPERAND_S16();
		pc += 2;
		goto slot;

		/* --- HANDLERS again --- */
		DP_CASE(SX)
		DP_NEEDS_PART(HANDLERS);
		run.active->handler = dp_load_u16(pc);
		pc += 2;
		DP_NEXT;

		/* --- BITS again --- */
		DP_CASE(ROL_N)
		DP_NEEDS_PART(BITS);
		DP_REPLACE(rotate_left(tos, *pc++));
		DP_NEXT;

		DP_CASE(ROR_N)
		DP_NEEDS_PART(BITS);
		DP_REPLACE(rotate_left(tos, 0u - *pc++));
		DP_NEXT;

		DP_CASE(PBL_N)
		DP_CASE(PBR_N)
		DP_NEEDS_PART(BITS);
		op = pc[-1];
		below = *pc++;
	propagate:
		if (below - 1 >= DP_WORD_BITS)
			DP_RAISE(RPN_X_INVALID_OPERAND, RPN_BAD_BIT, below);
		DP_REPLACE(propagate(tos, (unsigned)below, op < RPN_PBR_N));
		DP_NEXT;

		/* --- what changes or calls the firmware; ports and segments --- */
#if DP_PROFILE == DP_PROFILE_FULL
		DP_CASE(POP_R)
		DP_CASE(POP_U)
		dp_port_reg_set(frame, pc[-1] == RPN_POP_R ? DP_CONTEXT_R : DP_CONTEXT_U,
				dp_load_u16(pc), tos);
		pc += 2;
		DP_DROP();
		DP_NEXT;

		DP_CASE(POP_MEM_8)
		DP_CASE(POP_MEM_16)
		DP_CASE(POP_MEM_32)
		DP_CASE(POP_MEM_64)
		{
			DP_STANDS(POP_MEM_16, 1, POP_MEM_8);
			DP_STANDS(POP_MEM_32, 2, POP_MEM_8);
			DP_STANDS(POP_MEM_64, 3, POP_MEM_8);
			unsigned width = 1u << (pc[-1] - RPN_POP_MEM_8);
			dp_word low = tos, high = 0;

			if (DP_WORD_BYTES < 8 && width > DP_WORD_BYTES)
				high = DP_BELOW();
			below = DP_BELOW();
			DP_DROP();
			if (!store(below, width, low, high))
				DP_RAISE(RPN_X_INVALID_ADDR, below, 0);
			DP_NEXT;
		}

		DP_CASE(PUSH_IO_8)
		DP_CASE(PUSH_IO_16)
		DP_CASE(PUSH_IO_32)
		if (!(DP_PORT_GROUPS & RPN_GROUP_IO))
			goto absent;
		DP_STANDS(PUSH_IO_16, 1, PUSH_IO_8);
		DP_STANDS(PUSH_IO_32, 2, PUSH_IO_8);
		DP_REPLACE(dp_port_io_read(tos, 1u << (pc[-1] - RPN_PUSH_IO_8)));
		DP_NEXT;

		DP_CASE(POP_IO_8)
		DP_CASE(POP_IO_16)
		DP_CASE(POP_IO_32)
		if (!(DP_PORT_GROUPS & RPN_GROUP_IO))
			goto absent;
		DP_STANDS(POP_IO_16, 1, POP_IO_8);
		DP_STANDS(POP_IO_32, 2, POP_IO_8);
		below = DP_BELOW();
		dp_port_io_write(below, 1u << (pc[-1] - RPN_POP_IO_8), tos);
		DP_DROP();
		DP_NEXT;

		DP_CASE(CALLK)
		DP_SAVE();
		call_hook(&run);
		vm->tsp &= DP_STACK_MASK;
		DP_LOAD();
		DP_NEXT;
#else
	DP_CASE(POP_R)
	DP_CASE(POP_U)
	DP_CASE(POP_MEM_8)
	DP_CASE(POP_MEM_16)
	DP_CASE(POP_MEM_32)
	DP_CASE(POP_MEM_64)
	DP_CASE(PUSH_IO_8)
	DP_CASE(PUSH_IO_16)
	DP_CASE(PUSH_IO_32)
	DP_CASE(POP_IO_8)
	DP_CASE(POP_IO_16)
	DP_CASE(POP_IO_32)
	DP_CASE(CALLK)
#endif
	absent: /* the verifier refuses groups that port or build do not have */
		DP_CLAIM(false);
		/* Without parts the table ends before them; a whole one on PowerPC is faster so. */
		if (!DP_WITH_LANGUAGE)
			__builtin_unreachable();
		DP_RAISE(RPN_X_INVALID_OPCODE, pc[-1], (dp_word)(pc - 1 - code));

		DP_CASE(SEG2LIN)
		if (!(DP_PORT_GROUPS & RPN_GROUP_SEG))
			goto absent;
		below = DP_BELOW();
		if (!dp_port_seg2lin(below, tos, &DP_AT(sp))) {
			DP_DROP();
			DP_RAISE(RPN_X_SEG_FAULT, below, 0);
		}
		tos = DP_AT(sp);
		DP_NEXT;

		/* --- MAPS, LONG, STRINGS, STOPS, WATCHED: most of it in files of their own --- */
		DP_CASE(PUSH_MAP)
		DP_CASE(POP_MAP)
		DP_CASE(ADD_MAP)
		DP_CASE(BUCKET)
		DP_NEEDS_PART(MAPS);
		DP_SAVE();
		next = dp_map_step(&run, pc[-1], *pc);
		pc++;
		DP_LOAD();
		goto follow;

		DP_CASE(LADD)
		DP_CASE(LSUB)
		DP_CASE(LMUL)
		DP_CASE(LSHL)
		DP_CASE(LSHR)
		DP_CASE(LSAR)
		DP_CASE(LDIV)
		DP_CASE(LIDIV)
		DP_CASE(LLT)
		DP_CASE(LLTU)
		DP_CASE(LEXT)
		DP_CASE(PUSH_TICKS)
		DP_CASE(PUSH_NS)
		DP_NEEDS_PART(LONG);
		DP_SAVE();
		next = dp_long_step(&run, pc[-1]);
		DP_LOAD();
		goto follow;

		DP_CASE(PUSH_NAME)
		DP_CASE(PUSH_STR)
		DP_CASE(CMP_STR)
		DP_CASE(FIND)
		DP_NEEDS_PART(STRINGS);
		DP_SAVE();
		next = dp_string_step(&run, pc[-1], *pc);
		pc++;
		DP_LOAD();
		goto follow;

		DP_CASE(STOP)
		DP_NEEDS_PART(STOPS);
		vm->wants |= DP_VM_STOP;
		DP_NEXT;

		DP_CASE(PUSH_WPADDR)
		DP_CASE(PUSH_WPOLD)
		DP_CASE(PUSH_WPNEW)
		DP_NEEDS_PART(WATCHED);
		DP_SAVE();
		next = dp_access_step(&run, pc[-1]);
		DP_LOAD();
		goto follow;

		DP_CASE(FREEZE)
		DP_NEEDS_PART(FLIGHT);
		vm->wants |= DP_VM_FREEZE;
#if DP_WITH_HISTORY
		vm->freeze = tos;
#endif
		DP_DROP();
		DP_NEXT;

		/* --- RETURN --- */
		DP_CASE(RETURN)
		if (!DP_RETURNS)
			goto absent;
		op = *pc++;
		if (!DP_PORT_MAY_RETURN(frame) || !DP_PORT_PLAIN(frame)) {
			sp = DP_ABOVE(op);
			tos = DP_AT(sp);
			DP_RAISE(RPN_X_INVALID_OPERAND, RPN_BAD_RETURN, 0);
		}
		keep_returned(vm, op, sp);
		sp = DP_ABOVE(op);
		tos = DP_AT(sp);
		DP_NEXT;

		/* --- SPECULATE --- */
		DP_CASE(PUSH_SPEC)
		DP_CASE(LOG_SPEC)
		DP_CASE(COMMIT)
		DP_CASE(DISCARD)
		DP_NEEDS_PART(SPECULATE);
		DP_SAVE();
		next = dp_spec_step(&run, pc[-1], *pc);
		pc++;
		DP_LOAD();
		goto follow;

#ifdef DP_VM_SWITCH
	}
#endif

	/* --- ends and exceptions --- */
follow:
	if (next == DP_NEXT_GO)
		DP_NEXT;
	if (next == DP_NEXT_BUDGET)
		goto budget;
	if (next == DP_NEXT_EXIT)
		goto done;
raise:
	DP_SAVE();
	pc = raise(&run, pc, on_stack);
	DP_LOAD();
	on_stack = false;
	if (pc)
		DP_NEXT;
	goto done;
budget:
	vm->end = RPN_END_BUDGET;
done:
	vm->log_bytes = vm->lp;
ended:
	vm->tsp = sp / DP_WORD;
	vm->steps = DP_STEP_BUDGET - left;
}
