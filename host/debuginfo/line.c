/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads the line tables of all units. */
#include "line.h"

#include "base/pool.h"
#include "dropped.h"

#include <stdlib.h>
#include <string.h>

static const char *without_dots(const char *path)
{
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	return path;
}

/* Row of a line table: false at its end. */
struct row {
	uint64_t address;
	unsigned line;
	bool begins, ends;
};

static bool read_row(const struct dp_debuginfo *debug, Dwarf_Lines *lines, size_t index,
		     struct row *row)
{
	Dwarf_Line *line = dwarf_onesrcline(lines, index);
	Dwarf_Addr address;
	int number;
	if (!line || dwarf_lineaddr(line, &address) != 0 || dwarf_lineno(line, &number) != 0 ||
	    dwarf_linebeginstatement(line, &row->begins) != 0 ||
	    dwarf_lineendsequence(line, &row->ends) != 0)
		return false;
	/* A linker may write the largest address for code that it removed; the rows go on from it.
	 */
	row->address =
		dph_is_tombstone(debug, address) ? UINT64_MAX : dph_running_code(debug, address);
	row->line = number > 0 ? (unsigned)number : 0;
	return true;
}

static const char *row_file(Dwarf_Lines *lines, size_t index)
{
	const char *file = dwarf_linesrc(dwarf_onesrcline(lines, index), NULL, NULL);
	return file ? without_dots(file) : NULL;
}

/* The last row at or before the address: rows are sorted. */
static bool last_row(const struct dp_debuginfo *debug, Dwarf_Lines *lines, size_t count,
		     uint64_t address, size_t *index)
{
	size_t low = 0, high = count;
	struct row row;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (!read_row(debug, lines, middle, &row))
			return false;
		if (row.address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	*index = low - 1;
	return low != 0;
}

bool dph_rows_cover(struct dp_debuginfo *debug, struct dph_unit *unit, uint64_t address)
{
	Dwarf_Lines *lines;
	size_t count, index;
	struct row row;
	return dwarf_getsrclines(&unit->lines, &lines, &count) == 0 &&
	       last_row(debug, lines, count, address, &index) &&
	       read_row(debug, lines, index, &row) && !row.ends;
}

/* Is the row one of code that the linker dropped, or the end of such rows inside a function that
 * has the address? */
static bool is_of_dropped(struct dp_debuginfo *debug, struct dph_unit *unit, Dwarf_Lines *lines,
			  size_t index, const struct row *row, uint64_t address)
{
	struct dph_code_range function;
	if (!row->ends)
		return dph_row_dropped(debug, unit, row->address, row_file(lines, index),
				       row->line);
	return dph_unit_dropped(debug, unit, row->address - 1) &&
	       dph_unit_function(debug, unit, address, &function) && row->address > function.first;
}

bool dph_line_at(struct dp_debuginfo *debug, uint64_t address, struct dph_line *line)
{
	const char *why;
	Dwarf_Lines *lines;
	size_t count, index;
	struct row row, before;
	struct dph_unit *unit = dph_unit_at(debug, address, &why);
	if (!unit || dwarf_getsrclines(&unit->lines, &lines, &count) != 0 ||
	    !last_row(debug, lines, count, address, &index) || !read_row(debug, lines, index, &row))
		return false;
	while (is_of_dropped(debug, unit, lines, index, &row, address))
		if (!index-- || !read_row(debug, lines, index, &row))
			return false;
	if (row.ends)
		return false;
	/* Of rows with one address the last where a statement begins. */
	for (size_t i = index; !row.begins && i > 0 && read_row(debug, lines, i - 1, &before) &&
			       before.address == row.address && before.line && !before.ends;
	     i--)
		if (before.begins && !dph_row_dropped(debug, unit, before.address,
						      row_file(lines, i - 1), before.line)) {
			row = before;
			index = i - 1;
		}
	*line = (struct dph_line){row_file(lines, index), row.line,
				  row.begins && row.address == address};
	return line->file && line->line;
}

/* A path, and how it is typed. */
struct dph_file_text {
	const char *path, *text;
};

static const char *keep_text(struct dp_debuginfo *debug, const char *path, const char *text)
{
	debug->texts =
		dph_grow(debug->texts, &debug->text_room, debug->text_count, sizeof(*debug->texts));
	debug->texts[debug->text_count++] = (struct dph_file_text){path, text};
	return text;
}

static const char *kept_text(const struct dp_debuginfo *debug, const char *path)
{
	for (size_t i = 0; i < debug->text_count; i++)
		if (strcmp(debug->texts[i].path, path) == 0)
			return debug->texts[i].text;
	return NULL;
}

const char *dph_file_text(struct dp_debuginfo *debug, const char *path)
{
	const char *base = dph_path_base(path), *text = base, *kept = kept_text(debug, path);
	struct dph_unit *units;
	const size_t count = kept ? 0 : dph_units(debug, &units);
	for (size_t i = 0; i < count; i++) {
		const char *name = units[i].name ? units[i].name : "";
		if (strcmp(dph_path_base(name), base) != 0 ||
		    dph_path_ends(path, without_dots(name)))
			continue;
		char *apart = dph_path_apart(path, name);
		if (strlen(apart) > strlen(text))
			text = dph_why(debug, "%s", apart);
		free(apart);
	}
	if (kept)
		return kept;
	return text == base ? base : keep_text(debug, path, text);
}

bool dph_has_file(struct dp_debuginfo *debug, const char *file)
{
	struct dph_unit *units;
	const size_t count = dph_units(debug, &units);
	for (size_t i = 0; i < count; i++)
		if (units[i].name && dph_path_ends(units[i].name, file))
			return true;
	return false;
}

/* The number of the unit's functions that end at the address. */
static size_t functions_to(const struct dph_unit *unit, uint64_t address)
{
	size_t count = 0;
	for (size_t i = 0; i < unit->function_count; i++)
		count += unit->functions[i].last == address;
	return count;
}

uint64_t dph_sequences_end(struct dp_debuginfo *debug, struct dph_unit *unit)
{
	Dwarf_Lines *lines;
	size_t count, ends = 0;
	struct row row;
	/* Linkers that shorten code leave sequences without bytes: their rows stand at 0. */
	uint64_t end = dph_running(debug, 0) + 1, last = 0;
	if (dwarf_getsrclines(&unit->lines, &lines, &count) != 0)
		return end;
	for (size_t i = 0; i < count && read_row(debug, lines, i, &row); i++) {
		if (!row.ends || row.address == UINT64_MAX)
			continue;
		ends = row.address == last ? ends + 1 : 1;
		last = row.address;
		if (ends > functions_to(unit, last) && last > end)
			end = last;
	}
	return end;
}

void dph_statements(struct dp_debuginfo *debug, dph_statement *visit, void *context)
{
	struct dph_unit *units;
	size_t unit_count = dph_units(debug, &units);
	for (size_t i = 0; i < unit_count; i++) {
		Dwarf_Lines *lines;
		size_t count;
		struct row row;
		if (dwarf_getsrclines(&units[i].lines, &lines, &count) != 0)
			continue;
		for (size_t k = 0; k < count && read_row(debug, lines, k, &row); k++) {
			const char *file = row.begins && !row.ends && row.line &&
							   dph_is_code(debug, row.address)
						   ? row_file(lines, k)
						   : NULL;
			if (file && !dph_row_dropped(debug, &units[i], row.address, file, row.line))
				visit(context, row.address, file, row.line);
		}
	}
}
