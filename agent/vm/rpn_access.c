/* SPDX-License-Identifier: BSD-2-Clause */
/* The access that a watchpoint sees: push wpaddr, push wpold, push wpnew. RPN.md 5, WATCHED */
#include "dp_build.h"
#include "dp_run.h"

static void push(struct dp_vm *vm, dp_word value)
{
	vm->tsp = (vm->tsp - 1) & DP_STACK_MASK;
	vm->stack[vm->tsp] = value;
}

#if DP_PORT_COMPARATORS > 0
/* A value of at most DP_WATCH_VALUE bytes, in the order of memory, as a number: a word, or a pair
 * as `push mem, u64` leaves it. */
static void push_value(struct dp_vm *vm, const uint8_t *from, size_t bytes)
{
	size_t room = bytes > DP_WORD_BYTES ? DP_WATCH_VALUE : DP_WORD_BYTES;
	union {
		uint8_t bytes[DP_WATCH_VALUE];
		uint64_t aligned;
	} value = {.aligned = 0};

	for (size_t i = 0; i < bytes; i++)
		value.bytes[i + (DP_PORT_BIG_ENDIAN ? room - bytes : 0)] = from[i];
	if (room > DP_WORD_BYTES)
		push(vm, dp_load_word(value.bytes + DP_WORD_BYTES));
	push(vm, dp_load_word(value.bytes));
}

/* Has the watched range a value? Ports have no memory, and executed instructions do not change. */
static bool has_value(const struct dp_watch *watch)
{
	return watch->bytes <= DP_WATCH_VALUE && watch->kind != DP_PROBE_WATCH_IO &&
	       watch->kind != DP_PROBE_WATCH_X;
}

static enum dp_next push_access(struct dp_run *run, unsigned op, const struct dp_vm_access *access)
{
	const struct dp_watch *watch = access->watch;
	uint8_t now[DP_WATCH_VALUE];

	if (op == RPN_PUSH_WPADDR) {
		push(run->vm, access->address);
	} else if (!has_value(watch)) {
		push(run->vm, 0);
	} else if (op == RPN_PUSH_WPOLD ? watch->has_old : dp_watch_value(watch, now)) {
		push_value(run->vm, op == RPN_PUSH_WPOLD ? watch->old : now, watch->bytes);
	} else {
		return dp_raise_next(run, RPN_X_INVALID_ADDR, watch->address, 0);
	}
	return DP_NEXT_GO;
}

enum dp_next dp_access_step(struct dp_run *run, unsigned op)
{
	if (run->program->access)
		return push_access(run, op, run->program->access);
	push(run->vm, 0);
	return DP_NEXT_GO;
}
#else
enum dp_next dp_access_step(struct dp_run *run, unsigned op)
{
	(void)op;
	push(run->vm, 0);
	return DP_NEXT_GO;
}
#endif
