/* SPDX-License-Identifier: BSD-2-Clause */
/* The settings of boards come from dprobes.conf files: port, baud, ELF file and others, by the name
 * of the board.
 *
 * A dprobes.conf is searched from a folder upward; a second one is
 * $XDG_CONFIG_HOME/dprobes/dprobes.conf (~/.config without the variable). A board of the first file
 * hides one of the second.
 *
 *     elf = build/firmware.elf        # of all boards
 *     board = rack                    # without --board
 *     [rack]
 *     port = /dev/serial/by-id/usb-FTDI_FT232R-if00-port0
 *     baud = 921600
 */
#ifndef DPROBES_BOARDS_H
#define DPROBES_BOARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dp_messages;

/* The settings of one board. A null member has no setting. */
struct dp_board_settings {
	char *name; /* null: settings outside of boards only */
	char *port;
	char *baud;      /* a number from 50 to 100000000 */
	char *dtr, *rts; /* "on" or "off" */
	char *elf;       /* path, relative to the current folder or absolute */
	char *com;       /* COM1, COM2 or NONE */
	char *key;       /* path of the board's key file, as elf */
	char *serve;     /* "yes" or "no" */
	/* The sentence that refuses a command as port in another user's file; port is null then. */
	char *port_refused;
	/* The names of all boards. */
	char **names;
	size_t name_count;
};

/* Read the files and look up a board.
 * folder: where the search begins; null: the current folder.
 * name: the board; null: the one that `board =` names, if any.
 * messages: gets errors with line and column, or the names of all boards.
 * Returns the settings, which dp_board_settings_free frees; null on errors. Without a file all
 * settings are null. */
struct dp_board_settings *dp_board_settings_read(const char *folder, const char *name,
						 struct dp_messages *messages);
void dp_board_settings_free(struct dp_board_settings *settings);

enum {
	DP_KEY_FILE_BYTES = 16
};
/* Read the key of a board: a file of 32 hex digits that only its owner may use.
 * key: receives DP_KEY_FILE_BYTES bytes, as struct dp_session_options takes them.
 * messages: gets the error.
 * Returns false on an error. */
bool dp_key_file_read(const char *path, uint8_t *key, struct dp_messages *messages);

#ifdef __cplusplus
}
#endif

#endif
