/* SPDX-License-Identifier: BSD-2-Clause */
#include "tcp_port.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>

bool dph_tcp_port_good(const char *text)
{
	char *end;
	const unsigned long number = strtoul(text, &end, 10);

	return *text != '\0' &&
	       (*end != '\0' || (isdigit((unsigned char)*text) && number <= UINT16_MAX));
}
