/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulator runs handlers of an object with the agent's interpreter on the simulated port. */
#include "simulate.h"

#include <stdlib.h>
#include <string.h>

#include "dp_bytes.h"
#include "dp_port_cpu.h"
#include "sim.h"
#include "tables/arguments.h"
#include "tables/isas.h"

struct hits {
	uint64_t seen, ran; /* seen: ignored ones included */
	bool removed;
	struct sim_old old;
};

struct dph_simulation {
	uint8_t *object;
	struct dp_layout layout;
	const struct dph_cpu *cpu;
	const struct dph_sim_form *form;
	void *vm, *maps;
	struct sim machine; /* while none of this simulation's functions runs */
	struct sim_program program;
	uint64_t lv[RPN_VARS_MAX], gv[RPN_VARS_MAX];
	struct hits *hits;
	bool pc_given;
	bool stopped; /* a handler has said `stop` */
	struct dp_frame start, frame;
	bool returned; /* frame: as the last hit has let the function at `address` return */
	uint64_t address;
	struct dph_sim_write *writes;
	size_t write_count;
	bool out_of_memory;
};

static const struct dph_sim_form *form_of(unsigned word_bytes, unsigned order)
{
	if (word_bytes == 4)
		return order == DP_ORDER_BIG ? &dph_sim_form_32be : &dph_sim_form_32le;
	return order == DP_ORDER_BIG ? &dph_sim_form_64be : &dph_sim_form_64le;
}

/* The target of an object: its own, with the limits of the default build. False: the header names a
 * CPU, word size or order that does not exist. */
static bool target_of(const uint8_t *object, size_t bytes, bool may_write, struct dp_target *target)
{
	const struct dph_cpu *cpu;
	unsigned word_bytes, order;
	size_t count;

	*target = (struct dp_target){.may_write = may_write};
	if (bytes < DP_OBJECT_HEADER_BYTES)
		return false;
	cpu = dph_cpu_numbered(object[DP_OBJ_CPU]);
	word_bytes = object[DP_OBJ_WORD];
	order = object[DP_OBJ_ORDER];
	if (!cpu || (word_bytes != 4 && word_bytes != 8) || order > DP_ORDER_BIG ||
	    (cpu->word_bytes != 0 && cpu->word_bytes != word_bytes) ||
	    !(order == DP_ORDER_BIG ? cpu->big : cpu->little))
		return false;
	*target = (struct dp_target){
		.cpu = (uint8_t)cpu->number,
		.isas = (uint8_t)dph_isas_of(cpu),
		.word_bytes = (uint8_t)word_bytes,
		.order = (uint8_t)order,
		.port_groups = (uint8_t)cpu->groups,
		.build_groups = RPN_GROUP_ALL,
		.may_write = may_write,
		.log_max = (uint16_t)form_of(word_bytes, order)->log_max,
		.trace_max = (uint16_t)form_of(word_bytes, order)->trace_max,
		.vars_max = RPN_VARS_MAX,
		.gvars_max = RPN_VARS_MAX,
		.jmpmax_max = UINT16_MAX,
		.probes_max = 240,
		.regs = dph_cpu_regs(cpu, &count),
	};
	target->reg_count = (uint16_t)count;
	return true;
}

static enum dp_err verify(struct dph_simulation *s, size_t bytes, bool may_write,
			  struct dp_verdict *verdict)
{
	static uint8_t starts[(RPN_CODE_MAX + 7) / 8];
	struct dp_target target;

	/* A header that makes no sense gets the verifier's answer, in its order of rules. */
	if (!target_of(s->object, bytes, may_write, &target))
		target.cpu = 0;
	return dp_verify_object(s->object, (uint32_t)bytes, &target, starts, sizeof starts,
				&s->layout, verdict);
}

static void read_header(struct dph_simulation *s)
{
	const uint8_t *o = s->object;

	s->cpu = dph_cpu_numbered(o[DP_OBJ_CPU]);
	s->form = form_of(o[DP_OBJ_WORD], o[DP_OBJ_ORDER]);
	s->program = (struct sim_program){
		.code = o + s->layout.code,
		.code_bytes = s->layout.code_bytes,
		.lv = s->lv,
		.gv = s->gv,
		.vars = dp_get_u16(o + DP_OBJ_VARS),
		.gvars = dp_get_u16(o + DP_OBJ_GVARS),
		.jmpmax = dp_get_u16(o + DP_OBJ_JMPMAX),
		.logmax = dp_get_u16(o + DP_OBJ_LOGMAX),
		.excpt_log = dp_get_u16(o + DP_OBJ_EXCPT_LOG),
		.major = dp_get_u16(o + DP_OBJ_MAJOR),
		.id = dp_get_u32(o + DP_OBJ_ID),
		.name = o + s->layout.strings + dp_get_u16(o + DP_OBJ_NAME),
		.name_bytes = o[DP_OBJ_NAME_BYTES],
		.autostacktrace = o[DP_OBJ_FLAGS] & DP_PROGRAM_AUTOSTACKTRACE,
	};
}

