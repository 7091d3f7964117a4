/* SPDX-License-Identifier: BSD-2-Clause */
/* A session with the agent of one target: PROTOCOL.md sections 3 and 5 from the host's side.
 *
 * Every function that can fail returns false then, and dp_session_failure tells what was found and
 * what would do. A session whose line is dead, or whose target was restarted, fails ever after:
 * nothing is taken for granted that may be gone. Time-outs are here, never in the agent. */
#ifndef DP_SESSION_H
#define DP_SESSION_H

#include "dp_errors.h"
#include "dp_frame.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dp_session;

enum dp_failure_kind {
	DP_FAILED_NOT,
	DP_FAILED_LINK,        /* no line, nobody answers, the target was restarted */
	DP_FAILED_AGENT,       /* the agent said no */
	DP_FAILED_VERIFIER,    /* the agent's verifier said no */
	DP_FAILED_INTERRUPTED, /* *interrupt became true */
};

struct dp_failure {
	enum dp_failure_kind kind;
	enum dp_err error; /* with AGENT and VERIFIER */
	char text[640];
};

struct dp_record_counts; /* dprobes_records.h */

/* What happens beside requests. Called from any session function that receives. */
struct dp_listener {
	void *context;
	void (*console)(void *context, const uint8_t *bytes, size_t count); /* not frames */
	/* A checked stream line (R P Y N). text: as received, without newline. */
	void (*stream)(void *context, const struct dp_frame_in *frame, const char *text,
		       size_t count);
	void (*progress)(void *context, uint32_t done, uint32_t total); /* of an upload */
	/* What the lines up to here were meant to bring, from an agent without sync lines (part
	 * TIMES): dp_session_listen then asks it each second. May be null. */
	void (*counts)(void *context, const struct dp_record_counts *counts);
};

struct dp_session_options {
	const char *url;
	unsigned baud;                          /* 0: 115200 */
	uint8_t rights;                         /* asked for: 1 write */
	const volatile sig_atomic_t *interrupt; /* null: none */
	bool mute;                              /* say nothing to the agent: only listen and type */
	struct dp_listener listener;
};

/* What HELLO said. */
struct dp_hello {
	uint8_t version, cpu, word_bytes, big_endian, groups, phases, coms, window, profile, rights;
	uint8_t programs, modules;
	uint16_t boot, agent_version;
	uint32_t hz;
	uint64_t ticks;
	uint32_t parts; /* bit n: part n of parts.def is in the agent */
	uint16_t log_max,
		trace_max; /* the most of logmax and excpt_log (65535: any); 0: it does not say */
};

/* Open the line and say hello; ends whatever session the agent had. Null on failure. */
struct dp_session *dp_session_open(const struct dp_session_options *options,
				   struct dp_failure *failure);
void dp_session_close(struct dp_session *session);

const struct dp_hello *dp_session_target(const struct dp_session *session);
const struct dp_failure *dp_session_failure(const struct dp_session *session);

/* Receive for at most timeout_ms; the listener hears it. Asks the target for a sign of life when
 * there was none for a while. */
bool dp_session_listen(struct dp_session *session, int timeout_ms);

/* Bytes for the firmware, not for the agent. */
bool dp_session_type(struct dp_session *session, const void *bytes, size_t count);

/* Milliseconds of a clock that only goes forward. */
uint64_t dp_clock_ms(void);

/* --- what is there --- */

struct dp_target_limits {
	uint16_t log, trace, vars, gvars, jmpmax, stack, stack_high_water;
	uint32_t budget, arena, arena_free, ring, agent_bytes;
	uint8_t probes, probes_free, programs, slots, slots_free;
};
struct dp_target_module {
	uint8_t type, identity, id_bytes;
	uint64_t base, bytes;
	uint8_t id[32];
	char name[64];
};
struct dp_target_status {
	uint8_t programs, probes, log_target, log_mode;
	uint8_t line;  /* of the agent, that this session is on; DP_LOG_LEAVE: it does not say */
	bool own_text; /* the firmware lets code be probed that every hit runs: nothing goes in */
	uint32_t sent, dropped, missed, withdrawn, strays;
};
struct dp_target_program {
	uint8_t index, items, probes, state;
	uint16_t major, vars;
	uint32_t id, crc, bytes;
	char name[64];
};
struct dp_target_probe {
	uint8_t number, state, isa, insn_bytes, point, kind, phase, flags;
	uint16_t minor, overruns;
	uint64_t address;
	uint32_t original, maxhits;
	uint32_t hits, missed, ignored, faulted, dropped;
};
enum {
	DP_NO_NUMBER = 0xff
}; /* of a probe point that was not selected */

