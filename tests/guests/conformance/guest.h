/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware that runs the conformance cases on a board: what its common part (main.c) asks of a
 * CPU. A CPU is one folder here, with all of these. */
#ifndef GUEST_H
#define GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "dp_agent.h"

#define GUEST_PAGE      4096u
#define GUEST_REGISTERS 32u

/* Addresses that programs may try: where no page is mapped the access itself must fail. What the
 * firmware and the devices have is not in it. */
extern const struct dp_range cpu_open[];
extern const unsigned cpu_open_count;

/* Take the case's pages away again, and at first what lies where cases want holes. */
void cpu_unmap_all(void);

/* Give the page around an address writable, executable memory, filled with zeros where there was
 * none. False: none left. */
bool cpu_map(uintptr_t address);

/* Write an instruction that can be probed and leads to guest_return, whatever the registers hold;
 * the page is mapped. It has cpu_site_bytes. False: there is no way back from there. */
bool cpu_place_site(uintptr_t address);
extern const unsigned cpu_site_bytes;

/* Is it there, as it was written? */
bool cpu_site_intact(uintptr_t address);

/* Number of the register that stands for one of the simulator's, or -1. */
int cpu_register(const char *name);

/* Load the registers and run the site. Interrupts masked. */
void cpu_hit(const uintptr_t registers[GUEST_REGISTERS], uintptr_t site);

/* What the registers held behind the site, in the same order; those that the way back uses are 0.
 */
extern uintptr_t guest_left[GUEST_REGISTERS];

/* Print on com2 what happened and stop: a fault nobody took. */
_Noreturn void guest_panic(const char *why);

#endif
