/* SPDX-License-Identifier: BSD-2-Clause */
/* The checks of `dprobes doctor` share the session, the report and test programs. */
#ifndef DPH_DOCTOR_H
#define DPH_DOCTOR_H

#include "cmd_target.h"
#include "doctor_masked.h"
#include "doctor_torn.h"

enum dph_check {
#define CHECK(id, what) DPH_CHECK_##id,
#include "doctor_checks.def"
	DPH_CHECKS
};

enum dph_fix {
#define FIX(id, section, words) DPH_FIX_##id,
#include "doctor_checks.def"
	DPH_FIXES
};

struct dph_doctor {
	const struct dph_cli *cli;
	struct dp_sink *sink; /* of the findings */
	struct dp_session *session;
	struct dp_image *image;             /* symbols; null: none */
	struct dp_failure failure;          /* the last one of the line */
	struct dph_torn torn;               /* of the console */
	struct dph_masked masked;           /* records that measure a hit */
	unsigned wrong;                     /* checks that were wrong */
	int status;                         /* of the last failure of the line */
	uint64_t asked_ms;                  /* the host's clock before `ticks` was asked for */
	uint64_t ticks_ms;                  /* the host's clock when `ticks` had arrived */
	uint64_t ticks;                     /* the target's clock */
	uint32_t hz;                        /* its rate; 0: it has none */
	struct dp_hardware_answer hardware; /* of the agent; zeros: it has no part HARDWARE */
	bool taken;                         /* a vector is no longer the agent's */
	bool hits;                          /* of --probe have returned */
};

enum {
	DPH_WHY_ROOM = 1024 /* characters of a sentence */
};

/* Print a finding. dph_doctor_wrong counts the check, and names the place of the
 * guide.
 */
__attribute__((format(printf, 3, 4))) void
dph_doctor_ok(struct dph_doctor *doctor, enum dph_check check, const char *format, ...);
__attribute__((format(printf, 3, 4))) void
dph_doctor_unknown(struct dph_doctor *doctor, enum dph_check check, const char *format, ...);
__attribute__((format(printf, 4, 5))) void dph_doctor_wrong(struct dph_doctor *doctor,
							    enum dph_check check, enum dph_fix fix,
							    const char *format, ...);

/* A request failed that an agent in good order answers: the check is not known. Returns false. */
bool dph_doctor_failed(struct dph_doctor *doctor, enum dph_check check);

/* Has the line answered so far? A failure becomes the status, whatever the report says. */
bool dph_doctor_line_holds(struct dph_doctor *doctor);

/* Compare the text with the ELF file.
 * after: of the removal, so that no trap may be left.
 * Returns false when the line failed. */
bool dph_doctor_text(struct dph_doctor *doctor, enum dph_check check, bool after);

/* Install a program.
 * error: receives the agent's refusal, DP_ERR_OK without one. why: receives the sentence.
 * Returns false when nothing is installed. */
bool dph_doctor_install(struct dph_doctor *doctor, const char *text, struct dp_inserted *inserted,
			enum dp_err *error, char why[DPH_WHY_ROOM]);

/* Has the ELF file or list of symbols this function? */
bool dph_doctor_has(const struct dph_doctor *doctor, const char *function);

/* Is the nonce another one than that of --nonce, which the board had before it lost its power?
 * source: of the answer to LIMITS. */
void dph_doctor_nonce(struct dph_doctor *doctor, unsigned source);

/* Ask what stops the CPU at the first point of a program. An agent without the part HARDWARE leaves
 * `site` as it is. Returns false when the line failed. */
bool dph_doctor_site(struct dph_doctor *doctor, uint8_t program, struct dp_site_answer *site);

/* Whose are the exception vectors, and which units of the CPU ran on a model alone? Sets
 * doctor->hardware and doctor->taken. Returns false when the line failed. */
bool dph_doctor_vectors(struct dph_doctor *doctor);

/* How many instructions can be probed, and by which means? Behind dph_doctor_hits: without
 * doctor->hits no trap is written. Returns false when the line failed. */
bool dph_doctor_share(struct dph_doctor *doctor);

/* The checks that probe FUNCTION of --probe. Returns false when the line failed. */
bool dph_doctor_hits(struct dph_doctor *doctor);

#endif