static uint16_t index_named(const struct dph_cpu *cpu, const char *name)
{
	const struct dp_reg *reg = dph_reg_named(cpu, name, strlen(name));

	return reg ? reg->index : SIM_NO_REG;
}

/* A write of the handler, for the record. */
static void wrote(void *context, uint64_t address, const uint8_t *bytes, size_t count)
{
	struct dph_simulation *s = context;
	struct dph_sim_write *more = realloc(s->writes, (s->write_count + 1) * sizeof *s->writes);
	struct dph_sim_write *write;
	uint8_t *copy = malloc(count);

	if (more)
		s->writes = more;
	if (!more || !copy) {
		free(copy);
		s->out_of_memory = true;
		return;
	}
	memcpy(copy, bytes, count);
	write = &s->writes[s->write_count++];
	write->address = address;
	write->count = count;
	write->bytes = copy;
}

static void forget_writes(struct dph_simulation *s)
{
	while (s->write_count > 0)
		free((void *)s->writes[--s->write_count].bytes);
}

/* The port is one machine, dp_sim. A simulation at work borrows the machine. Returns the former
 * state, for give_back. */
static struct sim borrow(const struct dph_simulation *s)
{
	struct sim others = dp_sim;

	dp_sim = s->machine;
	return others;
}

static void give_back(struct dph_simulation *s, const struct sim *others)
{
	s->machine = dp_sim;
	dp_sim = *others;
}

static void connect(struct dph_simulation *s)
{
	struct sim others = borrow(s);
	size_t count;
	unsigned offset;

	sim_reset();
	dp_sim.regs = dph_cpu_regs(s->cpu, &count);
	dp_sim.reg_count = (uint16_t)count;
	dp_sim.pc = index_named(s->cpu, "pc");
	dp_sim.sp = index_named(s->cpu, "sp");
	dp_sim.lr = index_named(s->cpu, "lr");
	dp_sim.arguments_on_stack = dph_reg_on_stack(s->cpu, "arg0", 4, &offset);
	dp_sim.wrote = wrote;
	dp_sim.context = s;
	give_back(s, &others);
}

static bool make_maps(struct dph_simulation *s)
{
	const uint8_t *rows = s->object + s->layout.maps;

	if (s->layout.map_count == 0)
		return true;
	s->maps = calloc(1, s->form->maps_bytes(rows, s->layout.map_count));
	if (!s->maps)
		return false;
	s->form->maps_place(rows, s->layout.map_count, s->maps);
	s->program.maps = s->maps;
	return true;
}

struct dph_simulation *dph_simulation_open(const uint8_t *object, size_t bytes, bool may_write,
					   struct dp_verdict *verdict)
{
	struct dph_simulation *s = calloc(1, sizeof *s);

	*verdict = (struct dp_verdict){.error = DP_ERR_OK};
	if (!s)
		return NULL;
	s->object = malloc(bytes ? bytes : 1);
	if (!s->object)
		goto failed;
	memcpy(s->object, object, bytes);
	if (verify(s, bytes, may_write, verdict) != DP_ERR_OK)
		goto failed;
	read_header(s);
	s->vm = calloc(1, s->form->vm_bytes);
	s->hits = calloc(s->layout.probe_count, sizeof *s->hits);
	if (!s->vm || !s->hits || !make_maps(s))
		goto failed;
	connect(s);
	return s;
failed:
	free(s->object);
	free(s->vm);
	free(s->maps);
	free(s->hits);
	free(s);
	return NULL;
}

void dph_simulation_close(struct dph_simulation *s)
{
	unsigned i;

	if (!s)
		return;
	for (i = 0; i < s->machine.ranges; i++)
		free(s->machine.range[i].data);
	forget_writes(s);
	free(s->writes);
	free(s->object);
	free(s->vm);
	free(s->maps);
	free(s->hits);
	free(s);
}

bool dph_simulation_map(struct dph_simulation *s, uint64_t address, const uint8_t *bytes,
			size_t count, bool writable)
{
	uint8_t *copy;
	struct sim others;
	bool good;

	if (s->form->word_bits == 32 && address + count - 1 > UINT32_MAX)
		return false;
	copy = malloc(count ? count : 1);
	if (!copy)
		return false;
	memcpy(copy, bytes, count);
	others = borrow(s);
	good = sim_map(address, copy, count, writable);
	give_back(s, &others);
	if (!good)
		free(copy);
	return good;
}

