/* SPDX-License-Identifier: BSD-2-Clause */
/* A session uses the agent of one target: PROTOCOL.md sections 3 and 5 from the host's side.
 *
 * A function that can fail returns false on failure, and dp_session_failure has the finding and the
 * remedy. After a dead line or a restart of the target every function fails, because the state of
 * the target is unknown. The session handles time-outs; the agent has none.
 *
 * Answers are structs of dp_messages.h: struct dp_hello_answer has the fields of HELLO's answer.
 * messages.def explains each field.
 * Context: a session belongs to one thread at a time. Functions block until the answer arrives. */
#ifndef DP_SESSION_H
#define DP_SESSION_H

#include "dp_errors.h"
#include "dp_frame.h"
#include "dp_messages.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dp_session;

enum dp_failure_kind {
	DP_FAILED_NOT,
	DP_FAILED_LINK,        /* no line, no answer, or the target was restarted */
	DP_FAILED_AGENT,       /* the agent refused the request */
	DP_FAILED_VERIFIER,    /* the agent's verifier refused the object */
	DP_FAILED_INTERRUPTED, /* *interrupt became true */
};

struct dp_failure {
	enum dp_failure_kind kind;
	enum dp_err error; /* with AGENT and VERIFIER */
	char text[640];
	bool no_line; /* with LINK: the line did not open, or its server is busy */
	bool silent;  /* with LINK: the target has answered nothing for some seconds */
};

struct dp_record_counts; /* dprobes/records.h */

/* Receiver of bytes and lines beside answers. Each function that receives calls the callbacks. */
struct dp_listener {
	void *context;
	/* Console bytes, each byte once and in order. After a pause of the target the bytes may be
	 * the beginning of a frame. */
	void (*console)(void *context, const uint8_t *bytes, size_t count);
	/* A checked stream line (R S P Y N). text: as received, without newline. */
	void (*stream)(void *context, const struct dp_frame_in *frame, const char *text,
		       size_t count);
	void (*progress)(void *context, uint32_t done, uint32_t total); /* of an upload */
	/* The agent's counts at this point of the stream, or stored ones, from an answer to
	 * STATUS. The session asks an agent without sync lines (part TIMES) each second. May be
	 * null. */
	void (*counts)(void *context, const struct dp_record_counts *counts);
	/* The bytes of console again, when it is certain that they belong to no frame. May be
	 * null. */
	void (*settled)(void *context, const uint8_t *bytes, size_t count);
};

/* What a serial device is set to when it is opened. Some boards hang their reset on one of the
 * modem lines. The kernel switches both on when a device is opened. */
enum dp_modem_line {
	DP_MODEM_LEAVE,
	DP_MODEM_OFF,
	DP_MODEM_ON
};

struct dp_session_options {
	const char *url;
	unsigned baud; /* 0: 115200 */
	enum dp_modem_line dtr, rts;
	/* Requested rights: enum dp_right. No right but DP_RIGHT_TAKE requests every right but
	 * DP_RIGHT_WRITE. */
	uint8_t rights;
	const uint8_t *key; /* 16 bytes, copied by dp_session_open; null: no key */
	const char *owner;  /* name of the session's owner; null: the process and its host */
	const volatile sig_atomic_t *interrupt; /* null: none */
	bool mute;                              /* send no request: only listen and type */
	unsigned silence_ms; /* dp_session_open fails after this silence; 0: 5000 */
	struct dp_listener listener;
	bool direct; /* open the line itself, although a service (dprobes serve) may own it */
	/* Of a line that a service owns: the service removes the programs of this session when the
	 * process ends without dp_session_close. */
	bool temporary;
	const char *purpose; /* what the service tells other users of the line; null: nothing */
	/* Receives one sentence when the line's server serves another program and has not
	 * accepted for a second, and each sentence of a service. May be null. */
	void (*waiting)(void *context, const char *sentence);
	void *waiting_context;
};

/* Open the line and send HELLO, which ends the agent's previous session. The function takes over
 * the session of another host with DP_RIGHT_TAKE, or when that host sent no request for 10 seconds.
 * In other cases the function fails, and failure->error is IN_USE. For a board with a key the
 * function proves options->key.
 * failure: receives the failure; the error is NO_RIGHT without a key, WRONG_PROOF with a wrong key.
 * Returns the session, which dp_session_close closes; null on failure. */
struct dp_session *dp_session_open(const struct dp_session_options *options,
				   struct dp_failure *failure);