bool dp_session_limits(struct dp_session *session, struct dp_target_limits *limits);
bool dp_session_module(struct dp_session *session, uint8_t index, struct dp_target_module *module);
bool dp_session_status(struct dp_session *session, struct dp_target_status *status);
/* used: false when there is no program of this index (0 .. limits.programs - 1). */
bool dp_session_program(struct dp_session *session, uint8_t index,
			struct dp_target_program *program, bool *used);
bool dp_session_probe(struct dp_session *session, uint8_t program, uint8_t index,
		      struct dp_target_probe *probe);

/* A walk over what is installed. Return false from a callback to end it. */
struct dp_walk {
	void *context;
	bool (*program)(void *context, const struct dp_target_program *program);
	bool (*probe)(void *context, const struct dp_target_program *program,
		      const struct dp_target_probe *probe);
};
/* False when a request failed. */
bool dp_session_walk(struct dp_session *session, const struct dp_walk *walk);

/* Tell records what every probe number of the target means. Before it, and after each insertion:
 * records of numbers that nobody told have no name. */
struct dp_records;
bool dp_session_learn(struct dp_session *session, struct dp_records *records);

/* Does the agent have the part? False: it failed with a sentence that names it, which the agent's
 * own refusal of a request does not. */
bool dp_session_has_part(struct dp_session *session, enum dp_part part);

enum {
	DP_VARS_GLOBAL = 0xff
};
/* Variables from `first` on, at most `room`; *count are returned, *there exist. */
bool dp_session_vars(struct dp_session *session, uint8_t program, uint16_t first, bool reset,
		     uint64_t *words, size_t room, size_t *count, size_t *there);

/* CRC-32 of target memory; original: with the traps taken out. sites may be null. */
bool dp_session_text(struct dp_session *session, uint64_t address, uint32_t bytes, bool original,
		     uint32_t *crc, uint32_t *sites);

/* --- changes --- */

/* Send the travelling part of an object. Answers with the transaction. */
bool dp_session_upload(struct dp_session *session, const uint8_t *object, uint32_t bytes,
		       uint16_t *transaction);

enum {
	DP_INSERT_ANY_OPCODE = 0x01,
	DP_INSERT_MERGE = 0x02,
	DP_INSERT_REPLACE = 0x04,
	DP_INSERT_NO_IDENTITY = 0x08,
};
struct dp_choice {
	uint8_t options;          /* DP_INSERT_* */
	uint8_t items;            /* enum dp_item */
	const uint8_t *selection; /* bitmap, msb first; bytes that are missing select */
	size_t selection_bytes;
};
struct dp_inserted {
	struct dp_verdict verdict;
	uint8_t program, armed, waiting;
};
/* Both fill in verdict, and fail with the sentence of its error when it is not OK. */
bool dp_session_check(struct dp_session *session, uint16_t transaction,
		      const struct dp_choice *choice, struct dp_verdict *verdict);
bool dp_session_commit(struct dp_session *session, uint16_t transaction,
		       const struct dp_choice *choice, struct dp_inserted *inserted);

enum {
	DP_REMOVE_ALL = 0xff
};
bool dp_session_remove(struct dp_session *session, uint8_t program, uint8_t *removed);

enum {
	DP_LOG_COM1 = 0,
	DP_LOG_COM2 = 1,
	DP_LOG_NONE = 0xff,
	DP_LOG_LEAVE = 0xfe, /* of the mode, too */
	DP_LOG_SYNCHRONOUS = 0,
	DP_LOG_BUFFERED = 1
};
bool dp_session_log(struct dp_session *session, uint8_t target, uint8_t mode, uint8_t *now_target,
		    uint8_t *now_mode);

#endif
