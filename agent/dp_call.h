/* SPDX-License-Identifier: BSD-2-Clause */
/* A request taken apart, and of what its answer is made: one form for each row of commands.def, as
 * PROTOCOL.md section 5 lists the answers.  For command.c alone. */
#ifndef DP_CALL_H
#define DP_CALL_H

#include "dp_core.h"
#include "dp_form.h"

enum {
	AGENT_VERSION = 0x0001,
	VAR_BYTES_MAX = 52,
	/* excpt_log is not looked at without these */
	TRACE_MAX_TOLD = DP_WITH_TRACES || DP_WITH_RULES ? DP_TRACE_MAX : 0xffff,
};

/* Structs that answers are made of: dp_form.h */
enum base {
	AGENT,
	RING,
	CALL,
	PROGRAM,
	MODULE,
	PROBE,
	SITE,
	POINT,
	BASES
};

/* A request taken apart, and its answer: what its form says, then the tail. */
struct call {
	uint32_t argument[4]; /* numbers, in the order of the request */
	uint8_t com;
	union { /* numbers of the answer that stand nowhere else */
		struct dp_commit commit;
		struct {
			uint64_t ticks;
			uint32_t hz;
			uint8_t coms, rights;
		} hello;
		struct {
			uint32_t arena_free;
			unsigned slots, slots_free;
			uint16_t stack_used;
			uint8_t probes_free;
		} limits;
		struct {
			uint8_t type, identity, id_bytes, name_bytes;
		} module;
		struct {
			uint8_t state, name_bytes;
		} program;
		struct {
			uint32_t crc;
			uint16_t sites;
		} text;
		uint16_t vars;
		uint8_t own_text, removed, probe;
	} n;
	union {
		const void *base[BASES];
		struct {
			const struct dp_agent *agent;
			const struct dp_ring *ring;
			const struct call *call;
			const struct dp_program *program; /* with NAMES_PROGRAM */
			const struct dp_module *module;
			const struct dp_probe *probe;
			const struct dp_site *site;
			const uint8_t *point;
		};
	};
	const uint8_t *rest; /* the bytes behind the numbers */
	unsigned rest_bytes;
	const uint8_t *tail;
	unsigned tail_bytes;
	union { /* the large last: the others are in reach of short instructions */
		struct {
			struct dp_site site; /* as the object has it */
			struct dp_probe probe;
		} absent;
		uint8_t words[VAR_BYTES_MAX];
	};
};

/* --- what answers are made of --- */

#define OF_AGENT(bytes, member)   DP_FORM_U##bytes(struct dp_agent, member)
#define OF_RING(bytes, member)    DP_FORM_U##bytes(struct dp_ring, member)
#define OF_CALL(bytes, member)    DP_FORM_U##bytes(struct call, member)
#define OF_PROGRAM(bytes, member) DP_FORM_U##bytes(struct dp_program, member)
#define OF_PROBE(bytes, member)   DP_FORM_U##bytes(struct dp_probe, member)
#define OF_SITE(bytes, member)    DP_FORM_U##bytes(struct dp_site, member)

#define FIELDS_VERSION DP_FORM_AS_IS(1), DP_PROTOCOL_VERSION
#define FORM_VERSION   FIELDS_VERSION, DP_FORM_END
#define FORM_HELLO                                                                                 \
	FIELDS_VERSION, DP_FORM_IN(AGENT), OF_AGENT(16, boot), DP_FORM_AS_IS(5), DP_PORT_CPU,      \
		sizeof(dp_word), DP_PORT_BIG_ENDIAN ? DP_ORDER_BIG : DP_ORDER_LITTLE,              \
		DP_PORT_GROUPS &DP_BUILD_GROUPS, DP_AGENT_PHASES, DP_FORM_IN(CALL),                \
		OF_CALL(8, n.hello.coms), DP_FORM_AS_IS(2), DP_RX_LINES, DP_PROFILE,               \
		OF_CALL(8, n.hello.rights), OF_CALL(32, n.hello.hz), OF_CALL(64, n.hello.ticks),   \
		DP_FORM_IN(AGENT), OF_AGENT(8, programs), OF_AGENT(8, module_count),               \
		DP_FORM_AS_IS(10), DP_FORM_CONST_2(AGENT_VERSION), DP_FORM_CONST_4(DP_PARTS),      \
		DP_FORM_CONST_2(DP_LOG_MAX), DP_FORM_CONST_2(TRACE_MAX_TOLD), DP_FORM_END
#define FORM_LIMITS                                                                                \
	DP_IF(DP_WITH_LIMITS, DP_FORM_AS_IS(20), DP_FORM_CONST_2(DP_LOG_MAX),                      \
	      DP_FORM_CONST_2(DP_TRACE_MAX), DP_FORM_CONST_2(RPN_VARS_MAX),                        \
	      DP_FORM_CONST_2(DP_WITH_GLOBALS ? DP_GVARS : 0), DP_FORM_CONST_2(0xffff),            \
	      DP_FORM_CONST_2(DP_STACK_WORDS), DP_FORM_CONST_4(DP_STEP_BUDGET),                    \
	      DP_FORM_CONST_4(DP_ARENA_BYTES), DP_FORM_IN(CALL), OF_CALL(32, n.limits.arena_free), \
	      DP_FORM_AS_IS(1), DP_MAX_PROBES, OF_CALL(8, n.limits.probes_free), DP_FORM_AS_IS(1), \
	      DP_MAX_PROGRAMS, OF_CALL(8, n.limits.slots), OF_CALL(8, n.limits.slots_free),        \
	      DP_FORM_AS_IS(8), DP_FORM_CONST_4(DP_RING_BYTES),                                    \
	      DP_FORM_CONST_4(sizeof(struct dp_agent)), OF_CALL(16, n.limits.stack_used), )        \
	DP_FORM_END