/* Return whether the session ended because the target was restarted, or may have been. */
bool dp_session_restarted(const struct dp_session *session);
/* Open a new session on the same line after a restart of the target, also when the target has lost
 * its power: the function waits up to 30 seconds for the target. The agent then has no program of
 * the old session.
 * Returns false on failure, also when the last failure had another cause than a restart. */
bool dp_session_open_again(struct dp_session *session);
/* Send CLOSE, so that the session has no owner, and close the line. */
void dp_session_close(struct dp_session *session);

/* Return the answer to HELLO, and the latest failure. Both stay valid until dp_session_close. */
const struct dp_hello_answer *dp_session_target(const struct dp_session *session);
/* Return the time at which the agent's ticks were 0, by the host's clock, in ns since 1970. The
 * session compares the clocks when the answer to HELLO arrives: the result includes the time of the
 * answer on the line. Returns 0 when the agent has no clock, or when its ticks began before 1970.
 */
int64_t dp_session_began_ns(const struct dp_session *session);
const struct dp_failure *dp_session_failure(const struct dp_session *session);

/* Return the parts of an agent: bit n is set when the agent has part n of parts.def. */
static inline uint64_t dp_hello_parts(const struct dp_hello_answer *hello)
{
	return (uint64_t)hello->more_parts << 32 | hello->parts;
}

/* Return a file descriptor for poll(): when the descriptor is readable, call dp_session_listen. */
int dp_session_fd(const struct dp_session *session);

/* Receive for at most timeout_ms milliseconds and call the listener. After a silence of the target
 * the function sends STATUS.
 * Returns false on failure. */
bool dp_session_listen(struct dp_session *session, int timeout_ms);

/* Return whether the connection still waits for its server. A server such as QEMU's serves one
 * program at a time. Bytes that are sent before would reach the firmware much later, maybe in part.
 */
bool dp_session_queued(struct dp_session *session);
/* Send bytes to the firmware's console. */
bool dp_session_type(struct dp_session *session, const void *bytes, size_t count);

/* Return the milliseconds of a monotonic clock. */
uint64_t dp_clock_ms(void);

/* --- queries --- */

enum {
	DP_NO_NUMBER = 0xff
}; /* the number of a probe point that was not selected */

/* Read the limits of the agent, a module, the status, a row of memory, a program or a probe. The
 * names of modules and programs are complete, which may take several requests.
 * Each function returns false on failure. */
bool dp_session_limits(struct dp_session *session, struct dp_limits_answer *limits);
bool dp_session_module(struct dp_session *session, uint8_t index, struct dp_module_answer *module);
/* Return the running address of a module minus its linked address, modulo the target's address
 * range. */
static inline uint64_t dp_module_moved(const struct dp_module_answer *module,
				       const struct dp_hello_answer *target)
{
	const uint64_t moved = module->base - module->linked;
	return target->word_bytes == 4 ? (uint32_t)moved : moved;
}
bool dp_session_status(struct dp_session *session, struct dp_status_answer *status);
/* index: from 0; range->rows is the number of rows in the board's memory table (part RANGES). */
bool dp_session_range(struct dp_session *session, uint8_t index, struct dp_ranges_answer *range);
/* Ask for the comparators of the CPU (part HARDWARE). */
bool dp_session_hardware(struct dp_session *session, struct dp_hardware_answer *hardware);
/* Ask what stops the CPU at probe point `index` of a program (part HARDWARE). */
bool dp_session_site(struct dp_session *session, uint8_t program, uint8_t index,
		     struct dp_site_answer *site);
/* index: 0 .. limits.programs - 1.
 * used: receives false when no program has this index. */
bool dp_session_program(struct dp_session *session, uint8_t index,
			struct dp_program_answer *program, bool *used);
bool dp_session_probe(struct dp_session *session, uint8_t program, uint8_t index,
		      struct dp_probe_answer *probe);

/* Receiver of a walk. A callback that returns false ends the walk; null callbacks are skipped. */
struct dp_walk {
	void *context;
	bool (*program)(void *context, const struct dp_program_answer *program);
	bool (*probe)(void *context, const struct dp_program_answer *program,
		      const struct dp_probe_answer *probe);
};
/* Visit all installed programs and their probes in order, or one program and its probes. All
 * answers arrive before the first callback; a callback may use the session. */
bool dp_session_walk(struct dp_session *session, const struct dp_walk *walk);
bool dp_session_walk_one(struct dp_session *session, uint8_t program, const struct dp_walk *walk);

