/* SPDX-License-Identifier: BSD-2-Clause */
/* Hits by plan: the same records, counts, registers, memory and stack as by the chain of probes.
 * agent/vm/plan_code.c */
#include "bench.h"
#include "check.h"

#include "dp_plan.h"

#include <stdio.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	HITS = 40
};

#define AT_TEXT "offset = 0x08000100\n"

/* A word of memory, and constants of so many words. */
#if DP_WORD_BITS == 64
#define WORD_OF   "push mem, u64\n"
#define WORDS_1   "push 8\nadd\n"
#define WORDS_2   "push 16\nadd\n"
#define LAST_WORD "push 16\nadd\n"
#define TOO_FAR   "push 24\nadd\n"
#else
#define WORD_OF   "push mem, u32\n"
#define WORDS_1   "push 4\nadd\n"
#define WORDS_2   "push 8\nadd\n"
#define LAST_WORD "push 20\nadd\n"
#define TOO_FAR   "push 24\nadd\n"
#endif
/* Words of the stack: the return address, and arguments. arg0 points to memory. */
#define CALLER   "push r, sp\n" WORD_OF
#define ARG0     "push r, sp\n" WORDS_1 WORD_OF
#define ARG1     "push r, sp\n" WORDS_2 WORD_OF
#define LAST_ARG "push r, sp\n" LAST_WORD WORD_OF

struct plan_case {
	enum dp_plan_kind kind; /* of the plan after half of the hits; NONE: the probe has ended */
	uint32_t word;          /* the instruction */
	const char *rest;       /* of the program, behind its name */
};