bool dph_simulation_full(const struct dph_simulation *s)
{
	return s->machine.ranges == SIM_RANGES_MAX;
}

/* Row of a register in a frame; the register exists. */
static int row_of(const struct dph_simulation *s, unsigned index)
{
	int row = 0;

	while (row + 1 < s->machine.reg_count && s->machine.regs[row].index != index)
		row++;
	return row;
}

void dph_simulation_register(struct dph_simulation *s, unsigned index,
			     const uint64_t words[DP_REG_WORDS_MAX])
{
	memcpy(s->start.word[row_of(s, index)], words, DP_REG_WORDS_MAX * sizeof words[0]);
	if (index == s->machine.pc)
		s->pc_given = true;
}

bool dph_simulation_stack_word(struct dph_simulation *s, unsigned offset, uint64_t value)
{
	const unsigned count = s->form->word_bits / 8;
	uint64_t address = offset;
	uint8_t bytes[8];

	if (s->machine.sp != SIM_NO_REG)
		address += s->start.word[row_of(s, s->machine.sp)][0];
	if (s->form->word_bits == 32)
		address = (uint32_t)address;

	for (unsigned i = 0; i < count; i++)
		bytes[i] = (uint8_t)(value >> 8 * (s->form->big_endian ? count - 1 - i : i));
	return dph_simulation_map(s, address, bytes, count, true);
}

void dph_simulation_wait(struct dph_simulation *s, uint64_t nanoseconds)
{
	const uint64_t second = 1000000000, hz = s->machine.tick_hz;

	s->machine.ticks += nanoseconds / second * hz + nanoseconds % second * hz / second;
}

static const uint8_t *point_at(const struct dph_simulation *s, unsigned point)
{
	return s->object + s->layout.probes + point * DP_PROBE_BYTES;
}

static const uint8_t *traits_of(const struct dph_simulation *s, const uint8_t *point)
{
	return s->object + s->layout.traits + point[DP_PT_TRAITS] * DP_TRAITS_BYTES;
}

unsigned dph_simulation_points(const struct dph_simulation *s)
{
	return s->layout.probe_count;
}

int dph_simulation_point(const struct dph_simulation *s, unsigned minor)
{
	unsigned i;

	for (i = 0; i < s->layout.probe_count; i++)
		if (dp_get_u16(point_at(s, i) + DP_PT_MINOR) == minor)
			return (int)i;
	return -1;
}

/* A watchpoint of data is hit by some instruction elsewhere. */
static bool stands_in_code(const uint8_t *traits)
{
	return traits[DP_TR_KIND] == DP_PROBE_BREAK || traits[DP_TR_KIND] == DP_PROBE_WATCH_X;
}

/* What the point watches, if it is a watchpoint. */
static void set_watch(struct dph_simulation *s, const uint8_t *point, const uint8_t *traits,
		      struct sim_old *old)
{
	const bool is = DP_POINTS_WATCHED >> traits[DP_TR_KIND] & 1;
	const bool in_extent = s->object[DP_OBJ_VERSION] == DP_OBJECT_VERSION_LONG;

	s->program.watch_kind = is ? traits[DP_TR_KIND] : 0;
	s->program.watched = in_extent ? dp_get_u32(point + DP_PT_EXTENT) : traits[DP_TR_LENGTH];
	s->program.old = old;
}

/* The registers of a hit. */
static void begin_frame(struct dph_simulation *s, const uint8_t *traits)
{
	s->frame = s->start;
	if (!s->pc_given && s->machine.pc != SIM_NO_REG && stands_in_code(traits))
		s->frame.word[row_of(s, s->machine.pc)][0] = s->program.offset;
}

static void set_register(struct dph_simulation *s, unsigned index, uint64_t value)
{
	s->frame.word[row_of(s, index)][0] = value;
}

/* Go to the return address, which a CPU without a register for it has on the stack. Where the
 * simulation has no memory there, the pc stays. */
static void leave_function(struct dph_simulation *s)
{
	const unsigned count = s->form->word_bits / 8;
	const bool has_register = s->machine.lr != SIM_NO_REG;
	uint64_t *word = &s->frame.word[row_of(s, has_register ? s->machine.lr : s->machine.sp)][0];
	uint64_t address = has_register ? *word : 0;
	const struct sim others = borrow(s);
	uint8_t bytes[8];
	const bool is_there = has_register || sim_read(*word, bytes, count) == count;

	give_back(s, &others);
	for (unsigned i = 0; !has_register && is_there && i < count; i++)
		address |= (uint64_t)bytes[s->form->big_endian ? count - 1 - i : i] << 8 * i;
	if (!has_register)
		*word += count;
	if (is_there && s->machine.pc != SIM_NO_REG)
		set_register(s, s->machine.pc, address);
}

