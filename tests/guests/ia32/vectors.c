/* SPDX-License-Identifier: BSD-2-Clause */
/* Independent vectors: what the manual says that an instruction does, plain and with a probe. */
#include "../../port/ia32_vectors.inc"

#include "checks.h"
#include "oracle.h"
#include "out.h"

const unsigned vector_count = VECTOR_COUNT;

bool has_vector(unsigned i)
{
	return i < vector_count;
}

static void tell(unsigned place, uint32_t wanted, uint32_t found)
{
	number("  byte ", place);
	say(": ");
	hex(wanted);
	hex(found);
	say("\n");
}

/* int1 stands around the instruction. QEMU takes it for undefined. SDM 2A, INT n */
static void find_end(struct state *end)
{
	end->pc -= end->vector == 1;
	if (end->vector == 6 && *(const volatile uint8_t *)end->pc == END_BYTE)
		end->vector = 1;
}

static bool one_vector(const struct vector *v, unsigned mask)
{
	static struct image before, found;
	const uint32_t mxcsr = VECTOR_MXCSR;
	enum dp_refusal why;
	bool ok = true;

	begin_vector(v, &before, END_BYTE);
	hits[0] = 0;
	if (mask)
		ok = prepare(&site[0], VECTOR_AT, &why) == DP_ERR_OK && arm(&site[0]);
	__asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
	if (ok)
		run(&before.state, &found.state);
	if (mask)
		ok &= disarm(&site[0]);
	release_sites();
	find_end(&found.state);
	ran++;
	if (ok && end_vector(v, &before, &found, tell) && hits[0] == mask)
		return true;
	fail(v->text, "vector");
	number(" probes ", mask);
	number(" hits ", hits[0]);
	number(" pass ", pass);
	say("\n");
	return false;
}

/* Also plain: what the manual says is what this CPU does. */
bool vector_holds(unsigned i)
{
	return one_vector(&vectors[i], 0) & one_vector(&vectors[i], 1);
}
