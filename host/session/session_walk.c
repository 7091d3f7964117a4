/* SPDX-License-Identifier: BSD-2-Clause */
/* The walk asks for all programs and probes of a target at once and visits them in order. */
#include "pipeline.h"

#include <dprobes/records.h>

#include <stdlib.h>
#include <string.h>

enum {
	PROGRAMS_MAX = 0xff, /* indices 00 to fe */
	ROW_BYTES = 48,      /* of a row of PROBES, PROTOCOL.md 5.9 */
	ROW_MASK = ROW_BYTES / 8,
	ROW_NUMBER = 0, /* places of these fields */
	ROW_POINT = 38,
	ROWS_ASKED = 3, /* of an answer: as many as nearly always fit */
};

struct installed {
	struct dp_program_answer program;
	struct dp_probe_answer *probes;
	unsigned asked;       /* probes */
	uint8_t behind[0x20]; /* bit n: probe n did not fit the answer that was to hold it */
};

struct collection {
	struct dp_session *session;
	bool probes; /* are wanted, too */
	bool rows;   /* the agent has PROBES */
	unsigned next, end;
	unsigned missing; /* programs that STATUS reports and that the walk has not found yet */
	struct installed *installed[PROGRAMS_MAX];
};

enum {
	TAG_PROGRAM = 1 << 16, /* else: program << 8 | probe */
};

static void ask_one(struct dph_request *request, unsigned program, unsigned probe)
{
	const struct dp_probe_request one = {(uint8_t)program, (uint8_t)probe};

	dph_request_set(request, DP_CMD_PROBE, DPH_OF_CONST(probe_request, &one));
	request->tag = program << 8 | probe;
}

/* Ask for the next probes of the program, then for those that did not fit. */
static bool next_probe(struct collection *c, unsigned program, struct dph_request *request)
{
	struct installed *found = c->installed[program];
	const struct dp_probes_request rows = {(uint8_t)program, (uint8_t)found->asked, ROWS_ASKED};

	if (found->asked < found->program.probes && !c->rows) {
		ask_one(request, program, found->asked++);
		return true;
	}
	if (found->asked < found->program.probes) {
		dph_request_set(request, DP_CMD_PROBES, DPH_OF_CONST(probes_request, &rows));
		request->tag = program << 8 | found->asked;
		found->asked += ROWS_ASKED;
		return true;
	}
	for (unsigned probe = 0; probe < found->program.probes; probe++) {
		if (!(found->behind[probe / 8] >> probe % 8 & 1))
			continue;
		found->behind[probe / 8] &= (uint8_t) ~(1u << probe % 8);
		ask_one(request, program, probe);
		return true;
	}
	return false;
}

/* Probes first: a program that is found may be the last. */
static bool next_request(void *context, struct dph_request *request)
{
	struct collection *c = context;
	struct dp_program_request program;

	for (unsigned i = 0; c->probes && i < c->next; i++)
		if (c->installed[i] != NULL && next_probe(c, i, request))
			return true;
	if (c->missing == 0 || c->next >= c->end)
		return false;
	program.program = (uint8_t)c->next;
	dph_request_set(request, DP_CMD_PROGRAM, DPH_OF_CONST(program_request, &program));
	request->tag = TAG_PROGRAM | c->next++;
	return true;
}

static bool fail_memory(struct dp_session *session)
{
	return dph_session_fail(session, DP_FAILED_AGENT,
				"out of memory for the programs of the target");
}

static bool take_program(struct collection *c, unsigned index, const struct dph_reply *reply)
{
	struct installed *found;

	if (reply->error == DP_ERR_NO_PROGRAM)
		return true;
	if (reply->error != DP_ERR_OK)
		return dph_session_fail_error(c->session, DP_CMD_PROGRAM, reply->error);
	found = c->installed[index] = calloc(1, sizeof *found);
	if (found == NULL)
		return fail_memory(c->session);
	if (!dph_answer(c->session, reply, DPH_OF(program_answer, &found->program)))
		return false;
	found->program.index = (uint8_t)index;
	found->probes = calloc(found->program.probes + 1u, sizeof *found->probes);
	c->missing -= c->missing > 0;
	return found->probes != NULL || fail_memory(c->session);
}

/* Read the next bytes of the rows over those of `to` whose bits are set in the mask, the most
 * significant bit first. Returns false when the rows end before. */
static bool read_masked(const struct dp_rest *rows, size_t *at, const uint8_t *mask, uint8_t *to,
			unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (!(mask[i / 8] >> (7 - i % 8) & 1))
			continue;
		if (*at == rows->count)
			return false;
		to[i] = rows->bytes[(*at)++];
	}
	return true;
}

/* Read the row of the point at rows[*at] on top of the row before. Returns false when there is
 * none. */
static bool read_row(const struct dp_rest *rows, size_t *at, unsigned point, uint8_t *row)
{
	uint8_t mask[ROW_MASK] = {0};
	const uint8_t *first = rows->bytes + *at;

	if (*at == rows->count)
		return false;
	++*at;
	row[ROW_NUMBER]++;
	row[ROW_POINT] = (uint8_t)point;
	return read_masked(rows, at, first, mask, ROW_MASK) &&
	       read_masked(rows, at, mask, row, ROW_BYTES);
}

