/* SPDX-License-Identifier: BSD-2-Clause */
/* A view holds the data of a reading for a sink. record_sink.h names the kind of each view.
 *
 * A view only points at data, which stays valid during dp_sink_reading. */
#ifndef DPROBES_READINGS_H
#define DPROBES_READINGS_H

#include "debuginfo.h"
#include "session.h"
#include "values.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dp_check_result;
struct dp_image;
struct dp_port;
struct dp_program_info;
struct dp_symbol;

/* In each view, null `names` means that addresses are printed as numbers. */

struct dp_probe_view {
	struct dp_probe_answer answer;
	const struct dp_image *names;
	bool placed;                /* site is valid: something stops the CPU there */
	struct dp_site_answer site; /* what stops the CPU */
};

/* An installed program with its probes. */
struct dp_installed_view {
	const struct dp_program_answer *program;
	const struct dp_probe_view *probes;
	size_t probe_count;
	unsigned cpu;  /* of the target: enum dp_cpu */
	bool extended; /* the format text also prints object, originals and limits */
	bool embedded; /* the image carries the program */
	bool flight;   /* its records go to the flight recorder */
};

/* The counters of one probe at the removal of its program. */
struct dp_counts_view {
	const char *program;
	const struct dp_probe_answer *probe;
	const struct dp_image *names;
};

struct dp_variable_view {
	const char *program; /* null: a global variable */
	unsigned index;
	uint64_t value;
	unsigned word_bytes; /* of the target */
	const struct dp_image *names;
	/* For a variable of a D program, in place of `index`: */
	const char *name;        /* null: no name */
	const char *const *keys; /* of an array, as text; a variable of a task has the task first */
	size_t key_count;
	const char *text;                  /* the value by its type */
	bool is_string;                    /* a string: the text is the value */
	bool is_object;                    /* a struct or union: the text is the value */
	bool is_signed;                    /* the value has a sign */
	const struct dp_value *typed;      /* the value; null: no D program */
	const struct dp_value *key_values; /* of `keys` */
};

/* A bucket of a distribution: values from `low` up to `high`, without `high`. */
struct dp_bucket_view {
	int64_t low, high;
	bool is_unsigned;  /* low and high are uint64_t */
	bool below, above; /* the bucket has no lower limit; no upper limit */
	int64_t value;     /* number of values, or sum of their increments */
};

/* A key of an aggregation. */
struct dp_aggregation_view {
	const char *name;     /* without the @ */
	const char *function; /* "count" */
	const char *const *keys;
	size_t key_count;
	int64_t value;    /* of a distribution: the sum of its buckets */
	bool is_unsigned; /* the value is uint64_t */
	const struct dp_bucket_view *buckets;
	size_t bucket_count; /* 0: no distribution */
	unsigned key_width;  /* characters of the widest keys of the aggregation */
	bool first;          /* the first key of its aggregation */
	const char *head;    /* with `first`: "@[caller]  3.0 s, 6461 hits, 0 lost"; null: none */
	uint64_t bar_most;   /* value of the longest bar of the table; 0: no bars */
	const char *trend;   /* --live: "12.0/s |.:-|"; null: not known */
	bool units;          /* the values are nanoseconds, to be printed with units */
	bool summary;        /* a picture has the number of values and percentiles above it */
	bool zoomed;         /* bars are parts of the largest bucket, not of the sum */
	/* Not null: a distribution is one line, with a column for each bucket from the first to the
	 * last one of all keys. */
	const struct dp_bucket_view *pack_first, *pack_last;
	size_t pack_before, pack_after;    /* columns before and behind the buckets of this key */
	const struct dp_value *key_values; /* of `keys` */
	/* The empty buckets of the scale beside the first and the last one; null: the scale ends.
	 */
	const struct dp_bucket_view *beside_first, *beside_last;
};

