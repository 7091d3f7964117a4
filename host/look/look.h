/* SPDX-License-Identifier: BSD-2-Clause */
/* Looking: expressions of D about the firmware become values, without a program on the target. The
 * caller reads the places that the expressions want, until none wants another one: one turn for
 * all of them, and one more for each pointer that is followed. */
#ifndef DPH_LOOK_H
#define DPH_LOOK_H

#include "memory.h"
#include "symbols/images.h"

#include <dprobes/host.h>
#include <dprobes/values.h>

enum {
	DPH_LOOK_BYTES_MAX = 65536 /* of one value */
};

/* The words and the byte order of a target. */
struct dph_look_target {
	unsigned word_bytes;
	bool big_endian;
};

struct dph_look;

/* Open what the expressions are about.
 * images: the firmware and a file of symbols; the caller keeps them. Without one, names have no
 * meaning. target: used where no image says it.
 * Returns what dph_look_close frees. */
struct dph_look *dph_look_open(const struct dph_images *images,
			       const struct dph_look_target *target);
void dph_look_close(struct dph_look *look);

/* How an expression is read. */
struct dph_look_how {
	const char *as; /* type of the memory at the address, or of the expression; null */
	bool raw;       /* bytes, without their type */
	bool computed;  /* a number is a value, and not an address */
	bool place;     /* the address alone: what is there is not read */
};

/* Add an expression: LVALUE, ADDRESS, or either with `, BYTES`. Complains in messages.
 * Returns false where there is an error. */
bool dph_look_add(struct dph_look *look, const char *text, const struct dph_look_how *how,
		  struct dp_messages *messages);

/* A value, until the next call of dph_look_wanted or dph_look_forget. */
struct dph_looked {
	const char *name; /* the expression */
	const char *why;  /* why there is no value; null: there is one */
	bool in_memory;   /* at `address` */
	uint64_t address;
	struct dp_value value; /* HEX: of a range */
};

/* Evaluate. Returns the number of places that are wanted, which the caller fills: `have` bytes of
 * `data`; 0: all expressions have their values. */
size_t dph_look_wanted(struct dph_look *look, struct dp_read_place **places);
/* Return how many expressions there are, and one of them. */
size_t dph_look_count(const struct dph_look *look);
const struct dph_looked *dph_look_at(const struct dph_look *look, size_t index);
/* Forget the memory that was read: the next values are new ones. */
void dph_look_forget(struct dph_look *look);

/* The place of a new value, and the bytes to store there. */
struct dph_look_store {
	uint64_t address;
	unsigned bytes;
	uint8_t data[8];
};

/* Turn the expression 0, a number or pointer in memory, and the expression 1, its new value, into
 * what is to be stored. Both are evaluated. Complains in messages. */
bool dph_look_assign(const struct dph_look *look, struct dph_look_store *store,
		     struct dp_messages *messages);

#endif
