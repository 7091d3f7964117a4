/* SPDX-License-Identifier: BSD-2-Clause */
/* Failures of a session, each with its sentence. */
#include "session_state.h"

#include <dprobes/errors.h>

#include <stdarg.h>
#include <stdio.h>

bool dph_session_fail(struct dp_session *session, enum dp_failure_kind kind, const char *format,
		      ...)
{
	va_list arguments;

	if (session->over)
		return false; /* the first reason is the cause of all others */
	session->failure.kind = kind;
	session->failure.error = DP_ERR_OK;
	session->failure.silent = false;
	va_start(arguments, format);
	vsnprintf(session->failure.text, sizeof session->failure.text, format, arguments);
	va_end(arguments);
	session->over = kind == DP_FAILED_LINK;
	return false;
}

static const char *command_text(enum dp_cmd command)
{
	switch (command) {
#define DP_CMD(number, name, text, from_hit, right, repeatable)                                    \
	case number:                                                                               \
		return text;
#include "commands.def"
	}
	return "?";
}

void dph_session_set_error(struct dp_session *session, enum dp_err error)
{
	session->failure.error = error;
}

bool dph_session_fail_error(struct dp_session *session, enum dp_cmd command, unsigned error)
{
	char reason[768];

	if (dph_transport_reason(session->line, reason, sizeof reason))
		dph_session_fail(session, DP_FAILED_AGENT, "%s", reason);
	else
		dph_session_fail(session, DP_FAILED_AGENT, "the agent refused '%s': %s",
				 command_text(command), dp_error_sentence(error));
	dph_session_set_error(session, (enum dp_err)error);
	return false;
}

static bool fail_no_answer(struct dp_session *session)
{
	char sharers[192];

	if (dph_transport_sharers(session->line, sharers, sizeof sharers) > 0)
		return dph_session_fail(
			session, DP_FAILED_LINK,
			"no answer on %s: %s has the line open, too, and may take the "
			"answers; end that program; otherwise check the speed (--baud), "
			"and that the firmware runs and calls dprobes_poll",
			session->options.url, sharers);
	return dph_session_fail(session, DP_FAILED_LINK,
				"no answer on %s: check the speed (--baud), that the firmware "
				"runs and calls dprobes_poll, and that no other program has the "
				"line open",
				session->options.url);
}

bool dph_session_fail_silent(struct dp_session *session)
{
	if (!session->open && dph_transport_queued(session->line)) {
		session->failure.no_line = true;
		return dph_session_fail(
			session, DP_FAILED_LINK,
			"no answer on %s: the server of this socket still serves another "
			"program, or is stopped; end that program first ('dprobes serve' lets "
			"several dprobes commands use a line)",
			session->options.url);
	}
	if (!session->open)
		return fail_no_answer(session);
	if (session->over)
		return false;
	session->restarted = true;
	dph_session_fail(session, DP_FAILED_LINK,
			 "the target on %s stopped answering: the firmware hangs, was "
			 "switched off, or no longer calls dprobes_poll",
			 session->options.url);
	session->failure.silent = true;
	return false;
}

bool dph_session_fail_busy(struct dp_session *session, enum dp_cmd command)
{
	dph_session_fail(session, DP_FAILED_AGENT,
			 "the agent on %s always answers '%s' with 'busy': frequent hits "
			 "keep the firmware from dprobes_poll; remove a probe with many "
			 "hits ('dprobes remove' still works), or reduce the load of the "
			 "firmware",
			 session->options.url, command_text(command));
	dph_session_set_error(session, DP_ERR_BUSY);
	return false;
}

bool dph_session_fail_other(struct dp_session *session, enum dp_cmd command, uint8_t came)
{
	return dph_session_fail(session, DP_FAILED_AGENT,
				"the agent on %s answers another request (number %02x, '%s') than "
				"'%s', which was sent; use the dprobes that matches the agent",
				session->options.url, came, command_text((enum dp_cmd)came),
				command_text(command));
}

bool dph_session_fail_foreign(struct dp_session *session, enum dp_cmd command, uint8_t seq,
			      const struct dph_reply *reply)
{
	return dph_session_fail(session, DP_FAILED_AGENT,
				"no answer to '%s' (number %02x) on %s, but %s other numbers, the "
				"last one %02x: end each other program that has the line open, and "
				"use the dprobes that matches the agent",
				command_text(command), seq, session->options.url,
				reply->nak ? "refusals (NAK) of" : "answers with", reply->seq);
}

bool dph_session_fail_ignored(struct dp_session *session, enum dp_cmd command)
{
	return dph_session_fail(session, DP_FAILED_AGENT,
				"the agent on %s answers other requests, and not '%s', which was "
				"sent again and again; use the dprobes that matches the agent",
				session->options.url, command_text(command));
}

bool dph_session_fail_damaged(struct dp_session *session, enum dp_cmd command)
{
	return dph_session_fail(session, DP_FAILED_AGENT,
				"each answer to '%s' on %s came damaged: check the speed (--baud) "
				"and the cable, and that no other program writes to the line",
				command_text(command), session->options.url);
}

bool dph_session_fail_stuck(struct dp_session *session, uint32_t have, uint32_t bytes)
{
	return dph_session_fail(session, DP_FAILED_AGENT,
				"the agent on %s answers, and takes no more than %u of %u bytes of "
				"the program; use the dprobes that matches the agent",
				session->options.url, have, bytes);
}

bool dph_session_fail_unknown(struct dp_session *session)
{
	session->restarted = !session->over;
	return dph_session_fail(session, DP_FAILED_LINK,
				"the target on %s has ended this session: the target was "
				"restarted, or another dprobes took over; 'dprobes list' shows "
				"the installed programs",
				session->options.url);
}

bool dph_session_fail_tried(struct dp_session *session, enum dp_cmd command, unsigned sent,
			    bool was_busy)
{
	return dph_session_fail(session, DP_FAILED_INTERRUPTED,
				"the request '%s' was sent %u time(s) on %s, and %s",
				command_text(command), sent, session->options.url,
				was_busy ? "the agent was busy" : "no answer came");
}

bool dph_session_fail_restarted(struct dp_session *session, unsigned boot)
{
	session->restarted |= !session->over; /* one restart may be told twice */
	return dph_session_fail(session, DP_FAILED_LINK,
				"the target was restarted (boot %u, now %u): its probes are lost; "
				"insert them again",
				session->target.boot, boot);
}
