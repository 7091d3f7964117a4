/* SPDX-License-Identifier: BSD-2-Clause */
/* The RPN interpreter: one call per hit.  RPN.md.
 * The host compiles rpn_interp.c once per word size and byte order; DP_VM_NAME keeps the copies
 * apart. */
#ifndef DP_VM_H
#define DP_VM_H

#include "dp_config.h"
#include "dp_port.h"
#include "dp_rpn.h"
#include "dp_watch.h"

_Static_assert(DP_STACK_WORDS >= 32 && (DP_STACK_WORDS & (DP_STACK_WORDS - 1)) == 0,
	       "the RPN stack is circular: a power of two, at least 32");

#ifndef DP_VM_NAME
#define DP_VM_NAME(name) name
#endif
#define dp_vm_start DP_VM_NAME(dp_vm_start)
#define dp_vm_go_on DP_VM_NAME(dp_vm_go_on)
#define dp_vm_task  DP_VM_NAME(dp_vm_task)

/* A procedure that runs, or the handler itself. */
struct dp_activation {
	uint16_t routine; /* code offset of the PROC marker ("called address") */
	uint16_t back;    /* code offset to return to */
	uint16_t handler; /* sx of this frame, 0 = none (offset 0 is never a label) */
	dp_word sbp;      /* of the caller, restored on return */
	dp_word trace[6]; /* pv, lv, gv: index, range */
};

struct dp_map;

/* The access for which a handler of a watchpoint runs. */
struct dp_vm_access {
	const struct dp_watch *watch;
	dp_addr address; /* as the CPU tells it; else of the watched range */
};

/* The running task of the firmware. */
struct dp_task {
	dp_word task;     /* address of the control block */
	uint32_t pid;     /* 0: dp_vm_task puts task in its place */
	const char *name; /* never null */
};

#if DP_PORT_COMPARATORS > 0
/* Read the watched range, of DP_WATCH_VALUE bytes or less, with the comparators off. Where it is as
 * long as a word of some size, one access reads it. Returns whether it is readable. */
static inline bool dp_watch_value(const struct dp_watch *watch, uint8_t *to)
{
	size_t bytes = watch->bytes;

	return dp_port_read(watch->address, to, bytes, bytes & (bytes - 1) ? 0 : (unsigned)bytes) ==
	       bytes;
}
#endif

/* A program for one run. Filled by the store (target) or by simulate (host). */
struct dp_program_view {
	const uint8_t *code;
	uint32_t code_bytes;
	dp_word *lv;
	dp_word *gv;
#if DP_WITH_COUNTS
	struct dp_map *maps; /* null: none */
#endif
#if DP_WITH_D
	uint32_t ns_factor; /* of the clock: dp_ns_scale */
	uint8_t ns_shift;
#endif
#if DP_SPECULATES
	uint8_t probe; /* number of the probe, for records of `log spec` */
#endif
	uint16_t minor; /* beside major: they are copied as one word */
	union {
		struct {
			uint16_t major, jmpmax, logmax, excpt_log, vars, gvars;
		};
		uint16_t number[6]; /* the same, as the object's header has them */
	};
	uint16_t excpt_mask;
	uint32_t id;
	uint64_t offset; /* address or module offset of the probe point */
#if DP_PORT_COMPARATORS > 0
	const struct dp_vm_access *access; /* while a handler of a watchpoint runs; else null */
#endif
	const uint8_t *name; /* module name, for stack traces */
	uint8_t name_bytes;
	bool autostacktrace;
	bool tells_faults; /* LANGUAGE: its records tell the exception that ended a handler */
	bool asks_old;     /* its code pushes wpold */
};

/* What a handler asks of the agent. */
enum dp_vm_wants {
	DP_VM_REMOVE = 1,  /* `remove` ended the handler */
	DP_VM_STOP = 2,    /* `stop` ran */
	DP_VM_FREEZE = 4,  /* `freeze` ran, for the last time with the number `freeze` */
	DP_VM_RETURN = 8,  /* `return` ran */
	DP_VM_COMMIT = 16, /* `commit` ran, and a buffer is to be sent */
};

enum {
	/* Words of 64 bits: the most that `return` takes. */
	DP_RETURN_WORDS = 64 / DP_WORD_BITS
};

/* What `return` asks for: the function of the hit returns so many words. */
struct dp_returned {
	uint8_t words;
	dp_word word[DP_RETURN_WORDS]; /* that of the lower address first */
};

