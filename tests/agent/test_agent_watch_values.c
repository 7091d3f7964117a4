/* SPDX-License-Identifier: BSD-2-Clause */
/* What a handler of a watchpoint can push: the address of the access, the watched range before and
 * behind it. And kind R, whose handlers run before the access. RPN.md 5, WATCHED */
#include "watches.h"

#include <stdio.h>
#include <string.h>

#define LOG_VALUES "push wpnew\npush wpold\npush wpaddr\nlog 3\nexit\n"

/* Word n of a record, the last pushed first. */
static dp_word logged(unsigned record, unsigned n)
{
	return bench_word(bench.record[record].body + n * sizeof(dp_word));
}

static void check_values(unsigned record, dp_addr address, dp_word old, dp_word now)
{
	CHECK(bench.records == record + 1);
	CHECK(logged(record, 0) == address && logged(record, 1) == old && logged(record, 2) == now);
}

static void each_access(void)
{
	bench_start();
	firmware_put_word(DATA, 0x11111111);
	CHECK(bench_install(NAME("a") WATCH("rw") LOG_VALUES) == 0);
	store(DATA, 0x22222222, 4);
	check_values(0, DATA, 0x11111111, 0x22222222);
	access(SIM_LOAD, DATA, 0, 4);
	check_values(1, DATA, 0x22222222, 0x22222222);
	store(DATA - 2, 0, 2); /* beside the range: no hit */
	store(DATA, 0x33333333, 4);
	check_values(2, DATA, 0x22222222, 0x33333333);
	firmware_put_word(DATA, 0x44444444); /* by no CPU */
	store(DATA, 0x55555555, 4);
	check_values(3, DATA, 0x33333333, 0x55555555);
	check_quiet(1);
}

/* The address is that of the access, also where it begins in front of the range. */
static void addresses(void)
{
	dp_word before;

	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_VALUES) == 0);
	store(DATA - 2, 0x12345678, 4);
	CHECK(bench.records == 1 && logged(0, 0) == DATA - 2);
	before = logged(0, 2);
	store(DATA + 3, 7, 1);
	CHECK(bench.records == 2 && logged(1, 0) == DATA + 3 && logged(1, 1) == before);
	dp_sim.watch_silent = 1; /* the CPU tells the comparator alone */
	store(DATA + 2, 7, 1);
	CHECK(bench.records == 3 && logged(2, 0) == DATA);
}

static void put_bytes(unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		store(DATA + i, 0xa1 + i, 1);
}

/* The bytes at DATA as a number. */
static uint64_t number(unsigned count)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < count; i++)
		value |= (uint64_t)(0xa1 + i) << 8 * (DP_PORT_BIG_ENDIAN ? count - 1 - i : i);
	return value;
}

/* Ranges of each length that has a value. Where it is longer than a word, the word at the lower
 * address is on top. */
static void lengths(void)
{
	for (unsigned bytes = 1; bytes <= DP_WATCH_VALUE; bytes++) {
		const bool pair = bytes > sizeof(dp_word);
		const uint64_t wanted = number(bytes);
		uint64_t found;
		char source[160];

		bench_start();
		put_bytes(bytes);
		snprintf(source, sizeof source,
			 NAME("a") "address = 0x20000040 : 0x%x\nwatchpoint = rw\npush wpold\nlog "
				   "%u\nexit\n",
			 DATA + bytes - 1, 1u + pair);
		CHECK(bench_install(source) == 0);
		access(SIM_LOAD, DATA, 0, 1);
		CHECK(bench.records == 1);
		found = logged(0, 0);
		if (pair && DP_PORT_BIG_ENDIAN)
			found = found << 32 | logged(0, 1);
		else if (pair)
			found |= (uint64_t)logged(0, 1) << 32;
		CHECK(found == wanted);
	}
}