static const struct plan_case cases[] = {
	{DP_PLAN_NOTHING, SIM_AWAY, AT_TEXT "abort\n"},
	{DP_PLAN_WORDS, SIM_AWAY, AT_TEXT "exit\n"},
	{DP_PLAN_WORDS, SIM_AWAY, AT_TEXT "push r, r1\nlog 1\nexit\n"},
	{DP_PLAN_WORDS, SIM_AWAY, AT_TEXT "push r, pc\npush u, sp\nlog 2\nexit\n"},
	{DP_PLAN_WORDS, SIM_AWAY,
	 AT_TEXT "push r, r0\npush r, r1\npush r, r2\npush r, r3\npush r, r4\nlog 5\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY,
	 AT_TEXT
	 "push r, r0\npush r, r1\npush r, r2\npush r, r3\npush r, r4\npush r, r5\nlog 6\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY, "logmax = 4\n" AT_TEXT "push r, r0\npush r, r1\nlog 2\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY, AT_TEXT "push r, r0\npush r, r1\nlog 1\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY, AT_TEXT "push r, r0\nlog 2\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY, AT_TEXT "push r, r0\npush 3\nadd\nlog 1\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY, AT_TEXT "push r, r0\npop r, r7\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY, AT_TEXT "push 0x20000010\npush mem, u32\nlog 1\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY, AT_TEXT "push 8\npush mem, u32\nlog 1\nexit\n"},
	{DP_PLAN_NOTHING, SIM_AWAY, AT_TEXT "maxhits = 30\nabort\n"},
	{DP_PLAN_WORDS, SIM_AWAY, AT_TEXT "ignore = 3\nmaxhits = 30\npush r, r2\nlog 1\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY, AT_TEXT "maxhits = 30\npush 1\nlog 1\nexit\n"},
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT "push r, r1\npush 30\nsub\njz last\nabort\nlast:\nremove\n"},
	{DP_PLAN_TEST, SIM_AWAY,
	 AT_TEXT "push r, r0\npush mem, u32\npush 7\nsub\njz same\nabort\nsame:\npush r, r1\n"
		 "push 2\nlog 2\nexit\n"},
	{DP_PLAN_TEST, SIM_AWAY,
	 AT_TEXT "push r, r2\npush 0xfffffe03\nadd\npush mem, u8\npush 6\nand\npush 4\nsub\n"
		 "jz same\nabort\nsame:\npush r, r1\nlog 1\nexit\n"},
	{DP_PLAN_TEST, SIM_AWAY,
	 AT_TEXT "push r, r0\npush 3\nadd\npush mem, u16\npush 0x605\nsub\njnz other\nlog 1\nexit\n"
		 "other:\nabort\n"},
	{DP_PLAN_TEST, SIM_AWAY,
	 AT_TEXT "push r, r0\npush mem, u8\npush 5\nsub\njnz other\nabort\nother:\nlog 2\nexit\n"},
	{DP_PLAN_TEST, SIM_AWAY,
	 AT_TEXT "push r, r0\npush mem, u8\npush 5\nsub\njz same\nlog 2\nexit\nsame:\nabort\n"},
	{DP_PLAN_TEST, SIM_AWAY,
	 AT_TEXT "push r, r1\npush mem, u8\npush 5\nsub\njnz other\nabort\nother:\nexit\n"},
	/* words behind the test, also in the last hit */
	{DP_PLAN_TEST, SIM_AWAY,
	 AT_TEXT "maxhits = 30\npush r, r0\npush mem, u8\npush 5\nsub\njnz other\nabort\nother:\n"
		 "push r, r1\npush r, r2\npush r, r0\nlog 3\nexit\n"},
	{DP_PLAN_TEST, SIM_MEMORY,
	 AT_TEXT "maxhits = 21\npush r, r0\npush mem, u8\npush 5\nsub\njnz other\nabort\nother:\n"
		 "push r, r1\npush r, r2\nlog 2\nexit\n"},
	/* what D emits for < <= > >= and for a value, with `sx` in front; true and false */
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT
	 "sx x\npush r, r0\npush 1\nadd\npush mem, u8\ndup 1\npush -4\nadd\nxchg\nneg\nand\n"
	 "jlt no\nsx x\npush r, r1\nlog 1\nexit\nx:\nlog 1\nexit\nno:\nabort\n"},
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT "push r, r0\npush mem, u32\ndup 1\npush 0x12345678\nadd\nxchg\nneg\nor\njge no\n"
		 "push r, r1\nlog 1\nexit\nno:\nabort\n"},
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT "push r, r1\ndup 1\npush -10\nadd\nxchg\nor\njlt no\npush 7\nlog 2\nexit\nno:\n"
		 "abort\n"},
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT "push r, r1\npush -20\nadd\ndup 1\npush 3\nadd\nxchg\nand\njge yes\nabort\nyes:\n"
		 "exit\n"},
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT "push r, r0\npush mem, u8\npush 3\nxchg\nsub\njlt no\nlog 2\nexit\nno:\nabort\n"},
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT "push r, r0\npush mem, u8\njz no\npush r, r2\nlog 1\nexit\nno:\nabort\n"},
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT "push r, r0\npush 2\nadd\npush mem, u16\npush 0x102\nand\njz no\nlog 2\nexit\n"
		 "no:\nabort\n"},
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT "push r, r1\npush -12\nadd\njlt no\nlog 2\nexit\nno:\nabort\n"},
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT "push r, r1\npush 12\nsub\njnz yes\nabort\nyes:\nlog 2\nexit\n"},
	/* not readable: the handler of exceptions runs; and behind the test, the one set in front
	 */
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT
	 "excpt_mask = 0x1fff\n"
	 "sx x\npush r, r1\npush mem, u8\njz no\nexit\nx:\npush 9\nlog 1\nexit\nno:\nabort\n"},
	{DP_PLAN_TEST, SIM_AWAY,
	 AT_TEXT
	 "excpt_mask = 0x1fff\n"
	 "sx x\npush r, r0\npush mem, u8\npush 5\nsub\njnz no\npush r, r1\npush mem, u8\nlog 1\n"
	 "exit\nx:\npush 9\nlog 1\nexit\nno:\nabort\n"},
	/* other jumps, a constant that stays on the stack */
	{DP_PLAN_RUN, SIM_AWAY,
	 AT_TEXT "push r, r1\npush 12\nsub\njlt no\nlog 2\nexit\nno:\nabort\n"},
	{DP_PLAN_RUN, SIM_AWAY,
	 AT_TEXT "push r, r0\npush 0\nadd\npush mem, u8\njz no\nlog 2\nexit\nno:\nabort\n"},
	{DP_PLAN_RUN, SIM_AWAY,
	 AT_TEXT "push r, r1\ndup 1\npush 3\nsub\njz no\nlog 2\nexit\nno:\nabort\n"},
	/* words of memory: also where an address is not aligned, among those of the frame, with
	 * the constant of the last one left on the stack, and at most five */
	{DP_PLAN_MEMORY, SIM_AWAY, AT_TEXT "push r, r0\npush mem, u8\nlog 1\nexit\n"},
	{DP_PLAN_MEMORY, SIM_AWAY, AT_TEXT "push r, r0\npush 8\nadd\npush mem, u8\nlog 1\nexit\n"},
	{DP_PLAN_MEMORY, SIM_AWAY,
	 AT_TEXT "push r, r2\npush 0x14\nadd\npush mem, u32\npush r, r0\npush 8\nadd\n"
		 "push mem, u16\nlog 2\nexit\n"},
	{DP_PLAN_MEMORY, SIM_AWAY,
	 AT_TEXT "push r, r1\npush r, r0\npush 1000\nadd\npush mem, u8\npush u, sp\n"
		 "push r, r3\npush mem, u32\npush r, r4\nlog 5\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY,
	 AT_TEXT "push r, r0\npush mem, u8\npush r, r1\npush r, r2\npush r, r3\npush r, r4\n"
		 "push r, r5\nlog 6\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY, AT_TEXT "push r, r0\npush 0\nadd\npush mem, u8\nlog 1\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY, AT_TEXT "push r, r2\npush -4\nadd\npush mem, u8\nlog 1\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY, AT_TEXT "push r, r0\npush 4\nadd\nlog 1\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY,
	 "logmax = 4\n" AT_TEXT "push r, r0\npush mem, u8\npush r, r1\nlog 2\nexit\n"},
	/* not readable: the first one, and one behind another; the last hit; the port decides */
	{DP_PLAN_MEMORY, SIM_AWAY,
	 AT_TEXT "excpt_mask = 0x1fff\nsx x\npush r, r1\npush mem, u8\nlog 1\nexit\n"
		 "x:\npush 9\nlog 1\nexit\n"},
	{DP_PLAN_MEMORY, SIM_AWAY,
	 AT_TEXT "excpt_mask = 0x1fff\nsx x\npush r, r0\npush 3\nadd\npush mem, u8\n"
		 "push r, r1\npush 4\nadd\nsx y\npush mem, u32\nlog 2\nexit\n"
		 "x:\npush 9\nlog 1\nexit\ny:\npush 8\nlog 2\nexit\n"},
	{DP_PLAN_MEMORY, SIM_AWAY,
	 AT_TEXT "maxhits = 30\npush r, r0\npush mem, u8\npush r, r7\nlog 2\nexit\n"},
	{DP_PLAN_MEMORY, SIM_MEMORY,
	 AT_TEXT "maxhits = 21\npush r, r0\npush mem, u8\nlog 1\nexit\n"},
	{DP_PLAN_MEMORY, SIM_MEMORY,
	 AT_TEXT "logonfault = yes\npush r, r0\npush mem, u8\nlog 1\nexit\n"},
	{DP_PLAN_MEMORY, SIM_STEPPED, AT_TEXT "push r, r0\npush mem, u8\nlog 1\nexit\n"},
	{DP_PLAN_MEMORY, SIM_STEPPED,
	 AT_TEXT "maxhits = 21\npush r, r2\npush mem, u32\nlog 1\nexit\n"},
	/* counts in a map: new keys, known ones, too many, the last hit, faults */
	{DP_PLAN_COUNT, SIM_AWAY, "map = count 0 1\n" AT_TEXT "add map, 0\nabort\n"},
	{DP_PLAN_COUNT, SIM_AWAY,
	 "map = count 0 1\nmap = count 2 8\n" AT_TEXT
	 "sx x\npush r, r3\npush r, r0\nadd map, 1\nabort\n"
	 "x:\nabort\n"},
	{DP_PLAN_COUNT, SIM_AWAY,
	 "map = count 1 64\n" AT_TEXT "maxhits = 30\npush r, r7\nadd map, 0\nabort\n"},
	{DP_PLAN_COUNT, SIM_MEMORY,
	 "map = count 0 1\n" AT_TEXT "maxhits = 21\nadd map, 0\nabort\n"},
	{DP_PLAN_COUNT, SIM_STEPPED, "map = count 0 1\n" AT_TEXT "add map, 0\nabort\n"},
	{DP_PLAN_RUN, SIM_AWAY, "map = count 0 1\n" AT_TEXT "add map, 0\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY, "map = sum 0 1\n" AT_TEXT "push r, r1\nadd map, 0\nabort\n"},
	{DP_PLAN_RUN, SIM_AWAY,
	 "map = count 1 8\n" AT_TEXT "push r, r1\npush r, r2\nadd map, 0\nabort\n"},
	{DP_PLAN_NONE, SIM_AWAY,
	 AT_TEXT
	 "maxhits = 30\npush r, r0\npush mem, u8\npush 5\nsub\njz same\nabort\nsame:\nremove\n"},
	{DP_PLAN_RUN, SIM_AWAY,
	 "jmpmax = 0\n" AT_TEXT
	 "push r, r0\npush mem, u8\npush 5\nsub\njnz other\nabort\nother:\nexit\n"},
	/* no jump: the bytes of the constant are no label */
	{DP_PLAN_RUN, SIM_AWAY,
	 AT_TEXT "push r, r0\npush mem, u8\npush 5\nsub\npush 0x00ffffff\nlog 2\nexit\n"},
	{DP_PLAN_WORDS, SIM_STEPPED, AT_TEXT "push r, r1\nlog 1\nexit\n"},
	{DP_PLAN_WORDS, SIM_SLOT_FAULT, AT_TEXT "push r, r1\nlog 1\nexit\n"},
	{DP_PLAN_NOTHING, SIM_NOP, AT_TEXT "abort\n"},
	/* a constant is returned; the last hit; where the port decides; a record; another value */
	{DP_PLAN_RETURN, SIM_AWAY, AT_TEXT "function = 4\npush 7\nreturn 1\nabort\n"},
	{DP_PLAN_RETURN, SIM_AWAY, AT_TEXT "function = 4\nreturn 0\nabort\n"},
	{DP_PLAN_RETURN, SIM_AWAY, AT_TEXT "function = 4\nmaxhits = 30\npush 7\nreturn 1\nabort\n"},
	{DP_PLAN_RETURN, SIM_MEMORY, AT_TEXT "function = 4\npush 7\nreturn 1\nabort\n"},
	{DP_PLAN_RETURN, SIM_STEPPED,
	 AT_TEXT "function = 4\nmaxhits = 30\npush 7\nreturn 1\nabort\n"},
	{DP_PLAN_RUN, SIM_AWAY, AT_TEXT "function = 4\npush 7\nreturn 1\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY, AT_TEXT "function = 4\npush r, r1\nreturn 1\nabort\n"},
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT "function = 4\npush r, r1\npush 3\nsub\njnz no\npush 7\nreturn 1\nno: abort\n"},
	/* it faults at each third hit, once also when the probe would end */
	{DP_PLAN_NOTHING, SIM_MEMORY, AT_TEXT "abort\n"},
	{DP_PLAN_NOTHING, SIM_MEMORY, AT_TEXT "maxhits = 21\nabort\n"},
	/* tests where the port decides how the instruction is stepped: the way that ends the hit,
	 * words, the rest of a handler, the last hit, memory that is not readable */
	{DP_PLAN_TEST, SIM_STEPPED,
	 AT_TEXT "push r, r0\npush mem, u8\npush 5\nsub\njnz other\nabort\nother:\n"
		 "push r, r1\nlog 1\nexit\n"},
	{DP_PLAN_TEST, SIM_STEPPED,
	 AT_TEXT "maxhits = 21\npush r, r0\npush mem, u8\npush 5\nsub\njz same\nabort\nsame:\n"
		 "push r, r1\nlog 1\nexit\n"},
	{DP_PLAN_COMPARE, SIM_STEPPED,
	 AT_TEXT "push r, r1\npush 12\nsub\njnz yes\nabort\nyes:\nlog 2\nexit\n"},
	{DP_PLAN_COMPARE, SIM_STEPPED,
	 AT_TEXT "push r, r1\ndup 1\npush -10\nadd\nxchg\nor\njlt no\npush 7\nlog 2\nexit\nno:\n"
		 "abort\n"},
	{DP_PLAN_NONE, SIM_STEPPED,
	 AT_TEXT "push r, r1\npush 17\nsub\njz last\nabort\nlast:\nremove\n"},
	{DP_PLAN_COMPARE, SIM_STEPPED,
	 AT_TEXT
	 "excpt_mask = 0x1fff\n"
	 "sx x\npush r, r1\npush mem, u8\njz no\nexit\nx:\npush 9\nlog 1\nexit\nno:\nabort\n"},
	{DP_PLAN_WORDS, SIM_MEMORY, AT_TEXT "push r, r1\nlog 1\nexit\n"},
	{DP_PLAN_WORDS, SIM_MEMORY, AT_TEXT "maxhits = 21\npush r, r1\nlog 1\nexit\n"},
	{DP_PLAN_WORDS, SIM_MEMORY, AT_TEXT "logonfault = yes\npush r, r1\nlog 1\nexit\n"},
	{DP_PLAN_RUN, SIM_MEMORY, AT_TEXT "push r, r0\npush 3\nadd\nlog 1\nexit\n"},
	{DP_PLAN_RUN, SIM_MEMORY,
	 AT_TEXT "call p\nexit\nproc p\npush r, r1\npush 2\nlog st\nlog 1\nret\nendproc\n"},
	{DP_PLAN_NONE, SIM_MEMORY,
	 AT_TEXT "push r, r1\npush 17\nsub\njz last\nexit\nlast:\nremove\n"},
	{DP_PLAN_TEST, SIM_MEMORY,
	 AT_TEXT "push r, r0\npush mem, u8\npush 5\nsub\njnz other\nabort\nother:\n"
		 "push r, r1\nlog 1\nexit\n"},
};