/* Read the whole original of a probe point in the order of memory.
 * probe: the answer to dp_session_probe.
 * bytes: receives at most DP_REST_MAX bytes.
 * count: receives the number of bytes; 0: the probe point is not placed, or the agent has not read
 * the instruction. */
bool dp_session_original(struct dp_session *session, uint8_t program,
			 const struct dp_probe_answer *probe, uint8_t *bytes, size_t *count);

struct dp_records;
/* Request missing records again (part RESEND) whenever a function of the session receives. The
 * reader must get all stream lines and counts of the listener.
 * records: null: the session ends the requests, and the reader reports missing records as lost. */
void dp_session_follow(struct dp_session *session, struct dp_records *records);

/* Set the meaning of every probe number of the target in a record reader. Records with other
 * numbers have no name. Call this function before the first record and after each insertion. */
bool dp_session_learn(struct dp_session *session, struct dp_records *records);

/* Return whether the agent has a part of parts.def.
 * On failure the sentence names the part; the agent's own refusal does not. */
bool dp_session_has_part(struct dp_session *session, enum dp_part part);

enum {
	DP_VARS_GLOBAL = 0xff
};
/* Read variables.
 * program: index of the program, or DP_VARS_GLOBAL.
 * first: index of the first variable.
 * reset: set the variables to zero after reading.
 * words: receives at most `room` values.
 * count: receives the number of values; there: receives the number of variables. */
bool dp_session_vars(struct dp_session *session, uint8_t program, uint16_t first, bool reset,
		     uint64_t *words, size_t room, size_t *count, size_t *there);

/* A range of variables for dp_session_vars_of. */
struct dp_vars {
	uint8_t program; /* index of the program, or DP_VARS_GLOBAL */
	uint16_t first;  /* index of the first variable */
	bool reset;      /* set the variables to zero after reading */
	uint64_t *words; /* receives at most `room` values */
	size_t room;
	size_t count, there; /* number of values received; number of variables */
	enum dp_err error;   /* of the agent; the other ranges are read nevertheless */
};
/* Read several ranges together, in fewer turns than one by one.
 * Returns false when the line fails or the agent has no variables. */
bool dp_session_vars_of(struct dp_session *session, struct dp_vars *ranges, size_t count);

/* Entries of a map of the target. */
struct dp_map_entries {
	uint64_t *words; /* of all entries, `each` an entry; dp_map_entries_free frees them */
	size_t count;    /* entries */
	unsigned each;
	uint32_t dropped; /* number of updates without a free place */
};
enum dp_map_how {
	DP_MAP_LOOK,  /* keep the entries */
	DP_MAP_CLEAR, /* set the values of the entries to 0 */
	DP_MAP_TAKE,  /* remove the entries */
};
/* Read all entries of a map.
 * program: index of the program; map: index in the section MAPS of its object.
 * entries: the caller sets `each`, the words of an entry; the function sets the other members.
 * Returns false on failure. */
bool dp_session_map(struct dp_session *session, uint8_t program, uint8_t map, enum dp_map_how how,
		    struct dp_map_entries *entries);
/* Read the number of updates of a map without a free place.
 * Returns false on failure. */
bool dp_session_map_dropped(struct dp_session *session, uint8_t program, uint8_t map,
			    uint32_t *dropped);
void dp_map_entries_free(struct dp_map_entries *entries);

/* Compute the CRC-32 of target memory.
 * bytes: length.
 * original: compute with the originals in place of traps.
 * sites: receives the number of armed sites in the range; may be null. */
bool dp_session_text(struct dp_session *session, uint64_t address, uint32_t bytes, bool original,
		     uint32_t *crc, uint32_t *sites);

/* A place of the target's memory. */
struct dp_read_place {
	uint64_t address;
	size_t bytes;
	uint8_t *data; /* receives the bytes */
	size_t have;   /* bytes received, from the first one on: fewer where one cannot be read */
};
/* Read places of memory together (part MEMORY, right INSERT), in as few turns as possible.
 * width: 1, 2, 4 or 8: accesses of exactly this many bytes, each made once; 0: any accesses.
 * image: receives the firmware image in the same turn, with the beginning of its name; null: not
 * asked for.
 * Returns false, with no bytes received, when the line or the agent fails, and not for bytes that
 * cannot be read. */
bool dp_session_read(struct dp_session *session, struct dp_read_place *places, size_t count,
		     unsigned width, struct dp_module_answer *image);

