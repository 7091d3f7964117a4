/* SPDX-License-Identifier: BSD-2-Clause */
/* Breakpoints and watchpoints. All that stop the target are one program, whose handlers end with
 * `exit 1`. gdb inserts and removes its breakpoints at each stop; the program changes when the
 * target goes on with other ones. */
#define _GNU_SOURCE
#include "server_parts.h"

#include "base/pool.h"
#include "expression.h"
#include "features.h"

#include "dp_object.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	CODE = 1 /* the last kind of a breakpoint; others watch data */
};

/* The variables of the program of breakpoints: of the watchpoint that has stopped the target. */
enum {
	WATCH_ADDRESS,
	WATCH_KIND, /* the digit of its packet; 0: no watchpoint */
	WATCH_WORDS
};

/* gdb's kinds of watchpoints. */
static const struct {
	unsigned kind;      /* the digit of the packet */
	unsigned point;     /* of point_kinds.def */
	const char *letter; /* of a program */
	const char *what;   /* of the answer */
	bool behind;        /* the target stops behind the access */
} watches[] = {
	{2, DP_PROBE_WATCH_W, "w", "watch", true},
	{3, DP_PROBE_WATCH_R, "r", "rwatch", false},
	{4, DP_PROBE_WATCH_RW, "rw", "awatch", true},
};

static void forget(struct dph_gdb_breakpoint *breakpoint)
{
	free(breakpoint->conditions);
	free(breakpoint->commands);
	free(breakpoint->refused);
}

void dph_gdb_breakpoints_forget(struct dph_gdb_server *server)
{
	for (size_t i = 0; i < server->breakpoint_count; i++)
		forget(&server->breakpoints[i]);
	server->breakpoint_count = 0;
	free(server->breakpoints);
}

bool dph_gdb_write_conditions(struct dph_gdb_code *code, const char *args, bool first, unsigned all)
{
	uint8_t bytes[DPH_GDB_TEXT_MAX / 2];
	uint64_t count;

	for (; *args == 'X'; first = false) {
		args++;
		if (!dph_gdb_number_and(&args, &count, ',') ||
		    dph_gdb_bytes(&args, bytes, sizeof bytes) != count)
			return false;
		if (!first)
			fputs("ros 1\n", code->out);
		if (!dph_gdb_write_expression(code, bytes, (size_t)count))
			return false;
		fprintf(code->out, "jnz all%u\n", all);
	}
	return *args == '\0';
}

/* Do the conditions compile? Returns false: why has the reason. */
static bool check_conditions(const struct dph_gdb_server *server, const char *conditions,
			     struct dph_gdb_why *why)
{
	struct dph_gdb_variables none = {0};
	struct dph_gdb_code code = {.target = server->target, .variables = &none, .why = why};
	char *text = NULL;
	size_t bytes;
	bool good;

	snprintf(why->text, sizeof why->text, "a condition is not whole");
	code.out = open_memstream(&text, &bytes);
	if (code.out == NULL)
		return false;
	good = dph_gdb_write_conditions(&code, conditions, true, 0);
	if (good && none.count > 0) {
		snprintf(why->text, sizeof why->text,
			 "a condition of a breakpoint has no trace state variables");
		good = false;
	}
	fclose(code.out);
	free(text);
	free(none.numbers);
	return good;
}

/* Note conditions and commands behind a breakpoint, and whether they compile:
 * "CONDITIONS;cmds:PERSIST,COMMANDS", each of which may be left out. */