/* What the target had no place for. */
enum dp_map_drop {
	DP_DROP_UPDATES,     /* of an aggregation */
	DP_DROP_STORES,      /* of an array */
	DP_DROP_RECORDS,     /* of speculations: their buffer was full */
	DP_DROP_UNAVAILABLE, /* speculations: no buffer was free */
	DP_DROP_BUSY         /* speculations: no buffer was free, and one waited to be sent */
};
struct dp_map_drop_view {
	const char *name; /* of the aggregation, without the @; of the array; "speculation" */
	enum dp_map_drop kind;
	uint32_t dropped;
};

struct dp_inserted_view {
	const char *program;
	const struct dp_inserted *inserted;
};

struct dp_removed_view {
	unsigned programs;
};

/* The agent's identity, parts and limits. A member without an answer is null. */
struct dp_info_view {
	const struct dp_hello_answer *hello;
	bool limits_known;                     /* limits are complete; modules follow */
	const struct dp_limits_answer *limits; /* null: hello has the limits, if any */
	const struct dp_module_answer *modules;
	size_t module_count;
	const struct dp_status_answer *status;
	const struct dp_hardware_answer *hardware; /* null: an agent without the part HARDWARE */
};

/* The target's text compared with an ELF file. */
struct dp_text_view {
	const char *elf;
	uint64_t bytes;    /* compared bytes */
	uint64_t left_out; /* bytes that the image's relocations change */
	uint32_t sites;    /* armed traps in the compared bytes */
	uint64_t differ;   /* bytes in pieces of 64 that differ */
	uint64_t first;    /* address of the first such piece */
	const struct dp_image *names;
};

struct dp_symbol_view {
	const struct dp_symbol *symbol;
	const char *cpu; /* of its image; null: unknown */
	unsigned digits; /* of an address */
};

/* A place in code: an address, or one of a source line. */
struct dp_place_view {
	uint64_t address;
	bool nowhere;     /* a probe that is no place in the code, such as BEGIN: without address */
	const char *text; /* the address by name */
	const struct dp_code_frame *frames;
	size_t frame_count;
	bool scope; /* variables were requested */
	const struct dp_variable_text *variables;
	size_t variable_count;
	const char *probe;     /* that fires there: "fbt:demo:queue_put:entry"; null: an address */
	const char *prototype; /* of the function; null: not known, or not requested */
	const char *refused;   /* the reason why no target can probe the place; null: none */
	const char
		*arguments; /* of the static hook there: "(int32_t in r0)"; null: there is none */
};

/* A serial port, and the agent on its line. */
struct dp_port_view {
	const struct dp_port *port;
	bool asked;                          /* HELLO was sent */
	const struct dp_hello_answer *hello; /* null: no agent answered */
	const char *failure;                 /* the reason for no answer; null: an agent answered */
};

/* Probe points whose hits the agent interprets. A plan would take fewer instructions. */
struct dp_no_plan {
	const char *file; /* of the program's line; null: unknown */
	unsigned line;
	const char *reason;
	unsigned points; /* that have it there */
};

/* The verifier's verdict on an object. */
struct dp_check_view {
	const struct dp_check_result *result;
	const struct dp_program_info *program;
	uint32_t bytes;       /* to upload */
	unsigned watchpoints; /* points that need a comparator of the CPU */
	unsigned taken;       /* points that fire only where their branch is taken */
	unsigned timers;      /* points that take a timer of the agent */
	const struct dp_no_plan *no_plans;
	size_t no_plan_count;
	const char *const *plans; /* of each point, its kind of plan: plan_reasons.def */
	size_t plan_count;
};

/* Templates, and the probes of a program without a template. */
struct dp_templates_view {
	const char *path;
	size_t count;
	bool program; /* a program was given: major and missing are valid */
	uint16_t major;
	const uint64_t *missing; /* minor codes */
	size_t missing_count;
};

#ifdef __cplusplus
}
#endif

#endif
