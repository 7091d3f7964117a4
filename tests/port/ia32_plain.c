/* SPDX-License-Identifier: BSD-2-Clause */
/* A user program of Linux without a library: it executes the vectors on the CPU that it runs on,
 * and none of our code is under them. The signal at the end of a vector has its registers, and
 * returns to the next one. Prints what differs, and how many were equal. Source: Linux,
 * arch/x86/include/uapi/asm/sigcontext.h */
#include "ia32_vectors.inc"

enum {
	SYS_EXIT = 1,
	SYS_WRITE = 4,
	SYS_SIGACTION = 174,
	SYS_SIGALTSTACK = 186,
	SYS_MMAP = 192,
	MAP_PROTECTION = 7, /* read, write, execute */
	MAP_FLAGS = 0x32,   /* private, at this place, of no file */
	MAP_ROOM = 0x10000,
	ACTION_FLAGS = 0x4c000004, /* SA_SIGINFO, SA_RESTORER, SA_ONSTACK, SA_NODEFER */
	INT3 = 3,
	INT3_BYTE = 0xcc,  /* stands around an instruction */
	USER_ERROR = 0x14, /* bits of a page fault's error: in ring 3, of a fetch */
	MXCSR_AT = 136,    /* in the state of FP and SIMD unit */
	XMM_AT = 272,
};
struct context {
	uint32_t flags, link, stack[3], segments[4], registers[8];
	uint32_t vector, error, eip, cs, eflags, esp_at_signal, ss;
	uint8_t *units;
	uint32_t mask, cr2;
};
static const struct vector *next = vectors, *running;
static struct image before, found;
static unsigned held, failed;
static uint8_t signal_stack[0x10000];

static void linux_call(long number, long a, const void *b, long c, long d)
{
	const long arguments[2] = {number, a};

	/* mmap has six: no file, and from its beginning. */
	__asm__ volatile("push %%ebp\n\tpush %%ebx\n\tmov 4(%0), %%ebx\n\tmov (%0), %%eax\n\t"
			 "xor %%ebp, %%ebp\n\tint $0x80\n\tpop %%ebx\n\tpop %%ebp"
			 :
			 : "a"(arguments), "c"(b), "d"(c), "S"(d), "D"(-1)
			 : "memory");
}

static void say(const char *text)
{
	unsigned count = 0;

	while (text[count])
		count++;
	linux_call(SYS_WRITE, 1, text, count, 0);
}

static void hex(uint32_t value)
{
	char text[] = "00000000 ";

	for (unsigned i = 0; i < 8; i++)
		text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
	say(text);
}

static void tell(unsigned place, uint32_t wanted, uint32_t is)
{
	say("  byte, wanted, found ");
	hex(place);
	hex(wanted);
	hex(is);
	say("\n");
}

static void take(const struct context *c)
{
	struct state *s = &found.state;

	copy_bytes(s, &before.state, sizeof(*s)); /* what a user program does not see */
	copy_bytes(s, c->registers, sizeof(c->registers));
	s->vector = c->vector == INT3 ? 1 : c->vector;
	s->pc = c->eip - (c->vector == INT3);
	s->error = c->vector == 14 ? c->error & ~(uint32_t)USER_ERROR : c->error;
	s->eflags = c->eflags & ~(uint32_t)DP_FLAG_IF;
	s->cr2 = c->cr2;
	copy_bytes(s->x87, c->units, sizeof(s->x87));
	copy_bytes(s->xmm, c->units + XMM_AT, sizeof(s->xmm));
}

static void load(struct context *c)
{
	const uint32_t mxcsr = VECTOR_MXCSR;

	copy_bytes(c->registers, &before.state, sizeof(c->registers));
	c->eip = before.state.pc;
	c->eflags = before.state.eflags;
	copy_bytes(c->units, before.state.x87, sizeof(before.state.x87));
	copy_bytes(c->units + MXCSR_AT, &mxcsr, sizeof(mxcsr));
	copy_bytes(c->units + XMM_AT, before.state.xmm, sizeof(before.state.xmm));
}

static void handle(int signal, void *info, struct context *c)
{
	(void)signal;
	(void)info;
	if (running) {
		take(c);
		if (end_vector(running, &before, &found, tell)) {
			held++;
		} else {
			failed++;
			say(running->text);
			say("\n");
		}
	}
	while (next < vectors + VECTOR_COUNT && !next->is_plain)
		next++;
	if (next == vectors + VECTOR_COUNT) {
		say("held ");
		hex(held);
		say("\n");
		linux_call(SYS_EXIT, failed != 0, NULL, 0, 0);
	}
	running = next++;
	begin_vector(running, &before, INT3_BYTE);
	load(c);
}

void back(void);
__asm__("back:\n\tmov $173, %eax\n\tint $0x80\n"); /* SYS_SIGRETURN */

static void map(uint32_t place)
{
	linux_call(SYS_MMAP, (long)(place - MAP_ROOM), (void *)(2 * MAP_ROOM), MAP_PROTECTION,
		   MAP_FLAGS);
}

void _start(void);
void _start(void)
{
	static const uint8_t signals[] = {4, 5, 7, 8, 11}; /* ILL TRAP BUS FPE SEGV */
	const uintptr_t stack[3] = {(uintptr_t)signal_stack, 0, sizeof(signal_stack)};
	const uintptr_t action[5] = {(uintptr_t)handle, ACTION_FLAGS, (uintptr_t)back};

	map(VECTOR_AT);
	map(DATA_AT);
	map(STACK_AT);
	linux_call(SYS_SIGALTSTACK, (long)stack, NULL, 0, 0);
	for (unsigned i = 0; i < sizeof(signals); i++)
		linux_call(SYS_SIGACTION, signals[i], action, 0, 8);
	__asm__ volatile("int3");
}
