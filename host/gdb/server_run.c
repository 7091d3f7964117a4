/* SPDX-License-Identifier: BSD-2-Clause */
/* Stops, steps and resumptions. */
#define _GNU_SOURCE
#include "server_parts.h"

#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

#define HAS_NO_HALT "the firmware runs, and this agent has no HALT to stop it"

enum {
	BY_REQUEST = 2, /* signals as gdb numbers them: SIGINT, */
	BY_TRAP = 5     /* SIGTRAP */
};

const char *dph_gdb_why_no_stop(const struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;

	return target->ops->no_stop == NULL ? HAS_NO_HALT : target->ops->no_stop(target->context);
}

/* --- stops ----------------------------------------------------------------------------------- */

/* gdb gets the answer to its packet with the next stop. */
static void waits(struct dph_gdb_server *server)
{
	server->state = DPH_GDB_RUNS;
	server->silent = true;
}

static void stands(struct dph_gdb_server *server, unsigned signal)
{
	struct dph_gdb_watched watched;
	const bool by_watch = dph_gdb_is_watched(server, &watched);

	server->state = DPH_GDB_STANDS;
	dph_gdb_tell_stop_by(server, by_watch ? BY_TRAP : signal, by_watch ? &watched : NULL);
}

/* Tell gdb, which waits, of a stop. */
static void tell(struct dph_gdb_server *server, unsigned signal)
{
	dph_gdb_prints_say(server, true);
	dph_gdb_begin(&server->answer);
	stands(server, signal);
	dph_gdb_send_answer(server);
}

void dph_gdb_run_open(struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why;
	bool stopped;

	if (dph_gdb_why_no_stop(server) != NULL)
		return;
	if (!target->ops->begin_stops(target->context, &stopped, &why))
		server->refusal = dph_strdup(why.text);
	else if (stopped)
		server->state = DPH_GDB_STANDS;
}

/* Why has the stop ended without gdb? Null: it has not, or the target does not tell. */
static const char *why_released(const struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;

	return target->ops->released != NULL ? target->ops->released(target->context) : NULL;
}

/* A stop that gdb knows of is over, as by a time-out: gdb sees memory, and no registers. gdb takes
 * no stop back: it is told when it resumes the target. */
static void is_released(struct dph_gdb_server *server)
{
	const char *why = why_released(server);

	server->state = DPH_GDB_LOOKS;
	server->released = why != NULL ? why : DPH_GDB_RELEASED;
	server->target->ops->tell(server->target->context, server->released);
}

/* gdb, which has resumed the target and waits, prints why the target was not stopped any more. */
static void say_released(struct dph_gdb_server *server)
{
	const char *why = server->released;

	server->released = NULL;
	if (why == NULL)
		return;
	dph_gdb_say(server, why, strlen(why));
	dph_gdb_say(server, "\n", 1);
}

void dph_gdb_run_idle(struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;
	bool was = server->state == DPH_GDB_STANDS, is;

	if (server->state == DPH_GDB_LOOKS)
		return;
	if (!was)
		dph_gdb_prints_say(server, false);
	if (dph_gdb_why_no_stop(server) != NULL)
		return;
	is = target->ops->is_stopped(target->context, was);
	if (is && !was)
		tell(server, BY_TRAP);
	else if (!is && was)
		is_released(server);
}

/* gdb waits for a stop: it gets one without registers. why: null where gdb has asked for no other.
 */
static void stands_without(struct dph_gdb_server *server, const char *why)
{
	dph_gdb_prints_say(server, true);
	dph_gdb_begin(&server->answer);
	if (why != NULL) {
		dph_gdb_say(server, why, strlen(why));
		dph_gdb_say(server, "\n", 1);
	}
	server->state = DPH_GDB_LOOKS;
	dph_gdb_tell_stop_by(server, BY_REQUEST, NULL);
	dph_gdb_send_answer(server);
}

void dph_gdb_run_break(struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why = {"the target cannot be stopped"};

	if (server->state != DPH_GDB_RUNS) /* gdb takes the target for stopped */
		return;
	if (dph_gdb_why_no_stop(server) != NULL) { /* gdb has waited for dprintf alone */
		stands_without(server, NULL);
		return;
	}
	if (target->ops->stop(target->context, &why)) {
		tell(server, BY_REQUEST);
		return;
	}
	stands_without(server, why.text);
}

void dph_gdb_run_close(struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why;
	bool stood = server->state == DPH_GDB_STANDS;

	dph_gdb_breakpoints_forget(server);
	if (server->installed_breakpoints != NULL)
		target->ops->install(target->context, NULL, &why);
	/* A breakpoint may have stopped it after the last look. */
	if (server->state == DPH_GDB_RUNS && server->installed_breakpoints != NULL)
		stood = target->ops->is_stopped(target->context, false);
	free(server->installed_breakpoints);
	if (stood)
		target->ops->resume(target->context, &why);
}

/* --- resumptions ----------------------------------------------------------------------------- */

void dph_gdb_do_tell_resumptions(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	dph_gdb_add_text(&server->answer, "vCont;c;C;s;S;r");
}