/* Bytes of the target's memory that are equal to the first one. */
struct dp_run {
	uint64_t address;
	uint32_t bytes; /* count at most so many */
	uint8_t byte;   /* receives the first byte */
	uint32_t count; /* receives the number; 0: the first byte cannot be read */
};
/* Count runs of equal bytes on the target (part RUNS, right INSERT), in as few turns as possible.
 * Returns false when the line or the agent fails. */
bool dp_session_runs(struct dp_session *session, struct dp_run *runs, size_t count);

/* Receiver of news: how many bytes of the places were asked for and answered. */
struct dp_progress {
	void *context;
	void (*tell)(void *context, uint64_t done);
};
/* Read much memory (part MEMORY, right INSERT). An agent with the part DUMP sends words that are
 * equal in a row once.
 * progress: may be null.
 * Returns false when the line or the agent fails; places[i].have are right then, too. */
bool dp_session_dump(struct dp_session *session, struct dp_read_place *places, size_t count,
		     const struct dp_progress *progress);

/* What FLIGHT does beside its answer. */
enum dp_flight_how {
	DP_FLIGHT_READ,
	DP_FLIGHT_FREEZE, /* no record enters the ring any more (right INSERT) */
	DP_FLIGHT_CLEAR,  /* the ring is empty, and takes records (right INSERT) */
};
/* Read the state of the flight recorder, after the change (part FLIGHT, right LOG).
 * answer: without bytes of the ring; size 0: the agent has none. */
bool dp_session_flight(struct dp_session *session, enum dp_flight_how how,
		       struct dp_flight_answer *answer);
/* The ring of the flight recorder. Records may enter it while it is read. */
struct dp_flight_ring {
	uint8_t *bytes;  /* for free() */
	uint32_t size;   /* 0: the agent has no flight recorder */
	uint32_t end;    /* position behind the newest record when the reading began, */
	uint32_t latest; /* and when it ended */
	uint16_t boot;   /* of this start of the agent */
	uint8_t state;   /* 0 takes records, 1 frozen, 2 takes the last ones */
};
/* Read the ring (part FLIGHT, right LOG). */
bool dp_session_flight_read(struct dp_session *session, struct dp_flight_ring *ring);
/* Ask for the programs that the image carries, and those that use the flight recorder. An agent
 * without the part EMBED has none. */
bool dp_session_embedded(struct dp_session *session, struct dp_embed_answer *answer);

/* --- changes --- */

enum {
	DP_STORE_MAX = 8
};
/* Store bytes in the target's memory (part MEMORY, rights INSERT and WRITE): 1, 2, 4 or 8 bytes
 * at a multiple of their number in one step, else in several steps.
 * count: 1 .. DP_STORE_MAX.
 * stored: receives the number of bytes stored; fewer where the next one cannot be written.
 * Returns false when the line or the agent fails. */
bool dp_session_store(struct dp_session *session, uint64_t address, const uint8_t *bytes,
		      size_t count, size_t *stored);

/* Let the target stop (part HALT, right WRITE): soon, or in the next dp_poll, unless it is stopped
 * already. Call the function again until answer->why is not 0. seconds: the target goes on when no
 * request has come for so long; 0: as the agent was built, ffff: never. Returns false on failure;
 * the error is NO_STOP for a board that cannot be stopped. */
bool dp_session_halt(struct dp_session *session, uint16_t seconds, struct dp_halt_answer *answer);
/* Let a stopped target go on (part HALT, right WRITE).
 * Returns false on failure; the error is NOT_STOPPED when it is not stopped, and NOT_POLLED when
 * the firmware then does not call dp_poll. */
bool dp_session_resume(struct dp_session *session);

/* Let a target that `exit 2` has stopped go on with a reset of its board (part DUMP, right WRITE).
 * Returns false on failure; the error is NO_RESET for a board that the agent cannot reset, and the
 * target is still stopped then. */
bool dp_session_reset(struct dp_session *session);

/* Execute instructions of a stopped target (part STEP, right WRITE): at most `count`, and with
 * `bytes` not 0 until the next one is not in [first, first + bytes). The target then is stopped
 * again, unless an instruction has faulted. A count of 0 asks where the target is stopped, and
 * whether the instruction there can be stepped. answer: zeros where the agent answers no fields.
 * Returns false on failure; the error is that of a probe at the instruction, or as of
 * dp_session_resume. */
bool dp_session_step(struct dp_session *session, const struct dp_step_request *request,
		     struct dp_step_answer *answer);

struct dp_register {
	bool there; /* the CPU has a register of that number, and it is one word */
	uint64_t value;
};

