/* SPDX-License-Identifier: BSD-2-Clause */
/* Never linked: what a static hook adds to a function, read with nm and size by size_report.py. */
#include "dprobes_hook.h"

void use(unsigned, unsigned, unsigned);
void hook_none(unsigned a, unsigned b, unsigned c);
void hook_dormant(unsigned a, unsigned b, unsigned c);
void hook_call(unsigned a, unsigned b, unsigned c);

void hook_none(unsigned a, unsigned b, unsigned c)
{
	use(a, b, c);
	use(c, b, a);
}

void hook_dormant(unsigned a, unsigned b, unsigned c)
{
	use(a, b, c);
	DPROBES_HOOK(size, dormant, a, b, c);
	use(c, b, a);
}

void hook_call(unsigned a, unsigned b, unsigned c)
{
	use(a, b, c);
	DPROBES_HOOK_CALL(size, call, a, b, c);
	use(c, b, a);
}
