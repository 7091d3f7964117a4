/* SPDX-License-Identifier: BSD-2-Clause */
#include "dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const end_names[] = {"exit", "exception", "budget", "abort"};

static void dump_code(const struct ref_program *program)
{
	for (unsigned at = 0; at < program->code_bytes;) {
		const struct ref_op *op = ref_op(program->code[at]);
		unsigned bytes;

		if (!op)
			return;
		bytes = rpn_operand_bytes(op->operand, ref_word_bytes(program));
		if (op->marker)
			printf("%5u: [%s %u]\n", at,
			       program->code[at] == RPN_HANDLER ? "handler"
			       : program->code[at] == RPN_PROC  ? "proc"
								: "block",
			       program->code[at + 1]);
		else if (bytes > 0)
			printf("%5u:     %s, 0x%" PRIx64 "\n", at, op->text,
			       ref_operand(program, at));
		else
			printf("%5u:     %s\n", at, op->text);
		at += 1 + bytes;
	}
}

static void dump_bytes(const char *title, const uint8_t *data, unsigned bytes)
{
	printf("  %s (%u):", title, bytes);
	for (unsigned i = 0; i < bytes; i++)
		printf("%s%02x", i % 4 == 0 ? " " : "", data[i]);
	printf("\n");
}

static void dump_world(const struct ref_world *world)
{
	for (unsigned i = 0; i < world->ranges; i++) {
		const struct ref_range *range = &world->range[i];

		printf("  memory 0x%" PRIx64 "..0x%" PRIx64 "%s\n", range->address,
		       range->address + (range->bytes - 1), range->writable ? "" : " read-only");
		dump_bytes("  bytes", range->data, range->bytes);
	}
}

static void dump_words(const char *title, const uint64_t *word, unsigned count)
{
	printf("  %s:", title);
	for (unsigned i = 0; i < count; i++)
		printf(" %" PRIx64, word[i]);
	printf("\n");
}

static void dump_machine(const char *title, const struct ref_machine *m)
{
	uint64_t top[12];

	printf("%s: end %s, %u steps, major %u minor %u (%s), exit %u%s, tsp %" PRIu64
	       " sbp %" PRIu64 "%s\n",
	       title, end_names[m->end % 4], m->steps, m->major, m->minor,
	       m->codes_set ? "set" : "not set", m->exit_number,
	       m->removed   ? ", removed"
	       : m->stopped ? ", stopped"
			    : "",
	       m->tsp, m->sbp, m->truncated ? ", trace truncated" : "");
	if (m->returns)
		dump_words("returns", m->word, m->words);
	dump_words("last exception", m->reported, 3);
	for (unsigned i = 0; i < 12; i++)
		top[i] = m->stack[(m->tsp + REF_STACK_WORDS - 4 + i) % REF_STACK_WORDS];
	dump_words("stack, from tsp-4", top, 12);
	dump_bytes("log", m->log.data, m->log.used);
	dump_bytes("trace", m->trace.data, m->trace.used);
	dump_words("lv", m->lv, m->program->vars < 16 ? m->program->vars : 16);
	dump_words("gv", m->gv, m->program->gvars < 16 ? m->program->gvars : 16);
}

void dump_outcome(const struct subject_case *input, const struct subject_outcome *outcome)
{
	const struct ref_program *program = &outcome->program;

	printf("%u bits, %s-endian, vars %u, gvars %u, jmpmax %u, logmax %u, excpt_log %u, "
	       "excpt_mask 0x%04x, major %u, minor %u%s%s, name of %u; entry %u, hit %u\n",
	       program->word_bits, program->big_endian ? "big" : "little", program->vars,
	       program->gvars, program->jmpmax, program->logmax, program->excpt_log,
	       program->excpt_mask, program->major, program->minor,
	       program->autostacktrace ? ", autostacktrace" : "",
	       input->world->has_hooks ? ", hooks" : "", program->name_bytes, outcome->entry,
	       outcome->hit);
	dump_world(input->world);
	dump_code(program);
	dump_machine("reference", &outcome->reference);
	dump_machine("agent", &outcome->agent);
	for (unsigned i = 0, shown = 0; i < REF_STACK_WORDS && shown < 8; i++) {
		if (outcome->reference.stack[i] == outcome->agent.stack[i])
			continue;
		printf("  stack slot %u: reference %" PRIx64 ", agent %" PRIx64 "\n", i,
		       outcome->reference.stack[i], outcome->agent.stack[i]);
		shown++;
	}
}
