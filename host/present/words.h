/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of all formats for the numbers of the agent. */
#ifndef DPH_WORDS_H
#define DPH_WORDS_H

#include <dprobes/host.h>

enum {
	DPH_WORDS_ROOM = 64,     /* characters of a list of items or groups */
	DPH_UNITS_ROOM = 128,    /* of a list of units of the CPU */
	DPH_FEATURES_ROOM = 320, /* characters of a list of features */
};

/* Groups of instructions beside the base. */
enum {
#define DP_GROUP(bit, name, text, destructive, sentence) DPH_GROUP_##name,
#include "groups.def"
	DPH_GROUPS,
};

/* What stops the CPU at a probe. */
#define DP_MEANS(number, name, words, sentence) DPH_MEANS_##name = (number),
enum dph_means {
#include "means.def"
};

const char *dph_gap_word(enum dp_gap_kind kind); /* "lines lost" */
const char *dph_probe_state(unsigned state);     /* "armed" */
const char *dph_means(unsigned means);           /* "trap": enum dph_means */
const char *dph_program_state(unsigned state);
const char *dph_identity_word(unsigned identity); /* "build-id" */
/* What decides where instructions begin; cpu: enum dp_cpu, bounds: of the answer to LIMITS. */
const char *dph_bounds_word(unsigned cpu, unsigned bounds); /* "table", "alignment", "trusted" */
/* Why no comparator stops the CPU in place of a trap: enum dp_lacks; null: not told. */
const char *dph_lacks_sentence(unsigned lacks);
/* What makes the nonce new: enum dp_nonce_source. */
const char *dph_nonce_word(unsigned source);                    /* "generator" */
const char *dph_nonce_meaning(unsigned source);                 /* "random bits of the board" */
const char *dph_order_word(bool big_endian);                    /* "little" */
const char *dph_profile_word(unsigned profile);                 /* "READ" */
const char *dph_lines_text(uint8_t coms);                       /* "com1 and com2" */
const char *dph_log_line_name(uint8_t target);                  /* "com1", "com2", "nowhere" */
const char *dph_log_mode_word(uint8_t mode);                    /* "buffered" */
const char *dph_end_word(enum rpn_end end);                     /* how a handler ended: "exit" */
const char *dph_symbol_type(const struct dp_symbol_view *view); /* "thumb" */

/* "pid,pc" for the bits of enum dp_item. text: DPH_WORDS_ROOM characters; returned. */
/* The kinds of watchpoints among bits of point_kinds.def, as in "w, rw". text: DPH_WORDS_ROOM
 * bytes.
 */
const char *dph_watch_kinds_text(uint8_t kinds, char *text);

/* The units of the CPU that the agent uses and that ran on a model alone, as in "unit, unit". cpu:
 * enum dp_cpu. text: DPH_UNITS_ROOM characters; returned. */
const char *dph_modelled_text(unsigned cpu, const struct dp_hardware_answer *hardware, char *text);

const char *dph_items_text(uint8_t items, char *text);
/* "base write". text: DPH_WORDS_ROOM characters; returned. */
const char *dph_groups_text(uint8_t groups, char *text);
/* Features that the agent was built without, or an empty text. An older agent may lack only some
 * parts of a feature: the feature is named. text: DPH_FEATURES_ROOM characters; returned. */
const char *dph_features_left_out(uint64_t parts, char *text);

/* The groups of instructions beside the base. */
struct dph_group {
	unsigned bit; /* enum rpn_group */
	const char *name, *meaning;
};
extern const struct dph_group dph_groups[DPH_GROUPS];

/* Bounds that hold for every hit, proved or by budget and logmax. */
uint32_t dph_steps_bound(const struct dp_check_view *check);
uint32_t dph_log_bound(const struct dp_check_view *check);

enum {
	DPH_LINE_BAUD = 115200
};
/* Hits whose records fit DPH_LINE_BAUD each second, when each record is as long as it may be and
 * stands alone on its line; 0: no record has data. */
uint64_t dph_line_hits(const struct dp_check_view *check);

/* Is no probe armed, and are less than half of the slots free that the probes of this agent need?
 * The others are of removed probes. */
bool dph_slots_short(const struct dp_limits_answer *limits);

#endif