static void note_more(const struct dph_gdb_server *server, struct dph_gdb_breakpoint *breakpoint,
		      const char *args)
{
	static const char begin[] = "cmds:";
	const char *commands = strstr(args, begin);
	size_t bytes = commands != NULL ? (size_t)(commands - args) : strlen(args);
	struct dph_gdb_why why = {"the commands of a breakpoint are not whole"};
	uint64_t persist;
	bool good = true;

	bytes -= commands != NULL && bytes > 0 && args[bytes - 1] == ';';
	if (bytes > 0) {
		breakpoint->conditions = dph_print("%.*s", (int)bytes, args);
		good = check_conditions(server, breakpoint->conditions, &why);
	}
	if (good && commands != NULL) {
		commands += sizeof begin - 1;
		good = dph_gdb_number_and(&commands, &persist, ',') &&
		       dph_gdb_check_commands(server, commands, &why);
		breakpoint->commands = dph_strdup(commands);
	}
	if (!good)
		breakpoint->refused = dph_strdup(why.text);
}

/* "KIND,ADDRESS,BYTES" and perhaps conditions. Returns false for another text. */
static bool read_breakpoint(const struct dph_gdb_server *server, const char **args,
			    struct dph_gdb_breakpoint *breakpoint)
{
	uint64_t kind;

	*breakpoint = (struct dph_gdb_breakpoint){0};
	if (!dph_gdb_number_and(args, &kind, ',') || kind > 4 ||
	    !dph_gdb_number_and(args, &breakpoint->address, ',') ||
	    !dph_gdb_number(args, &breakpoint->bytes) || (**args != '\0' && **args != ';'))
		return false;
	breakpoint->kind = (unsigned)kind;
	breakpoint->address = dph_gdb_place(server, breakpoint->address);
	*args += **args == ';';
	return true;
}

static struct dph_gdb_breakpoint *find(struct dph_gdb_server *server,
				       const struct dph_gdb_breakpoint *like)
{
	for (size_t i = 0; i < server->breakpoint_count; i++)
		if (server->breakpoints[i].kind == like->kind &&
		    server->breakpoints[i].address == like->address &&
		    server->breakpoints[i].bytes == like->bytes)
			return &server->breakpoints[i];
	return NULL;
}

/* Has the CPU comparators for all accesses, and none for reads? gdb then takes one for all accesses
 * where the server does not know the packet of a watchpoint for reads. */
static bool lacks_reads(const struct dph_gdb_server *server, unsigned kind)
{
	const struct dph_gdb_target *target = server->target;

	return watches[kind - CODE - 1].point == DP_PROBE_WATCH_R &&
	       dph_gdb_why_no_stop(server) == NULL && target->ops->stop_variables != NULL &&
	       target->ops->comparators(target->context, DP_PROBE_WATCH_R) == 0 &&
	       target->ops->comparators(target->context, DP_PROBE_WATCH_RW) != 0;
}

/* gdb has a sentence of its own for more watchpoints than there are comparators, and none for a CPU
 * that has no comparator: that is said when the target is to go on. Returns false: it is answered
 * with a refusal. */
static bool may_watch(struct dph_gdb_server *server, struct dph_gdb_breakpoint *breakpoint,
		      bool one_more)
{
	const struct dph_gdb_target *target = server->target;
	const char *no = dph_gdb_why_no_stop(server);
	unsigned there = 0, count = one_more;

	if (no != NULL) /* the resumption is refused */
		return true;
	no = target->ops->no_watch != NULL ? target->ops->no_watch(target->context) : NULL;
	if (no != NULL) {
		breakpoint->refused = dph_strdup(no);
		return true;
	}
	if (target->ops->stop_variables != NULL)
		there = target->ops->comparators(target->context,
						 watches[breakpoint->kind - CODE - 1].point);
	for (size_t i = 0; i < server->breakpoint_count; i++)
		count += server->breakpoints[i].kind > CODE;
	if (there == 0)
		breakpoint->refused =
			dph_strdup("the CPU has no comparator for the watchpoint: 'delete' it, or "
				   "'set can-use-hw-watchpoints 0'");
	else if (count > there)
		dph_gdb_refuse(server, "the CPU has %u comparators", there);
	return count <= there || there == 0;
}

