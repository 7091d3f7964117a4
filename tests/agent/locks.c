/* SPDX-License-Identifier: BSD-2-Clause */
/* Does each masked or locked stretch of the agent hold off what it must?  agent/base/dp_lock.h
 *
 * The build links this file with one C test of the agent, whose main is test_main here, and with an
 * agent for two CPUs that calls a function at each access of memory (-fsanitize=thread). The test
 * runs on CPU 0, then on CPU 1, with the same memory. What both touch, and one of them writes, is
 * shared. A masked stretch without the lock must touch nothing that is shared, and take no lock:
 * else the result is 1. `--mask ADDRESS` makes a mask of the lock that is taken at this return
 * address.
 *
 * The CPUs run one after the other. So the run does not see what is shared and touched with neither
 * lock nor mask, nor a lock that is given back too early: tests/agent/cpus.c stops one CPU in the
 * middle and lets the other one work.
 *
 * Prints a line for each place that takes the lock where no lock is taken yet: the return address,
 * and `shared` when a stretch that begins there touches something that is shared. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dp_lock.h"
#include "dp_text.h"
#include "sim_firmware.h"

enum {
	AGENT_BYTES = sizeof(struct dp_agent),
	CPUS = 2,
	PLACES_MAX = 200,
	NESTED_MAX = 16,
	READ = 1,
	WRITE = 2
};

typedef uint8_t touches[CPUS][AGENT_BYTES]; /* bits READ and WRITE */

/* A return address of dp_lock_take. */
struct place {
	uintptr_t address;
	touches touched;
};

static touches touched, masked_touched; /* at all; in masked stretches without the lock */
static struct place *place[PLACES_MAX];
static unsigned places;
static struct place *outermost; /* whose stretch it is */
static uintptr_t made_mask;
static unsigned cpu;          /* that runs */
static bool aside = true;     /* dp_init runs, and nobody else; or the machine looks */
static unsigned masks;        /* of the agent, that are not given back */
static bool weak[NESTED_MAX]; /* the locks taken: made a mask? */
static unsigned taken;
static bool mixed; /* a masked stretch has taken the lock */

int test_main(void);
bool machine_text(dp_addr address, uint8_t *bytes, unsigned count);

/* --- what the agent touches --- */

static bool has_lock(void)
{
	return firmware.agent.lock.owner == cpu + 1;
}

static void note(const void *address, size_t bytes, uint8_t how)
{
	uintptr_t at = (uintptr_t)address - (uintptr_t)&firmware.agent;

	if (aside || !dp_the_agent || at >= AGENT_BYTES)
		return;
	if (!dp_sim.masked)
		masks = taken = 0;
	for (; bytes > 0 && at < AGENT_BYTES; bytes--, at++) {
		touched[cpu][at] |= how;
		if (has_lock() && outermost)
			outermost->touched[cpu][at] |= how;
		else if (!has_lock() && masks > 0)
			masked_touched[cpu][at] |= how;
	}
}

/* Is one of these accesses to something that is shared? */
static bool is_shared(touches accesses)
{
	for (unsigned at = 0; at < AGENT_BYTES; at++)
		for (unsigned i = 0; i < CPUS; i++) {
			uint8_t other = touched[i ^ 1][at], own = accesses[i][at];

			if ((own & WRITE && other) || (own && other & WRITE))
				return true;
		}
	return false;
}

/* What the compiler calls. */
#define SIZE(bytes)                                                                                \
	void __tsan_read##bytes(const void *at)                                                    \
	{                                                                                          \
		note(at, bytes, READ);                                                             \
	}                                                                                          \
	void __tsan_write##bytes(const void *at)                                                   \
	{                                                                                          \
		note(at, bytes, WRITE);                                                            \
	}                                                                                          \
	void __tsan_unaligned_read##bytes(const void *at)                                          \
	{                                                                                          \
		note(at, bytes, READ);                                                             \
	}                                                                                          \
	void __tsan_unaligned_write##bytes(const void *at)                                         \
	{                                                                                          \
		note(at, bytes, WRITE);                                                            \
	}
#define DECLARED(bytes)                                                                            \
	void __tsan_read##bytes(const void *at);                                                   \
	void __tsan_write##bytes(const void *at);                                                  \
	void __tsan_unaligned_read##bytes(const void *at);                                         \
	void __tsan_unaligned_write##bytes(const void *at);
#define SIZES(of) of(1) of(2) of(4) of(8) of(16)
SIZES(DECLARED)
SIZES(SIZE)
uint32_t __tsan_atomic32_load(const volatile uint32_t *at, int order);
void __tsan_atomic32_store(volatile uint32_t *at, uint32_t value, int order);
void __tsan_read_range(const void *at, size_t bytes);
void __tsan_write_range(const void *at, size_t bytes);
void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);

