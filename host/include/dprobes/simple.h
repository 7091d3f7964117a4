/* SPDX-License-Identifier: BSD-2-Clause */
/* The simple interface inserts programs and reads records with opaque pointers, numbers and
 * strings.
 *
 *     struct dp_simple *s = dp_simple_new();
 *     dp_simple_set(s, "port", "unix:/tmp/hunt/com1");
 *     dp_simple_set(s, "elf", "demo.elf");
 *     if (!dp_simple_open(s) || dp_simple_insert(s, text) < 0)
 *             fputs(dp_simple_error(s), stderr);
 *     else
 *             while (dp_simple_next(s, 1000) == 1)
 *                     printf("%s", dp_simple_line(s));
 *     dp_simple_close(s);
 *
 * Word size, byte order and clock are those of the target. Strings that a function returns stay
 * valid until the next call with the same handle.
 * Context: as host.h. */
#ifndef DPROBES_SIMPLE_H
#define DPROBES_SIMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dp_simple;

/* Create a handle, which dp_simple_close frees.
 * Returns the handle, never null. */
struct dp_simple *dp_simple_new(void);

/* Set one of: board, folder, port, baud, dtr, rts, key, elf, sym, write, replace, reinstall,
 * any_opcode, groups, types, items, no_names. dp_simple_open uses the settings of a line, and each
 * dp_simple_insert uses the others. value: copied; null or empty: clear the setting. A flag is
 * "yes" or "no", a modem line "on" or "off". Returns false for an unknown name, and for an invalid
 * baud, flag or modem line. */
bool dp_simple_set(struct dp_simple *simple, const char *name, const char *value);

/* Open the line and send HELLO. dprobes.conf supplies each setting that is not set. The agent sends
 * records to this line until dp_simple_close. A line that a service owns (`dprobes serve`) is used
 * together with the commands and programs that use it.
 * Returns false on failure. */
bool dp_simple_open(struct dp_simple *simple);
/* Remove the programs that this handle inserted, close the line, free the handle.
 * simple: may be null. */
void dp_simple_close(struct dp_simple *simple);

/* Return the finding and the remedy of the latest failure, with a newline; "" before the first one.
 */
const char *dp_simple_error(const struct dp_simple *simple);

/* Describe the target. Return null or 0 before dp_simple_open. */
const char *dp_simple_cpu(const struct dp_simple *simple);
unsigned dp_simple_word_bytes(const struct dp_simple *simple);
bool dp_simple_big_endian(const struct dp_simple *simple);
uint32_t dp_simple_hz(const struct dp_simple *simple);

/* Compile a program text for the target, upload and arm.
 * Returns the index of the program; -1 on failure. */
int dp_simple_insert(struct dp_simple *simple, const char *text);
/* Verify a program text as dp_simple_insert does, on the target too, and arm nothing.
 * Returns false when the program is refused. */
bool dp_simple_check(struct dp_simple *simple, const char *text);
/* Remove a program of dp_simple_insert. Records that the agent has already logged still arrive.
 * Returns false on failure. */
bool dp_simple_remove(struct dp_simple *simple, int program);
/* Remove the installed programs of a name, whoever has inserted them.
 * Returns their number; -1 on failure. */
int dp_simple_remove_named(struct dp_simple *simple, const char *name);

/* Return how often the target was restarted and got the programs again. With the setting reinstall
 * the next function that uses the line opens the session again and inserts the programs of this
 * handle. Their counts and variables begin at zero. Without the setting each function fails after a
 * restart. */
unsigned dp_simple_restarts(const struct dp_simple *simple);

/* Read variables.
 * program: index; -1: the global variables.
 * values: receives at most `room` values.
 * Returns the number of variables; -1 on failure. */
int dp_simple_variables(struct dp_simple *simple, int program, uint64_t *values, size_t room);

/* Read one number by its name: a variable ("x", "x[1]", "self->x[echo]"), without a name its index
 * ("0"), or a key of an aggregation ("@", "@calls[queue_put]"). Keys are as the commands print
 * them, with ", " between them. program: index; -1: the global variables. value: receives the
 * number; of a distribution the sum of its buckets. Returns 1; 0: the target has no such variable
 * or key; -1: failure. */
int dp_simple_value(struct dp_simple *simple, int program, const char *name, int64_t *value);

/* Read the state of the target: one object of JSON a line, as a command prints it with
 * `--format json` (FORMATS.md). Nothing is reset. Each function returns null on failure.
 * dp_simple_list: all installed programs with their probes, as `list`.
 * dp_simple_aggregations: the keys of a D program's aggregations, as `aggs`. The host's part of
 * printa, clear, trunc and normalize is not done here: records of printa have no table.
 * dp_simple_named: the variables of a program (-1: the global ones) by name, as `vars`.
 * dp_simple_read: the value of an expression about the firmware, as `read`. elf or sym names it. */
const char *dp_simple_list(struct dp_simple *simple);
const char *dp_simple_aggregations(struct dp_simple *simple, int program);
const char *dp_simple_named(struct dp_simple *simple, int program);
const char *dp_simple_read(struct dp_simple *simple, const char *expression);

/* Take the next record.
 * timeout_ms: longest wait for a line. The newest record waits up to 50 ms more, because the agent
 * may withdraw it.
 * Returns 1: the functions below describe the record; 0: no record came; -1: failure. */
int dp_simple_next(struct dp_simple *simple, int timeout_ms);

/* Return a file descriptor for poll(); -1 before dp_simple_open. When the descriptor is readable,
 * call dp_simple_next with timeout 0 until that returns 0. Do the same after dp_simple_open and
 * after each dp_simple_insert, because both may receive records. */
int dp_simple_fd(const struct dp_simple *simple);

/* Return the record of dp_simple_next: as `dprobes run` prints the record, as an object of JSON, or
 * one of its codes. Addresses and words have names if elf or sym is the firmware of the target
 * (FORMATS.md). The texts are "" before the first record. */
const char *dp_simple_line(const struct dp_simple *simple);
const char *dp_simple_json(const struct dp_simple *simple);
unsigned dp_simple_major(const struct dp_simple *simple);
unsigned dp_simple_minor(const struct dp_simple *simple);
/* Copy the record's data as words of the target, without bytes that fill no word.
 * Returns the number of words. */
size_t dp_simple_words(const struct dp_simple *simple, uint64_t *words, size_t room);

/* Return the number of records that were lost or dropped since dp_simple_open. */
uint64_t dp_simple_lost(const struct dp_simple *simple);

/* Return the console text since the last call: at most the latest 1,048,576 bytes, without NUL
 * bytes. */
const char *dp_simple_console(struct dp_simple *simple);
/* Type text on the firmware's console, as a terminal does.
 * Returns false on failure. */
bool dp_simple_type(struct dp_simple *simple, const char *text);
/* Receive until something comes. Records stay for dp_simple_next, text for dp_simple_console.
 * Returns 1: something came; 0: nothing in timeout_ms; -1: failure. */
int dp_simple_listen(struct dp_simple *simple, int timeout_ms);
/* Wait until the console text that dp_simple_console has not returned has a match of an extended
 * regular expression (regex(7); `.` is no newline). The text up to the end of the match is taken:
 * the next call looks behind it. Records stay for dp_simple_next.
 * Returns 1: dp_simple_expected returns the taken text; 0: no match in timeout_ms; -1: failure. */
int dp_simple_expect(struct dp_simple *simple, const char *pattern, int timeout_ms);
const char *dp_simple_expected(const struct dp_simple *simple);

#ifdef __cplusplus
}
#endif

#endif