static bool take_rows(struct collection *c, struct installed *found, unsigned first,
		      const struct dph_reply *reply)
{
	struct dp_probes_answer answer;
	struct dph_reply row = {.payload = {0}, .bytes = ROW_BYTES};
	unsigned probe = first;
	size_t at = 0;

	if (!dph_answer(c->session, reply, DPH_OF(probes_answer, &answer)))
		return false;
	for (; probe < first + ROWS_ASKED && probe < found->program.probes; probe++) {
		if (!read_row(&answer.rows, &at, probe, row.payload))
			break;
		if (!dph_answer(c->session, &row, DPH_OF(probe_answer, &found->probes[probe])))
			return false;
	}
	for (; probe < first + ROWS_ASKED && probe < found->program.probes; probe++)
		found->behind[probe / 8] |= (uint8_t)(1u << probe % 8);
	return true;
}

/* Another client of the service has removed the program since PROGRAM was answered. */
static void drop(struct collection *c, unsigned program)
{
	free(c->installed[program]->probes);
	free(c->installed[program]);
	c->installed[program] = NULL;
}

static bool take_answer(void *context, const struct dph_request *request,
			const struct dph_reply *reply)
{
	struct collection *c = context;
	const unsigned program = request->tag >> 8 & 0xff, probe = request->tag & 0xff;

	if (request->tag & TAG_PROGRAM)
		return take_program(c, probe, reply);
	if (c->installed[program] == NULL)
		return true;
	if (reply->error == DP_ERR_NO_PROGRAM) {
		drop(c, program);
		return true;
	}
	if (reply->error != DP_ERR_OK)
		return dph_session_fail_error(c->session, request->command, reply->error);
	if (request->command == DP_CMD_PROBES)
		return take_rows(c, c->installed[program], probe, reply);
	return dph_answer(c->session, reply,
			  DPH_OF(probe_answer, &c->installed[program]->probes[probe]));
}

static bool collect(struct collection *c)
{
	const struct dph_asker asker = {.context = c, .next = next_request, .answer = take_answer};

	if (!dph_ask(c->session, &asker))
		return false;
	for (unsigned i = 0; i < PROGRAMS_MAX; i++) {
		if (c->installed[i] == NULL ||
		    dph_session_program_name(c->session, &c->installed[i]->program))
			continue;
		if (dp_session_failure(c->session)->error != DP_ERR_NO_PROGRAM)
			return false;
		drop(c, i);
		dph_session_begin(c->session);
	}
	return true;
}

/* Returns false when a callback ends the walk. */
static bool visit_program(const struct installed *found, const struct dp_walk *walk)
{
	if (walk->program != NULL && !walk->program(walk->context, &found->program))
		return false;
	for (unsigned p = 0; walk->probe != NULL && p < found->program.probes; p++)
		if (!walk->probe(walk->context, &found->program, &found->probes[p]))
			return false;
	return true;
}

static void visit(struct collection *c, const struct dp_walk *walk)
{
	for (unsigned i = 0; i < PROGRAMS_MAX; i++)
		if (c->installed[i] != NULL && !visit_program(c->installed[i], walk))
			return;
}

static bool walk_range(struct dp_session *session, const struct dp_walk *walk, unsigned first,
		       unsigned end, unsigned programs)
{
	struct collection *c = calloc(1, sizeof *c);
	bool good;

	if (c == NULL)
		return fail_memory(session);
	c->session = session;
	c->probes = walk->probe != NULL;
	c->rows = dp_hello_parts(dp_session_target(session)) >> DP_PART_PROBES & 1;
	c->next = first;
	c->end = end < PROGRAMS_MAX ? end : PROGRAMS_MAX;
	c->missing = programs;
	good = collect(c);
	if (good)
		visit(c, walk);
	for (unsigned i = 0; i < PROGRAMS_MAX; i++) {
		if (c->installed[i] != NULL)
			free(c->installed[i]->probes);
		free(c->installed[i]);
	}
	free(c);
	return good;
}

bool dp_session_walk(struct dp_session *session, const struct dp_walk *walk)
{
	struct dp_status_answer status;

	return dp_session_status(session, &status) &&
	       walk_range(session, walk, 0, PROGRAMS_MAX, status.programs);
}

bool dp_session_walk_one(struct dp_session *session, uint8_t program, const struct dp_walk *walk)
{
	return walk_range(session, walk, program, program + 1u, 1);
}

static bool learn_probe(void *context, const struct dp_program_answer *program,
			const struct dp_probe_answer *probe)
{
	struct dp_probe_meaning meaning = {
		.items = program->items,
		.program = program->index,
		.point = probe->point,
		.major = program->major,
		.minor = probe->minor,
		.address = probe->address,
	};

	memcpy(meaning.name, program->name, sizeof meaning.name);
	if (probe->number != DP_NO_NUMBER)
		dp_records_tell(context, probe->number, &meaning);
	return true;
}

bool dp_session_learn(struct dp_session *session, struct dp_records *records)
{
	const struct dp_walk walk = {.context = records, .probe = learn_probe};

	return dp_session_walk(session, &walk);
}