/* Where arguments lie on the stack: the plans have DP_PLAN_STACK. */
static const struct plan_case stack_cases[] = {
	{DP_PLAN_WORDS, SIM_AWAY, AT_TEXT CALLER "log 1\nexit\n"},
	{DP_PLAN_WORDS, SIM_AWAY, AT_TEXT ARG0 ARG1 "log 2\nexit\n"},
	{DP_PLAN_WORDS, SIM_AWAY, AT_TEXT ARG1 "push r, r1\n" CALLER LAST_ARG ARG0 "log 5\nexit\n"},
	{DP_PLAN_WORDS, SIM_AWAY, AT_TEXT LAST_ARG "push r, r1\nlog 2\nexit\n"},
	{DP_PLAN_WORDS, SIM_AWAY,
	 AT_TEXT "excpt_mask = 0x1fff\nsx x\n" ARG0 "push r, sp\n" WORDS_2 "sx y\n" WORD_OF
		 "log 2\nexit\nx:\npush 9\nlog 1\nexit\ny:\npush 8\nlog 2\nexit\n"},
	{DP_PLAN_WORDS, SIM_AWAY, AT_TEXT "maxhits = 30\n" ARG0 "log 1\nexit\n"},
	{DP_PLAN_WORDS, SIM_STEPPED, AT_TEXT ARG0 ARG1 "log 2\nexit\n"},
	{DP_PLAN_WORDS, SIM_STEPPED, AT_TEXT "maxhits = 21\n" ARG1 "log 1\nexit\n"},
	{DP_PLAN_WORDS, SIM_MEMORY, AT_TEXT ARG1 ARG0 "log 2\nexit\n"},
	{DP_PLAN_WORDS, SIM_MEMORY, AT_TEXT "logonfault = yes\n" ARG1 "log 1\nexit\n"},
	/* memory at a word of the stack, also where the constant under it is its own */
	{DP_PLAN_MEMORY, SIM_AWAY, AT_TEXT ARG0 "push mem, u8\nlog 1\nexit\n"},
	{DP_PLAN_MEMORY, SIM_AWAY,
	 AT_TEXT ARG0 "push 3\nadd\npush mem, u8\n" ARG0 "push 6\nadd\npush mem, u16\n"
		      "log 2\nexit\n"},
	{DP_PLAN_MEMORY, SIM_AWAY,
	 AT_TEXT "push r, r0\npush mem, u8\n" ARG1 CALLER "push r, r2\n" LAST_ARG "log 5\nexit\n"},
	{DP_PLAN_MEMORY, SIM_AWAY,
	 AT_TEXT "excpt_mask = 0x1fff\nsx x\n" ARG1 "push mem, u8\nlog 1\nexit\n"
		 "x:\npush 9\nlog 1\nexit\n"},
	{DP_PLAN_MEMORY, SIM_STEPPED, AT_TEXT ARG0 "push 2\nadd\npush mem, u8\nlog 1\nexit\n"},
	/* counts: caller, an argument, in front of a jump to the end */
	{DP_PLAN_COUNT, SIM_AWAY, "map = count 1 8\n" AT_TEXT CALLER "add map, 0\nabort\n"},
	{DP_PLAN_COUNT, SIM_AWAY,
	 "map = count 2 4\n" AT_TEXT "excpt_mask = 0x1fff\nsx x\n" CALLER ARG1
	 "add map, 0\njmp end\nx:\npush 1\nlog 1\nexit\nend:\nabort\n"},
	{DP_PLAN_COUNT, SIM_STEPPED, "map = count 1 8\n" AT_TEXT ARG0 "add map, 0\nabort\n"},
	{DP_PLAN_COUNT, SIM_MEMORY,
	 "map = count 1 8\n" AT_TEXT "maxhits = 21\n" ARG1 "add map, 0\nabort\n"},
	/* tests of memory at a word of the stack, with words of it behind or without */
	{DP_PLAN_TEST, SIM_AWAY,
	 AT_TEXT ARG0 "push mem, u8\npush 5\nsub\njnz no\n" ARG1 "log 1\nexit\nno:\nabort\n"},
	{DP_PLAN_TEST, SIM_AWAY,
	 AT_TEXT "maxhits = 30\n" ARG0 "push 3\nadd\npush mem, u8\npush 5\nsub\njz yes\nabort\n"
		 "yes:\n" ARG0 "push r, r1\nlog 2\nexit\n"},
	{DP_PLAN_TEST, SIM_STEPPED,
	 AT_TEXT ARG0 "push mem, u8\npush 5\nsub\njz yes\nabort\nyes:\n" ARG1 ARG0 "log 2\nexit\n"},
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT "excpt_mask = 0x1fff\nsx x\n" ARG0
		 "push 1\nadd\npush mem, u8\ndup 1\npush -4\nadd\nxchg\nneg\nand\njlt no\n"
		 "sx y\n" ARG0 "push mem, u8\nlog 1\nexit\n"
		 "x:\nlog 1\nexit\ny:\npush 7\nlog 2\nexit\nno:\nabort\n"},
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT ARG0 "push mem, u8\njz no\n" ARG1 "log 1\nexit\nno:\nabort\n"},
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT ARG0 "push mem, u8\npush 6\nand\njz no\nlog 2\nexit\nno:\nabort\n"},
	{DP_PLAN_COMPARE, SIM_MEMORY,
	 AT_TEXT ARG0 "push 2\nadd\npush mem, u8\njnz yes\nabort\nyes:\nexit\n"},
	{DP_PLAN_COMPARE, SIM_AWAY,
	 AT_TEXT "push r, r1\npush 12\nsub\njnz yes\nabort\nyes:\n" ARG1 "log 1\nexit\n"},
};
/* The same, without words that are read in front of all: a word that is tested is memory at the
 * stack pointer; one too far behind, or with an `sx` inside the test; a count in front of a jump
 * that is not to the end. */
