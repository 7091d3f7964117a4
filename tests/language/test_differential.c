/* SPDX-License-Identifier: BSD-2-Clause */
/* Random verified programs in the agent's interpreter and in the reference
 * (tests/language/reference): stack, log, trace, variables, registers, memory, end, steps and last
 * exception are the same. usage: test_differential [PROGRAMS [FIRST_SEED]], shared among the four
 * forms A difference is cut down to the instructions it needs and shown with its seed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object/prove.h"
#include "reference/dump.h"
#include "reference/generate.h"
#include "reference/subject.h"

enum {
	PROGRAMS_USUAL = 50000,
	FORMS = 4,
	REPORTS_MAX = 5,
	SEED_STEP = 1000003
};

static struct gen_program gen;
static struct subject_outcome outcome;
static _Alignas(8) uint8_t object[GEN_OBJECT_BYTES];
static uint64_t executed[256], ends[4], steps;

static struct subject_case case_of(const struct gen_program *program)
{
	return (struct subject_case){
		.object = object,
		.bytes = gen_object(program, object),
		.world = &program->world,
		.stack_seed = program->stack_seed,
		.hits = program->hits,
	};
}

/* Null, or what dprobes check says about the program in `gen` and the last run shows to be wrong.
 */
static const char *disproved(const struct subject_case *input)
{
	struct dp_object_file file = {object, input->bytes, input->bytes};
	struct dph_proof proof;

	dph_prove(&file, &proof);
	if (outcome.reference.steps > proof.steps_max)
		return "more steps than proved";
	if (outcome.reference.log.most > proof.log_max)
		return "more log bytes than proved";
	return NULL;
}

/* Null, or what is wrong with the program in `gen`. */
static const char *wrong(void)
{
	struct subject_case input = case_of(&gen);
	const char *what = subject_compare(&input, &outcome);

	if (outcome.refused != DP_ERR_OK)
		return "the verifier refuses it";
	return what ? what : disproved(&input);
}

/* Leave out what the difference does not need: everything but the last of each block. */
static void cut_down(const char *what)
{
	static struct gen_program saved;
	bool smaller;

	do {
		smaller = false;
		for (unsigned b = 0; b < gen.blocks; b++) {
			struct gen_block *block = &gen.block[b];

			for (unsigned i = 0; i + 1 < block->count; i++) {
				const char *now;

				saved = gen;
				memmove(&block->ins[i], &block->ins[i + 1],
					(block->count - i - 1) * sizeof block->ins[0]);
				block->count--;
				now = wrong();
				if (now && strcmp(now, what) == 0)
					smaller = true;
				else
					gen = saved;
			}
		}
	} while (smaller);
}

static void report(const char *what, uint64_t seed)
{
	struct subject_case input;

	printf("\nseed %" PRIu64 ": %s\n", seed, what);
	cut_down(what);
	wrong();
	input = case_of(&gen);
	if (outcome.refused != DP_ERR_OK)
		printf("error %d at code offset %u\n", outcome.refused, outcome.where);
	else
		dump_outcome(&input, &outcome);
}

/* Every opcode ran, and runs ended in every way: the generator does its work. */
static bool covered(uint64_t programs)
{
	bool all = true;

	if (programs < PROGRAMS_USUAL / 10)
		return true;
	for (unsigned op = 0; op < 256; op++) {
		if (ref_op((uint8_t)op) && ref_op((uint8_t)op)->operand != RPN_ARG_MAP &&
		    executed[op] == 0) { /* maps: test_maps.c */
			printf("opcode 0x%02x never ran\n", op);
			all = false;
		}
	}
	for (unsigned end = 0; end < 4; end++)
		all = all && ends[end] > 0;
	return all;
}

int main(int argc, char **argv)
{
	uint64_t programs = argc > 1 ? strtoull(argv[1], NULL, 10) : PROGRAMS_USUAL;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	unsigned reports = 0;

	for (uint64_t n = 0; n < programs && reports < REPORTS_MAX; n++, seed++) {
		unsigned form = (unsigned)(seed % FORMS);
		const char *what;

		gen_make(&gen, seed * SEED_STEP, form & 1 ? 64 : 32, form & 2);
		what = wrong();
		if (what) {
			report(what, seed);
			reports++;
			continue;
		}
		ends[outcome.reference.end]++;
		steps += outcome.reference.steps;
		for (unsigned op = 0; op < 256; op++)
			executed[op] += outcome.reference.executed[op];
		memset(outcome.reference.executed, 0, sizeof outcome.reference.executed);
	}
	printf("%" PRIu64 " programs; the last runs ended: %" PRIu64 " exit, %" PRIu64
	       " exception, %" PRIu64 " budget, %" PRIu64 " abort, %" PRIu64
	       " steps; %u differences\n",
	       programs, ends[RPN_END_EXIT], ends[RPN_END_EXCEPTION], ends[RPN_END_BUDGET],
	       ends[RPN_END_ABORT], steps, reports);
	return reports == 0 && covered(programs) ? 0 : 1;
}
