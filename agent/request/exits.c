/* SPDX-License-Identifier: BSD-2-Clause */
/* C exits: functions of the firmware that static hooks call.  agent/guide/hooks.md
 *
 * A list of exits is armed or disarmed in one masked stretch, and a dispatch takes its set of exits
 * in one: no dispatch sees half a list. The traps stand before the exits are armed, and go after
 * they are disarmed. */
#include "dp_agent.h"

#include "dp_exits.h"
#include "dp_lock.h"
#include "dp_module_names.h"
#include "dp_sites.h"
#include "dp_work.h"

#if DP_WITH_HOOKS
static bool same(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

/* --- the places --- */

/* list: may be null. */
static bool is_in(const struct dp_exit *list, const char *hook)
{
	for (; list; list = list->next)
		if (same(list->hook, hook))
			return true;
	return false;
}

/* Is an exit of the hook armed, or one of the list, which is about to be? list: may be null. */
static bool is_wanted(const struct dp_agent *agent, const char *hook, const struct dp_exit *list)
{
	const struct dp_exit *exit;

	for (exit = agent->exits.first; exit; exit = exit->behind)
		if (exit->on && exit->armed && same(exit->hook, hook))
			return true;
	return is_in(list, hook);
}

/* Let each of the places have a trap for exits where one is wanted. returns: the first refusal;
 * with a list, at a hook of it: a place that has been lost is no hurdle for other hooks. */
static enum dp_err settle_at(struct dp_agent *agent, const struct dp_hooks *hooks,
			     const struct dp_exit *list)
{
	const struct dp_hook_row *row = hooks->rows;
	enum dp_err error = DP_ERR_OK, refused;

	for (dp_addr n = hooks->count; n > 0; n--, row++) {
		if (!is_wanted(agent, row->hook, list)) {
			dp_exit_site_close(agent, row);
			continue;
		}
		refused = dp_exit_site_open(agent, row);
		if (error == DP_ERR_OK && (!list || is_in(list, row->hook)))
			error = refused;
	}
	return error;
}

/* The same at all places. */
static enum dp_err settle(struct dp_agent *agent, const struct dp_exit *list)
{
	enum dp_err error = DP_ERR_OK, refused;

	for (unsigned i = 0; i < DP_MAX_MODULES; i++) {
		refused = settle_at(agent, &agent->exits.hooks[i], list);
		if (error == DP_ERR_OK)
			error = refused;
	}
	return error;
}

static bool is_hook(const struct dp_agent *agent, const char *hook)
{
	for (unsigned i = 0; i < DP_MAX_MODULES; i++)
		for (dp_addr n = 0; n < agent->exits.hooks[i].count; n++)
			if (same(agent->exits.hooks[i].rows[n].hook, hook))
				return true;
	return false;
}

void dp_exits_start(struct dp_agent *agent)
{
	agent->exits.hooks[0].rows = agent->board->hook_rows;
	agent->exits.hooks[0].count = agent->board->hook_count;
}

#if DP_WITH_MODULES
/* The entry of the module's hooks; without one a free entry, or null. */
static struct dp_hooks *hooks_of(struct dp_agent *agent, const char *module)
{
	struct dp_hooks *hooks = agent->exits.hooks + 1, *found = NULL;

	for (; hooks < agent->exits.hooks + DP_MAX_MODULES; hooks++) {
		if (hooks->rows && same(hooks->module, module))
			return hooks;
		if (!hooks->rows)
			found = hooks;
	}
	return found;
}

static void forget(struct dp_agent *agent, struct dp_hooks *hooks)
{
	for (dp_addr n = 0; n < hooks->count; n++)
		dp_exit_site_close(agent, &hooks->rows[n]);
	hooks->count = 0;
	hooks->rows = NULL;
}

void dp_exits_leave(struct dp_agent *agent, const char *module)
{
	struct dp_hooks *hooks = hooks_of(agent, module);

	if (hooks)
		forget(agent, hooks);
}

static enum dp_err bring(struct dp_agent *agent, const char *module, const struct dp_hook_row *rows,
			 dp_addr count)
{
	struct dp_hooks *hooks = hooks_of(agent, module);
	enum dp_err error;

	if (!dp_module_find(agent, module, dp_name_bytes(module)))
		return DP_ERR_NO_MODULE;
	if (!hooks)
		return DP_ERR_TABLE_FULL;
	forget(agent, hooks);
	hooks->module = module;
	hooks->rows = rows;
	hooks->count = count;
	error = settle_at(agent, hooks, NULL);
	if (error != DP_ERR_OK)
		forget(agent, hooks);
	return error;
}

enum dp_err dp_module_hooks(struct dp_agent *agent, const char *name,
			    const struct dp_hook_row *hooks, dp_addr count)
{
	enum dp_err error;

	if (!dp_work_begin(agent, DP_WORK_EXITS))
		return DP_ERR_BUSY;
	error = bring(agent, name, hooks, count);
	dp_work_end(agent);
	return error;
}
#endif

/* --- the list of all exits --- */

/* The link that holds the exit, or the last one. */
static struct dp_exit **link_of(struct dp_agent *agent, const struct dp_exit *exit)
{
	struct dp_exit **link = &agent->exits.first;

	while (*link && *link != exit)
		link = &(*link)->behind;
	return link;
}

static bool is_known(struct dp_agent *agent, const struct dp_exit *exit)
{
	return *link_of(agent, exit) != NULL;
}

/* The link in front of which an exit of the order stands when it comes. */
static struct dp_exit **link_for(struct dp_agent *agent, unsigned order)
{
	struct dp_exit **link = &agent->exits.first;

	while (*link && order != DP_EXIT_FIRST &&
	       (order == DP_EXIT_LAST || (*link)->order != DP_EXIT_LAST))
		link = &(*link)->behind;
	return link;
}

/* Does an exit with the order `only` stand against another one of its hook? */
static bool is_against(const struct dp_agent *agent, const struct dp_exit *exit)
{
	const struct dp_exit *other = agent->exits.first;

	for (; other; other = other->behind)
		if ((other->order == DP_EXIT_ONLY || exit->order == DP_EXIT_ONLY) &&
		    same(other->hook, exit->hook))
			return true;
	return false;
}

static enum dp_err check_new(struct dp_agent *agent, const struct dp_exit *exit)
{
	if (is_known(agent, exit))
		return DP_ERR_EXIT_KNOWN;
	if (!is_hook(agent, exit->hook))
		return DP_ERR_NO_HOOK;
	if (is_against(agent, exit))
		return DP_ERR_EXIT_ONLY;
	return agent->exits.numbers == UINT32_MAX ? DP_ERR_TABLE_FULL : DP_ERR_OK;
}

/* A dispatch may walk through the list meanwhile: it finds all other exits. */
static void enter(struct dp_agent *agent, struct dp_exit *exit)
{
	struct dp_exit **link = link_for(agent, exit->order);
	dp_irq irq;

	exit->armed = exit->on = 0;
	exit->number = 0;
	while (agent->exits.numbers >> exit->number & 1)
		exit->number++;
	exit->behind = *link;
	irq = dp_lock_take();
	agent->exits.numbers |= 1u << exit->number;
	*link = exit;
	dp_lock_give(irq);
}

/* context: locked; no dispatch runs, or the exit has never been armed. */
static void leave(struct dp_agent *agent, struct dp_exit *exit)
{
	agent->exits.numbers &= ~(1u << exit->number);
	*link_of(agent, exit) = exit->behind;
}

enum dp_err dp_exit_register(struct dp_agent *agent, struct dp_exit *list)
{
	struct dp_exit *exit, *entered;
	enum dp_err error = DP_ERR_OK;
	dp_irq irq;

	if (!dp_work_begin(agent, DP_WORK_EXITS))
		return DP_ERR_BUSY;
	for (exit = list; exit; exit = exit->next) {
		error = check_new(agent, exit);
		if (error != DP_ERR_OK)
			break;
		enter(agent, exit);
	}
	if (error != DP_ERR_OK) {
		irq = dp_lock_take();
		for (entered = list; entered != exit; entered = entered->next)
			leave(agent, entered);
		dp_lock_give(irq);
	}
	dp_work_end(agent);
	return error;
}

static enum dp_err check_known(struct dp_agent *agent, const struct dp_exit *list)
{
	for (; list; list = list->next)
		if (!is_known(agent, list))
			return DP_ERR_EXIT_UNKNOWN;
	return DP_ERR_OK;
}

static void set_armed(struct dp_exit *list, bool armed)
{
	dp_irq irq = dp_lock_take();

	for (; list; list = list->next)
		list->armed = list->on = armed;
	dp_lock_give(irq);
}

enum dp_err dp_exit_arm(struct dp_agent *agent, struct dp_exit *list)
{
	enum dp_err error;

	if (!dp_work_begin(agent, DP_WORK_EXITS))
		return DP_ERR_BUSY;
	error = agent->locked ? DP_ERR_LOCKED : check_known(agent, list);
	if (error == DP_ERR_OK) {
		error = settle(agent, list);
		if (error == DP_ERR_OK)
			set_armed(list, true);
		else
			settle(agent, NULL);
	}
	dp_work_end(agent);
	return error;
}

enum dp_err dp_exit_disarm(struct dp_agent *agent, struct dp_exit *list)
{
	enum dp_err error;

	if (!dp_work_begin(agent, DP_WORK_EXITS))
		return DP_ERR_BUSY;
	error = check_known(agent, list);
	if (error == DP_ERR_OK) {
		set_armed(list, false);
		settle(agent, NULL);
	}
	dp_work_end(agent);
	return error;
}

/* May the exits of the list go? context: locked. */
static enum dp_err check_idle(const struct dp_agent *agent, const struct dp_exit *list)
{
	for (; list; list = list->next)
		if (list->armed)
			return DP_ERR_EXIT_ARMED;
	return agent->exits.running > 0 ? DP_ERR_BUSY : DP_ERR_OK;
}

enum dp_err dp_exit_deregister(struct dp_agent *agent, struct dp_exit *list)
{
	enum dp_err error;
	dp_irq irq;

	if (!dp_work_begin(agent, DP_WORK_EXITS))
		return DP_ERR_BUSY;
	error = check_known(agent, list);
	irq = dp_lock_take();
	if (error == DP_ERR_OK)
		error = check_idle(agent, list);
	for (; error == DP_ERR_OK && list; list = list->next)
		leave(agent, list);
	dp_lock_give(irq);
	settle(agent, NULL); /* exits that have cleared `armed` leave their traps */
	dp_work_end(agent);
	return error;
}

/* --- the dispatch --- */

/* The set of armed exits of the hook, by their numbers. */
static uint32_t begin(struct dp_agent *agent, const char *hook)
{
	dp_irq irq = dp_lock_take();
	const struct dp_exit *exit = agent->exits.first;
	uint32_t due = 0;

	for (; exit; exit = exit->behind)
		if (exit->armed && same(exit->hook, hook))
			due |= 1u << exit->number;
	agent->exits.running++;
	dp_lock_give(irq);
	return due;
}

static void end(struct dp_agent *agent)
{
	dp_irq irq = dp_lock_take();

	agent->exits.running--;
	dp_lock_give(irq);
}

static int call(struct dp_exit *exit, unsigned count, dp_word *args)
{
	dp_irq irq;
	int result;

	if (exit->on && !exit->armed) /* it has cleared `armed` in a dispatch that came meanwhile */
		return 0;
	if (exit->when != DP_EXIT_MASKED)
		return exit->run(exit, count, args);
	irq = dp_lock_take();
	result = exit->run(exit, count, args);
	dp_lock_give(irq);
	return result;
}

void dp_exit_dispatch(struct dp_agent *agent, const char *hook, unsigned count, dp_word *args)
{
	uint32_t due = begin(agent, hook);
	struct dp_exit *exit = agent->exits.first;

	for (; exit && due; exit = exit->behind) {
		if (!(due >> exit->number & 1))
			continue;
		due &= ~(1u << exit->number);
		if (call(exit, count, args) != 0)
			break;
	}
	end(agent);
}
#endif