static const struct plan_case far_cases[] = {
	/* a plan tests at most 4 bytes of memory */
	{sizeof(dp_word) > 4 ? DP_PLAN_RUN : DP_PLAN_TEST, SIM_AWAY,
	 AT_TEXT ARG1 "push 5\nsub\njnz no\npush r, r1\nlog 1\nexit\nno:\nabort\n"},
	{DP_PLAN_MEMORY, SIM_AWAY, AT_TEXT "push r, sp\n" TOO_FAR WORD_OF "log 1\nexit\n"},
	{DP_PLAN_MEMORY, SIM_AWAY, AT_TEXT "push r, sp\npush 2\nadd\npush mem, u16\nlog 1\nexit\n"},
	{DP_PLAN_RUN, SIM_AWAY,
	 AT_TEXT "push r, sp\n" WORDS_1 "sx x\n" WORD_OF "push mem, u8\njz no\nexit\n"
		 "x:\npush 1\nlog 1\nexit\nno:\nabort\n"},
	{DP_PLAN_RUN, SIM_AWAY,
	 "jmpmax = 0\nmap = count 1 8\n" AT_TEXT ARG1 "add map, 0\njmp end\nend:\nabort\n"},
	{DP_PLAN_RUN, SIM_AWAY,
	 "map = count 1 8\n" AT_TEXT ARG1 "add map, 0\njmp end\nend:\nexit\n"},
};

