/* SPDX-License-Identifier: BSD-2-Clause */
/* Lowering turns checked expressions into instructions, in the order of the tree. A value is one
 * word on the stack, extended to the word by its type. A 64-bit value of a 32-bit target is two
 * words, as `push mem, u64` leaves them. */
#ifndef DPH_D_LOWER_H
#define DPH_D_LOWER_H

#include "code.h"

#include "lang/d/points/point.h"
#include "lang/d/read/words.h"

/* How a handler ends for a clause, the strongest last. */
enum d_break {
	D_BREAK_CORE = 1,       /* core: exit 3 */
	D_BREAK_BREAKPOINT = 2, /* breakpoint: exit 1 */
	D_BREAK_PANIC = 4       /* panic: exit 2 */
};

enum {
	D_TEMPS_WORK = 3 /* of the code of one value */
};

/* Intermediate values of a handler: those of a value come first. */
enum d_temp {
	D_TEMP_RECORDED = D_TEMPS_WORK,  /* a clause has recorded */
	D_TEMP_EXITS,                    /* the clause has said exit */
	D_TEMP_LOGGED,                   /* bytes in the log when the clause began */
	D_TEMP_FAULT,                    /* 1 + number of the place of the first fault; 0: none */
	D_TEMP_FAULT_KIND,               /* its exception */
	D_TEMP_FAULT_VALUE,              /* its first parameter */
	D_TEMP_TIME,                     /* of the clause; two words */
	D_TEMP_BREAKS = D_TEMP_TIME + 2, /* bits of enum d_break: what clauses have said */
	D_TEMP_SPEC,                     /* the speculation of the clause */
	D_TEMP_SPEC_LOGGED,              /* bytes in the log when it began */
	D_TEMPS
};

/* A handler while its code is made. */
struct d_lower {
	struct d_front *d;
	const struct d_point *point;
	struct d_code *code;
	bool keeps_time; /* the clause's clock is in D_TEMP_TIME */
	bool no_room;    /* for texts that the program does not ask for */
	unsigned depth;  /* words on the stack that are still needed */
};

/* Push the value of a node. */
void dph_d_lower_value(struct d_lower *l, struct d_node *node);
/* Push the value of a node that was checked to be a word. */
void dph_d_lower_word(struct d_lower *l, struct d_node *node);
/* The same as a value of another type. */
void dph_d_lower_as(struct d_lower *l, struct d_node *node, const struct d_type *type);
/* Push the address of a node that is in memory. */
void dph_d_lower_address(struct d_lower *l, struct d_node *node);
/* Evaluate a node for its effects. */
void dph_d_lower_effect(struct d_lower *l, struct d_node *node);
/* Push the value that an assignment stores. */
void dph_d_lower_new_value(struct d_lower *l, struct d_node *node);
/* old -- new, of ++ and -- */
void dph_d_lower_step_value(struct d_lower *l, const struct d_node *node);
/* Push the chosen value of ?:. bytes: as the bytes of a text. */
void dph_d_lower_choice(struct d_lower *l, struct d_node *node, bool bytes);
/* Push the value of a variable or of an assignment. */
void dph_d_lower_variable(struct d_lower *l, struct d_node *node);
/* Jump to the label when the node is true (sense), or false. */
void dph_d_lower_branch(struct d_lower *l, struct d_node *node, bool sense, size_t label);

/* 1 or 0 by jumps. */
void dph_d_lower_lazy(struct d_lower *l, struct d_node *node);
/* Push 1 or 0, the result of a comparison. */
void dph_d_lower_comparison(struct d_lower *l, struct d_node *node);
bool dph_d_is_comparison(enum d_operator op);
/* Push a value of the type, or the bytes of a text. */
void dph_d_lower_chosen(struct d_lower *l, struct d_node *node, const struct d_type *type,
			bool bytes);
/* Push two operands of one operation, the left one below. */
void dph_d_operands(struct d_lower *l, struct d_node *a, struct d_node *b,
		    const struct d_type *type);
/* v -- v, extended to the word by its type */
void dph_d_normalize(struct d_lower *l, const struct d_type *type);
/* assign.c; used: push the result */
void dph_d_lower_assign(struct d_lower *l, struct d_node *node, bool used);
void dph_d_lower_step(struct d_lower *l, struct d_node *node, bool used);

/* variable.c: the program variable behind a variable of the program, or behind intermediate value
 * n. */
unsigned dph_d_variable_index(struct d_lower *l, struct d_variable *variable);
unsigned dph_d_temp(struct d_lower *l, unsigned n);
/* The program variable of rand(). */
unsigned dph_d_random_state(struct d_lower *l);
void dph_d_push_variable(struct d_lower *l, struct d_variable *variable);
void dph_d_pop_variable(struct d_lower *l, struct d_variable *variable);

/* refuse_hosted.c: complain that the target needs a value of the host. */
void dph_d_refuse_hosted(struct d_lower *l, const struct d_node *node);

/* guard.c: push argument n of ERROR */
void dph_d_fault_argument(struct d_lower *l, unsigned n);

/* arithmetic.c: what stands on the stack */
void dph_d_extend(struct d_lower *l, unsigned bits,
		  bool is_signed);                          /* v -- v, its low bits extended */
void dph_d_add_constant(struct d_lower *l, uint64_t value); /* v -- v + value */
void dph_d_truth(struct d_lower *l, bool sense); /* v -- 1 when v is not 0 (is 0 without sense) */
void dph_d_less(struct d_lower *l, bool is_signed); /* a b -- w; the sign of w says whether a < b */
void dph_d_less_constant(struct d_lower *l, uint64_t value,
			 bool is_signed);                             /* the same; b: value */
void dph_d_divide(struct d_lower *l, bool is_signed, bool remainder); /* a b -- result */
void dph_d_shift(struct d_lower *l, enum rpn_op op, bool is_signed);  /* count v -- v */

/* arithmetic.c: pairs */
/* Push a constant as a pair. */
void dph_d_push_long(struct d_lower *l, uint64_t value);
/* word -- pair, by the type of the word */
void dph_d_word_to_long(struct d_lower *l, const struct d_type *from);
/* pair -- its low word */
void dph_d_long_to_word(struct d_lower *l);
/* pair -- pair + 1, or pair - 1 */
void dph_d_long_step(struct d_lower *l, bool up);

/* location.c: push `bytes` bytes of a variable from byte `offset` on */
void dph_d_lower_location(struct d_lower *l, const struct d_node *node, uint64_t bytes);
void dph_d_lower_location_address(struct d_lower *l, const struct d_node *node);
/* a -- the value at address a */
void dph_d_load(struct d_lower *l, unsigned bytes, bool is_signed);

#endif
