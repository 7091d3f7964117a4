/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes list: programs and probes with their counters. */
#include "cmd_target.h"

#include "json.h"

#include <inttypes.h>
#include <string.h>

struct list {
	const struct dp_cli *cli;
	const char *name; /* null: all */
	FILE *out;
	struct dp_json json;
	bool open; /* a program's object is being written */
	bool skip;
	unsigned found;
};

static const char *probe_state(unsigned state)
{
	static const char *const states[] = {
		"armed",
		"waiting for its module",
		"disabled: maxhits",
		"disabled: remove",
		"disabled: step budget",
		"disabled: text changed",
		"disabled: program damaged",
		"not selected",
	};

	return state < sizeof states / sizeof states[0] ? states[state] : "unknown";
}

static const char *program_state(unsigned state)
{
	static const char *const states[] = {"armed", "waiting for its module", "damaged"};

	return state < sizeof states / sizeof states[0] ? states[state] : "unknown";
}

static void close_program(struct list *list)
{
	if (!list->open)
		return;
	dp_json_close(&list->json, ']');
	dp_json_end(&list->json);
	list->open = false;
}

static void json_program(struct list *list, const struct dp_target_program *p)
{
	char items[64];

	list->json = dp_json_begin(list->out);
	list->open = true;
	dp_json_string(&list->json, "kind", "program");
	dp_json_string(&list->json, "program", p->name);
	dp_json_number(&list->json, "index", p->index);
	dp_json_number(&list->json, "id", p->id);
	dp_json_number(&list->json, "major", p->major);
	dp_json_string(&list->json, "state", program_state(p->state));
	dp_json_string(&list->json, "items", dp_items_text(p->items, items));
	dp_json_number(&list->json, "bytes", p->bytes);
	dp_json_number(&list->json, "vars", p->vars);
	dp_json_address(&list->json, "crc", p->crc);
	dp_json_open(&list->json, "probes", '[');
}

static bool list_program(void *context, const struct dp_target_program *p)
{
	struct list *list = context;
	char items[64];

	close_program(list);
	list->skip = list->name != NULL && strcmp(list->name, p->name) != 0;
	if (list->skip)
		return true;
	list->found++;
	if (list->cli->format == DP_FORMAT_JSON) {
		json_program(list, p);
		return true;
	}
	fprintf(list->out, "%s: program %u, id %" PRIu32 ", major %u, %s, %u probe(s)", p->name,
		p->index, p->id, p->major, program_state(p->state), p->probes);
	if (p->items != 0)
		fprintf(list->out, ", logs %s", dp_items_text(p->items, items));
	if (dp_cli_has(list->cli, DP_OPT_EXTENDED))
		fprintf(list->out, ", object %" PRIu32 " bytes, crc %08" PRIx32 ", %u variable(s)",
			p->bytes, p->crc, p->vars);
	putc('\n', list->out);
	return true;
}

static void json_probe(struct list *list, const struct dp_target_probe *p)
{
	struct dp_json *json = &list->json;

	dp_json_open(json, NULL, '{');
	if (p->number != DP_NO_NUMBER)
		dp_json_number(json, "probe", p->number);
	dp_json_number(json, "point", p->point);
	dp_json_number(json, "minor", p->minor);
	dp_json_address(json, "address", p->address);
	dp_json_number(json, "isa", p->isa);
	dp_json_string(json, "state", probe_state(p->state));
	dp_json_address(json, "original", p->original);
	dp_json_number(json, "hits", p->hits);
	dp_json_number(json, "missed", p->missed);
	dp_json_number(json, "ignored", p->ignored);
	dp_json_number(json, "faulted", p->faulted);
	dp_json_number(json, "dropped", p->dropped);
	dp_json_number(json, "overruns", p->overruns);
	dp_json_number(json, "maxhits", p->maxhits);
	dp_json_close(json, '}');
}

static void count(FILE *out, const char *what, uint32_t value)
{
	if (value != 0)
		fprintf(out, ", %" PRIu32 " %s", value, what);
}

static bool list_probe(void *context, const struct dp_target_program *program,
		       const struct dp_target_probe *p)
{
	struct list *list = context;

	(void)program;
	if (list->skip)
		return true;
	if (list->cli->format == DP_FORMAT_JSON) {
		json_probe(list, p);
		return true;
	}
	fprintf(list->out, "  minor %u at 0x%08" PRIx64 "%s: %s, %" PRIu32 " hit(s)", p->minor,
		p->address, p->isa == 1 ? " (thumb)" : "", probe_state(p->state), p->hits);
	count(list->out, "missed", p->missed);
	count(list->out, "ignored", p->ignored);
	count(list->out, "faulted", p->faulted);
	count(list->out, "dropped", p->dropped);
	count(list->out, "budget overrun(s)", p->overruns);
	if (dp_cli_has(list->cli, DP_OPT_EXTENDED))
		fprintf(list->out, ", original 0x%0*" PRIx32 ", number %u, maxhits %" PRIu32,
			p->insn_bytes == 2 ? 4 : 8, p->original, p->number, p->maxhits);
	putc('\n', list->out);
	return true;
}

static int list_all(const struct dp_cli *cli, struct dp_session *session, const char *name)
{
	struct list list = {.cli = cli, .name = name, .out = dp_output_open(cli)};
	const struct dp_walk walk = {&list, list_program, list_probe};
	int status = DP_EXIT_DONE;

	if (list.out == NULL)
		return DP_EXIT_USAGE;
	if (!dp_session_walk(session, &walk))
		status = dp_target_failed(cli, session);
	close_program(&list);
	if (status == DP_EXIT_DONE && name != NULL && list.found == 0) {
		dp_cli_error(cli, "no program '%s' is installed; 'dprobes list' shows them", name);
		status = DP_EXIT_AGENT;
	}
	if (status == DP_EXIT_DONE && list.found == 0 && cli->format == DP_FORMAT_TEXT &&
	    !cli->quiet)
		fprintf(stderr, "dprobes: no program is installed\n");
	return dp_output_close(cli, list.out) || status != DP_EXIT_DONE ? status : DP_EXIT_USAGE;
}

int dp_cmd_list(const struct dp_cli *cli)
{
	struct dp_session *session;
	const char *name;
	int status;

	if (!dp_cli_program(cli, &name, &status))
		return status;
	session = dp_target_open(cli, NULL, &status);
	if (session != NULL)
		status = list_all(cli, session, name);
	dp_session_close(session);
	return status;
}
