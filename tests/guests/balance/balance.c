/* SPDX-License-Identifier: BSD-2-Clause */
/* The self-test of a demo kernel whose functions return in every way. It stands in the place of
 * boards/demo/selftest.c. */
#include "balance.h"

#include "kernel.h"
#include "selftest.h"

static volatile uint32_t sink, three = 3;

PROBE_TARGET uint32_t subject_leaf(uint32_t x)
{
	return x * 3 + 1;
}

PROBE_TARGET uint32_t subject_returns(uint32_t x)
{
	if (x % 5 == 0)
		return subject_leaf(x) + 1;
	if (x & 8) {
		sink = x;
		return x ^ 3;
	}
	sink = 7;
	return subject_leaf(sink) - x;
}

PROBE_TARGET uint32_t subject_tail(uint32_t x)
{
	return subject_leaf(x + 1);
}

PROBE_TARGET uint32_t subject_member(const struct calls *calls, uint32_t x)
{
	return calls->second(x + 1);
}

PROBE_TARGET uint32_t subject_switch(uint32_t x)
{
	switch (x % 9) {
	case 0:
		return subject_leaf(x) + 3;
	case 1:
		return x * 7;
	case 2:
		sink = x;
		return x ^ 9;
	case 3:
		return x / 3;
	case 4:
		return subject_leaf(x * 2) - x;
	case 5:
		return x << 3;
	case 6:
		return -x;
	case 7:
		return subject_leaf(x + 5);
	default:
		return x + sink;
	}
}

PROBE_TARGET uint32_t subject_both(const struct calls *calls, uint32_t x)
{
	switch (x % 7) {
	case 0:
		x = subject_leaf(x) + 3;
		break;
	case 1:
		x = x * 7;
		break;
	case 2:
		sink = x;
		break;
	case 3:
		x = x / 3;
		break;
	case 4:
		x = subject_leaf(x * 2) - x;
		break;
	case 5:
		return calls->first(x << 3);
	default:
		x = sink;
		break;
	}
	return calls->second(x);
}

/* The line of `if` begins with its branch where a compiler compares earlier: boards of ARM. */
PROBE_TARGET uint32_t subject_decides(uint32_t x)
{
	bool low = (x & 3) < three;

	if (low) {
		sink = subject_leaf(x);
		sink = subject_leaf(sink);
	} else {
		sink = 2;
	}
	return low;
}

PROBE_TARGET uint32_t subject_recursion(uint32_t n)
{
	return n == 0 ? 1 : subject_recursion(n - 1) * n + sink;
}

PROBE_TARGET uint32_t subject_leaps(jmp_buf back, uint32_t x)
{
	if (x & 1)
		longjmp(back, 1);
	return x + sink;
}

PROBE_TARGET uint32_t subject_jumper(uint32_t x)
{
	jmp_buf back;

	if (setjmp(back) != 0)
		return 3;
	return subject_leaps(back, x) + 1;
}

PROBE_TARGET uint32_t subject_inside(uint32_t n)
{
	if (n == 0)
		balance_done();
	else
		sink = subject_inside(n - 1);
	return sink;
}

PROBE_TARGET void balance_begin(void)
{
	__asm__ volatile("");
}

PROBE_TARGET void balance_done(void)
{
	__asm__ volatile("");
}

/* --- the demo's self-test --- */

static uint32_t round_of(uint32_t x)
{
	static const struct calls calls = {subject_leaf, subject_leaf};
	static subject *const subjects[] = {subject_returns, subject_tail, subject_switch,
					    subject_jumper, subject_decides};
	uint32_t sum = subject_member(&calls, x) + subject_both(&calls, x);

	for (unsigned i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
		sum += subjects[i](x);
	for (unsigned i = 0; subject_own[i]; i++)
		sum += subject_own[i](x);
	return sum + subject_recursion(x % 4);
}

uint32_t selftest_run(uint32_t rounds)
{
	uint32_t sum = 0;

	balance_begin();
	for (uint32_t i = 0; i < rounds; i++)
		sum += round_of(i);
	return sum + subject_inside(3);
}

uint32_t selftest_library(void)
{
	return 0;
}
