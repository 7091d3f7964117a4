/* SPDX-License-Identifier: BSD-2-Clause */
/* A dprobes.conf in memory: sections with keys. */
#ifndef DPH_CONF_FILE_H
#define DPH_CONF_FILE_H

#include <dprobes/host.h>

enum {
	DPH_BAUD_MIN = 50,
	DPH_BAUD_MAX = 100000000,
};
/* Is the text a decimal number in this range? */
bool dph_conf_is_baud(const char *text);
/* Is it "on" or "off"? */
bool dph_conf_is_switch(const char *text);

enum dph_conf_key {
#define BOARD_KEY(field, option, help) DPH_CONF_##field,
#include "board_keys.def"
	DPH_CONF_KEYS,
};

struct dph_conf_section {
	char *name; /* null: the settings in front of the first board */
	unsigned line;
	char *values[DPH_CONF_KEYS]; /* null: not set */
};

struct dph_conf_file {
	char *path;
	char *board;                       /* `board =`; null: not set */
	unsigned owner;                    /* user id */
	struct dph_conf_section *sections; /* the first one has no name */
	size_t count, capacity;
};

/* Read a file. Returns false when the file has errors, which are in messages. A file that does not
 * exist has no sections. Free with dph_conf_free, whatever this returned. */
bool dph_conf_read(struct dph_conf_file *file, const char *path, struct dp_messages *messages);
void dph_conf_free(struct dph_conf_file *file);

/* The board of this name; null: none. */
const struct dph_conf_section *dph_conf_board(const struct dph_conf_file *file, const char *name);

#endif