/* What the firmware and the host see, and what a later handler can find. */
struct outcome {
	struct dp_probe probe;
	struct dp_frame frame;
	dp_word stack[DP_STACK_WORDS];
	uint8_t ram[FIRMWARE_RAM_BYTES];
	uint8_t stored[2048]; /* the program with its variables and maps */
	uint32_t executed, faults, records, produced, dropped;
	struct bench_record record[HITS];
};

/* Let the chain of probes decide the next hit. */
static void forbid_plans(void)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		firmware.agent.site[i].plan.kind = DP_PLAN_CHAIN;
}

static bool arguments_on_stack;

/* The stack of a hit: where some lie, not all words are readable, or the pointer is not aligned. */
static void lay_stack(unsigned i)
{
	dp_addr sp = FIRMWARE_RAM + 0x40 + sizeof(dp_word) * (i % 4);
	uint8_t *words = &firmware.ram[sp - FIRMWARE_RAM];

	dp_store_word(words, 0x1000 + i % 3);
	dp_store_word(words + sizeof(dp_word), FIRMWARE_RAM + i % 8);
	dp_store_word(words + 2 * sizeof(dp_word), i % 6);
	if (i % 7 == 5)
		sp = FIRMWARE_RAM + FIRMWARE_RAM_BYTES - 2 * sizeof(dp_word);
	else if (i % 7 == 6)
		sp += 2;
	firmware.frame.word[13][0] = sp;
}

static void hit(unsigned times, bool planned)
{
	for (unsigned i = 0; i < times; i++) {
		for (unsigned r = 0; r < 8; r++)
			firmware.frame.word[r][0] = FIRMWARE_RAM + i + 0x100 * r;
		firmware.frame.word[1][0] = i;
		if (dp_sim.arguments_on_stack)
			lay_stack(i);
		dp_sim.ticks += 3;
		firmware.aborts = i % 3 == 2;
		if (!planned)
			forbid_plans();
		firmware_run(AT, 1);
		if (i % 8 == 7)
			bench_poll();
	}
}

