/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of a request, and the parts of its answer beside the agent's tables. */
#ifndef DP_EXCHANGE_H
#define DP_EXCHANGE_H

#include "dp_at_work.h"
#include "dp_form.h"
#include "dp_install.h"
#include "dp_state.h"
#include "dp_store.h"

enum {
	DP_VAR_BYTES_MAX = 52,                    /* in the answer to VARS */
	DP_MAP_ANSWER_BYTES = DP_PAYLOAD_MAX - 8, /* in the answer to MAP, behind two numbers */
};

/* Structs that answers are made of, by number. */
enum base {
	DP_IN_AGENT,
	DP_IN_RING,
	DP_IN_EXCHANGE,
	DP_IN_PROGRAM,
	DP_IN_MODULE,
	DP_IN_PROBE,
	DP_IN_SITE,
	DP_IN_POINT,  /* bytes of the program object */
	DP_IN_TRAITS, /* of the point, the same */
	DP_BASES,
	DP_IN_AGENT_BYTES = DP_IN_AGENT /* members in the order of the wire */
};

/* dp_forms.h says which field of an answer is which member. */
struct dp_exchange {
	uint32_t argument[4]; /* numbers of the request, in its order: DP_AT_REQUEST_FIELD */
	uint8_t com;
	bool complete; /* all of them came */
	union {        /* numbers of the answer that stand nowhere else */
		struct dp_commit commit;
		struct {
			/* 4 bytes less before `tail`, which a form must reach */
			uint64_t ticks __attribute__((packed, aligned(4)));
			uint32_t hz;
			uint8_t coms, rights;
		} hello;
		struct {
			uint32_t arena_free;
			unsigned slots, slots_free;
			uint16_t stack_used;
			uint8_t probes_free, nonce_source;
		} limits;
		struct {
			struct dp_span id;
			dp_addr linked;
			uint8_t type, identity, name_bytes;
		} module;
		struct {
			uint8_t state, name_bytes;
		} program;
		struct {
			uint32_t crc;
			uint16_t sites;
		} text;
		struct {
			uint32_t dropped;
			uint16_t next;
		} map;
		struct {
			uint32_t first, next;
			uint16_t count;
		} resend;
		struct {
			struct dp_range row;
			uint8_t rows;
		} ranges;
		struct {
			uint8_t after, code, code_free, data, data_free, compared, lacks;
			uint8_t timers_free, vectors, vector, text_by;
			uint32_t sample_hz;
			dp_addr leads_to;
		} hardware;
		struct {
			uint8_t means, comparator;
			uint16_t paused;
			uint32_t ignored;
			dp_addr first, covers;
		} site;
		struct {
			uint16_t failed;
			uint8_t stored;
		} memory;
		struct {
			dp_addr pc;
			uint8_t why;
		} halt;
		struct {
			dp_addr pc;
			uint16_t left;
			uint8_t refusal;
		} step;
		struct {
			uint16_t failed;
		} regs;
		struct {
			uint16_t covered;
			uint8_t failed;
		} core;
		struct {
			uint32_t size, end;
			uint16_t boot;
			uint8_t state;
		} flight;
#if DP_WITH_HISTORY
		struct {
			uint32_t programs, flying;
			struct dp_embed told;
		} embed;
#endif
		uint32_t records;
		uint16_t vars;
		uint8_t own_text, removed;
		struct {
			uint32_t hits, ignored;
			uint8_t number;
		} probe;
	} n;
	struct dp_span tail; /* bytes that the answer ends with */
	union {
		const void *base[DP_BASES];
		struct {
			const struct dp_agent *agent;
			const struct dp_ring *ring;
			const struct dp_exchange *exchange;
			const struct dp_program *program; /* with NAMES_PROGRAM */
			const struct dp_module *module;
			const struct dp_probe *probe;
			const struct dp_site *site;
			const uint8_t *point, *traits;
		};
	};
	const uint8_t *begin, *rest; /* of the request, and of the bytes behind the numbers */
	unsigned rest_bytes;
	union { /* the large last: the others are in reach of short instructions */
		struct {
			struct dp_site site; /* as the object has it */
			struct dp_probe probe;
		} absent;
		uint8_t words[DP_VAR_BYTES_MAX];
		uint8_t insn[DP_PORT_INSN_BYTES_MAX];
	};
};

/* A number of the request: DP_ARG(ex, vars, first). dp_fields.h has the places. */
#define DP_ARG(ex, request, field) ((ex)->argument[DP_AT_##request##_request_##field])

/* Has the session of the request these rights? returns: DP_ERR_OK, LOCKED or NO_RIGHT; BUSY when a
 * hit has ended the session, or has given it rights by a proof that came behind the request. */
static inline enum dp_err dp_may(const struct dp_agent *agent, unsigned rights)
{
	dp_irq irq = dp_lock_take();
	bool ours = dp_work_is_ours(agent);
	unsigned missing = rights & ~agent->link.rights & 0xff;

	dp_lock_give(irq);
	if (!ours)
		return DP_ERR_BUSY;
	if (!missing)
		return DP_ERR_OK;
	return agent->locked ? DP_ERR_LOCKED : DP_ERR_NO_RIGHT;
}

/* The installed program of that index, or null. */
static inline struct dp_program *dp_program_of(struct dp_agent *agent, unsigned index)
{
	struct dp_program *program = NULL;

	if (index < DP_MAX_PROGRAMS)
		program = &agent->program[index];
	return program && dp_program_there(program) ? program : NULL;
}

/* The answer ends with bytes[from .. there), at most so many. */
static inline void dp_end_with(struct dp_exchange *ex, const void *bytes, unsigned there,
			       unsigned from, unsigned most)
{
	ex->tail.bytes = (const uint8_t *)bytes + from;
	if (from < there)
		ex->tail.count = (uint8_t)(there - from < most ? there - from : most);
}

/* The requests for the board's rows of memory and for comparators and means (the feature CHECKS),
 * for a checksum of the text (TEXT), for entries of a map (D), for the firmware's memory (MEMORY),
 * for a stopped target (HALT), for much memory, the flight recorder and the programs of the image
 * (HISTORY), and for records that the line has lost. */
enum dp_err dp_do_ranges(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_hardware(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_site(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_text(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_map(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_memory(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_store(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_halt(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_regs(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_step(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_resume(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_core(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_flight(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_embed(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_resend(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);

#endif
