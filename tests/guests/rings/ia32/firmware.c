/* SPDX-License-Identifier: BSD-2-Clause */
/* A firmware on a PC with a task in ring 3, with the ready-made glue. Each round accesses memory
 * and ports in many ways (accesses.S), and runs the task. Wrong results end QEMU. */
#include "dprobes_settings.h"
#include "dprobes_start.h"

#include "../../integration/ia32/pc.inc"

enum {
	PACE = 64, /* rounds of the main loop for one of the work */
	INCREMENTS = 100,
	HOLE = 0x90000000, /* no page */
};

static void check(bool good, uint8_t status)
{
	if (!good)
		port_write(EXIT, status);
}

/* --- exceptions --- */

struct trap {
	uint32_t edi, esi, ebp, esp, ebx, edx, ecx, eax;
	uint32_t vector, error, eip, cs, eflags;
};

/* What the last exception was, and where it was expected; the context goes on at the second
 * address.
 */
struct trap seen;
uint32_t seen_cr2, seen_dr6;
volatile uint32_t expected, behind, again; /* again: the first exception tries once more */

void fault(struct trap *trap);
void fault(struct trap *trap)
{
	check(trap->eip == expected && expected != 0, 3);
	__asm__ volatile("mov %%cr2, %0" : "=r"(seen_cr2));
	__asm__ volatile("mov %%dr6, %0" : "=r"(seen_dr6));
	seen = *trap;
	if (again != 0) {
		again = 0;
		return;
	}
	trap->eip = behind;
	expected = 0;
}

volatile uint32_t ticks;

void tick(void);
void tick(void)
{
	ticks = ticks + 1;
	port_write(PIC, EOI);
}

/* --- ring 0 --- */

void accesses(void);
void increments(uint32_t *counter, uint32_t times);
uint32_t rom_sum(const uint32_t *words, uint32_t count);
void in_ring_3(void (*entry)(void));

static const uint32_t words[4] = {1, 20, 300, 4000};
uint32_t counter;
/* Written from outside: the firmware writes it to DR7 once. */
volatile uint32_t debug_control, debug_control_due;
volatile uint32_t restart_due; /* written from outside: the agent starts anew */
extern const char load_hole[], load_hole_end[];

/* The handler of the page fault maps nothing: the second time it leaves the instruction out. */
__attribute__((noinline, noclone, section(".rom"))) static uint32_t faulty(void)
{
	uint32_t value = 5;

	expected = (uintptr_t)load_hole;
	behind = (uintptr_t)load_hole_end;
	again = 1;
	__asm__ volatile(
		".globl load_hole, load_hole_end\nload_hole:\tmovl (%1), %0\nload_hole_end:"
		: "+r"(value)
		: "r"(HOLE));
	check(seen.vector == 14 && seen.error == 0 && seen_cr2 == HOLE && seen.cs == 8, 4);
	return value;
}

/* --- ring 3 --- */

uint32_t user_total, user_rounds;
static uint32_t user_value;
uint32_t segment_based[4] = {0x11111111, 0x22222222, 0x33333333, 0x44444444}; /* gs of the task */

__attribute__((noinline, noclone)) uint32_t user_mix(uint32_t a, uint32_t b)
{
	uint32_t value = a * 3 + b;

	if (a % 3 == 0)
		value ^= b << 3;
	else if (a % 3 == 1)
		value /= b % 7 + 1;
	return value;
}

__attribute__((noinline, noclone)) void user_work(uint32_t n)
{
	for (unsigned i = 0; i < n % 5; i++)
		user_total += user_mix(i + n, user_total);
	user_rounds++;
}

__attribute__((section(".secret"))) uint32_t secret[1024];

/* Instructions that fault in ring 3 alone, with the exception that each of them raises. */
extern const char user_cli[], user_in[], user_store[], user_trap[], user_int_1[];
extern const char user_push[], user_call[], user_ret[], user_popf[], user_pushf[], user_jmp[],
	user_call_m[];
#define USER_FAULT(name, instruction)                                                              \
	expected = (uintptr_t)(name);                                                              \
	__asm__ volatile("movl $1f, behind\n\t.globl " #name "\n" #name ":\t" instruction          \
			 "\n1:" ::"b"(secret)                                                      \
			 : "memory", "eax", "cc");

volatile uint32_t traps_due; /* written from outside: the task has a breakpoint of its own */

/* Ring 3 has no ports: the main loop ends QEMU. */
static volatile bool user_failed;

static void check_user(bool good)
{
	user_failed |= !good;
}

static void user_sees(uint32_t vector, uint32_t error)
{
	check_user(seen.vector == vector && seen.error == error && seen.cs == 0x1b);
}

__attribute__((noinline, noclone)) static void user_faults(void)
{
	USER_FAULT(user_cli, "cli")
	user_sees(13, 0);
	USER_FAULT(user_in, "in $0x80, %%al")
	user_sees(13, 0);
	USER_FAULT(user_store, "movl $1, 8(%%ebx)")
	user_sees(14, 7);
	check_user(seen_cr2 == (uintptr_t)&secret[2]);
	if (traps_due != 0) {
		USER_FAULT(user_trap, "int3")
		user_sees(13, 0x1a);
	}
	USER_FAULT(user_int_1, "int $1")
	user_sees(13, 0x0a);
}