static void look(struct outcome *o)
{
	memset(o, 0, sizeof(*o));
	o->frame = firmware.frame;
	memset(o->frame.stack, 0, sizeof(o->frame.stack)); /* of plans alone */
	memcpy(o->stack, DP_THIS_CPU(&firmware.agent)->vm.stack, sizeof(o->stack));
	memcpy(o->ram, firmware.ram, sizeof(o->ram));
	memcpy(o->stored, firmware.agent.program[0].object, firmware.agent.program[0].held);
	o->executed = firmware.executed;
	o->faults = firmware.faults;
	o->records = bench.records;
	o->produced = DP_THIS_CPU(&firmware.agent)->ring.next.number;
	o->dropped = DP_THIS_CPU(&firmware.agent)->ring.dropped;
	for (unsigned i = 0; i < bench.records && i < HITS; i++) {
		const struct bench_record *r = &bench.record[i];

		o->record[i].head.kind = r->head.kind;
		o->record[i].head.flags = r->head.flags;
		o->record[i].head.probe = r->head.probe;
		o->record[i].head.bytes = r->head.bytes;
		o->record[i].time = r->time;
		memcpy(o->record[i].body, r->body, r->head.bytes);
	}
}

/* stack: whether its plan reads words of the stack. */
static void run_case(const struct plan_case *c, bool planned, bool stack, struct outcome *o)
{
	char source[800];
	const struct dp_probe *probe;
	const struct dp_plan *plan;

	bench_start();
	dp_sim.arguments_on_stack = arguments_on_stack;
	for (unsigned b = 0; b < FIRMWARE_RAM_BYTES; b++)
		firmware.ram[b] = (uint8_t)(b & 7);
	firmware_put_word(AT, c->word << 24);
	snprintf(source, sizeof(source), "name = \"t\"\n%s", c->rest);
	CHECK(bench_install(source) == 0);
	hit(HITS / 2, planned);
	probe = bench_probe(0, 0);
	plan = &firmware.agent.site[probe->site].plan;
	if (planned)
		CHECK(dp_plan_kind(plan) == c->kind &&
		      ((plan->kind & DP_PLAN_STACK) != 0) == stack);
	hit(HITS - HITS / 2, planned);
	bench_poll();
	look(o);
	o->probe = *probe;
	o->probe.ran = 0; /* of the chain alone */
	memset(&o->probe.left, 0, sizeof(o->probe.left));
	CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == 0 && firmware_text_is_original());
}

/* Outcomes are cleared before they are filled: padding is 0. */
static bool same(const void *a, const void *b, size_t bytes)
{
	return memcmp(a, b, bytes) == 0;
}

/* proves: P4.11 */
static void same_as_the_chain(const struct plan_case *c, size_t count, bool stack)
{
	static struct outcome with, without;

	for (unsigned i = 0; i < count; i++) {
		run_case(&c[i], true, stack, &with);
		run_case(&c[i], false, stack, &without);
		CHECK(same(&with.probe, &without.probe, sizeof(with.probe)));
		CHECK(memcmp(&with.frame, &without.frame, sizeof(with.frame)) == 0);
		CHECK(memcmp(with.stack, without.stack, sizeof(with.stack)) == 0);
		CHECK(memcmp(with.ram, without.ram, sizeof(with.ram)) == 0);
		CHECK(memcmp(with.stored, without.stored, sizeof(with.stored)) == 0);
		CHECK(with.executed == without.executed && with.faults == without.faults);
		CHECK(with.records == without.records && with.produced == without.produced);
		CHECK(with.dropped == without.dropped && with.executed + with.faults > 0);
		CHECK(same(with.record, without.record, sizeof(with.record)));
		if (check_failures > 0) {
			printf("case %u:\n%s", i, c[i].rest);
			return;
		}
	}
}

static void with_arguments_on_the_stack(void)
{
	arguments_on_stack = true;
	same_as_the_chain(stack_cases, sizeof(stack_cases) / sizeof(*stack_cases), true);
	same_as_the_chain(far_cases, sizeof(far_cases) / sizeof(*far_cases), false);
	same_as_the_chain(cases, sizeof(cases) / sizeof(*cases), false);
	arguments_on_stack = false;
}

static enum dp_plan_kind kind_now(void)
{
	hit(1, true);
	return dp_plan_kind(&firmware.agent.site[bench_probe(0, 0)->site].plan);
}

/* Whoever changes what the plan was made from drops it. */
static void dropped(void)
{
	int second;

	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\npush r, r1\nlog 1\nexit\n") == 0);
	CHECK(kind_now() == DP_PLAN_WORDS);
	second = bench_install("name = \"u\"\noffset = 0x08000100\nmaxhits = 2\nabort\n");
	CHECK(second == 1 && kind_now() == DP_PLAN_LIST);
	CHECK(kind_now() == DP_PLAN_NONE && bench_probe(1, 0)->state == DP_PROBE_DISABLED);
	CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0 && kind_now() == DP_PLAN_WORDS);
	CHECK(bench_ask(DP_CMD_LOG, "\376\0", 2).error == 0 && kind_now() == DP_PLAN_CHAIN);
	CHECK(bench_ask(DP_CMD_LOG, "\376\1", 2).error == 0 && kind_now() == DP_PLAN_WORDS);
	bench_poll();
	CHECK(bench.records == 6 && dp_probe_hits(bench_probe(0, 0)) == 6);
}

