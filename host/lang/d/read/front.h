/* SPDX-License-Identifier: BSD-2-Clause */
/* struct d_front is the state of the D front end during one compilation. */
#ifndef DPH_D_FRONT_H
#define DPH_D_FRONT_H

#include "format/format.h"
#include "ir/compilation.h"

enum d_tag {
#define TAG(name, text) name,
#include "tags.def"
	D_TAGS
};

struct dp_debuginfo;
struct d_clause;
struct d_variable;
struct d_point;
struct d_routine;
struct d_format_table;
struct d_declared;
struct d_declared_constant;
struct d_inline;
struct d_provided;

/* A name of which a warning was printed. */
struct d_told {
	struct d_told *next;
	const char *name;
};

/* A folder of provider files. */
struct d_folder {
	struct d_folder *next;
	const char *path;
};

/* The size of one aggregation. */
struct d_places {
	struct d_places *next;
	const char *name;
	unsigned places;
};

struct d_watched;

struct d_front {
	struct dph_report report;
	const struct dph_source *source;
	struct dph_pool *pool; /* of the source */
	struct dph_images *images;
	const struct dp_image *image; /* in which names are looked up; null: none */
	const struct dph_cpu *cpu;    /* of the program; null: not known */
	struct dp_debuginfo *debug;   /* null: no image */
	struct dph_program *program;  /* to hand over */
	/* parse_watched.c: what the description of a watchpoint at the place names. name and kind
	 * are given. Returns false: the error is said. */
	bool (*read_watched)(struct d_front *d, struct dph_place place, struct d_watched *watched);
	const char *name; /* of the program, when the user of the compiler chose it */
	/* options of the program */
	bool errtags, quiet, flow, zdefs;
	bool sort_by_key, sort_reversed; /* of aggregations: struct dph_format_order */
	bool packed, zoomed, units;      /* the same */
	unsigned sort_key, sort_position;
	bool skip_tails;                    /* tail calls are no returns */
	bool first_line;                    /* a line has one point */
	bool raw_bytes;                     /* trace prints structs as bytes */
	const char *task_type;              /* of curthread; null: void * */
	struct d_told *told_types;          /* of which files define different ones */
	bool ctf_types;                     /* DWARF is not read */
	unsigned agg_size, dynvar_size;     /* places of an aggregation, of an array */
	struct d_places *places;            /* of aggregations with a pragma of their own */
	unsigned aggrate;                   /* ms between two readings of the aggregations */
	unsigned spec_buffers, spec_size;   /* for speculations: their number, bytes of each */
	bool spec_ring;                     /* the oldest records of a full one give way */
	unsigned spec_map;                  /* of these buffers, + 1; 0: none yet */
	unsigned key_size;                  /* bytes of a text on the target */
	bool cut_told;                      /* that texts are compared by these bytes */
	unsigned string_bytes;              /* of a recorded text */
	struct d_key_texts *key_texts;      /* of aggregations: text.c */
	unsigned thread_map;                /* of the variables of a task, + 1; 0: none yet */
	unsigned stack_frames, stack_bytes; /* of stack() */
	bool counts_stacks;                 /* the host, which has them as keys of aggregations */
	size_t directive_line;              /* lines before this one have been looked at */
	/* clauses and variables read so far */
	struct d_clause *clauses, *last_clause;
	struct d_variable *variables;
	struct d_declared *declared; /* types; declared.c */
	struct d_declared_constant *declared_constants;
	struct d_inline *inlines;
	/* Probes that provider files declare, in the order of the search, and those of the program
	 * in front of them. */
	struct d_provided *provided;
	/* provider_files.c: read the files into that list, once. Null: none. */
	void (*read_provided)(struct d_front *d);
	struct d_folder *libs;       /* folders of provider files, by the option libdir */
	bool provided_read;          /* or being read */
	struct dp_messages of_files; /* about provider files and their places, not said yet */
	const struct d_provided *providing; /* whose places are looked for; null: none */
	bool absent;                        /* what matched nothing may be in another firmware */
	size_t inlined;                     /* nodes of inlines where they are used */
	unsigned nameless;                  /* structs without a name */
	struct dp_debuginfo *own_debug;     /* of declared types, without a firmware */
	/* macro arguments: macro.c */
	const char *const *arguments;
	size_t argument_count;
	uint64_t used_arguments;                          /* a bit each */
	bool arguments_may_stay, arguments_have_defaults; /* options argref, defaultargs */
	bool asks_defined; /* the parser asks whether an argument is given */
	/* of the code */
	uint64_t lacks;          /* parts that the agent was built without, a bit for each */
	unsigned probes_max;     /* of the agent */
	uint64_t log_max;        /* bytes of a record */
	unsigned variable_words; /* program variables in use */
	unsigned temps[14];      /* those of intermediate values; 0: none yet, else + 1 */
	unsigned random_state;   /* the one of rand(); 0: none yet, else + 1 */
	unsigned jumps;          /* the most of one handler */
	unsigned searches;       /* of fresh.c, so far */
	unsigned unknown;        /* names that were not found, so far */
	bool writes;             /* the program may change the firmware: --write */
	bool stops;              /* the agent may have `stop` */
	bool guards;             /* the agent may have exception handlers */
	struct d_point *points;
	struct d_point *errors; /* of the ERROR clauses; null: none */
	struct d_format_table *formats;
};

/* Report an error at a place. */
__attribute__((format(printf, 4, 5))) void
dph_d_error(struct d_front *d, enum d_tag tag, struct dph_place place, const char *format, ...);

#endif
