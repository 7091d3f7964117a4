/* SPDX-License-Identifier: BSD-2-Clause */
/* From an object to a verdict: verifier, reference, agent, comparison. */
#include <string.h>

#include "dp_bytes.h"
#include "dp_config.h"
#include "dp_verify.h"
#include "random.h"
#include "subject.h"

static bool verified(const struct subject_case *input, struct subject_outcome *outcome,
		     struct dp_layout *layout)
{
	static uint8_t scratch[(RPN_CODE_MAX + 7) / 8];
	struct dp_verdict verdict = {0};
	struct dp_target target = {
		.cpu = DP_CPU_SIM,
		.isas = 1u << DP_ISA_MAIN,
		.port_groups = RPN_GROUP_ALL,
		.build_groups = RPN_GROUP_ALL,
		.may_write = true,
		.log_max = DP_LOG_MAX,
		.trace_max = DP_TRACE_MAX,
		.vars_max = RPN_VARS_MAX,
		.gvars_max = RPN_VARS_MAX,
		.jmpmax_max = 65535,
		.probes_max = DP_MAX_PROBES,
		.regs = input->world->reg,
		.reg_count = (uint16_t)input->world->regs,
	};

	/* All four forms are welcome: the object says which. */
	if (input->bytes > DP_OBJ_ORDER) {
		target.word_bytes = input->object[DP_OBJ_WORD] == 8 ? 8 : 4;
		target.order = input->object[DP_OBJ_ORDER] != 0;
	}
	outcome->refused = dp_verify_object(input->object, input->bytes, &target, scratch,
					    sizeof scratch, layout, &verdict);
	outcome->where = verdict.where;
	return outcome->refused == DP_ERR_OK;
}

/* The first probe point of the object. */
static void parse(const uint8_t *object, const struct dp_layout *layout,
		  struct subject_outcome *outcome)
{
	const uint8_t *probe = object + layout->probes;
	const uint8_t *traits = object + layout->traits + DP_TRAITS_BYTES * probe[DP_PT_TRAITS];
	const uint8_t *module = object + layout->modules + DP_MODULE_BYTES * traits[DP_TR_MODULE];
	struct ref_program *program = &outcome->program;

	*program = (struct ref_program){
		.code = object + layout->code,
		.code_bytes = layout->code_bytes,
		.word_bits = object[DP_OBJ_WORD] * 8u,
		.big_endian = object[DP_OBJ_ORDER] == DP_ORDER_BIG,
		.budget = DP_STEP_BUDGET,
		.vars = dp_get_u16(object + DP_OBJ_VARS),
		.gvars = dp_get_u16(object + DP_OBJ_GVARS),
		.jmpmax = dp_get_u16(object + DP_OBJ_JMPMAX),
		.logmax = dp_get_u16(object + DP_OBJ_LOGMAX),
		.excpt_log = dp_get_u16(object + DP_OBJ_EXCPT_LOG),
		.excpt_mask = dp_get_u16(traits + DP_TR_EXCPT_MASK),
		.major = dp_get_u16(object + DP_OBJ_MAJOR),
		.minor = dp_get_u16(probe + DP_PT_MINOR),
		.id = dp_get_u32(object + DP_OBJ_ID),
		.offset = (uint64_t)dp_get_u32(traits + DP_TR_HIGH) << 32 |
			  dp_get_u32(probe + DP_PT_ADDRESS),
		.name_bytes = module[DP_MOD_NAME_BYTES],
		.autostacktrace = object[DP_OBJ_FLAGS] & DP_PROGRAM_AUTOSTACKTRACE,
	};
	if (program->name_bytes > REF_NAME_BYTES)
		program->name_bytes = REF_NAME_BYTES;
	memcpy(program->name, object + layout->strings + dp_get_u16(module + DP_MOD_NAME),
	       program->name_bytes);
	outcome->entry = dp_get_u32(probe + DP_PT_ENTRY);
}

static void start(struct ref_machine *m, struct subject_outcome *outcome, struct ref_world *world,
		  const struct subject_case *input)
{
	struct random random = {input->stack_seed};

	m->program = &outcome->program;
	*world = *input->world;
	m->world = world;
	for (unsigned i = 0; i < REF_STACK_WORDS; i++)
		m->stack[i] = ref_cut(&outcome->program, random_bits(&random));
	memset(m->lv, 0, sizeof m->lv);
	memset(m->gv, 0, sizeof m->gv);
}

