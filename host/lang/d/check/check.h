/* SPDX-License-Identifier: BSD-2-Clause */
/* The checker resolves the names at a probe point, gives each expression its type, and folds
 * constants. */
#ifndef DPH_D_CHECK_H
#define DPH_D_CHECK_H

#include "lang/d/points/point.h"
#include "lang/d/read/words.h"

/* Where an expression is checked. */
struct dph_d_check {
	struct d_front *d;
	const struct d_point *point;
};

/* Check an expression and its parts. Complains; the type of a wrong one is D_TYPE_NONE. */
void dph_d_check(const struct dph_d_check *c, struct d_node *node);
/* Check an expression of a value that the handler computes with: no text, no time. */
bool dph_d_check_value(const struct dph_d_check *c, struct d_node *node);
/* Check a number or pointer; `what` names the operand in messages. */
bool dph_d_check_scalar(const struct dph_d_check *c, struct d_node *node, enum d_tag tag,
			const char *what);

/* The same, and the number may have two words. */
bool dph_d_check_number(const struct dph_d_check *c, struct d_node *node, enum d_tag tag,
			const char *what);

/* Find the type of a program's variable, from its declaration or first assignment. */
void dph_d_check_variable(const struct dph_d_check *c, struct d_variable *variable);

/* Can the variable be kept on the target? Complains. */
bool dph_d_storable(const struct dph_d_check *c, struct d_node *node,
		    const struct d_variable *variable);

/* check_variable.c: a word, this->x or self->x, an assignment, ++ or -- */
void dph_d_check_word(const struct dph_d_check *c, struct d_node *node);
void dph_d_check_scoped(const struct dph_d_check *c, struct d_node *node);
void dph_d_check_assign(const struct dph_d_check *c, struct d_node *node);
void dph_d_check_step(const struct dph_d_check *c, struct d_node *node);

/* call.c */
void dph_d_check_call(const struct dph_d_check *c, struct d_node *node);
/* name.c */
void dph_d_check_name(const struct dph_d_check *c, struct d_node *node);
void dph_d_check_firmware(const struct dph_d_check *c, struct d_node *node);
/* Check a parameter of the point's function, by its place in the debug information.
 * Returns false: the name is no parameter, or its place has no value when the function begins. */
bool dph_d_check_parameter(const struct dph_d_check *c, struct d_node *node, const char *name);

/* argument.c: argument n of the function, as a word or pair with a sign; with its type in C */
void dph_d_check_argument(const struct dph_d_check *c, struct d_node *node, unsigned n);
void dph_d_check_typed_argument(const struct dph_d_check *c, struct d_node *node, uint64_t n);
/* check_hook.c: argument n of the static hook at which the point is, in the type of its note. */
void dph_d_check_hook_argument(const struct dph_d_check *c, struct d_node *node, uint64_t n);
/* The type of the function's result: void, or as C has it; a word where it is not known. */
struct d_type dph_d_result_type(const struct dph_d_check *c);
/* The result of the function, in its type in C. */
void dph_d_check_result(const struct dph_d_check *c, struct d_node *node);
/* Take a parameter by the CPU's calling convention. Returns false: the convention does not say
 * where it is, or the point is no entry. */
bool dph_d_check_passed(const struct dph_d_check *c, struct d_node *node, const char *name);

/* widen.c: warn once of a product or shift that wraps at 32 bits before it gets 64. */
void dph_d_check_widening(const struct dph_d_check *c, struct d_node *value,
			  const struct d_type *type);
/* kept.c: can a variable keep the value of its assignment? Its type is that of its first value:
 * complains of a wider one, and warns once of one that C makes narrower. */
bool dph_d_check_kept(const struct dph_d_check *c, struct d_node *assign, struct d_node *value);
/* Warn once where the operator of x op= e leads out of a narrow type that x has by its first value.
 */
void dph_d_check_narrow(const struct dph_d_check *c, struct d_node *node);
/* Has the type the value of the constant? A number of equal width and another sign is one of C. */
bool dph_d_constant_fits(const struct d_node *constant, const struct d_type *type);
const char *dph_d_constant_text(struct d_front *d, const struct d_node *constant);
/* name.c: warn once of a variable of the program that hides a name of the firmware. */
void dph_d_check_hidden(const struct dph_d_check *c, const struct d_node *node,
			struct d_variable *variable);

/* The same of a built-in variable that hides a local variable or parameter. */
void dph_d_check_hidden_by_builtin(const struct dph_d_check *c, struct d_node *node);

/* builtin.c: the register of this name. Returns false: the CPU has none. */
bool dph_d_set_register(const struct dph_d_check *c, struct d_node *node, const char *name);

