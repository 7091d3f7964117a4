/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions whose entries and returns a test counts. Each is called once a round, but for those
 * that another one calls. The assembly of a CPU has more of them. */
#ifndef BALANCE_H
#define BALANCE_H

#include <setjmp.h>
#include <stdint.h>

typedef uint32_t subject(uint32_t x);

struct calls {
	subject *first, *second;
};

/* CPU/subjects.S: subjects with every way out that the CPU has, 0 behind the last. */
extern subject *const subject_own[];

subject subject_leaf, subject_returns, subject_tail, subject_switch, subject_recursion,
	subject_jumper, subject_inside, subject_decides;
uint32_t subject_member(const struct calls *calls, uint32_t x);
uint32_t subject_both(const struct calls *calls, uint32_t x);
uint32_t subject_leaps(jmp_buf back, uint32_t x);

/* The counting begins, and ends. */
void balance_begin(void);
void balance_done(void);

#endif