/* A phase that needs the end of the instruction comes to a site with a plan. */
static void late(void)
{
	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nabort\n") == 0);
	CHECK(kind_now() == DP_PLAN_NOTHING);
	CHECK(bench_install("name = \"u\"\noffset = 0x08000100\nphase = after\nexit\n") == 1);
	CHECK(kind_now() == DP_PLAN_CHAIN && dp_probe_hits(bench_probe(1, 0)) == 1);
}

/* A site has its plan when it is armed. A damaged plan lasts until the patrol comes by. */
static void patrolled(void)
{
	struct dp_plan made;
	struct dp_site *site;

	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\npush r, r1\nlog 1\nexit\n") == 0);
	site = &firmware.agent.site[bench_probe(0, 0)->site];
	made = site->plan;
	CHECK(made.kind == DP_PLAN_WORDS && made.words == 1 && made.resume != 0);
	memset(&site->plan, 0xff, sizeof(site->plan));
	bench_polls(DP_MAX_PROBES);
	CHECK(site->plan.kind == made.kind && site->plan.words == 1 &&
	      site->plan.at[0] == made.at[0]);
	CHECK(site->plan.resume == made.resume && site->plan.probe == bench_probe(0, 0));
}

#define WORD "push r, r1\nlog 1\nexit\n"
#define FIVE(place)                                                                                \
	place WORD place                                                                           \
		"minor = 1\nabort\n" place                                                         \
		"minor = 2\npush r, r0\npush mem, u8\npush 4\nsub\njz b\nabort\nb:\nexit\n" place  \
		"minor = 3\npush 3\nlog 1\nexit\n" place "minor = 4\nadd map, 0\nabort\n"
enum {
	NEXT = FIRMWARE_TEXT + 0x200,
	SEVERAL = 5 /* as many as a list has */
};

static struct dp_site *site_of(unsigned program, unsigned point)
{
	return &firmware.agent.site[bench_probe(program, point)->site];
}

/* Several probes at a place: each does in each hit what it does alone, in order of installation. A
 * probe more than a list has, and a place more than the entries serve, take the chain. */
static void listed(void)
{
	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	memset(firmware.ram, 0, sizeof(firmware.ram));
	CHECK(bench_install("name = \"t\"\nmap = count 0 1\n" FIVE(AT_TEXT)) == 0);
	CHECK(kind_now() == DP_PLAN_LIST && site_of(0, 0)->plan.words == SEVERAL);
	hit(HITS - 1, true);
	bench_poll();
	for (unsigned i = 0; i < SEVERAL; i++)
		CHECK(dp_probe_hits(bench_probe(0, i)) == HITS);
	CHECK(bench.records == 2 * HITS && bench_logged(0) == 0 && bench_logged(1) == 3);
	CHECK(bench_install("name = \"u\"\n" AT_TEXT "abort\n") == 1);
	CHECK(kind_now() == DP_PLAN_CHAIN && dp_probe_hits(bench_probe(1, 0)) == 1);
	CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0 && kind_now() == DP_PLAN_LIST);
	CHECK(dp_probe_hits(bench_probe(0, 4)) == HITS + 2);
}

/* An ended probe has no part in the list; a handler that stops its program ends those behind it. */
static void ended(void)
{
	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	CHECK(bench_install("name = \"t\"\n" AT_TEXT "maxhits = 2\nabort\n" AT_TEXT
			    "minor = 1\n" WORD AT_TEXT
			    "minor = 2\npush r, r1\npush 3\nsub\njz last\nabort\nlast:\n"
			    "stop\n" AT_TEXT "minor = 3\nabort\n") == 0);
	hit(3, true);
	CHECK(site_of(0, 1)->plan.kind == DP_PLAN_LIST && site_of(0, 1)->plan.words == 3);
	hit(4, true); /* the last one has the word that stops */
	CHECK(dp_probe_hits(bench_probe(0, 0)) == 2 && dp_probe_hits(bench_probe(0, 1)) == 7);
	CHECK(dp_probe_hits(bench_probe(0, 2)) == 7 && dp_probe_hits(bench_probe(0, 3)) == 6);
}

/* Entries of lists go round: a place gets one when another place gives its entries back. */
static void entries(void)
{
	char source[2000];
	int at = snprintf(source, sizeof(source), "name = \"u\"\n");

	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	firmware_put_word(NEXT, (uint32_t)SIM_AWAY << 24);
	for (unsigned i = 0; i < DP_LISTED - 1; i++) {
		firmware_put_word(NEXT + 4 * (i / SEVERAL), (uint32_t)SIM_AWAY << 24);
		at += snprintf(source + at, sizeof(source) - (size_t)at,
			       "offset = 0x%08x\nminor = %u\nabort\n",
			       (unsigned)(NEXT + 4 * (i / SEVERAL)), i);
	}
	CHECK(bench_install(source) == 0);
	for (unsigned i = 0; i < DP_LISTED - 1; i += SEVERAL) {
		firmware_run(NEXT + 4 * (i / SEVERAL), 1);
		CHECK(site_of(0, i)->plan.kind == DP_PLAN_LIST);
	}
	CHECK(bench_install("name = \"t\"\n" AT_TEXT "abort\n" AT_TEXT "minor = 1\n" WORD) == 1);
	firmware_run(AT, 1);
	CHECK(site_of(1, 0)->plan.kind == DP_PLAN_CHAIN);
	CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == 0);
	bench_polls(2 * DP_MAX_PROBES); /* the patrol drops the chain's plan */
	firmware_run(AT, 1);
	CHECK(site_of(1, 0)->plan.kind == DP_PLAN_LIST && dp_probe_hits(bench_probe(1, 1)) == 2);
}

