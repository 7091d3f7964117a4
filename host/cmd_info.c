/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes info: what the agent is and what it can; --verify-text: is the code the ELF's? */
#include "cmd_target.h"

#include "dprobes_errors.h"
#include "json.h"
#include "text_check.h"

#include "dp_object.h"
#include "dp_rpn.h"

#include <inttypes.h>
#include <string.h>

struct info {
	const struct dp_cli *cli;
	struct dp_session *session;
	FILE *out;
	struct dp_json json;
};

static bool as_json(const struct info *info)
{
	return info->cli->format == DP_FORMAT_JSON;
}

static const char *group_names(uint8_t groups, char *text)
{
	snprintf(text, 64, "base%s%s%s%s", groups & RPN_GROUP_WRITE ? " write" : "",
		 groups & RPN_GROUP_IO ? " io" : "", groups & RPN_GROUP_SEG ? " seg" : "",
		 groups & RPN_GROUP_HOOK ? " hook" : "");
	return text;
}

static const char *line_names(uint8_t coms)
{
	static const char *const names[] = {"no line", "com1", "com2", "com1 and com2"};

	return names[coms & 3];
}

/* Parts that the agent was built without, or an empty text. */
static const char *parts_left_out(uint32_t parts, char *text, size_t room)
{
	text[0] = '\0';
	for (unsigned i = 0; i < 32; i++)
		if (!(parts >> i & 1) && dp_part_name(i) != NULL)
			snprintf(text + strlen(text), room - strlen(text), "%s%s",
				 text[0] == '\0' ? "" : " ", dp_part_name(i));
	return text;
}

static void show_hello(struct info *info)
{
	const struct dp_hello *t = dp_session_target(info->session);
	const char *order = t->big_endian ? "big" : "little";
	const char *profile = t->profile == 0 ? "READ" : "FULL";
	char groups[64], without[320];

	group_names(t->groups, groups);
	parts_left_out(t->parts, without, sizeof without);
	if (as_json(info)) {
		struct dp_json *json = &info->json;

		dp_json_string(json, "cpu", dp_cpu_text(t->cpu));
		dp_json_number(json, "word_bits", t->word_bytes * 8u);
		dp_json_string(json, "endian", order);
		dp_json_number(json, "boot", t->boot);
		dp_json_number(json, "agent_version", t->agent_version);
		dp_json_number(json, "protocol", t->version);
		dp_json_string(json, "profile", profile);
		dp_json_flag(json, "write", t->rights & 1);
		dp_json_string(json, "groups", groups);
		dp_json_string(json, "lines", line_names(t->coms));
		dp_json_string(json, "left_out", without);
		dp_json_number(json, "window", t->window);
		if (t->hz != 0) {
			dp_json_number(json, "hz", t->hz);
			dp_json_number(json, "ticks", t->ticks);
		}
		return;
	}
	fprintf(info->out, "target:   %s, %u-bit, %s-endian, boot %u\n", dp_cpu_text(t->cpu),
		t->word_bytes * 8u, order, t->boot);
	fprintf(info->out,
		"agent:    version %d.%d, protocol %u, profile %s, instructions %s, on %s, "
		"window %u\n",
		t->agent_version >> 8, t->agent_version & 0xff, t->version, profile, groups,
		line_names(t->coms), t->window);
	if (without[0] != '\0')
		fprintf(info->out, "without:  %s (agent/dp_config.h, DP_WITH_...)\n", without);
	if (t->hz != 0)
		fprintf(info->out, "time:     %.3f s since start, %" PRIu32 " ticks a second\n",
			(double)t->ticks / t->hz, t->hz);
}

/* What an agent says of its limits without the part LIMITS. */
static bool show_hello_limits(struct info *info)
{
	const struct dp_hello *t = dp_session_target(info->session);

	if (t->log_max == 0)
		return true;
	if (as_json(info)) {
		dp_json_open(&info->json, "limits", '{');
		dp_json_number(&info->json, "log", t->log_max);
		if (t->trace_max != UINT16_MAX)
			dp_json_number(&info->json, "trace", t->trace_max);
		dp_json_close(&info->json, '}');
	} else {
		fprintf(info->out, "limits:   logmax %u", t->log_max);
		if (t->trace_max != UINT16_MAX)
			fprintf(info->out, ", excpt_log %u", t->trace_max);
		putc('\n', info->out);
	}
	return true;
}