#define FORM_IDENTITY                                                                              \
	DP_FORM_IN(CALL), OF_CALL(8, n.module.type), OF_CALL(8, n.module.identity),                \
		DP_FORM_IN(MODULE), DP_FORM_ADDRESS(struct dp_module, base),                       \
		DP_FORM_ADDRESS(struct dp_module, bytes), DP_FORM_IN(CALL),                        \
		OF_CALL(8, n.module.id_bytes), DP_FORM_END
#define FORM_MODULE DP_FORM_IN(CALL), OF_CALL(8, n.module.name_bytes), DP_FORM_END
#define FORM_STATUS                                                                                \
	DP_FORM_IN(AGENT), OF_AGENT(8, programs), OF_AGENT(8, probes),                             \
		OF_AGENT(8, transmit.target), OF_AGENT(8, transmit.mode), DP_FORM_IN(RING),        \
		OF_RING(32, sent), OF_RING(32, dropped), OF_RING(32, missed),                      \
		OF_RING(32, withdrawn), DP_FORM_IN(AGENT), OF_AGENT(32, strays), DP_FORM_IN(CALL), \
		OF_CALL(8, com), OF_CALL(8, n.own_text), DP_FORM_END
#define FORM_BEGIN DP_FORM_IN(AGENT), OF_AGENT(16, upload.transaction), DP_FORM_END
#define FORM_DATA                                                                                  \
	DP_FORM_IN(CALL), OF_CALL(16, argument[0]), DP_FORM_IN(AGENT), OF_AGENT(32, upload.have),  \
		DP_FORM_END
#define FIELDS_VERDICT                                                                             \
	DP_FORM_IN(CALL), OF_CALL(8, n.commit.verdict.refusal),                                    \
		OF_CALL(16, n.commit.verdict.probe), OF_CALL(32, n.commit.verdict.where),          \
		OF_CALL(32, n.commit.verdict.found)
#define FORM_CHECK FIELDS_VERDICT, DP_FORM_END
#define FORM_COMMIT                                                                                \
	FIELDS_VERDICT, OF_CALL(8, n.commit.program), OF_CALL(8, n.commit.armed),                  \
		OF_CALL(8, n.commit.waiting), DP_FORM_END
#define FORM_REMOVE DP_FORM_IN(CALL), OF_CALL(8, n.removed), DP_FORM_END
#define FORM_PROGRAM                                                                               \
	DP_FORM_IN(CALL), OF_CALL(8, argument[0]), DP_FORM_IN(PROGRAM), OF_PROGRAM(32, view.id),   \
		OF_PROGRAM(16, view.major), OF_PROGRAM(8, items), OF_PROGRAM(8, probes),           \
		DP_FORM_IN(CALL), OF_CALL(8, n.program.state), DP_FORM_IN(PROGRAM),                \
		OF_PROGRAM(32, crc), OF_PROGRAM(32, bytes), OF_PROGRAM(16, view.vars),             \
		DP_FORM_IN(CALL), OF_CALL(8, n.program.name_bytes), DP_FORM_END
#define FORM_PROBE                                                                                 \
	DP_FORM_IN(CALL), OF_CALL(8, n.probe), DP_FORM_IN(PROBE), OF_PROBE(8, state),              \
		DP_FORM_IN(POINT), DP_FORM_BYTES_2(DP_PT_MINOR), DP_FORM_BYTE(DP_PT_ISA),          \
		DP_FORM_IN(SITE), DP_FORM_ADDRESS(struct dp_site, address), OF_SITE(32, original), \
		OF_SITE(8, insn_bytes), DP_FORM_IN(PROBE), OF_PROBE(32, hits),                     \
		OF_PROBE(32, missed), OF_PROBE(32, ignored), OF_PROBE(32, faulted),                \
		OF_PROBE(32, dropped), DP_FORM_IN(CALL), OF_CALL(8, argument[1]),                  \
		DP_FORM_IN(PROBE), OF_PROBE(16, overruns_total), DP_FORM_IN(POINT),                \
		DP_FORM_BYTE(DP_PT_KIND), DP_FORM_BYTE(DP_PT_PHASE), DP_FORM_BYTE(DP_PT_FLAGS),    \
		DP_FORM_BYTES_4(DP_PT_MAXHITS), DP_FORM_END
#define FORM_NAME DP_FORM_END
#define FORM_VARS DP_IF(DP_WITH_VARS, DP_FORM_IN(CALL), OF_CALL(16, n.vars), ) DP_FORM_END
#define FORM_LOG                                                                                   \
	DP_IF(DP_WITH_LOG, DP_FORM_IN(AGENT), OF_AGENT(8, transmit.target),                        \
	      OF_AGENT(8, transmit.mode), )                                                        \
	DP_FORM_END
#define FORM_TEXT                                                                                  \
	DP_IF(DP_WITH_TEXT, DP_FORM_IN(CALL), OF_CALL(32, n.text.crc),                             \
	      OF_CALL(16, n.text.sites), )                                                         \
	DP_FORM_END

/* One behind the other, so that a command has its own as a number. */
#define FORM(name)                                           uint8_t name[sizeof((const uint8_t[]){FORM_##name})];
#define CMD(number, name, text, from_hit, arguments, answer) FORM(name)
struct forms {
#include "commands.def"
	FORM(VERSION) FORM(IDENTITY)
};
#undef FORM
#define FORM(name)                                           {FORM_##name},
#define CMD(number, name, text, from_hit, arguments, answer) FORM(name)
static const struct forms forms = {
#include "commands.def"
	FORM(VERSION) FORM(IDENTITY)};

#endif
