/* SPDX-License-Identifier: BSD-2-Clause */
/* Version 3 of the object: a watchpoint of another length than 1, 2 or 4 aligned bytes. */
#include "check.h"

#include "compile/steps.h"
#include "dp_object.h"
#include "ir/probe_program.h"

static const struct dph_place place;
static const struct dp_build_options options;

/* The object of a breakpoint and a watchpoint of this range. */
static struct dp_object_file *object_of(uint64_t address, uint64_t last)
{
	struct dph_compilation c = {.options = &options};
	struct dph_program *p = &c.program;
	p->target.cpu = dph_cpu_numbered(DP_CPU_SIM);
	p->target.word_bytes = 4;
	dph_ir_header(p, &(struct dph_header){.name = "fw"});
	dph_ir_routine(p, NULL, place);
	dph_ir_insn(p, 0, &(struct dph_insn){.op = dph_op_find(RPN_EXIT)});
	dph_ir_point(p, &(struct dph_point){.kind = DP_PROBE_BREAK,
					    .address = 0x100,
					    .last = 0x100,
					    .extent = 0x40,
					    .before = 0x10});
	dph_ir_point(
		p, &(struct dph_point){.kind = DP_PROBE_WATCH_W, .address = address, .last = last});
	CHECK(dph_ir_complete(p));
	dph_layout(&c);
	struct dp_object_file *object = dph_write_object(&c);
	dph_ir_free(p);
	return object;
}

/* proves: R2.39 */
static void version(uint64_t address, uint64_t bytes, unsigned wanted)
{
	struct dp_object_file *object = object_of(address, address + bytes - 1);
	struct dp_point_info point;
	CHECK(object->data[DP_OBJ_VERSION] == wanted);
	CHECK(dp_object_point(object, 0, &point));
	CHECK(point.length == 0 && point.extent == 0x40 && point.before == 0x10);
	CHECK(dp_object_point(object, 1, &point));
	CHECK(point.length == bytes && point.extent == 0 && point.address == address);
	dp_object_free(object);
}

int main(void)
{
	version(0x2000, 1, 2);
	version(0x2001, 1, 2);
	version(0x2002, 2, 2);
	version(0x2004, 4, 2);
	version(0x2000, 3, 3);
	version(0x2002, 4, 3);
	version(0x2000, 8, 3);
	version(0x2000, 0x100000, 3);
	return check_status();
}
