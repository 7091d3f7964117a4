/* SPDX-License-Identifier: BSD-2-Clause */
/* The tree of a D program: clauses, statements, expressions. The parser makes the tree; the checker
 * fills the part of each expression that depends on the probe point. */
#ifndef DPH_D_TREE_H
#define DPH_D_TREE_H

#include "lex.h"
#include "types.h"

#include "debuginfo/variable.h"

enum d_scope {
	D_SCOPE_GLOBAL,
	D_SCOPE_CLAUSE, /* this-> */
	D_SCOPE_THREAD  /* self-> */
};

/* A variable of the program. */
struct d_variable {
	struct d_variable *next;
	enum d_scope scope;
	const char *name;
	struct dph_place place;  /* of its declaration or first use */
	struct d_type type;      /* kind D_TYPE_NONE: not known yet */
	struct d_node *first;    /* the first assignment in the text; null: none */
	struct d_clause *clause; /* of that assignment */
	bool declared, resolving;
	bool refused;             /* its first assignment has an error */
	bool indexed;             /* has keys */
	bool hidden;              /* of entry(e): the program does not name it */
	bool bytes;               /* where it is a text: text.c */
	unsigned key_bytes;       /* keys that are texts in bytes, a bit each */
	unsigned key_texts;       /* keys that are texts */
	unsigned key_count;       /* 0: not known yet */
	unsigned wide_keys;       /* bit n: key n has 64 bits */
	unsigned bound;           /* its one key is below this number; 0: no bound */
	struct d_type *key_types; /* declared, or of all uses so far; null: not known yet */
	bool placed;              /* has a program variable or map: */
	unsigned index;
	/* fresh.c: */
	unsigned assigned; /* number of the last search in which a clause assigns it first */
	unsigned fresh;    /* number of the last handler that stores 0 first */
	bool told;         /* that it has no value */
	bool looked;       /* for a firmware name that it hides */
};

/* A type as written: words, stars and bounds. */
struct d_type_name {
	struct dph_place place;
	const char *name; /* "struct queue", "unsigned int" */
	const char *file; /* the source file that defines it; null: any */
	unsigned stars;
	bool of_file; /* of the declaration of a probe: the program's types do not count */
	bool array;
	uint64_t bound;
};

enum d_node_kind {
	D_NODE_NUMBER,
	D_NODE_STRING,
	D_NODE_NAME,
	D_NODE_FIRMWARE, /* `name; file in `other` */
	D_NODE_AGGREGATION,
	D_NODE_SCOPED, /* this->name, self->name */
	D_NODE_UNARY,  /* op a */
	D_NODE_STEP,   /* ++ and --; postfix in `postfix` */
	D_NODE_BINARY,
	D_NODE_ASSIGN,
	D_NODE_CHOICE,   /* a ? b : c */
	D_NODE_CALL,     /* text(list) */
	D_NODE_INDEX,    /* a[list] */
	D_NODE_MEMBER,   /* a.text, a->text with op D_OP_ARROW */
	D_NODE_CAST,     /* (type_name) a */
	D_NODE_SIZEOF,   /* of a, or of type_name */
	D_NODE_OFFSETOF, /* (type_name, text) */
	D_NODE_DEFINED,  /* does `a` have a meaning? null: it is `value` */
	D_NODE_FRAME     /* the frame of the call that the point stands in */
};

/* Where the value of a node is. */
enum d_home {
	D_HOME_VALUE,    /* computed */
	D_HOME_VARIABLE, /* of the program: `variable` */
	D_HOME_ELEMENT,  /* of a map of the target: `variable`, and keys in `list` */
	D_HOME_MEMORY,   /* of the firmware: the address is computed */
	D_HOME_LOCATION, /* of the firmware: `location`, from byte `offset` on */
	D_HOME_REGISTER, /* a register: `reg`; of two words, `above` has the second */
	D_HOME_STACK,    /* the word or pair at register `reg` + `offset` */
	D_HOME_SYSTEM,   /* an instruction pushes it: `system` */
	D_HOME_TEXT,     /* a string of the firmware: stringof, strchr */
	D_HOME_FAULT,    /* of the fault that ERROR tells: argument `part` */
	D_HOME_FIELD,    /* not on the target: TEXT, TIME, PROBE */
	D_HOME_HOST      /* the host computes it: `function` of the arguments */
};