/* Nothing is read ahead for a program that does not ask. */
static void not_asked(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") "push wpnew\nlog 1\nexit\n") == 0);
	CHECK(!watch_of(0, 0)->asks_old);
	store(DATA, 9, 4);
	CHECK(bench.records == 1 && bench_logged(0) == 9);
	CHECK(bench_install(NAME("b") WATCH("w") "push wpold\nlog 1\nexit\n") ==
	      1); /* the same one */
	CHECK(watch_of(0, 0) == watch_of(1, 0) && watch_of(1, 0)->asks_old);
	store(DATA, 10, 4);
	CHECK(bench.records == 3 && bench_logged(1) == 10 && bench_logged(2) == 9);
	CHECK(bench_ask(DP_CMD_REMOVE, "\1", 1).error == 0); /* nobody asks any more */
	CHECK(!watch_of(0, 0)->asks_old);
	check_quiet(1);
}

/* A CHECK reads nothing, and changes nothing for the program that watches the range. */
static void check_reads_nothing(void)
{
	uint8_t arguments[4] = {0, 0, DP_COMMIT_NO_IDENTITY, 0};
	uint16_t transaction = 0;

	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") "push wpnew\nlog 1\nexit\n") == 0);
	CHECK(bench_compile(NAME("b") WATCH("w") "push wpold\nlog 1\nexit\n") &&
	      bench_upload(&transaction).error == 0);
	arguments[0] = (uint8_t)(transaction >> 8);
	arguments[1] = (uint8_t)transaction;
	CHECK(bench_ask(DP_CMD_CHECK, arguments, sizeof arguments).error == DP_ERR_OK);
	CHECK(!watch_of(0, 0)->asks_old && !watch_of(0, 0)->has_old);
}

/* One instruction writes two watched variables: each handler sees the address of its own. */
static void two_accesses(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") "push wpaddr\nlog 1\nexit\n") == 0);
	CHECK(bench_install(NAME("b") "address = 0x20000080 : 0x20000083\nwatchpoint = w\n"
				      "push wpaddr\nlog 1\nexit\n") == 1);
	put_insn(SIM_STORE);
	CHECK(bench_install(NAME("c") AT_TEXT "phase = after\nabort\n") == 2);
	firmware_set_access(DATA, 1, 4);
	*firmware.frame.word[sim_row(PC)] = AT;
	firmware_step(); /* into the slot */
	firmware_step(); /* the first access */
	CHECK(DP_THIS_CPU(agent)->pending && bench.records == 0);
	firmware_set_access(DATA + 0x40, 2, 4);
	firmware_step(); /* the second one */
	CHECK(bench.records == 0);
	firmware_step();
	bench_poll();
	CHECK(!DP_THIS_CPU(agent)->pending && bench.records == 2);
	CHECK(bench_logged(0) == DATA && bench_logged(1) == DATA + 0x40);
	CHECK(hits(0, 0) == 1 && hits(1, 0) == 1);
	check_quiet(2);
}

/* Behind the handlers no program has an access. */
static void elsewhere(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") "push wpold\nlog 1\nexit\n") == 0);
	CHECK(bench_install(NAME("b") WATCH("w") "push wpnew\nlog 1\nexit\n") == 1);
	store(DATA, 1, 4);
	CHECK(DP_THIS_CPU(agent)->in_hit == 0);
	for (unsigned i = 0; i < DP_MAX_PROGRAMS; i++)
		CHECK(!agent->program[i].view.access);
	check_quiet(1);
}

/* The comparator rests behind an access that no slot can step: then the value is read again. */
static void rests(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("w") LOG_VALUES) == 0);
	put_insn(SIM_EXCLUSIVE);
	firmware_set_access(DATA, 0x77, 4);
	firmware_run(AT, 1);
	CHECK(watch_of(0, 0)->rests);
	bench_poll();
	store(DATA, 0x78, 4);
	check_values(0, DATA, 0x77, 0x78);
}