/* The same with a stack that is not for ring 3. */
#define USER_STACK_FAULT(name, instruction)                                                        \
	expected = (uintptr_t)(name);                                                              \
	__asm__ volatile("movl $1f, behind\n\tmovl %%esp, %%edi\n\tleal 16(%%ebx), %%esp\n\t"      \
			 ".globl " #name "\n" #name ":\t" instruction                              \
			 "\n1:\tmovl %%edi, %%esp" ::"b"(secret)                                   \
			 : "memory", "edi", "cc");

__attribute__((noinline, noclone)) static void user_stack_faults(void)
{
	USER_STACK_FAULT(user_push, "push $1")
	user_sees(14, 7);
	check_user(seen_cr2 == (uintptr_t)&secret[3]);
	USER_STACK_FAULT(user_call, "call 1f")
	user_sees(14, 7);
	check_user(seen_cr2 == (uintptr_t)&secret[3]);
	USER_STACK_FAULT(user_ret, "ret")
	user_sees(14, 5);
	check_user(seen_cr2 == (uintptr_t)&secret[4]);
	USER_STACK_FAULT(user_popf, "popf")
	user_sees(14, 5);
	USER_STACK_FAULT(user_pushf, "pushf")
	user_sees(14, 7);
	USER_STACK_FAULT(user_jmp, "jmp *(%%esp)")
	user_sees(14, 5);
	USER_STACK_FAULT(user_call_m, "call *(%%esp)")
	user_sees(14, 5);
}

uint32_t user_ways(uint32_t n);
void user_based(void);
extern const char based_text[], based_trap[], based_trap_end[];
extern uint32_t based_total;

void appln_main(void);

/* eip is an address in the segment. */
__attribute__((noinline, noclone)) static void user_segment(void)
{
	expected = (uint32_t)(based_trap - based_text);
	behind = (uint32_t)(based_trap_end - based_text);
	user_based();
	check_user(seen.vector == 13 && seen.error == 0x1a && seen.cs == 0x3b);
	check_user(based_total == user_rounds);
}

static void user_main(void)
{
	appln_main();
	user_work(user_rounds);
	user_faults();
	user_stack_faults();
	check_user(user_ways(user_rounds) == user_rounds * 4 + 100);
	user_segment();
	__asm__ volatile("int $0x21");
}

/* --- the functions of the seed documents --- */

void seeds(void);
extern const char ethernet[], ethernet_end[], appln[], appln_end[], libc_malloc[], libc_end[];

enum {
	ETHERNET_OFFSET = 0x1000, /* as the maps have them */
	LIBC_MALLOC = 0x6d0a0,
};

/* offset: of the first byte in the module. */
static void load(const char *name, const char *begin, const char *end, dprobes_word offset)
{
	const dprobes_word base = (uintptr_t)begin - offset;

	check(dprobes_module_loaded(name, base, 0, (uintptr_t)end - base, NULL) == 0, 8);
}

static void modules(void)
{
	load("/lib/modules/2.2.12-20/net/3c59x.o", ethernet, ethernet_end, ETHERNET_OFFSET);
	load("appln", appln, appln_end, 0);
	load("/lib/libc.so.6", libc_malloc, libc_end, LIBC_MALLOC);
}

/* --- the main loop --- */

static void user_check(void)
{
	static uint32_t rounds;

	for (unsigned i = 0; i < rounds % 5; i++) {
		uint32_t a = i + rounds, v = a * 3 + user_value;

		if (a % 3 == 0)
			v ^= user_value << 3;
		else if (a % 3 == 1)
			v /= user_value % 7 + 1;
		user_value += v;
	}
	rounds++;
	check(user_value == user_total && user_rounds == rounds, 6);
	check(!user_failed, 7);
}

static void debug_use(void)
{
	if (debug_control_due == 0)
		return;
	debug_control_due = 0;
	__asm__ volatile("mov %0, %%dr7" ::"r"(debug_control));
}

static void restart(void)
{
	if (restart_due == 0)
		return;
	restart_due = 0;
	__asm__ volatile("cli");
	check(dprobes_start() == 0, 1);
	__asm__ volatile("sti");
}

int main(void);
int main(void)
{
	port_write(FIFO, FIFO_ON);
	timer_start();
	check(dprobes_start() == 0, 1);
	modules();
	__asm__ volatile("sti");
	for (uint32_t n = 0;; n++) {
		dprobes_loop();
		debug_use();
		restart();
		if (n % PACE != 0)
			continue;
		accesses();
		increments(&counter, INCREMENTS);
		check(rom_sum(words, 4) == 4321 && faulty() == 5, 2);
		seeds();
		in_ring_3(user_main);
		user_check();
	}
}