/* What a node is at one probe point. */
struct d_checked {
	struct d_type type; /* kind D_TYPE_NONE: wrong, and said */
	bool constant;      /* `number` is its value */
	bool fixed;         /* a constant whose width or sign is written: suffix, cast, sizeof */
	uint64_t number;
	enum d_home home;
	struct d_variable *variable;
	const struct dph_location *location;
	uint64_t offset;          /* MEMORY: added to the address of `a`; LOCATION: byte of it */
	struct dph_member member; /* bits not 0: a bit-field */
	unsigned reg, above;
	enum rpn_op system;
	unsigned scale;             /* of pointer arithmetic; 0: none */
	enum dph_format_form form;  /* FIELD */
	const char *text;           /* FIELD, TEXT */
	unsigned part;              /* FIELD, PROBE: enum dph_probe_part */
	enum dph_function function; /* HOST */
};

struct d_node {
	enum d_node_kind kind;
	enum d_operator op;
	struct dph_place place;
	struct dph_place sign_place, member_place; /* of the operator, of the member's name */
	const char *text, *other;                  /* other: of FIRMWARE the file */
	size_t bytes;                              /* of text */
	uint64_t value;
	bool is_unsigned, is_based, postfix;
	bool told;                  /* a warning of this node */
	bool deferred;              /* the value of a variable that stood here */
	bool of_file;               /* of the declaration of a probe: names are the firmware's */
	unsigned longs, characters; /* of a number: suffixes l; those between its quotes */
	enum d_scope scope;
	struct d_type_name *type_name;
	struct d_node *a, *b, *c;
	struct d_node *list, *next; /* arguments, keys */
	struct d_variable *kept; /* has the value of a key that is evaluated once; null: none yet */
	struct d_node *written; /* args[N], where the value of a declared probe stands; else null */
	struct d_checked is;    /* of the checker, which sets all of it at each point */
};

enum d_statement_kind {
	D_STATEMENT_EXPRESSION,
	D_STATEMENT_IF
};

struct d_statement {
	struct d_statement *next;
	enum d_statement_kind kind;
	struct d_node *expression; /* or condition */
	struct d_statement *yes, *no;
};

struct d_description {
	struct d_description *next;
	struct dph_place place;
	const char *text;
};

/* What a clause with entry(e) has at the functions of its points. */
struct d_entered {
	struct d_clause *keep;    /* runs at the entry */
	struct d_clause *drop;    /* runs where the function returns */
	struct d_variable *there; /* all values of the call are kept */
	bool arguments;           /* a value names an argument by its number */
};

struct d_clause {
	struct d_clause *next;
	unsigned number; /* from 0 */
	struct dph_place place;
	struct d_description *descriptions;
	struct d_node *predicate; /* null: none */
	struct d_statement *body;
	bool empty;                /* no statement: the firing itself is recorded */
	struct d_entered *entered; /* null: the clause has no entry(e) */
	struct d_node *there;      /* false: the clause does not run; null: it does */
};

/* Find a variable; null: none. */
struct d_variable *dph_d_variable_find(const struct d_front *d, enum d_scope scope,
				       const char *name);
struct d_variable *dph_d_variable_make(struct d_front *d, enum d_scope scope, const char *name,
				       struct dph_place place);
/* The variable of the program that the node names; null: none. Names of a provider file are the
 * firmware's. */
struct d_variable *dph_d_variable_named(const struct d_front *d, const struct d_node *node);
/* The variable of the program that the node names, or whose element it is; null: none. */
struct d_variable *dph_d_variable_of(const struct d_front *d, const struct d_node *node);

/* A tree of its own: a check at another point leaves the original unchanged. */
struct d_node *dph_d_copy(struct d_front *d, const struct d_node *node);
/* source_text.c: the expression as the program has it. */
const char *dph_d_source_text(struct d_front *d, const struct d_node *node);

#endif
