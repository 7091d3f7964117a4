/* SPDX-License-Identifier: BSD-2-Clause */
/* The answer to the typed remove.  PROTOCOL.md 5.7 */
#include "dp_typed.h"

#include "dp_install.h"
#include "dp_rights.h"
#include "dp_sites.h"
#include "dp_tell.h"

#if DP_WITH_TYPED
static void say(struct dp_line *line, const char *words)
{
	while (*words != '\0')
		line->text[line->used++] = *words++;
}

/* number: of programs, below 1000. Subtracts: the agent has no division. */
static void say_number(struct dp_line *line, unsigned number)
{
	static const uint8_t units[] = {100, 10, 1};
	bool begun = false;

	for (unsigned i = 0; i < sizeof(units); i++) {
		char digit = '0';

		for (; number >= units[i]; number -= units[i])
			digit++;
		begun |= digit != '0' || units[i] == 1;
		if (begun)
			line->text[line->used++] = digit;
	}
}

/* Why nobody may remove by a typed line; null: everybody may. */
static const char *refusal(const struct dp_agent *agent)
{
	if (agent->board->typed_remove)
		return NULL;
	if (agent->locked)
		return "nothing removed: the firmware has locked the agent";
	return dp_rights_asks(agent) ? "nothing removed: this board requires a key" : NULL;
}

void dp_typed_answer(struct dp_agent *agent, struct dp_line *line)
{
	const char *why = refusal(agent);

	line->used = 0;
	say(line, "\r\ndprobes: ");
	if (why) {
		say(line, why);
	} else {
		const unsigned removed = dp_uninstall_all(agent, DP_ALL);

		say_number(line, removed);
		if (removed != 0)
			DP_TELL(agent, DP_NOTICE_REMOVED, DP_WIDTHS_removed_notice, removed);
		say(line, " program(s) removed");
		if (dp_site_stuck(agent))
			say(line, ", but a trap stays in text that cannot be written");
	}
	say(line, "\r\n");
}
#endif
