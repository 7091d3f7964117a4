/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions build the header, probe points and names of a program, and the bytes for
 * presenters of its records. */
#define _GNU_SOURCE
#include "fault.h"

#include <string.h>

static const struct dph_place nowhere = {.line = NULL};

/* --- the header ---------------------------------------------------------------------------- */

static bool printable(const char *text)
{
	for (; *text; text++)
		if (*text < 0x20 || *text > 0x7e)
			return false;
	return true;
}

static bool fits_u16(const struct dph_setting *setting)
{
	return !setting->given || setting->value <= UINT16_MAX;
}

bool dph_ir_header(struct dph_program *p, const struct dph_header *header)
{
	const size_t bytes = header->name ? strlen(header->name) : 0;
	if (!bytes || bytes > DPH_NAME_BYTES_MAX || !printable(header->name))
		return dph_ir_refuse(p, nowhere,
				     "a program's name has 1 to %d printable characters",
				     DPH_NAME_BYTES_MAX);
	if (header->modtype > DP_MODULE_USER)
		return dph_ir_refuse(p, nowhere, "there is no module type %u", header->modtype);
	if (header->vars > RPN_VARS_MAX || header->gvars > RPN_VARS_MAX)
		return dph_ir_refuse(p, nowhere, "a program has at most %d variables",
				     RPN_VARS_MAX);
	if (!fits_u16(&header->jmpmax) || !fits_u16(&header->logmax) ||
	    !fits_u16(&header->excpt_log))
		return dph_ir_refuse(p, nowhere, "a limit of the program is above %d", UINT16_MAX);
	p->header = *header;
	p->header.name = dph_pool_copy(&p->pool, header->name, bytes);
	return true;
}

/* --- probe points -------------------------------------------------------------------------- */

/* 1 ns or longer, in the bits that there are. */
static bool is_period(const struct dph_point *point)
{
	return point->address >> 32 == 0 && point->phase == DP_PHASE_BEFORE &&
	       point->extent < DP_TIMER_NANOSECONDS &&
	       ((point->address & DP_TIMER_SECONDS) || point->extent);
}

static bool check_point(struct dph_program *p, const struct dph_point *point)
{
	const struct dph_routine *r = dph_ir_routine_at(p, point->routine);
	if (!r)
		return false;
	if (r->name)
		return dph_ir_refuse(p, point->place, "procedure '%s' is no handler", r->name);
	const bool known = point->kind <= DP_POINTS_MAX && (DP_POINTS_KNOWN >> point->kind & 1);
	if (!known || point->phase >= DP_PHASES)
		return dph_ir_refuse(p, point->place, "there is no probe of kind %u, phase %u",
				     point->kind, point->phase);
	if (point->taken && (point->kind != DP_PROBE_BREAK || point->phase != DP_PHASE_BEFORE))
		return dph_ir_refuse(p, point->place,
				     "a probe of kind %u, phase %u waits for no branch",
				     point->kind, point->phase);
	if (point->last < point->address ||
	    ((point->kind == DP_PROBE_BREAK || point->kind == DP_PROBE_TIMER) &&
	     point->last != point->address) ||
	    (point->kind == DP_PROBE_EVENT && point->last >= DP_EVENTS))
		return dph_ir_refuse(p, point->place,
				     "a probe of kind %u cannot cover 0x%llx..0x%llx", point->kind,
				     (unsigned long long)point->address,
				     (unsigned long long)point->last);
	if (point->kind == DP_PROBE_TIMER && !is_period(point))
		return dph_ir_refuse(p, point->place, "0x%llx s and %u ns are no period of a timer",
				     (unsigned long long)point->address, point->extent);
	if (point->group > p->groups.count || point->type > p->types.count)
		return dph_ir_refuse(p, point->place, "there is no group %u, type %u", point->group,
				     point->type);
	if (point->maxhits > RPN_MAXHITS_DEFAULT)
		return dph_ir_refuse(p, point->place, "maxhits %u is above 0x%x", point->maxhits,
				     RPN_MAXHITS_DEFAULT);
	if (!fits_u16(&point->excpt_mask))
		return dph_ir_refuse(p, point->place, "an exception mask has 16 bits");
	if (point->opcode.given && point->opcode.value > UINT32_MAX)
		return dph_ir_refuse(p, point->place, "an expected instruction has 32 bits");
	return true;
}

size_t dph_ir_point(struct dph_program *p, const struct dph_point *point)
{
	if (!check_point(p, point))
		return DPH_IR_NONE;
	p->points = dph_grow(p->points, &p->point_capacity, p->point_count, sizeof(*p->points));
	p->points[p->point_count] = *point;
	return p->point_count++;
}

/* --- names --------------------------------------------------------------------------------- */

static void add_name(struct dph_program *p, struct dph_names *names, const struct dph_name *name)
{
	names->list = dph_grow(names->list, &names->capacity, names->count, sizeof(*names->list));
	names->list[names->count] = *name;
	names->list[names->count++].text = dph_pool_copy(&p->pool, name->text, strlen(name->text));
}

static unsigned number_name(struct dph_program *p, struct dph_names *names, size_t most,
			    const char *name, struct dph_place place)
{
	if (!*name)
		return dph_ir_refuse(p, place, "a group or type has no name");
	if (names->count == most)
		return dph_ir_refuse(p, place, "there are more than %zu groups or types", most);
	add_name(p, names, &(struct dph_name){.text = name, .place = place});
	return (unsigned)names->count;
}

unsigned dph_ir_group(struct dph_program *p, const char *name, struct dph_place place)
{
	return number_name(p, &p->groups, DPH_MAX_GROUPS, name, place);
}

unsigned dph_ir_type(struct dph_program *p, const char *name, struct dph_place place)
{
	return number_name(p, &p->types, DPH_MAX_TYPES, name, place);
}

void dph_ir_symbol(struct dph_program *p, const char *name, uint64_t value)
{
	add_name(p, &p->symbols, &(struct dph_name){.text = name, .value = value});
}

/* --- sections for who prints the records ---------------------------------------------------- */

/* Is it a section of the host part that front ends make? *bytes: of an element. */
static bool made_by_front_ends(enum dp_section kind, uint32_t *bytes)
{
	static const struct {
		enum dp_section kind;
		uint32_t bytes;
	} rows[] = {
#define DP_SECTION(number, name, bytes, count) {DP_SECTION_##name, bytes},
#include "sections.def"
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].kind == kind) {
			*bytes = rows[i].bytes;
			return kind > DP_SECTION_MOVED;
		}
	return false;
}

bool dph_ir_extra(struct dph_program *p, enum dp_section kind, uint32_t elements, const void *data,
		  size_t bytes)
{
	uint32_t each;
	if (!made_by_front_ends(kind, &each))
		return dph_ir_refuse(p, nowhere, "a front end does not make section %d", kind);
	if (bytes != (size_t)elements * each)
		return dph_ir_refuse(p, nowhere, "section %d: %u elements are not %zu bytes", kind,
				     elements, bytes);
	for (size_t i = 0; i < p->extra_count; i++)
		if (p->extras[i].kind == kind)
			return dph_ir_refuse(p, nowhere, "section %d is given twice", kind);
	p->extras = dph_grow(p->extras, &p->extra_capacity, p->extra_count, sizeof(*p->extras));
	struct dph_extra *extra = &p->extras[p->extra_count++];
	*extra = (struct dph_extra){.kind = kind, .elements = elements};
	dph_bytes_add(&extra->data, data, bytes);
	return true;
}