static bool show_limits(struct info *info)
{
	struct dp_target_limits l;

	if (!(dp_session_target(info->session)->parts >> DP_PART_LIMITS & 1))
		return show_hello_limits(info);
	if (!dp_session_limits(info->session, &l))
		return false;
	if (as_json(info)) {
		struct dp_json *json = &info->json;

		dp_json_open(json, "limits", '{');
		dp_json_number(json, "log", l.log);
		dp_json_number(json, "trace", l.trace);
		dp_json_number(json, "vars", l.vars);
		dp_json_number(json, "gvars", l.gvars);
		dp_json_number(json, "jmpmax", l.jmpmax);
		dp_json_number(json, "stack", l.stack);
		dp_json_number(json, "budget", l.budget);
		dp_json_number(json, "arena", l.arena);
		dp_json_number(json, "arena_free", l.arena_free);
		dp_json_number(json, "probes", l.probes);
		dp_json_number(json, "probes_free", l.probes_free);
		dp_json_number(json, "programs", l.programs);
		dp_json_number(json, "slots", l.slots);
		dp_json_number(json, "slots_free", l.slots_free);
		dp_json_number(json, "ring", l.ring);
		dp_json_number(json, "agent_bytes", l.agent_bytes);
		dp_json_number(json, "stack_high_water", l.stack_high_water);
		dp_json_close(json, '}');
		return true;
	}
	fprintf(info->out,
		"programs: at most %u, %u of %u probes free, %u of %u slots free\n"
		"memory:   %" PRIu32 " of %" PRIu32 " bytes free for programs, ring %" PRIu32
		" bytes, agent %" PRIu32 " bytes, its stack used %u bytes\n"
		"limits:   logmax %u, excpt_log %u, vars %u, gvars %u, jmpmax %u, RPN stack %u "
		"words, %" PRIu32 " steps a hit\n",
		l.programs, l.probes_free, l.probes, l.slots_free, l.slots, l.arena_free, l.arena,
		l.ring, l.agent_bytes, l.stack_high_water, l.log, l.trace, l.vars, l.gvars,
		l.jmpmax, l.stack, l.budget);
	return true;
}

static void show_module(struct info *info, const struct dp_target_module *m)
{
	static const char *const identities[] = {"none", "build-id", "text-crc"};
	const char *identity = m->identity < 3 ? identities[m->identity] : "unknown";

	if (as_json(info)) {
		dp_json_open(&info->json, NULL, '{');
		dp_json_string(&info->json, "name", m->name);
		dp_json_number(&info->json, "type", m->type);
		dp_json_address(&info->json, "base", m->base);
		dp_json_number(&info->json, "bytes", m->bytes);
		dp_json_string(&info->json, "identity", identity);
		dp_json_hex(&info->json, "id", m->id, m->id_bytes);
		dp_json_close(&info->json, '}');
		return;
	}
	fprintf(info->out, "module:   %s at 0x%08" PRIx64 ", %" PRIu64 " bytes, %s ",
		m->name[0] ? m->name : "image", m->base, m->bytes, identity);
	dp_print_hex(info->out, m->id, m->id_bytes);
	putc('\n', info->out);
}

static bool show_modules(struct info *info)
{
	const unsigned modules = dp_session_target(info->session)->modules;
	struct dp_target_module module;
	bool good = true;

	if (as_json(info))
		dp_json_open(&info->json, "modules", '[');
	for (unsigned i = 0; good && i < modules; i++) {
		good = dp_session_module(info->session, (uint8_t)i, &module);
		if (good)
			show_module(info, &module);
	}
	if (as_json(info))
		dp_json_close(&info->json, ']');
	return good;
}

