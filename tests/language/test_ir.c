/* SPDX-License-Identifier: BSD-2-Clause */
/* What the functions refuse that build an IR: a case for each sentence of host/ir/
 * (test_front_end.py compares), and what stays as it was. */
#define _GNU_SOURCE
#include "ir/probe_program.h"

#include "check.h"

#include <string.h>

static const struct dph_place place = {.start = 7};

static const struct dph_op *op(enum rpn_op code)
{
	return dph_op_find((uint8_t)code);
}

static void insn(struct dph_program *p, enum rpn_op code, uint64_t value, size_t target)
{
	dph_ir_insn(p, 0,
		    &(struct dph_insn){
			    .op = op(code), .value = value, .target = target, .place = place});
}

static void push(struct dph_program *p, uint64_t value)
{
	insn(p, RPN_PUSH_W, value, DPH_IR_NONE);
}

static void header(struct dph_program *p, struct dph_header h)
{
	dph_ir_header(p, &h);
}

static void point(struct dph_program *p, struct dph_point point)
{
	point.place = place;
	dph_ir_point(p, &point);
}

static void named(struct dph_program *p)
{
	header(p, (struct dph_header){.name = "t", .vars = 2});
}

/* --- one function a case: p has routine 0, a handler, and routine 1, procedure `f` ----------- */

