/* SPDX-License-Identifier: BSD-2-Clause */
#include "rows.h"

#include "out.h"

enum {
	ROWS_MAX = 255
};
static struct {
	uint16_t classes;
	uint8_t executed, refused, checked;
} seen[ROWS_MAX];

void note_executed(unsigned row, unsigned classes)
{
	seen[row].executed = 1;
	seen[row].classes |= (uint16_t)classes;
}

void note_refused(unsigned row)
{
	seen[row].refused = 1;
}

void note_checked(unsigned row)
{
	seen[row].checked = 1;
}

static void tell(const char *what, unsigned row, const struct row_wants *wants)
{
	number(what, row);
	say(" ");
	hex(wants->value);
}

static unsigned refusal_gate(unsigned row, const struct row_wants *wants)
{
	unsigned missing =
		(wants->refused && !seen[row].refused) + (wants->checked && !seen[row].checked);

	if (missing != 0) {
		tell("row never refused: ", row, wants);
		say("\n");
	}
	return missing;
}

static unsigned class_gate(unsigned row, const struct row_wants *wants)
{
	unsigned missing = wants->classes & ~(unsigned)seen[row].classes;

	if (missing == 0)
		return 0;
	tell("operands never tried: row ", row, wants);
	hex(missing);
	say("\n");
	return 1;
}

static unsigned executed_gate(unsigned row, const struct row_wants *wants)
{
	if (seen[row].executed)
		return class_gate(row, wants);
	if (!wants->executed)
		return 0;
	tell("row never executed: ", row, wants);
	say("\n");
	return 1;
}

unsigned row_gate(unsigned count)
{
	unsigned missing = 0, executed = 0;

	for (unsigned row = 0; row < count; row++) {
		struct row_wants wants;

		row_wants(row, &wants);
		missing += refusal_gate(row, &wants) + executed_gate(row, &wants);
		executed += seen[row].executed;
	}
	number("rows ", executed);
	number(" of ", count);
	return missing;
}
