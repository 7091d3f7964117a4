/* SPDX-License-Identifier: BSD-2-Clause */
/* A firmware with static hooks, for test_d_hooks.py; C and C++. */
#include "dprobes_hook.h"

struct queue {
	int count;
	short low;
	unsigned char high;
	long long total;
	char name[8];
};

#ifdef __cplusplus
extern "C" {
#endif
int main(void);
void unused(int n);
extern volatile int sink;
extern struct queue queue;

volatile int sink;
struct queue queue;

static void put(struct queue *q, int n)
{
	DPROBES_HOOK(queue, put, q, n);
	q->count += n;
	DPROBES_HOOK(queue, parts, q->low, q->high, (signed char)n, q->name);
	DPROBES_HOOK(queue, fixed, 5, -3, 70000u);
	DPROBES_HOOK(queue, in__out);
#ifdef FEW
	DPROBES_HOOK(queue, eight, 1, n, n + 1, n + 2, 4, 5, 6, q);
#else
	DPROBES_HOOK(queue, eight, 1, n, n + 1, n + 2, n + 3, n + 4, n + 5, q);
#endif
#ifdef WIDE
	DPROBES_HOOK(queue, wide, q->total * 3, n);
#endif
}

/* Inlined twice: two places of one hook. */
static inline __attribute__((always_inline)) void twice(int n)
{
	DPROBES_HOOK(other, twice, n);
	sink = n;
}

void unused(int n)
{
	DPROBES_HOOK(queue, unused, n);
	sink = n;
}

int main(void)
{
	put(&queue, sink);
	twice(sink);
	twice(7);
	if (DPROBES_HOOK_ENABLED(queue, asked))
		DPROBES_HOOK(queue, asked, sink);
	return DPROBES_HOOK_ENABLED(queue, asked);
}
#ifdef __cplusplus
}
#endif