/* The handler has let the function return: by the calling convention, to the return address. */
static void return_from(struct dph_simulation *s, const struct sim_result *result)
{
	const struct dph_arguments *abi = dph_arguments_of(s->cpu);

	s->returned = result->returns;
	s->address = s->program.offset;
	if (!result->returns || !abi)
		return;
	for (unsigned i = 0; i < result->words; i++)
		set_register(s, i == 0 ? abi->result : abi->above, result->word[i]);
	if (s->machine.lr != SIM_NO_REG || s->machine.sp != SIM_NO_REG)
		leave_function(s);
}

enum dph_hit dph_simulation_hit(struct dph_simulation *s, unsigned point, struct sim_result *result)
{
	const uint8_t *p = point_at(s, point), *traits = traits_of(s, p);
	struct hits *hits = &s->hits[point];
	struct sim others;

	forget_writes(s);
	if (s->stopped || hits->removed || hits->ran == dp_get_u32(traits + DP_TR_MAXHITS))
		return DPH_HIT_DISABLED;
	if (hits->seen++ < dp_get_u32(traits + DP_TR_IGNORE))
		return DPH_HIT_IGNORED;
	hits->ran++;
	s->program.minor = dp_get_u16(p + DP_PT_MINOR);
	s->program.excpt_mask = dp_get_u16(traits + DP_TR_EXCPT_MASK);
	s->program.offset =
		(uint64_t)dp_get_u32(traits + DP_TR_HIGH) << 32 | dp_get_u32(p + DP_PT_ADDRESS);
	s->program.point = (uint8_t)point;
	set_watch(s, p, traits, &hits->old);
	if (traits[DP_TR_PHASE] != DP_PHASE_RETURNED || !s->returned ||
	    s->address != s->program.offset)
		begin_frame(s, traits);
	others = borrow(s);
	s->program.tick_hz = dp_sim.tick_hz;
	s->form->run(s->vm, &s->program, (uint16_t)dp_get_u32(p + DP_PT_ENTRY), &s->frame, result);
	dp_sim.ticks++;
	give_back(s, &others);
	return_from(s, result);
	hits->removed = result->remove;
	s->stopped = result->stop;
	return DPH_HIT_RAN;
}

int dph_simulation_map_place(const struct dph_simulation *s, unsigned map, unsigned place,
			     uint64_t *words)
{
	return s->form->map_place(s->maps, map, place, false, words);
}

int dph_simulation_map_take(struct dph_simulation *s, unsigned map, unsigned place, uint64_t *words)
{
	return s->form->map_place(s->maps, map, place, true, words);
}

uint32_t dph_simulation_map_dropped(const struct dph_simulation *s, unsigned map)
{
	return s->form->map_dropped(s->maps, map);
}

bool dph_simulation_speculated(struct dph_simulation *s, struct sim_speculated *record)
{
	for (unsigned i = 0; i < s->layout.map_count; i++)
		if (s->form->map_speculated(s->maps, i, record))
			return true;
	return false;
}

const struct sim_program *dph_simulation_program(const struct dph_simulation *s)
{
	return &s->program;
}

const struct dph_sim_form *dph_simulation_form(const struct dph_simulation *s)
{
	return s->form;
}

const struct dph_cpu *dph_simulation_cpu(const struct dph_simulation *s)
{
	return s->cpu;
}

uint64_t dph_simulation_slot(const struct dph_simulation *s, unsigned index)
{
	return s->form->slot(s->vm, index);
}

size_t dph_simulation_writes(const struct dph_simulation *s, const struct dph_sim_write **writes)
{
	*writes = s->writes;
	return s->write_count;
}

void dph_simulation_register_after(const struct dph_simulation *s, unsigned index,
				   uint64_t words[DP_REG_WORDS_MAX])
{
	memcpy(words, s->frame.word[row_of(s, index)], DP_REG_WORDS_MAX * sizeof words[0]);
}

unsigned dph_simulation_plan(struct dph_simulation *s, uint32_t entry, uint32_t *place)
{
	struct sim others = borrow(s);
	const unsigned kind = s->form->plan(&s->program, (uint16_t)entry, false, place);

	give_back(s, &others);
	return kind;
}
