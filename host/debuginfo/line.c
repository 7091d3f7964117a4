/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads the line tables of all units. */
#include "line.h"

#include "dropped.h"

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
	row->address = dph_running_code(debug, address);
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

bool dph_line_at(struct dp_debuginfo *debug, uint64_t address, struct dph_line *line)
{
	const char *why;
	Dwarf_Lines *lines;
	size_t count, index;
	struct row row, before;
	struct dph_unit *unit = dph_unit_at(debug, address, &why);
	if (!unit || dwarf_getsrclines(&unit->lines, &lines, &count) != 0 ||
	    !last_row(debug, lines, count, address, &index) ||
	    !read_row(debug, lines, index, &row) || row.ends)
		return false;
	while (dph_row_dropped(debug, unit, row.address, row_file(lines, index), row.line))
		if (!index-- || !read_row(debug, lines, index, &row) || row.ends)
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