/* Refuse a resumption of a target that nothing stops. */
static bool is_refused(struct dph_gdb_server *server)
{
	const char *no = dph_gdb_why_no_stop(server);

	if (no != NULL)
		dph_gdb_refuse(server, "%s%s", no,
			       dph_gdb_stop_count(server) > 0
				       ? "; nothing stops at breakpoints and watchpoints"
				       : "");
	return no != NULL;
}

/* Is dprintf all that gdb waits for? That needs no stop. */
static bool prints_alone(const struct dph_gdb_server *server)
{
	return server->breakpoint_count > 0 && dph_gdb_stop_count(server) == 0;
}

void dph_gdb_do_go_on(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why = {"the target does not go on"};

	(void)args;
	(void)bytes;
	if (!prints_alone(server) && is_refused(server))
		return;
	server->access_done = false;
	if (!dph_gdb_breakpoints_install(server, &why) ||
	    (server->state == DPH_GDB_STANDS && !target->ops->resume(target->context, &why))) {
		dph_gdb_refuse(server, "%s", why.text);
		return;
	}
	if (server->state == DPH_GDB_STANDS)
		server->released = why_released(server);
	say_released(server);
	waits(server);
}

/* As when a stepped instruction has faulted: the firmware's handler runs. */
static void is_lost(struct dph_gdb_server *server)
{
	static const char text[] =
		"the target is no longer stopped: the instruction has faulted, and the firmware "
		"handles the fault, or another command or a restart has let the target go on\n";

	dph_gdb_say(server, text, strlen(text));
	waits(server);
}

/* Has gdb sent something during the step, as ^C? Then the stop is told behind that. */
static bool is_left(const struct dph_gdb_server *server)
{
	const struct dph_gdb_target *target = server->target;

	return server->broken ||
	       (target->ops->is_left != NULL && target->ops->is_left(target->context));
}

/* Answer a step of a target that ran, and is stopped now. gdb 13 ends with an internal error when
 * another thread stops than the one that was to step over a breakpoint. thread: that one; 0: any.
 */
static void stands_elsewhere(struct dph_gdb_server *server, unsigned thread)
{
	const struct dph_gdb_target *target = server->target;
	const unsigned here = target->ops->here != NULL ? target->ops->here(target->context) : 0;

	if (thread == 0 || here == 0 || here == thread) {
		say_released(server);
		stands(server, BY_TRAP);
		return;
	}
	server->state = DPH_GDB_STANDS;
	dph_gdb_refuse(server, "%s; it is stopped now, in thread %u",
		       server->released != NULL ? server->released : "the target ran", here);
	server->released = NULL;
}

static void stands_behind_step(struct dph_gdb_server *server)
{
	dph_gdb_prints_say(server, true);
	stands(server, BY_TRAP);
}

/* A target that runs is stopped in place of a step. bytes: of a range; 0: one instruction.
 * thread: that steps; 0: gdb names none. */
static void step(struct dph_gdb_server *server, uint64_t first, uint64_t bytes, unsigned thread)
{
	const struct dph_gdb_target *target = server->target;
	struct dph_gdb_why why = {"the target does not step"};
	const bool stands_now = server->state == DPH_GDB_STANDS;

	if (is_refused(server))
		return;
	if (stands_now && server->access_done) {
		server->access_done = false;
		stands(server, BY_TRAP);
		return;
	}
	/* The step may end in a fault, and the firmware run on. */
	if (!dph_gdb_breakpoints_install(server, &why)) {
		dph_gdb_refuse(server, "%s", why.text);
		return;
	}
	if (dph_gdb_has_breakpoint(server, first, bytes))
		bytes = 0;
	if (stands_now ? !target->ops->step(target->context, first, bytes, &why)
		       : !target->ops->stop(target->context, &why))
		dph_gdb_refuse(server, "%s", why.text);
	else if (stands_now && !target->ops->is_stopped(target->context, true))
		is_lost(server);
	else if (is_left(server))
		waits(server);
	else if (stands_now)
		stands_behind_step(server);
	else
		stands_elsewhere(server, thread);
}

void dph_gdb_do_step(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	(void)args;
	(void)bytes;
	step(server, 0, 0, 0);
}

/* ":THREAD", or nothing: 0. */
static unsigned thread_of(const char *args)
{
	uint64_t number;

	return *args == ':' && (args++, dph_gdb_number(&args, &number)) ? (unsigned)number : 0;
}

/* "ACTION[:THREAD]" and others: the first one counts, because the target stops and goes on as a
 * whole. gdb names the thread that steps first. */
void dph_gdb_do_resume(struct dph_gdb_server *server, const char *args, size_t bytes)
{
	uint64_t first, end;

	if (*args == 'c' || *args == 'C') {
		dph_gdb_do_go_on(server, args, bytes);
	} else if (*args == 's' || *args == 'S') {
		step(server, 0, 0, *args == 's' ? thread_of(args + 1) : 0);
	} else if (*args == 'r' && dph_gdb_number_and((args++, &args), &first, ',') &&
		   dph_gdb_number(&args, &end) && end >= first) {
		first = dph_gdb_place(server, first);
		step(server, first, dph_gdb_place(server, end) - first, thread_of(args));
	} else {
		dph_gdb_malformed(server);
	}
}