/* A list that has become shorter gives the entries of ended probes back. */
static void shorter(void)
{
	char source[1200];
	int at = snprintf(source, sizeof(source), "name = \"t\"\n");

	bench_start();
	for (unsigned i = 0; i < 3 * SEVERAL;
	     i++) { /* three places; of five probes two or three end */
		const unsigned place = i / SEVERAL;
		const bool ends = i % SEVERAL >= 2 + place % 2;

		firmware_put_word(AT + 4 * place, (uint32_t)SIM_AWAY << 24);
		at += snprintf(source + at, sizeof(source) - (size_t)at,
			       "offset = 0x%08x\nminor = %u\n%sabort\n", (unsigned)(AT + 4 * place),
			       i, ends ? "maxhits = 2\n" : "");
	}
	CHECK(bench_install(source) == 0);
	for (unsigned place = 0; place < 3; place++) {
		for (unsigned i = 0; i < 4; i++)
			firmware_run(AT + 4 * place, 1);
		CHECK(site_of(0, place * SEVERAL)->plan.kind == DP_PLAN_LIST);
	}
}

/* A damaged list lasts until the patrol comes by; the next hit makes it anew. */
static void patrolled_list(void)
{
	struct dp_site *site;
	struct dp_listed *entry;

	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	CHECK(bench_install("name = \"t\"\n" AT_TEXT "abort\n" AT_TEXT "minor = 1\n" WORD) == 0);
	CHECK(kind_now() == DP_PLAN_LIST);
	site = site_of(0, 0);
	bench_polls(DP_SITES);
	CHECK(site->plan.kind == DP_PLAN_LIST); /* a right one stays */
	for (unsigned damage = 0; damage < 4; damage++) {
		entry = &firmware.agent.listed[site->plan.at[1]];
		if (damage == 0)
			entry->plan.words = 2;
		else if (damage == 1)
			entry->number = 9;
		else if (damage == 2)
			site->plan.at[0] = 0xff;
		else
			site->plan.probe = &firmware.agent.probe[entry->number];
		bench_polls(DP_SITES);
		CHECK(site->plan.kind == DP_PLAN_NONE && kind_now() == DP_PLAN_LIST);
	}
	bench_poll();
	CHECK(bench.records == 5 && dp_probe_hits(bench_probe(0, 0)) == 5);
}

/* Records that find no room are counted, by plan too. */
static void full(void)
{
	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\npush r, r1\nlog 1\nexit\n") == 0);
	for (unsigned i = 0; i < 1000; i++)
		firmware_run(AT, 1);
	CHECK(dp_probe_hits(bench_probe(0, 0)) == 1000 && bench_probe(0, 0)->dropped > 0);
	CHECK(DP_THIS_CPU(&firmware.agent)->ring.dropped == bench_probe(0, 0)->dropped);
	bench_poll();
	CHECK(bench.records + bench_probe(0, 0)->dropped == 1000);
}

static unsigned reads;

static void count_read(void *context)
{
	(void)context;
	reads++;
}

/* A hit whose words find no room, or would go round the end of the ring, still reads what its test
 * reads once: it may be a device. */
static void crowded(void)
{
	unsigned usual = 0;

	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	firmware.ram[0] = 5;
	CHECK(bench_install(
		      "name = \"t\"\noffset = 0x08000100\npush r, r0\npush mem, u8\npush 5\nsub\n"
		      "jz same\nabort\nsame:\npush r, r1\nlog 1\nexit\n") == 0);
	for (unsigned i = 0; i < 2000; i++) {
		bench.records = 0;
		firmware.frame.word[0][0] = FIRMWARE_RAM;
		firmware.frame.word[1][0] = i;
		reads = 0;
		dp_sim.reading = count_read;
		firmware_run(AT, 1);
		dp_sim.reading = NULL;
		usual = i == 0 ? reads : usual; /* the simulated CPU reads too */
		CHECK(reads == usual);
		if (i >= 1000)
			continue; /* the ring fills */
		bench_poll();
		CHECK(bench.records == 1 && bench_word(bench.record[0].body) == i);
	}
	CHECK(bench_probe(0, 0)->dropped > 0 && dp_probe_hits(bench_probe(0, 0)) == 2000);
}

/* A storm is heard in hits that only count. */
static void storm(void)
{
	char line[DP_LINE_MAX];
	size_t bytes;

	bench_start();
	firmware_put_word(AT, (uint32_t)SIM_AWAY << 24);
	CHECK(bench_install("name = \"t\"\noffset = 0x08000100\nabort\n") == 0);
	bytes = bench_request(line, 99, DP_CMD_REMOVE, "\0", 1);
	bench_type(DP_COM1, line, bytes);
	for (unsigned i = 0; i < 3000; i++)
		firmware_run(AT, 1);
	CHECK(firmware_text_is_original() && firmware.executed == 3000);
}

int main(void)
{
	same_as_the_chain(cases, sizeof(cases) / sizeof(*cases), false);
	with_arguments_on_the_stack();
	dropped();
	late();
	patrolled();
	listed();
	ended();
	entries();
	shorter();
	patrolled_list();
	full();
	crowded();
	storm();
	return check_status();
}