/* The CPU reports the access when it is done. */
static void behind(void)
{
	bench_start();
	firmware_put_word(DATA, 1);
	CHECK(bench_install(NAME("a") WATCH("w") LOG_VALUES) == 0);
	dp_sim.watch_after = DP_WATCHED_WRITE;
	store(DATA, 2, 4);
	check_values(0, DATA, 1, 2);
}

/* Kind R: reads alone, and the handler sees the registers before the access. */
/* proves: P9.14 */
static void reads(bool probed)
{
	bench_start();
	put_insn(SIM_LOAD);
	CHECK(bench_install(NAME("a") WATCH("r") "push r, r1\nlog 1\nexit\n") == 0);
	if (probed)
		CHECK(bench_install(NAME("b") AT_TEXT "phase = after\nabort\n") == 1);
	firmware_put_word(DATA, 0x55);
	access(SIM_LOAD, DATA, 0x99, 4);
	CHECK(bench.records == 1 && firmware_loaded() == 0x55);
	CHECK(bench_logged(0) == (probed ? 0x55 : 0x99)); /* in a two-trap slot it runs behind */
	CHECK(hits(0, 0) == 1 && firmware.executed == 1);
	CHECK(!probed || hits(1, 0) == 1);
	bench_remove_all();
	CHECK(bench_install(NAME("a") WATCH("r") LOG_VALUES) == 0);
	store(DATA, 0x56, 4); /* no read */
	CHECK(bench.records == 1 && hits(0, 0) == 0 && firmware.executed == 2);
	access(SIM_LOAD, DATA, 0x99, 4); /* a read changes nothing: before it is now */
	check_values(1, DATA, 0x56, 0x56);
	check_quiet(1);
}

/* `r` and `rw` at one range: before the access and behind it. */
static void read_and_both(void)
{
	bench_start();
	CHECK(bench_install(NAME("a") WATCH("rw") "push r, r1\nlog 1\nexit\n") == 0);
	CHECK(bench_install(NAME("b") WATCH("r") "push r, r1\nlog 1\nexit\n") == 1);
	firmware_put_word(DATA, 0x55);
	access(SIM_LOAD, DATA, 0x99, 4);
	CHECK(bench.records == 2 && bench_logged(0) == 0x99 && bench_logged(1) == 0x55);
	store(DATA, 0x57, 4);
	CHECK(bench.records == 3 && hits(0, 0) == 2 && hits(1, 0) == 1);
	check_quiet(2);
}

/* Each kind at each length and place that the comparator has, by each width of access: one hit
 * where the access touches the range, none elsewhere. */
static void kinds_and_places(void)
{
	static const char *const kinds[] = {"w", "rw", "r"};
	static const unsigned widths[] = {1, 2, 4, 8};
	char source[120];

	for (unsigned kind = 0; kind < 3; kind++)
		for (unsigned bytes = 1; bytes <= 8; bytes++)
			for (unsigned at = 0; at < 8; at++) {
				bench_start();
				snprintf(
					source, sizeof source,
					NAME("a") "address = 0x%x : 0x%x\nwatchpoint = %s\nabort\n",
					DATA + at, DATA + at + bytes - 1, kinds[kind]);
				CHECK(bench_install(source) == 0);
				for (unsigned n = 0, expected = 0; n < 64; n++) {
					const unsigned width = widths[n / 2 % 4], place = n / 8 * 3;
					const bool load = n & 1;
					const bool meant = load ? kind != 0 : kind != 2;

					if (width > sizeof(dp_word))
						continue;
					access(load ? SIM_LOAD : SIM_STORE, DATA - 8 + place, n,
					       width);
					expected += meant && place < at + 8 + bytes &&
						    at + 8 < place + width;
					CHECK(hits(0, 0) == expected);
				}
				CHECK(bench_probe(0, 0)->missed == 0);
				check_quiet(1);
			}
}

int main(void)
{
	each_access();
	addresses();
	lengths();
	not_asked();
	check_reads_nothing();
	two_accesses();
	elsewhere();
	rests();
	behind();
	reads(false);
	reads(true);
	read_and_both();
	kinds_and_places();
	return check_status();
}
