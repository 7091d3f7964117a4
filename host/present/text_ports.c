/* SPDX-License-Identifier: BSD-2-Clause */
/* The text format of serial ports. */
#include "text.h"

#include "base/plain.h"
#include "words.h"

#include <dprobes/errors.h>
#include <dprobes/ports.h>

static void print_answer(FILE *out, const struct dp_port_view *view)
{
	const struct dp_hello_answer *t = view->hello;

	if (t != NULL)
		fprintf(out, "  answers: an agent on %s, %u-bit, %s-endian, boot %u\n",
			dp_cpu_text(t->cpu), t->word_bytes * 8u, dph_order_word(t->big_endian),
			t->boot);
	else if (view->asked)
		fprintf(out, "  answers: no agent: %s\n", view->failure);
}

void dph_show_port(FILE *out, const struct dp_port_view *view)
{
	const struct dp_port *port = view->port;

	fputs(port->device, out);
	if (port->description != NULL) {
		fputs(" (", out);
		dph_plain_print(port->description, out);
		putc(')', out);
	}
	putc('\n', out);
	if (port->name != NULL)
		fprintf(out, "  name:    %s\n", port->name);
	if (port->held_by != NULL)
		fprintf(out, "  held by: %s\n", port->held_by);
	print_answer(out, view);
}