static bool show_status(struct info *info)
{
	struct dp_target_status s;

	if (!dp_session_status(info->session, &s))
		return false;
	if (as_json(info)) {
		struct dp_json *json = &info->json;

		dp_json_number(json, "programs", s.programs);
		dp_json_number(json, "probes", s.probes);
		dp_json_string(json, "log_target", dp_log_line_name(s.log_target));
		dp_json_string(json, "log_mode",
			       s.log_mode == DP_LOG_SYNCHRONOUS ? "synchronous" : "buffered");
		if (s.line != DP_LOG_LEAVE)
			dp_json_string(json, "line", dp_log_line_name(s.line));
		dp_json_flag(json, "own_text", s.own_text);
		dp_json_number(json, "sent", s.sent);
		dp_json_number(json, "dropped", s.dropped);
		dp_json_number(json, "missed", s.missed);
		dp_json_number(json, "withdrawn", s.withdrawn);
		dp_json_number(json, "strays", s.strays);
		return true;
	}
	fprintf(info->out, "now:      %u program(s), %u probe(s); records go to %s, %s", s.programs,
		s.probes, dp_log_line_name(s.log_target),
		s.log_mode == DP_LOG_SYNCHRONOUS ? "synchronous" : "buffered");
	if (s.line != DP_LOG_LEAVE)
		fprintf(info->out, "; this line is %s", dp_log_line_name(s.line));
	fprintf(info->out,
		"\nrecords:  %" PRIu32 " sent, %" PRIu32 " dropped, %" PRIu32
		" hits missed, %" PRIu32 " withdrawn, %" PRIu32 " stray trap(s)\n",
		s.sent, s.dropped, s.missed, s.withdrawn, s.strays);
	if (s.own_text)
		fprintf(info->out, "refused:  every insertion: %s\n",
			dp_error_sentence(DP_ERR_OWN_TEXT));
	return true;
}

static bool show(struct info *info)
{
	bool good;

	if (as_json(info)) {
		info->json = dp_json_begin(info->out);
		dp_json_string(&info->json, "kind", "info");
	}
	show_hello(info);
	good = show_limits(info) && show_modules(info) && show_status(info);
	if (as_json(info))
		dp_json_end(&info->json);
	return good;
}

static int verify_text(struct info *info)
{
	const struct dp_cli *cli = info->cli;
	struct dp_text_result result;
	struct dp_messages messages = {0};
	bool good = dp_text_check(info->session, cli->elf, false, &result, &messages);

	if (!good && messages.errors == 0)
		return dp_target_failed(cli, info->session);
	dp_cli_report(cli, &messages);
	if (!good)
		return DP_EXIT_USAGE;
	if (as_json(info)) {
		struct dp_json json = dp_json_begin(info->out);

		dp_json_string(&json, "kind", "text");
		dp_json_flag(&json, "same", result.differ == 0);
		dp_json_number(&json, "bytes", result.bytes);
		dp_json_number(&json, "differ", result.differ);
		dp_json_number(&json, "sites", result.sites);
		if (result.differ != 0)
			dp_json_address(&json, "first", result.first);
		dp_json_end(&json);
	} else if (result.differ == 0) {
		fprintf(info->out, "text:     %" PRIu64 " bytes, the same as in %s\n", result.bytes,
			cli->elf);
	} else {
		fprintf(info->out,
			"text:     %s%" PRIu64 " of %" PRIu64
			" bytes differ from %s, the first at 0x%08" PRIx64 "; %" PRIu32
			" probe(s) armed\n",
			result.differ >= 256 ? "at least " : "", result.differ, result.bytes,
			cli->elf, result.first, result.sites);
	}
	return result.differ == 0 ? DP_EXIT_DONE : DP_EXIT_EXPECT;
}

int dp_cmd_info(const struct dp_cli *cli)
{
	const bool verify = dp_cli_has(cli, DP_OPT_VERIFY_TEXT);
	struct info info = {.cli = cli};
	int status = DP_EXIT_USAGE;

	if (verify && cli->elf == NULL)
		return dp_cli_usage(cli, "--verify-text needs the firmware: give --elf FILE");
	if (!verify && dp_cli_has(cli, DP_OPT_ELF))
		return dp_cli_usage(cli, "info does nothing with --elf without --verify-text");
	info.out = dp_output_open(cli);
	if (info.out == NULL)
		return status;
	info.session = dp_target_open(cli, NULL, &status);
	if (info.session != NULL) {
		if (verify)
			status = verify_text(&info);
		else
			status = show(&info) ? DP_EXIT_DONE : dp_target_failed(cli, info.session);
	}
	dp_session_close(info.session);
	return dp_output_close(cli, info.out) || status != DP_EXIT_DONE ? status : DP_EXIT_USAGE;
}