uint32_t __tsan_atomic32_load(const volatile uint32_t *at, int order)
{
	(void)order;
	note((const void *)at, sizeof(*at), READ);
	return *at;
}

void __tsan_atomic32_store(volatile uint32_t *at, uint32_t value, int order)
{
	(void)order;
	note((const void *)at, sizeof(*at), WRITE);
	*at = value;
}

void __tsan_read_range(const void *at, size_t bytes)
{
	note(at, bytes, READ);
}

void __tsan_write_range(const void *at, size_t bytes)
{
	note(at, bytes, WRITE);
}

void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller)
{
	(void)caller;
}

void __tsan_func_exit(void)
{
}

/* --- masks, locks, CPUs: the linker puts these functions in the place of the agent's and the
 * port's (-Wl,--wrap) --- */

#define JOINED(a, b)  a##b
#define WRAPPED(name) JOINED(__wrap_, name)
#define REAL(name)    JOINED(__real_, name)
unsigned WRAPPED(dp_port_cpu_number)(void);
enum dp_err REAL(dp_init)(struct dp_agent *agent, const struct dp_memory *memory,
			  const struct dp_board *board);
enum dp_err WRAPPED(dp_init)(struct dp_agent *agent, const struct dp_memory *memory,
			     const struct dp_board *board);
dp_irq REAL(dp_mask_take)(void);
dp_irq WRAPPED(dp_mask_take)(void);
void REAL(dp_mask_give)(dp_irq irq);
void WRAPPED(dp_mask_give)(dp_irq irq);
dp_irq REAL(dp_lock_take)(void);
dp_irq WRAPPED(dp_lock_take)(void);
void REAL(dp_lock_give)(dp_irq irq);
void WRAPPED(dp_lock_give)(dp_irq irq);

unsigned WRAPPED(dp_port_cpu_number)(void)
{
	return cpu;
}

enum dp_err WRAPPED(dp_init)(struct dp_agent *agent, const struct dp_memory *memory,
			     const struct dp_board *board)
{
	enum dp_err error;

	aside = true;
	error = REAL(dp_init)(agent, memory, board);
	aside = false;
	return error;
}

dp_irq WRAPPED(dp_mask_take)(void)
{
	if (!dp_sim.masked)
		masks = 0;
	masks++;
	return REAL(dp_mask_take)();
}

void WRAPPED(dp_mask_give)(dp_irq irq)
{
	masks -= masks > 0;
	REAL(dp_mask_give)(irq);
}

/* For the machine, which finds out what it executes. */
bool machine_text(dp_addr address, uint8_t *bytes, unsigned count)
{
	bool there, before = aside;

	aside = true;
	there = dp_text_original(address, bytes, count);
	aside = before;
	return there;
}

static struct place *place_of(uintptr_t address)
{
	for (unsigned i = 0; i < places; i++)
		if (place[i]->address == address)
			return place[i];
	if (places == PLACES_MAX)
		abort();
	place[places] = calloc(1, sizeof(**place));
	place[places]->address = address;
	return place[places++];
}

dp_irq WRAPPED(dp_lock_take)(void)
{
	uintptr_t address = (uintptr_t)__builtin_return_address(0);

	if (!dp_sim.masked)
		taken = masks = 0;
	if (taken == NESTED_MAX)
		abort();
	weak[taken] = address == made_mask;
	if (!has_lock()) {
		outermost = place_of(address);
		mixed |= masks > 0;
	}
	return weak[taken++] ? WRAPPED(dp_mask_take)() : REAL(dp_lock_take)();
}

void WRAPPED(dp_lock_give)(dp_irq irq)
{
	if (taken > 0)
		taken--;
	if (weak[taken])
		WRAPPED(dp_mask_give)(irq);
	else
		REAL(dp_lock_give)(irq);
}

/* --- the runs --- */

/* A hit has no place. */
void WRAPPED(dp_lock_enter)(void);
void REAL(dp_lock_enter)(void);
void WRAPPED(dp_lock_enter)(void)
{
	if (!has_lock())
		outermost = NULL;
	REAL(dp_lock_enter)();
}

int main(int argc, char **argv)
{
	int out = dup(1), quiet = open("/dev/null", O_WRONLY);
	bool wrong;

	if (argc == 3 && strcmp(argv[1], "--mask") == 0)
		made_mask = strtoul(argv[2], NULL, 16);
	dup2(quiet, 1); /* what the test finds is for the test itself to tell */
	for (cpu = 0; cpu < CPUS; cpu++)
		test_main();
	fflush(stdout);
	dup2(out, 1);
	for (unsigned i = 0; i < places; i++)
		printf("%lx%s\n", (unsigned long)place[i]->address,
		       is_shared(place[i]->touched) ? " shared" : "");
	wrong = mixed || is_shared(masked_touched);
	if (wrong)
		printf("a masked stretch takes the lock, or touches what the other CPU touches\n");
	return wrong;
}