/* Read registers of the context that is stopped, by the numbers of the CPU's registers from `first`
 * on (part HALT, right INSERT).
 * Returns false on failure; the error is NO_REGISTERS when the target is stopped in dp_poll. */
bool dp_session_regs(struct dp_session *session, uint16_t first, size_t count,
		     struct dp_register *regs);
/* Write a register with which the context goes on (part HALT, right WRITE).
 * Returns false on failure; the error is REG_READONLY for a register that programs may not write,
 * such as the program counter. */
bool dp_session_reg_write(struct dp_session *session, uint16_t number, uint64_t value);

/* Upload the travelling part of an object.
 * transaction: receives the number for dp_session_check and dp_session_commit. */
bool dp_session_upload(struct dp_session *session, const uint8_t *object, uint32_t bytes,
		       uint16_t *transaction);

/* The facts that an insertion needs, from the first of its two steps. */
struct dp_prepared {
	struct dp_module_answer image; /* the firmware image, with the beginning of its name */
	struct dp_limits_answer limits;
	enum dp_err begin; /* the agent's answer to the upload; dp_session_send fails with it */
	uint16_t transaction;
};
/* Read image and limits, and open the upload, in one turn. */
bool dp_session_prepare(struct dp_session *session, const uint8_t *object, uint32_t bytes,
			struct dp_prepared *prepared);
/* Send the bytes of the object. */
bool dp_session_send(struct dp_session *session, const uint8_t *object, uint32_t bytes,
		     const struct dp_prepared *prepared);

enum {
	DP_INSERT_ANY_OPCODE = 0x01,
	DP_INSERT_MERGE = 0x02,
	DP_INSERT_REPLACE = 0x04,
	DP_INSERT_NO_IDENTITY = 0x08,
	DP_INSERT_FAULTS = 0x10, /* the session sets it where the agent has the part */
	DP_INSERT_FLIGHT = 0x20, /* records go to the flight recorder, and are not sent */
};
struct dp_choice {
	uint8_t options;          /* DP_INSERT_* */
	uint8_t items;            /* enum dp_item, enum dp_derived */
	const uint8_t *selection; /* bitmap of probe points, msb first; missing bytes select */
	size_t selection_bytes;
};
struct dp_inserted {
	struct dp_verdict verdict;
	uint8_t program, armed, waiting;
};
/* Verify an upload without installing it (check), or install an upload (commit). Both functions
 * fill the verdict. On failure dp_session_failure has the sentence of the verdict's error. */
bool dp_session_check(struct dp_session *session, uint16_t transaction,
		      const struct dp_choice *choice, struct dp_verdict *verdict);
bool dp_session_commit(struct dp_session *session, uint16_t transaction,
		       const struct dp_choice *choice, struct dp_inserted *inserted);

enum {
	DP_REMOVE_ALL = 0xff
};
/* Remove a program.
 * program: index of the program, or DP_REMOVE_ALL.
 * removed: receives the number of removed programs. */
bool dp_session_remove(struct dp_session *session, uint8_t program, uint8_t *removed);

/* Disarm the probes of a program. Its counts and variables stay until dp_session_remove.
 * records: receives the number of the agent's next record after all records of earlier hits. */
bool dp_session_stop(struct dp_session *session, uint8_t program, uint32_t *records);

enum {
	DP_LOG_COM1 = 0,
	DP_LOG_COM2 = 1,
	DP_LOG_NONE = 0xff,
	DP_LOG_LEAVE = 0xfe, /* keep the target or the mode */
	DP_LOG_SYNCHRONOUS = 0,
	DP_LOG_BUFFERED = 1,
	DP_LOG_ACKNOWLEDGED = 2
};
/* Set the target and the mode of the log. In the mode ACKNOWLEDGED the agent keeps each record
 * until the session acknowledges the record, which requires dp_session_follow.
 * now_target, now_mode: receive the new values. */
bool dp_session_log(struct dp_session *session, uint8_t target, uint8_t mode, uint8_t *now_target,
		    uint8_t *now_mode);

/* Whether lines of records are compact (part COMPACT). */
enum dp_compact {
	DP_COMPACT_AUTO, /* where the agent has the part, and characters take time on the line */
	DP_COMPACT_ON,
	DP_COMPACT_OFF,
};
/* Choose the form of lines of records for this session; each session begins with hexadecimal lines.
 * now: receives whether the lines are compact now. A service keeps them hexadecimal while another
 * command of the line reads no others. */
bool dp_session_compact(struct dp_session *session, enum dp_compact choice, bool *now);

#ifdef __cplusplus
}
#endif

#endif
