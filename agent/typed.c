/* SPDX-License-Identifier: BSD-2-Clause */
/* The answer to the typed remove.  PROTOCOL.md 5.7 */
#include "dp_typed.h"

#include "dp_install.h"
#include "dp_rights.h"
#include "dp_sites.h"

#if DP_WITH_TYPED
static void say(struct dp_wire *wire, const char *words)
{
	while (*words != '\0')
		wire->out.text[wire->out.used++] = *words++;
}

static void say_number(struct dp_wire *wire, unsigned number)
{
	if (number >= 10)
		say_number(wire, number / 10);
	wire->out.text[wire->out.used++] = (char)('0' + number % 10);
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

	if (!wire->typed)
		return false;
	wire->typed = 0;
	wire->out.used = wire->sent = 0;
	say(wire, "\r\ndprobes: ");
	if (why) {
		say(wire, why);
	} else {
		say_number(wire, dp_uninstall_all(agent, DP_ALL));
		say(wire, " program(s) removed");
		if (dp_site_stuck(agent))
			say(wire, ", but a trap stays in text that cannot be written");
	}
	say(wire, "\r\n");
	return true;
}
#endif