static void no_routine(struct dph_program *p)
{
	dph_ir_label(p, 9, "out");
}
static void marker(struct dph_program *p)
{
	insn(p, RPN_BLOCK, 0, DPH_IR_NONE);
}
static void no_op(struct dph_program *p)
{
	dph_ir_insn(p, 0, &(struct dph_insn){.place = place});
}
static void large_count(struct dph_program *p)
{
	insn(p, RPN_SHL_N, 256, DPH_IR_NONE);
}
static void large_word(struct dph_program *p)
{
	push(p, 0x100000000);
}
static void small_word(struct dph_program *p)
{
	push(p, (uint64_t)INT32_MIN - 1);
}
static void large_byte(struct dph_program *p)
{
	insn(p, RPN_PUSH_8, 128, DPH_IR_NONE);
}
static void jump_to_no_label(struct dph_program *p)
{
	insn(p, RPN_JMP, 0, 0);
}
static void call_of_a_handler(struct dph_program *p)
{
	insn(p, RPN_CALL, 0, 0);
}
static void aim_of_no_insn(struct dph_program *p)
{
	dph_ir_aim(p, 0, 0, 1);
}
static void aim_of_a_nop(struct dph_program *p)
{
	insn(p, RPN_NOP, 0, DPH_IR_NONE);
	dph_ir_aim(p, 0, 0, 1);
}
static void no_label(struct dph_program *p)
{
	dph_ir_put_label(p, 0, 0, place);
}
static void label_twice(struct dph_program *p)
{
	dph_ir_label(p, 0, NULL);
	dph_ir_put_label(p, 0, 0, place);
	dph_ir_put_label(p, 0, 0, place);
}
static void no_name(struct dph_program *p)
{
	header(p, (struct dph_header){.vars = 1});
}
static void long_name(struct dph_program *p)
{
	header(p, (struct dph_header){.name = "0123456789012345678901234567890123456789"
					      "012345678901234567890123"});
}
static void name_with_a_tab(struct dph_program *p)
{
	header(p, (struct dph_header){.name = "a\tb"});
}
static void module_type(struct dph_program *p)
{
	header(p, (struct dph_header){.name = "t", .modtype = 3});
}
static void variables(struct dph_program *p)
{
	header(p, (struct dph_header){.name = "t", .gvars = 257});
}
static void limit(struct dph_program *p)
{
	header(p, (struct dph_header){.name = "t", .logmax = {true, 65536, {0}}});
}
static void procedure_as_handler(struct dph_program *p)
{
	point(p, (struct dph_point){.routine = 1});
}
static void kind(struct dph_program *p)
{
	point(p, (struct dph_point){.kind = DP_POINTS_MAX + 1});
}
static void phase(struct dph_program *p)
{
	point(p, (struct dph_point){.phase = DP_PHASES});
}
static void taken_after(struct dph_program *p)
{
	point(p, (struct dph_point){.phase = DP_PHASE_AFTER, .taken = true});
}
static void taken_access(struct dph_program *p)
{
	point(p, (struct dph_point){.kind = DP_PROBE_WATCH_W, .taken = true});
}
static void range_of_a_breakpoint(struct dph_program *p)
{
	point(p, (struct dph_point){.address = 16, .last = 19});
}
static void backwards(struct dph_program *p)
{
	point(p, (struct dph_point){.kind = DP_PROBE_WATCH_W, .address = 16, .last = 15});
}
static void no_period(struct dph_program *p)
{
	point(p, (struct dph_point){.kind = DP_PROBE_TIMER,
				    .address = 2,
				    .last = 2,
				    .extent = DP_TIMER_NANOSECONDS});
}
static void timer_of_zero(struct dph_program *p)
{
	point(p, (struct dph_point){.kind = DP_PROBE_TIMER,
				    .address = DP_TIMER_SAMPLED,
				    .last = DP_TIMER_SAMPLED});
}
static void no_group(struct dph_program *p)
{
	dph_ir_group(p, "g", place);
	point(p, (struct dph_point){.group = 2});
}
static void maxhits(struct dph_program *p)
{
	point(p, (struct dph_point){.maxhits = 0x80000000});
}
static void mask(struct dph_program *p)
{
	point(p, (struct dph_point){.excpt_mask = {true, 0x10000, {0}}});
}
static void opcode(struct dph_program *p)
{
	point(p, (struct dph_point){.opcode = {true, 0x100000000, {0}}});
}
static void empty_group(struct dph_program *p)
{
	CHECK(dph_ir_type(p, "", place) == 0);
}
static void many_groups(struct dph_program *p)
{
	for (unsigned i = 1; i <= 65; i++)
		CHECK(dph_ir_group(p, "g", place) == (i == 65 ? 0 : i));
}
static void travelling_section(struct dph_program *p)
{
	dph_ir_extra(p, DP_SECTION_CODE, 1, "x", 1);
}
static void written_section(struct dph_program *p)
{
	dph_ir_extra(p, DP_SECTION_LINES, 1, "123456789012", 12);
}
static void bytes_of_a_section(struct dph_program *p)
{
	dph_ir_extra(p, DP_SECTION_FORMATS, 2, "x", 1);
}
static void section_twice(struct dph_program *p)
{
	dph_ir_extra(p, DP_SECTION_FORMATS, 1, "x", 1);
	dph_ir_extra(p, DP_SECTION_FORMATS, 1, "x", 1);
}
static void nothing(struct dph_program *p)
{
	(void)p;
}
static void no_points(struct dph_program *p)
{
	named(p);
}
static void label_at_the_end(struct dph_program *p)
{
	named(p);
	point(p, (struct dph_point){0});
	insn(p, RPN_EXIT, 0, DPH_IR_NONE);
	dph_ir_put_label(p, 0, dph_ir_label(p, 0, NULL), place);
}
static void variable(struct dph_program *p)
{
	named(p);
	point(p, (struct dph_point){0});
	insn(p, RPN_INC_LV_N, 2, DPH_IR_NONE);
}
static void jump_without_aim(struct dph_program *p)
{
	named(p);
	point(p, (struct dph_point){0});
	insn(p, RPN_JMP, 0, DPH_IR_NONE);
}
static void no_end(struct dph_program *p)
{
	named(p);
	point(p, (struct dph_point){0});
	insn(p, RPN_NOP, 0, DPH_IR_NONE);
}
static void map_that_is_not_there(struct dph_program *p)
{
	named(p);
	point(p, (struct dph_point){0});
	insn(p, RPN_ADD_MAP, 1, DPH_IR_NONE);
}
static void map_of_no_kind(struct dph_program *p)
{
	dph_ir_map(p, &(struct dph_map){.kind = DP_MAP_SUM, .keys = 1, .places = 1});
	dph_ir_map(p, &(struct dph_map){.kind = DP_MAP_KINDS});
}
static void many_maps(struct dph_program *p)
{
	for (unsigned i = 0; i <= DPH_MAX_MAPS; i++)
		dph_ir_map(p, &(struct dph_map){.kind = DP_MAP_SUM, .keys = 1, .places = 1});
}

