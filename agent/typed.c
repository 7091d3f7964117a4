/* SPDX-License-Identifier: BSD-2-Clause */
/* The typed remove: `~dprobes remove` and Enter, alone in a line.  PROTOCOL.md 5.7 */
#include "dp_typed.h"

#include "dp_rights.h"
#include "dp_install.h"
#include "dp_sites.h"
#include "dp_stream_line.h"

#if DP_WITH_TYPED
static const char typed_line[] = "~dprobes remove";

enum {
	TYPED_BYTES = sizeof(typed_line) - 1,
	TYPED_OTHER = 0xff /* in typed_at: the line is another one */
};

bool dp_typed_next(struct dp_wire *wire, uint8_t byte)
{
	bool whole = wire->typed_at == TYPED_BYTES;

	if (byte == '\r' || byte == '\n') {
		wire->typed_at = 0;
		wire->typed |= whole;
		return whole;
	}
	if (wire->typed_at < TYPED_BYTES && byte == (uint8_t)typed_line[wire->typed_at])
		wire->typed_at++;
	else
		wire->typed_at = TYPED_OTHER;
	return false;
}

static void say(struct dp_line *line, const char *words)
{
	while (*words != '\0')
		line->text[line->used++] = *words++;
}

static void say_number(struct dp_line *line, unsigned number)
{
	if (number >= 10)
		say_number(line, number / 10);
	line->text[line->used++] = (char)('0' + number % 10);
}

/* Why nobody may remove by a typed line; null: everybody may. */
static const char *refusal(const struct dp_agent *agent)
{
	if (agent->board->typed_remove)
		return NULL;
	if (agent->locked)
		return "nothing removed: the firmware has locked the agent";
	return dp_rights_asks(agent) ? "nothing removed: this board asks for a key" : NULL;
}

bool dp_typed_answer(struct dp_agent *agent, struct dp_wire *wire)
{
	const char *why = refusal(agent);
	struct dp_line *line = dp_line_now(wire);

	if (!wire->typed)
		return false;
	wire->typed = 0;
	line->used = wire->sent = 0;
	say(line, "\r\ndprobes: ");
	if (why) {
		say(line, why);
	} else {
		say_number(line, dp_uninstall_all(agent, DP_ALL));
		say(line, " program(s) removed");
		if (dp_site_stuck(agent))
			say(line, ", but a trap stays in text that cannot be written");
	}
	say(line, "\r\n");
	dp_line_start(wire, line);
	return true;
}
#endif