void dph_gdb_do_note_breakpoint(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	struct dph_gdb_breakpoint breakpoint, *there;

	(void)bytes;
	if (!read_breakpoint(server, &args, &breakpoint)) {
		dph_gdb_malformed(server);
		return;
	}
	if (*args != '\0')
		note_more(server, &breakpoint, args);
	there = find(server, &breakpoint);
	if (breakpoint.kind > CODE && lacks_reads(server, breakpoint.kind)) {
		forget(&breakpoint); /* the answer is empty */
		return;
	}
	if (breakpoint.kind > CODE && !may_watch(server, &breakpoint, there == NULL)) {
		forget(&breakpoint);
		return;
	}
	if (there != NULL) {
		forget(there);
	} else {
		server->breakpoints =
			dph_grow(server->breakpoints, &server->breakpoint_capacity,
				 server->breakpoint_count, sizeof *server->breakpoints);
		there = &server->breakpoints[server->breakpoint_count++];
	}
	*there = breakpoint;
	dph_gdb_add_text(&server->answer, "OK");
}

void dph_gdb_do_forget_breakpoint(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	struct dph_gdb_breakpoint like, *there;

	(void)bytes;
	if (!read_breakpoint(server, &args, &like)) {
		dph_gdb_malformed(server);
		return;
	}
	there = find(server, &like);
	if (there != NULL) {
		forget(there);
		*there = server->breakpoints[--server->breakpoint_count];
	}
	dph_gdb_add_text(&server->answer, "OK");
}

size_t dph_gdb_stop_count(const struct dph_gdb_server *server)
{
	size_t count = 0;

	for (size_t i = 0; i < server->breakpoint_count; i++)
		count += server->breakpoints[i].commands == NULL;
	return count;
}

/* The breakpoints are sorted by address, and watchpoints come behind them. Is there one without a
 * condition at the address of the first one? *end: receives the next one that is at another
 * address. */
static bool always_stops(const struct dph_gdb_server *server, size_t first, size_t *end)
{
	const struct dph_gdb_breakpoint *all = server->breakpoints;
	bool always = false;

	for (*end = first; *end < dph_gdb_stop_count(server) && all[*end].kind <= CODE &&
			   all[*end].address == all[first].address;
	     ++*end)
		always = always || all[*end].conditions == NULL;
	return always;
}

/* The handler of the breakpoints at one address. Z0 and Z1 are the same here. */
static void write_handler(struct dph_gdb_code *code, const struct dph_gdb_breakpoint *first,
			  size_t count, bool always)
{
	const unsigned all = code->labels;

	fprintf(code->out, "address = 0x%" PRIx64 "\n", first->address);
	if (!always) {
		code->labels++;
		for (size_t i = 0; i < count; i++)
			dph_gdb_write_conditions(code, first[i].conditions, i == 0, all);
		fprintf(code->out, "abort\nall%u:\nros 1\n", all);
	}
	fputs("exit 1\n", code->out);
}

/* The handler of a watchpoint. The range has its last byte. */
static void write_watch(FILE *out, const struct dph_gdb_breakpoint *watch)
{
	const char *letter = watches[watch->kind - CODE - 1].letter;

	fprintf(out, "address = 0x%" PRIx64 " : 0x%" PRIx64 "\nwatchpoint = %s\n", watch->address,
		watch->address + watch->bytes - 1, letter);
	fprintf(out, "push 0x%" PRIx64 "\npop lv, %u\npush %u\npop lv, %u\nexit 1\n",
		watch->address, WATCH_ADDRESS, watch->kind, WATCH_KIND);
}

/* Is a watchpoint among the breakpoints? They are the last ones that stop. */
static bool has_watches(const struct dph_gdb_server *server)
{
	const size_t count = dph_gdb_stop_count(server);

	return count > 0 && server->breakpoints[count - 1].kind > CODE;
}

/* The program of all breakpoints that stop, which compile; null: there are none. Equal breakpoints
 * have equal programs. */
