/* SPDX-License-Identifier: BSD-2-Clause */
/* The settings of the simple interface, from their table. */
#include "settings.h"

#include "base/pool.h"
#include "boards/conf_file.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

enum kind {
	TEXT,
	FLAG,
	RATE,
	SWITCH,
};

static const struct {
	const char *name;
	enum kind kind;
} rows[DPH_SETTINGS] = {
#define SETTING(name, kind, meaning) {#name, kind},
#include "simple_settings.def"
};

enum dph_setting dph_setting_named(const char *name)
{
	int i = 0;

	while (i < DPH_SETTINGS && strcmp(rows[i].name, name) != 0)
		i++;
	return (enum dph_setting)i;
}

bool dph_setting_yes(const char *value)
{
	return value != NULL && strcasecmp(value, "yes") == 0;
}

char *dph_setting_fault(enum dph_setting setting, const char *value)
{
	const char *name = rows[setting].name;

	if (rows[setting].kind == FLAG && !dph_setting_yes(value) && strcasecmp(value, "no") != 0)
		return dph_print("%s is yes or no, not '%s'", name, value);
	if (rows[setting].kind == RATE && !dph_conf_is_baud(value))
		return dph_print("%s is a number from %d to %d, not '%s'", name, DPH_BAUD_MIN,
				 DPH_BAUD_MAX, value);
	if (rows[setting].kind == SWITCH && !dph_conf_is_switch(value))
		return dph_print("%s is on or off, not '%s'", name, value);
	return NULL;
}
