/* SPDX-License-Identifier: BSD-2-Clause */
/* Options of several commands, with the environment and dprobes.conf. */
#define _GNU_SOURCE
#include "cli_settings.h"

#include "boards/conf_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	SECONDS_MAX = 1000000000
};

static const char *value_or(const struct dph_cli *cli, enum dph_cli_option option,
			    const char *variable)
{
	const char *value = dph_cli_get(cli, option);
	if (!value && variable)
		value = getenv(variable);
	return value && *value ? value : NULL;
}

static int bad_choice(const struct dph_cli *cli, enum dph_cli_option option)
{
	return dph_cli_usage(cli, "--%s is one of %s, not '%s'", dph_options[option].name,
			     dph_options[option].value, dph_cli_get(cli, option));
}

static int take_color(struct dph_cli *cli)
{
	const char *value = dph_cli_get(cli, DPH_OPT_COLOR), *no = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");
	bool wanted = !(no && *no) && !(terminal && strcmp(terminal, "dumb") == 0);
	cli->terminal = isatty(STDERR_FILENO);
	cli->color = wanted && cli->terminal;
	if (!value || strcmp(value, "auto") == 0)
		return DPH_EXIT_DONE;
	cli->color = strcmp(value, "always") == 0;
	if (cli->color || strcmp(value, "never") == 0)
		return DPH_EXIT_DONE;
	return bad_choice(cli, DPH_OPT_COLOR);
}

/* Read a time of an option: "500ms", "10s", "2m", "1h"; a number without a unit is seconds. */
static int take_time(const struct dph_cli *cli, enum dph_cli_option option, double *seconds)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"", 1}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};
	const char *value = dph_cli_get(cli, option);
	char *end;
	if (!value)
		return DPH_EXIT_DONE;
	const double number = strtod(value, &end);
	for (size_t i = 0; end != value && i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(end, units[i].name) == 0 && number > 0 && number <= SECONDS_MAX)
			*seconds = number * units[i].seconds;
	if (*seconds > 0 && *seconds <= SECONDS_MAX)
		return DPH_EXIT_DONE;
	return dph_cli_usage(cli, "--%s is a time above 0 such as 500ms, 10s, 2m or 1h, not '%s'",
			     dph_options[option].name, value);
}

int dph_cli_take_board(struct dph_cli *cli, const bool *takes, struct dp_board_settings **board)
{
	struct dp_messages messages = {0};
	if (!takes[DPH_OPT_BOARD])
		return DPH_EXIT_DONE;
	*board = dp_board_settings_read(NULL, value_or(cli, DPH_OPT_BOARD, "DPROBES_BOARD"),
					&messages);
	dph_cli_report(cli, &messages);
	if (!*board && !dph_cli_has(cli, DPH_OPT_BOARD))
		dph_cli_tell_source(cli, getenv("DPROBES_BOARD"));
	if (!*board)
		return DPH_EXIT_USAGE;
	if ((*board)->com && takes[DPH_OPT_LOG_TARGET] && !dph_cli_has(cli, DPH_OPT_LOG_TARGET))
		dph_cli_add(cli, DPH_OPT_LOG_TARGET, (*board)->com);
	return DPH_EXIT_DONE;
}

/* The command line comes first. A board named on the command line comes before the environment,
 * which may be left over from another board. Any other board comes last. */
static const char *setting(const struct dph_cli *cli, enum dph_cli_option option,
			   const char *variable, const char *of_board)
{
	if (!dph_cli_has(cli, option) && dph_cli_has(cli, DPH_OPT_BOARD) && of_board)
		return of_board;
	const char *value = value_or(cli, option, variable);
	return value ? value : of_board;
}

static int take_modem_line(const struct dph_cli *cli, enum dph_cli_option option,
			   const char *of_board, enum dp_modem_line *line)
{
	const char *value = setting(cli, option, NULL, of_board);
	if (value && !dph_conf_is_switch(value))
		return bad_choice(cli, option);
	if (value)
		*line = strcmp(value, "on") == 0 ? DP_MODEM_ON : DP_MODEM_OFF;
	return DPH_EXIT_DONE;
}

static int take_modem_lines(struct dph_cli *cli, const struct dp_board_settings *board)
{
	const int status = take_modem_line(cli, DPH_OPT_DTR, board ? board->dtr : NULL, &cli->dtr);
	return status ? status
		      : take_modem_line(cli, DPH_OPT_RTS, board ? board->rts : NULL, &cli->rts);
}

int dph_cli_take_line(struct dph_cli *cli, const struct dp_board_settings *board)
{
	const char *baud = setting(cli, DPH_OPT_BAUD, "DPROBES_BAUD", board ? board->baud : NULL);
	cli->port = setting(cli, DPH_OPT_PORT, "DPROBES_PORT", board ? board->port : NULL);
	cli->port_refused = board ? board->port_refused : NULL;
	if (cli->port_refused && dph_cli_has(cli, DPH_OPT_BOARD) && !dph_cli_has(cli, DPH_OPT_PORT))
		cli->port = NULL; /* the environment's may be that of another board */
	cli->serve = board && board->serve && cli->port && cli->port == board->port &&
		     strcmp(board->serve, "yes") == 0;
	cli->key = setting(cli, DPH_OPT_KEY, "DPROBES_KEY", board ? board->key : NULL);
	cli->elf = setting(cli, DPH_OPT_ELF, "DPROBES_ELF", board ? board->elf : NULL);
	cli->output = value_or(cli, DPH_OPT_OUTPUT, NULL);
	if (!cli->output)
		cli->output = value_or(cli, DPH_OPT_OUTFILE, NULL);
	cli->until = value_or(cli, DPH_OPT_UNTIL, NULL);
	cli->quiet = dph_cli_has(cli, DPH_OPT_QUIET);
	cli->verbose = dph_cli_has(cli, DPH_OPT_VERBOSE);
	cli->write = dph_cli_has(cli, DPH_OPT_WRITE);
	const int status = dph_cli_check_numbers(cli);
	if (status)
		return status;
	cli->count = dph_cli_number(cli, DPH_OPT_LIMIT);
	if (baud) {
		if (!dph_conf_is_baud(baud)) {
			dph_cli_tell_source(cli, baud);
			return dph_cli_usage(cli,
					     "the baud rate is a number from %d to %d, not '%s'",
					     DPH_BAUD_MIN, DPH_BAUD_MAX, baud);
		}
		cli->baud = (unsigned)strtoul(baud, NULL, 10);
	}
	return take_modem_lines(cli, board);
}

int dph_cli_take_times(struct dph_cli *cli)
{
	int status = take_color(cli);
	if (!status)
		status = take_time(cli, DPH_OPT_FOR, &cli->for_s);
	if (!status)
		status = take_time(cli, DPH_OPT_EVERY, &cli->every_s);
	return status ? status : take_time(cli, DPH_OPT_TIMEOUT, &cli->timeout_s);
}