/* check_type.c */
void dph_d_check_cast(const struct dph_d_check *c, struct d_node *node);
void dph_d_check_sizeof(const struct dph_d_check *c, struct d_node *node);
void dph_d_check_offsetof(const struct dph_d_check *c, struct d_node *node);
/* builtin.c. Returns false: the name is no built-in variable. */
bool dph_d_check_builtin(const struct dph_d_check *c, struct d_node *node);
/* Is it the name of a part of the probe's name? */
bool dph_d_is_probe_part(const char *name);
/* args[N], uregs[R_X]. Returns false: another index. */
bool dph_d_check_builtin_index(const struct dph_d_check *c, struct d_node *node);

/* check.c: check a binary operation of numbers and pointers, whose operands have been checked. */
void dph_d_check_joined(const struct dph_d_check *c, struct d_node *node);
/* Is the result of the operator 0 or 1? */
bool dph_d_gives_truth(enum d_operator op);

/* check_element.c: x[keys] or self->x[keys]. Returns false: the node is no element of a variable.
 */
bool dph_d_check_element(const struct dph_d_check *c, struct d_node *node);
/* The type of a key that has the type `first` so far: that of C for both, where `first` is narrower
 * than the key. */
struct d_type dph_d_key_type(const struct d_front *d, const struct d_type *first,
			     const struct d_node *key);
/* check_object.c. The node is a variable of the program that keeps a struct: members are parts of
 * its words. */
void dph_d_set_object(const struct dph_d_check *c, struct d_node *node,
		      struct d_variable *variable);
/* Can a part of a struct in a variable be assigned? Complains. */
bool dph_d_check_part(const struct dph_d_check *c, const struct d_node *to);
/* Check the assignment of a struct; the value has been checked. */
void dph_d_check_object_assign(const struct dph_d_check *c, struct d_node *node);

/* check_text.c: the text where a checked pointer to characters points: stringof(node). */
struct d_node *dph_d_text_at(const struct d_front *d, struct d_node *node);
/* The operand of stringof, which has been checked: a text, a pointer, or an integer, which becomes
 * a pointer. Null: another one; complains. */
struct d_node *dph_d_text_operand(const struct dph_d_check *c, struct d_node *node);
/* Check stringof(e), copyinstr(e, n), strchr(e, c), strlen(e), index(e, c). */
void dph_d_check_stringof(const struct dph_d_check *c, struct d_node *node);
void dph_d_check_search(const struct dph_d_check *c, struct d_node *node);
/* check_swap.c: htons, htonl, htonll, ntohs, ntohl, ntohll */
void dph_d_check_swap(const struct dph_d_check *c, struct d_node *node);
/* check_copyin.c: copyin(address, n) becomes an array of n bytes in memory. */
void dph_d_check_copyin(const struct dph_d_check *c, struct d_node *node);

/* check_provided.c: put the value of a declared probe in the place of args[N] or arg0. Returns
 * false: the node is another one, or the probe is none of a provider file. */
bool dph_d_check_provided(const struct dph_d_check *c, struct d_node *node);
/* Put back what the program has. */
void dph_d_restore(struct d_node *node);

/* constant.c: the value of the node is known, in `number`. */
void dph_d_fold_unary(struct d_front *d, struct d_node *node);
void dph_d_fold_binary(struct d_front *d, struct d_node *node);
void dph_d_fold_choice(struct d_front *d, struct d_node *node);
void dph_d_set_constant(struct d_front *d, struct d_node *node, uint64_t value, bool is_signed);
/* The same, in a type that the program writes. */
void dph_d_set_fixed(struct d_node *node, struct d_type type, uint64_t value);
/* Compute with 64 bits. b: of a division not 0.
 * Returns the result, which the caller narrows to its type. */
uint64_t dph_d_computed(enum d_operator op, uint64_t a, uint64_t b, bool is_signed);

/* value.c: the node is a value of the type that the handler computes. */
void dph_d_set_value(struct d_node *node, struct d_type type);
/* The node is wrong, and its error is said. */
void dph_d_set_wrong(struct d_node *node);
bool dph_d_wrong(const struct d_node *node);

/* May the handler compute with the node, which dph_d_check has checked? Each complains. */
/* Is the type one whose values are read whole? */
bool dph_d_check_understood(const struct dph_d_check *c, struct d_node *node);
bool dph_d_checked_value(const struct dph_d_check *c, struct d_node *node);
/* A number or pointer; `what` names the operand in messages. */
bool dph_d_checked_scalar(const struct dph_d_check *c, struct d_node *node, enum d_tag tag,
			  const char *what);
/* The same, and the number may have two words. */
bool dph_d_check_checked_number(const struct dph_d_check *c, struct d_node *node, enum d_tag tag,
				const char *what);
/* A value of one word. */
bool dph_d_check_one_word(const struct dph_d_check *c, struct d_node *node);
/* The host computes with constants: they may be wider than a word, until they meet a value of the
 * target. */
bool dph_d_check_fits_word(const struct dph_d_check *c, struct d_node *node);

#endif