/* The memory of the interpreter, once per CPU. stack keeps its contents between hits
 * (decisions.txt C03). */
struct dp_vm {
	/* results */
	enum rpn_end end;
	uint16_t log_bytes;
	uint16_t trace_bytes; /* LANGUAGE, as all that is marked so: else 0 */
	bool trace_truncated; /* LANGUAGE */
	bool codes_set;       /* LANGUAGE: setmaj or setmin ran */
	uint8_t wants;        /* of the agent: enum dp_vm_wants */
	uint8_t exit_number;  /* exit 1..3, 0 = none */
	bool task_known;      /* task is of this run */
	uint16_t minor, major;
	uint32_t steps; /* charged */
	/* LANGUAGE. last: code, parm1, parm2; 0 0 0 = none. At the end also a fatal
	 * exception that excpt_mask masks: it ends the handler at once, so no `push x` sees it */
	dp_word exception[3];
	dp_word tsp; /* where dp_vm_go_on begins; at the end, for simulate */
	/* where dp_vm_go_on begins */
	uint16_t pc;    /* code offset of a block marker; at the end by an exception, of the place
			 * behind the instruction */
	uint16_t jumps; /* taken, of jmpmax */
	/* private to the interpreter */
	uint16_t lp;
	uint16_t plp;
	uint16_t depth; /* LANGUAGE */
	/* LANGUAGE: the most log_bytes, trace_bytes were: decisions.txt C58 */
	uint16_t log_top, trace_top;
	uint16_t last_handler; /* LANGUAGE; 0xffff = none */
	dp_word sbp;           /* LANGUAGE */
	struct dp_task task;   /* read it by dp_vm_task */
#if DP_WITH_HISTORY
	dp_word freeze; /* with DP_VM_FREEZE */
#endif
#if DP_RETURNS
	struct dp_returned returned; /* valid with DP_VM_RETURN */
#endif
	/* the large ones last: the others are in reach of short instructions */
	dp_word stack[DP_STACK_WORDS];
	struct dp_activation activation[DP_WITH_LANGUAGE ? RPN_CALL_DEPTH + 1
							 : 1]; /* [0] is the handler itself */
	uint8_t log[DP_LOG_MAX];
	uint8_t trace[DP_WITH_LANGUAGE ? DP_TRACE_MAX : 1];
};

/* The view of callk and exit hooks. Push and pop through the functions below. */
struct dp_hook_call {
	struct dp_vm *vm;
	struct dp_frame *frame;
	const struct dp_program_view *program;
};
dp_word dp_hook_pop(struct dp_hook_call *call);
void dp_hook_push(struct dp_hook_call *call, dp_word value);

/* The interpreter's functions of its surroundings, besides the port. Any member may be null. */
struct dp_vm_hooks {
	uint64_t (*ticks)(void); /* null: the port's */
	uint32_t tick_hz;        /* of ticks */
	/* Fill in the running task. Called at most once in a run; now is cleared before. */
	void (*task)(struct dp_task *now);
	void (*callk)(struct dp_hook_call *call);
};

/* Return the task that this run has interrupted: all zeros, with an empty name, where the hooks
 * know none. HIT context, after dp_vm_start. */
const struct dp_task *dp_vm_task(struct dp_vm *vm, const struct dp_vm_hooks *hooks);

/* Begin a run of the handler at code offset `entry` (a HANDLER marker) of a verified program. HIT
 * context. */
void dp_vm_start(struct dp_vm *vm, const struct dp_program_view *program, uint16_t entry);

/* Run from vm->pc, tsp, steps and jumps on, to the end of the handler. Reads and writes vm, the
 * variables, the frame's registers, memory through the port. Bounded by DP_STEP_BUDGET. Results in
 * vm. HIT context. */
void dp_vm_go_on(struct dp_vm *vm, const struct dp_program_view *program, struct dp_frame *frame,
		 const struct dp_vm_hooks *hooks);

/* Run a handler from its begin. */
static inline void dp_vm_run(struct dp_vm *vm, const struct dp_program_view *program,
			     uint16_t entry, struct dp_frame *frame,
			     const struct dp_vm_hooks *hooks)
{
	dp_vm_start(vm, program, entry);
	dp_vm_go_on(vm, program, frame, hooks);
}

#endif
