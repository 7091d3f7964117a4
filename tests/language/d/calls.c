/* SPDX-License-Identifier: BSD-2-Clause */
/* Hooks that call C exits, beside plain ones: what each adds. test_d_hook_calls.py */
#include "dprobes_hook.h"

#ifdef CALLS
#define HOOK DPROBES_HOOK_CALL
#else
#define HOOK DPROBES_HOOK
#endif

#ifdef __cplusplus
extern "C" {
#endif
struct queue {
	int count;
};
int outside(int);
int put(struct queue *q, int n);
int full(struct queue *q);
int unused(int n);
void start(void);

int put(struct queue *q, int n)
{
	int limit = n * 3;

	HOOK(queue, put, q, n, &limit);
	return limit;
}

int full(struct queue *q)
{
	HOOK(queue, full);
	return q->count;
}

/* Nobody calls this one. */
int unused(int n)
{
	HOOK(queue, unused, n);
	return outside(n);
}

int outside(int n)
{
	return n;
}

void start(void)
{
	static struct queue q;

	q.count = put(&q, 3) + full(&q);
}
#ifdef __cplusplus
}
#endif
