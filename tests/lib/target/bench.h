/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulated firmware with a host at the other end of its lines. */
#ifndef BENCH_H
#define BENCH_H

#include "dp_probes.h"
#include "sim_firmware.h"

enum {
	BENCH_OUT_MAX = 1 << 20,
	BENCH_RECORDS_MAX = 3000,
	BENCH_OBJECT_MAX = 70000,
};

/* A checked frame, or what was written where no frame was. */
struct bench_record {
	struct dp_record head;
	uint64_t time;   /* as PROTOCOL.md section 4 tells it */
	uint32_t number; /* of the record, from the agent's start */
	uint8_t stream;  /* the CPU's */
	bool again;      /* one that was sent before */
	uint8_t body[DP_RECORD_BODY_MAX];
};

/* A com line.  The large arrays come last: bench_start clears what stands before them, and makes
 * them empty. */
struct bench_line {
	uint32_t out_bytes, text_bytes, console_bytes;
	int32_t room;     /* characters the transmitter still takes; -1: any */
	uint32_t offered; /* calls of put */
	bool stutters;    /* it takes only every second one that is offered */
	bool refused;
	struct dp_splitter splitter;
	/* frames, by type */
	uint32_t answers, naks, syncs, notices, stream_lines, timed_lines, compact_lines, gaps,
		bad_frames;
	struct dp_frame_in answer, nak, sync, notice; /* the last ones */
	struct dp_frame_in notice_of[16];             /* by number */
	uint8_t out[BENCH_OUT_MAX];                   /* all that was sent; a zero ends it */
	uint8_t text[BENCH_OUT_MAX];                  /* of out, what is no frame */
	uint8_t console[BENCH_OUT_MAX];               /* what console_in got */
};

struct bench {
	uint32_t session;
	uint8_t seq;
	enum dp_com_index com; /* it speaks on */
	uint32_t records, bad_records;
	struct bench_stream {
		uint64_t told;              /* time of the record before */
		uint32_t next, next_notice; /* numbers that come next */
		uint32_t digit_count, pieces;
		uint8_t digits[DP_TIMED_DIGITS + DP_RECORD_DIGITS_MAX]; /* of pieces */
	} stream[DP_PORT_CPUS];
	bool loses;                       /* lines of records, new and again, are lost */
	uint8_t object[BENCH_OBJECT_MAX]; /* the last one compiled */
	uint32_t object_bytes;
	struct bench_line line[DP_COMS];
	struct bench_record record[BENCH_RECORDS_MAX + 1]; /* the last: of those without room */
};
extern struct bench bench;
/* Lines of records are compact from bench_start on, and stay so with a LOG of two fields. */
extern bool bench_compact;

/* Everything new, and a session opened from com1 with the right to write. */
void bench_start(void);
void bench_cold(void); /* everything new; nobody spoke yet */
void bench_warm(void); /* the agent again; memory stays as it is */

/* --- the line --- */

void bench_type(enum dp_com_index com, const void *bytes, size_t count); /* to the target */
void bench_type_text(enum dp_com_index com, const char *text);
bool bench_sent_text(enum dp_com_index com, const char *text);   /* all text of the line so far */
bool bench_console_got(enum dp_com_index com, const char *text); /* all that came of it so far */
void bench_wait_ms(unsigned ms);  /* time passes, and dp_poll runs each 10 ms */
void bench_poll(void);            /* until there is nothing to do, or the transmitters are full */
void bench_polls(unsigned looks); /* so often that the patrol looks so often */

/* An answer: command, error, and the rest. */
struct bench_answer {
	bool came;
	uint8_t error;
	uint8_t bytes;
	uint8_t payload[DP_PAYLOAD_MAX];
};
/* A request as line; returns its length. */
size_t bench_request(char *line, uint8_t seq, uint8_t command, const void *arguments, size_t bytes);
/* Type a request without waiting for the answer. */
void bench_type_request(enum dp_com_index com, uint8_t seq, uint8_t command, const void *arguments,
			size_t bytes);
struct bench_answer bench_ask(uint8_t command, const void *arguments, size_t bytes);
/* Ask; returns the error of the answer, 0xfe if none came. */
uint8_t bench_error(uint8_t command, const void *arguments, size_t bytes);
/* Open a session. rights: beside those that all sessions of the bench have: all but to write. */
struct bench_answer bench_hello(uint32_t session, uint8_t rights);
/* Start value of the checks of a session's lines. */
uint32_t bench_seed(uint32_t session);
uint32_t bench_number(const struct bench_answer *answer, unsigned at, unsigned bytes);
dp_word bench_word(const uint8_t *bytes); /* a word of the target */
/* Return the probe of a point of a program; a missing probe ends the test. */
const struct dp_probe *bench_probe(int program, unsigned point);
/* Ask how many hits a point of a program has ignored. */
uint32_t bench_ignored(int program, unsigned point);
/* The only word, or the first one, that a record has logged. */
dp_word bench_logged(unsigned record);

/* --- programs --- */

/* Compile into bench.object; false (and printed) when that fails. */
bool bench_compile(const char *source);
void bench_seal(void); /* the object's own CRC again, after a change */
/* BEGIN and DATA. Returns the first answer that is an error, or the last. */
struct bench_answer bench_upload(uint16_t *transaction);
struct bench_answer bench_commit(uint16_t transaction, uint8_t options, uint8_t items);
/* Compile, upload, commit; the program's index, or -1. */
int bench_install(const char *source);
struct bench_answer bench_install_object(uint8_t options, uint8_t items);
void bench_remove_all(void);

#endif
