/* SPDX-License-Identifier: BSD-2-Clause */
/* The log instructions.  dprobes.lang(8) "log"; decisions.txt C38-C61.
 * Each instruction writes from LP on. LP moves over the bytes that are kept; the loop moves PLP
 * when the instruction succeeded. */
#include "dp_build.h"
#include "dp_run.h"

/* Bytes free behind a prefix at LP; false when not even the prefix fits. */
static bool room(const struct dp_run *run, unsigned prefix, dp_word *bytes)
{
	unsigned left = run->program->logmax - run->vm->lp;

	*bytes = left - prefix;
	return left >= prefix;
}

static void keep(struct dp_run *run, unsigned bytes)
{
	struct dp_vm *vm = run->vm;

	vm->lp = (uint16_t)(vm->lp + bytes);
	if (DP_WITH_LANGUAGE && vm->log_top < vm->lp)
		vm->log_top = vm->lp;
}

static enum dp_next overflow(struct dp_run *run)
{
	return dp_raise_next(run, RPN_X_LOG_OVERFLOW, run->program->logmax, 0);
}

#if DP_WITH_LANGUAGE
/* The fault record takes the place of the data, if there is room for it. decisions.txt C44-C47 */
static enum dp_next fault(struct dp_run *run, dp_addr address)
{
	uint8_t *at = run->vm->log + run->vm->lp;
	dp_word bytes;

	if (room(run, RPN_PREFIX_BYTES, &bytes) && bytes >= DP_WORD_BYTES) {
		dp_store_word(dp_put_prefix(at, RPN_TOKEN_FAULT, DP_WORD_BYTES), address);
		keep(run, RPN_PREFIX_BYTES + DP_WORD_BYTES);
	}
	return dp_raise_next(run, RPN_X_INVALID_ADDR, address, 0);
}

enum dp_next dp_log_memory(struct dp_run *run, dp_addr address, dp_word n)
{
	uint8_t *at = run->vm->log + run->vm->lp;
	dp_word bytes;
	size_t done;

	if (!room(run, RPN_PREFIX_BYTES, &bytes))
		return overflow(run);
	if (bytes > n)
		bytes = n;
	if (!dp_charge(run, (bytes + DP_WORD_BYTES - 1) / DP_WORD_BYTES))
		return DP_NEXT_BUDGET;
	done = dp_port_read(address, at + RPN_PREFIX_BYTES, (size_t)bytes, 0);
	if (done < bytes)
		return fault(run, address + (dp_addr)done);
	dp_put_prefix(at, RPN_TOKEN_MEMORY, (size_t)bytes);
	keep(run, RPN_PREFIX_BYTES + (unsigned)bytes);
	return bytes < n ? overflow(run) : DP_NEXT_GO;
}

/* A string that does not fit is not logged at all. With LOG_OVERFLOW masked the handler ends.
 * decisions.txt C49 */
static enum dp_next string_overflow(struct dp_run *run)
{
	return run->program->excpt_mask & RPN_X_LOG_OVERFLOW ? overflow(run) : DP_NEXT_EXIT;
}

/* Read in aligned words: past the NUL, but never into the next page or range. */
enum dp_next dp_log_string(struct dp_run *run, dp_addr address, dp_word n)
{
	uint8_t *at = run->vm->log + run->vm->lp, *to = at + RPN_PREFIX_BYTES;
	uint8_t chunk[DP_WORD_BYTES];
	unsigned want, next = 0, have = 0;
	dp_word bytes, done;

	if (!room(run, RPN_PREFIX_BYTES, &bytes))
		return string_overflow(run);
	for (done = 0; done < n; done++) {
		if (next == have) {
			want = DP_WORD_BYTES - (unsigned)((address + done) % DP_WORD_BYTES);
			if (want > n - done)
				want = (unsigned)(n - done);
			have = 0; /* behind the end of the address space there is nothing */
			if (done == 0 || address + done != 0)
				have = (unsigned)dp_port_read(address + done, chunk, want, 0);
			if (have == 0)
				return fault(run, address + done);
			next = 0;
		}
		if (chunk[next] == 0)
			break;
		if (done == bytes)
			return string_overflow(run);
		if (done % DP_WORD_BYTES == 0 && !dp_charge(run, 1))
			return DP_NEXT_BUDGET;
		to[done] = chunk[next++];
	}
	dp_put_prefix(at, RPN_TOKEN_STRING, (size_t)done);
	keep(run, RPN_PREFIX_BYTES + (unsigned)done);
	return DP_NEXT_GO;
}
#endif

enum dp_next dp_log_words(struct dp_run *run, unsigned token, const dp_word *from, uint32_t first,
			  dp_word count)
{
	bool on_stack = !DP_WITH_LANGUAGE || token >= RPN_TOKEN_WORDS;
	uint32_t mask = on_stack ? DP_STACK_MASK : UINT32_MAX;
	unsigned prefix = token == DP_NO_TOKEN ? 0 : RPN_PREFIX_BYTES, i;
	uint8_t *at = run->vm->log + run->vm->lp;
	dp_word fits;

	if (!room(run, prefix, &fits))
		return overflow(run);
	fits /= DP_WORD_BYTES;
	if (fits > count)
		fits = count;
	if (!dp_charge(run, fits))
		return DP_NEXT_BUDGET;
	if (prefix)
		at = dp_put_prefix(at, token, (size_t)fits);
	for (i = 0; i < fits; i++)
		dp_store_word(at + i * DP_WORD_BYTES, from[(first + i) & mask]);
	keep(run, prefix + (unsigned)fits * DP_WORD_BYTES);
	return fits < count ? overflow(run) : DP_NEXT_GO;
}