static char *program_of(const struct dph_gdb_server *server)
{
	struct dph_gdb_why why;
	struct dph_gdb_variables none = {0};
	struct dph_gdb_code code = {.target = server->target, .variables = &none, .why = &why};
	char *text = NULL;
	size_t bytes;

	if (dph_gdb_stop_count(server) == 0)
		return NULL;
	code.out = open_memstream(&text, &bytes);
	if (code.out == NULL)
		return NULL;
	fputs("modtype = kernel\n", code.out);
	if (has_watches(server))
		fprintf(code.out, "vars = %d\n", WATCH_WORDS);
	for (size_t i = 0, end; i < dph_gdb_stop_count(server); i = end) {
		const bool always = always_stops(server, i, &end);

		if (end > i)
			write_handler(&code, &server->breakpoints[i], end - i, always);
		else
			write_watch(code.out, &server->breakpoints[end++]);
	}
	fclose(code.out);
	free(none.numbers);
	return text;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static int compare(const void *a, const void *b)
{
	const struct dph_gdb_breakpoint *x = a, *y = b;

	if ((x->commands != NULL) != (y->commands != NULL))
		return x->commands != NULL ? 1 : -1;
	if ((x->kind > CODE) != (y->kind > CODE))
		return x->kind > CODE ? 1 : -1;
	if (x->address != y->address)
		return x->address > y->address ? 1 : -1;
	return (int)x->kind - (int)y->kind;
}

/* Let the target have the breakpoints that stop it. */
static bool install_stops(struct dph_gdb_server *server, struct dph_gdb_why *why)
{
	const struct dph_gdb_target *target = server->target;
	char *program = program_of(server);

	if (is_same(program, server->installed_breakpoints)) {
		free(program);
		return true;
	}
	if (!target->ops->install(target->context, program, why)) {
		free(program);
		return false;
	}
	free(server->installed_breakpoints);
	server->installed_breakpoints = program;
	server->watches = has_watches(server);
	return true;
}

bool dph_gdb_breakpoints_install(struct dph_gdb_server *server, struct dph_gdb_why *why)
{
	for (size_t i = 0; i < server->breakpoint_count; i++)
		if (server->breakpoints[i].refused != NULL) {
			snprintf(why->text, sizeof why->text, "at 0x%" PRIx64 ": %.500s",
				 server->breakpoints[i].address, server->breakpoints[i].refused);
			return false;
		}
	/* gdb inserts them in any order. */
	if (server->breakpoint_count > 0)
		qsort(server->breakpoints, server->breakpoint_count, sizeof *server->breakpoints,
		      compare);
	return install_stops(server, why) &&
	       dph_gdb_prints_install(server, dph_gdb_stop_count(server), why);
}

bool dph_gdb_is_watched(struct dph_gdb_server *server, struct dph_gdb_watched *watched)
{
	const struct dph_gdb_target *target = server->target;
	uint64_t words[WATCH_WORDS] = {0};

	if (!server->watches ||
	    target->ops->stop_variables(target->context, words, WATCH_WORDS) < WATCH_WORDS)
		return false;
	for (size_t i = 0; i < sizeof watches / sizeof watches[0]; i++)
		if (watches[i].kind == words[WATCH_KIND]) {
			*watched = (struct dph_gdb_watched){watches[i].what, words[WATCH_ADDRESS]};
			server->access_done =
				watches[i].behind && dph_gdb_steps_at_watchpoint(target);
			return true;
		}
	return false;
}

bool dph_gdb_has_breakpoint(const struct dph_gdb_server *server, uint64_t first, uint64_t bytes)
{
	for (size_t i = 0; i < server->breakpoint_count; i++)
		if (server->breakpoints[i].kind <= CODE &&
		    server->breakpoints[i].commands == NULL &&
		    server->breakpoints[i].address - first < bytes)
			return true;
	return false;
}