static bool same_buffer(const struct ref_buffer *reference, const struct ref_buffer *agent)
{
	if (reference->used != agent->used)
		return false;
	for (unsigned i = 0; i < reference->used; i++)
		if (reference->data[i] != agent->data[i] && !reference->unsure[i])
			return false;
	return true;
}

static bool same_memory(const struct ref_world *a, const struct ref_world *b)
{
	for (unsigned i = 0; i < a->ranges; i++)
		if (memcmp(a->range[i].data, b->range[i].data, a->range[i].bytes) != 0)
			return false;
	return true;
}

/* Both name one instruction as the place of the exception that ended the run. */
static bool same_place(const struct ref_machine *a, const struct ref_machine *b)
{
	return a->end != RPN_END_EXCEPTION || (b->behind > a->at && b->behind <= a->behind);
}

static const char *difference(const struct subject_outcome *outcome)
{
	const struct ref_machine *a = &outcome->reference, *b = &outcome->agent;
	const struct ref_world *w = &outcome->reference_world, *v = &outcome->agent_world;

	if (a->end != b->end)
		return "end";
	if (a->steps != b->steps)
		return "steps";
	if (a->exit_number != b->exit_number || a->removed != b->removed ||
	    a->stopped != b->stopped)
		return "kind of exit";
	if (a->frozen != b->frozen || a->freeze != b->freeze)
		return "freeze";
	if (a->returns != b->returns ||
	    (a->returns && (a->words != b->words ||
			    memcmp(a->word, b->word, a->words * sizeof(a->word[0])) != 0)))
		return "return";
	if (a->codes_set != b->codes_set || a->major != b->major || a->minor != b->minor)
		return "codes";
	if (memcmp(a->reported, b->reported, sizeof a->reported) != 0)
		return "last exception";
	if (!same_place(a, b))
		return "place of the exception";
	if (a->end != RPN_END_ABORT && !same_buffer(&a->log, &b->log))
		return "log";
	if (a->end != RPN_END_ABORT && !same_buffer(&a->trace, &b->trace))
		return "trace";
	if (a->end != RPN_END_ABORT && a->trace.used > 0 && a->truncated != b->truncated)
		return "truncated flag";
	/* What the charge cut short may have popped its operands: nobody can see it (C03). */
	if (a->end != RPN_END_BUDGET && memcmp(a->stack, b->stack, sizeof a->stack) != 0)
		return "stack";
	if (a->end != RPN_END_BUDGET && a->tsp != b->tsp % REF_STACK_WORDS)
		return "tsp";
	if (a->sbp != b->sbp)
		return "sbp";
	if (memcmp(a->lv, b->lv, sizeof a->lv) != 0)
		return "local variables";
	if (memcmp(a->gv, b->gv, sizeof a->gv) != 0)
		return "global variables";
	if (!same_memory(w, v))
		return "memory";
	if (memcmp(w->value, v->value, sizeof w->value) != 0)
		return "registers";
	if (memcmp(w->port, v->port, sizeof w->port) != 0)
		return "ports";
	return NULL;
}

const char *subject_compare(const struct subject_case *input, struct subject_outcome *outcome)
{
	static subject_run *const runs[2][2] = {{subject_run_32le, subject_run_32be},
						{subject_run_64le, subject_run_64be}};
	const char *differs = NULL;
	struct dp_layout layout;
	subject_run *run;

	if (!verified(input, outcome, &layout))
		return NULL;
	parse(input->object, &layout, outcome);
	run = runs[outcome->program.word_bits == 64][outcome->program.big_endian];
	start(&outcome->reference, outcome, &outcome->reference_world, input);
	start(&outcome->agent, outcome, &outcome->agent_world, input);
	for (outcome->hit = 1; !differs; outcome->hit++) {
		ref_run(&outcome->reference, outcome->entry);
		run(&outcome->agent, outcome->entry);
		differs = difference(outcome);
		if (outcome->hit == input->hits)
			break;
		memcpy(outcome->agent.stack, outcome->reference.stack, sizeof outcome->agent.stack);
	}
	return differs;
}
