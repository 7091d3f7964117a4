/* SPDX-License-Identifier: BSD-2-Clause */
/* The requests for a stopped target: the feature HALT. PROTOCOL.md 5.13 */
#include "dp_exchange.h"

#include "dp_at_work.h"
#include "dp_clock.h"
#include "dp_fields.h"
#include "dp_halt_step.h"
#include "dp_lock.h"

#if DP_WITH_HALT
_Static_assert(DP_VAR_BYTES_MAX / sizeof(dp_word) <= 16, "a bit of `failed` for each register");

/* May the session stop the target, and can the board be stopped? */
static enum dp_err may_stop(const struct dp_agent *agent)
{
	enum dp_err error = dp_may(agent, DP_RIGHT_WRITE);

	return error == DP_ERR_OK && !agent->board->stopped ? DP_ERR_NO_STOP : error;
}

/* dp_sample serves requests where nobody calls dp_poll. */
static enum dp_err not_stopped(const struct dp_agent *agent)
{
	return dp_halt_hears(agent) ? DP_ERR_NOT_POLLED : DP_ERR_NOT_STOPPED;
}

enum dp_err dp_do_halt(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	struct dp_halt *halt = &agent->halt;
	enum dp_err error;
	dp_irq irq = dp_lock_take();

	(void)a;
	error = may_stop(agent);
	if (error == DP_ERR_OK) {
		halt->seconds = (uint16_t)DP_ARG(ex, halt, seconds);
		if (halt->on || halt->due == DP_HALT_WITHDRAWN)
			halt->due = 0;
		if (!halt->on && halt->due < DP_HALT_WITHDRAWN - 1)
			halt->due++;
		halt->due_at = (uint32_t)dp_now(agent);
		agent->steps.count = 0;
		agent->poll_due = 1;
		ex->n.halt.why = halt->on;
		ex->n.halt.pc = halt->on ? halt->pc : 0;
	}
	dp_lock_give(irq);
	return error;
}

enum dp_err dp_do_resume(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	enum dp_err error = may_stop(agent);

	(void)ex, (void)a;
	if (error != DP_ERR_OK)
		return error;
	if (agent->halt.on)
		agent->halt.resume = DP_RESUME_REQUEST;
	else if (dp_halt_due(agent))
		dp_halt_withdraw(agent);
	else
		error = not_stopped(agent);
	return error;
}

/* Only a hit serves the request with an effect, as with REGS. */
enum dp_err dp_do_step(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	const uint32_t *halves = &DP_ARG(ex, step, first);
	unsigned count = DP_ARG(ex, step, count);
	enum dp_refusal why = DP_REFUSE_NOTHING;
	enum dp_err error = may_stop(agent);

	(void)a;
	ex->n.step.pc = agent->halt.pc;
	ex->n.step.left = agent->steps.count != 0 ? agent->steps.count : agent->steps.left;
	if (error == DP_ERR_OK && !agent->halt.on)
		error = not_stopped(agent);
	if (error == DP_ERR_OK && !agent->halt.frame)
		error = DP_ERR_NO_REGISTERS;
	if (error == DP_ERR_OK && agent->executing != 0)
		error = DP_ERR_STOPPED;
	if (error == DP_ERR_OK)
		error = dp_step_check(agent, &why);
	ex->n.step.refusal = (uint8_t)why;
	if (error != DP_ERR_OK || count == 0)
		return error;
	agent->steps.left = 0;
	agent->steps.count = (uint16_t)count;
	agent->steps.first = (dp_addr)((uint64_t)halves[0] << 32 | halves[1]);
	agent->steps.bytes = DP_ARG(ex, step, bytes);
	agent->halt.resume = DP_RESUME_STEP;
	return DP_ERR_OK;
}

/* The row of a register; null: there is none of that number. */
static const struct dp_reg *find(unsigned number)
{
	uint16_t count;
	const struct dp_reg *reg = dp_port_regs(&count);

	for (; count > 0; count--, reg++)
		if (reg->index == number)
			return reg;
	return NULL;
}

/* Is the register a single word that the context has? */
static bool is_word(const struct dp_reg *reg)
{
	return reg && reg->words == 1 && reg->pops == 0 && (reg->access & DP_REG_PUSH_R);
}

static dp_word read(const struct dp_frame *frame, unsigned number)
{
	dp_word words[DP_REG_WORDS_MAX];

	dp_port_reg_get(frame, DP_CONTEXT_R, (uint16_t)number, 0, words);
	return words[0];
}

/* Append the word, in the order of the wire. */
static void give(struct dp_exchange *ex, dp_word word)
{
	for (unsigned i = sizeof(word); i > 0; i--) {
		ex->words[ex->tail.count + i - 1] = (uint8_t)word;
		word = word >> 4 >> 4;
	}
	ex->tail.count = (uint8_t)(ex->tail.count + sizeof(word));
}

static enum dp_err write(const struct dp_agent *agent, const struct dp_exchange *ex)
{
	unsigned number = DP_ARG(ex, regs, first);
	const struct dp_reg *reg = find(number);
	enum dp_err error = dp_may(agent, DP_RIGHT_WRITE);
	dp_word value = 0;

	if (error != DP_ERR_OK)
		return error;
	if (ex->rest_bytes != sizeof(value) || DP_ARG(ex, regs, count) != 1)
		return DP_ERR_BAD_REQUEST;
	if (!is_word(reg))
		return DP_ERR_BAD_REG;
	if (!(reg->access & DP_REG_POP_R))
		return DP_ERR_REG_READONLY;
	for (unsigned i = 0; i < sizeof(value); i++)
		value = value << 4 << 4 | ex->rest[i];
	dp_port_reg_set(agent->halt.frame, DP_CONTEXT_R, (uint16_t)number, value);
	return DP_ERR_OK;
}

/* Only a hit serves the request with an effect: in dp_poll the target is not stopped. */
enum dp_err dp_do_regs(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	unsigned first = DP_ARG(ex, regs, first), count = DP_ARG(ex, regs, count);
	const struct dp_frame *frame = agent->halt.frame;
	enum dp_err error = DP_ERR_OK;

	(void)a;
	if (!agent->board->stopped)
		return DP_ERR_NO_STOP;
	if (!agent->halt.on)
		return not_stopped(agent);
	if (!frame)
		return DP_ERR_NO_REGISTERS;
	if (count * sizeof(dp_word) > DP_VAR_BYTES_MAX)
		return DP_ERR_BAD_REQUEST;
	if (ex->rest_bytes > 0)
		error = write(agent, ex);
	ex->n.regs.failed = 0;
	ex->tail.bytes = ex->words;
	for (unsigned i = 0; i < count; i++) {
		bool there = is_word(find(first + i));

		give(ex, there ? read(frame, first + i) : 0);
		if (!there)
			ex->n.regs.failed |= (uint16_t)(1u << i);
	}
	return error;
}
#endif