static const struct {
	void (*build)(struct dph_program *p);
	const char *said;
} cases[] = {
	{no_routine, "there is no routine 9"},
	{marker, "a block marker is no instruction"},
	{no_op, "a block marker is no instruction"},
	{large_count, "'shl' has no room for 0x100"},
	{large_word, "'push' has no room for 0x100000000"},
	{small_word, "'push' has no room for 0xffffffff7fffffff"},
	{large_byte, "'push' has no room for 0x80"},
	{jump_to_no_label, "'jmp' cannot lead to 0"},
	{call_of_a_handler, "'call' cannot lead to 0"},
	{aim_of_no_insn, "the routine has no instruction 0"},
	{aim_of_a_nop, "'nop' cannot lead to 1"},
	{no_label, "the routine has no label 0"},
	{label_twice, "label 0 has its place already"},
	{no_name, "a program's name has 1 to 63 printable characters"},
	{long_name, "a program's name has 1 to 63 printable characters"},
	{name_with_a_tab, "a program's name has 1 to 63 printable characters"},
	{module_type, "there is no module type 3"},
	{variables, "a program has at most 256 variables"},
	{limit, "a limit of the program is above 65535"},
	{procedure_as_handler, "procedure 'f' is no handler"},
	{kind, "there is no probe of kind 8, phase 0"},
	{phase, "there is no probe of kind 0, phase 4"},
	{taken_after, "a probe of kind 0, phase 1 waits for no branch"},
	{taken_access, "a probe of kind 2, phase 0 waits for no branch"},
	{range_of_a_breakpoint, "a probe of kind 0 cannot cover 0x10..0x13"},
	{backwards, "a probe of kind 2 cannot cover 0x10..0xf"},
	{no_period, "0x2 s and 1000000000 ns are no period of a timer"},
	{timer_of_zero, "0x80000000 s and 0 ns are no period of a timer"},
	{no_group, "there is no group 2, type 0"},
	{maxhits, "maxhits 2147483648 is above 0x7fffffff"},
	{mask, "an exception mask has 16 bits"},
	{opcode, "an expected instruction has 32 bits"},
	{empty_group, "a group or type has no name"},
	{many_groups, "there are more than 64 groups or types"},
	{travelling_section, "a front end does not make section 4"},
	{written_section, "a front end does not make section 129"},
	{bytes_of_a_section, "section 135: 2 elements are not 1 bytes"},
	{section_twice, "section 135 is given twice"},
	{nothing, "the program has no header"},
	{no_points, "the program has no probe point"},
	{label_at_the_end, "no instruction follows label 0"},
	{variable, "'inc lv': the program has no variable 2"},
	{jump_without_aim, "'jmp' has no target"},
	{map_that_is_not_there, "'add map': the program has no map 1"},
	{map_of_no_kind, "map 1 has a number that no object holds"},
	{many_maps, "there are more than 32 maps"},
	{no_end, "a routine continues behind its last instruction"},
};

static void refused(size_t i)
{
	struct dph_program p = {.target = {.cpu = dph_cpu_numbered(DP_CPU_SIM), .word_bytes = 4}};
	dph_ir_routine(&p, NULL, place);
	dph_ir_routine(&p, "f", place);
	cases[i].build(&p);
	CHECK(!dph_ir_complete(&p));
	if (!p.fault.text || strcmp(p.fault.text, cases[i].said) != 0) {
		printf("case %zu: %s; wanted: %s\n", i, p.fault.text ? p.fault.text : "nothing",
		       cases[i].said);
		check_failures++;
	}
	dph_ir_free(&p);
}

/* A refused insn, header or point leaves the program as it was; the first sentence stays. */
static void unchanged(void)
{
	struct dph_program p = {.target = {.cpu = dph_cpu_numbered(DP_CPU_SIM), .word_bytes = 4}};
	dph_ir_routine(&p, NULL, place);
	large_count(&p);
	CHECK(p.routines[0].insn_count == 0 && p.fault.place.start == place.start);
	kind(&p);
	CHECK(p.point_count == 0);
	module_type(&p);
	CHECK(!p.header.name && strstr(p.fault.text, "'shl'"));
	dph_ir_free(&p);
}

/* Values at the edge of what an operand holds, and a program with all there is, are taken. */
static void taken(void)
{
	struct dph_program p = {.target = {.cpu = dph_cpu_numbered(DP_CPU_SIM), .word_bytes = 4}};
	dph_ir_routine(&p, NULL, place);
	dph_ir_routine(&p, "f", place);
	named(&p);
	point(&p, (struct dph_point){0});
	push(&p, 0xffffffff);
	push(&p, (uint64_t)INT32_MIN);
	insn(&p, RPN_PUSH_8, (uint64_t)-128, DPH_IR_NONE);
	insn(&p, RPN_PUSH_16, 32767, DPH_IR_NONE);
	insn(&p, RPN_INC_LV_N, 1, DPH_IR_NONE);
	insn(&p, RPN_CALL, 0, 1);
	size_t out = dph_ir_label(&p, 0, NULL);
	insn(&p, RPN_JMP, 0, out);
	dph_ir_put_label(&p, 0, out, place);
	insn(&p, RPN_EXIT, 0, DPH_IR_NONE);
	dph_ir_insn(&p, 1, &(struct dph_insn){.op = op(RPN_RET)});
	CHECK(dph_ir_complete(&p));
	if (p.fault.text)
		printf("%s\n", p.fault.text);
	CHECK(p.routines[0].insn_count == 8 && p.routines[0].labels[0].insn == 7);
	p.target.word_bytes = 8;
	push(&p, UINT64_MAX);
	push(&p, 0x8000000000000000);
	CHECK(!p.fault.text);
	dph_ir_free(&p);
}

int main(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		refused(i);
	unchanged();
	taken();
	return check_status();
}
