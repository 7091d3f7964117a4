/* SPDX-License-Identifier: BSD-2-Clause */
/* The check of `dprobes doctor` that each start of the agent has another nonce. */
#include "doctor.h"

#include "present/words.h"

#include "dp_bytes.h"
#include "dp_errors.h"

#include <inttypes.h>

enum {
	BOOT_BIT = 48, /* the agent adds the number of the start from here on */
	PROOFS = 256,  /* which the board may have had; each one adds 1 */
};
#define START_TICKS (UINT64_C(1) << 32) /* the agent starts before so many */

/* The number from which the agent has made the bytes. */
static uint64_t number_of(uint64_t nonce, bool big_endian)
{
	uint8_t bytes[8];
	uint64_t number = 0;

	dp_put_u64(bytes, nonce);
	for (unsigned i = 0; i < sizeof bytes; i++)
		number |= (uint64_t)bytes[i] << (big_endian ? 56 - 8 * i : 8 * i);
	return number;
}

/* Do two nonces differ by boot, ticks of the start and proofs alone? By chance, they do so once in
 * 2^14 at most. */
static bool is_near(const struct dp_hello_answer *now, uint64_t before)
{
	const uint64_t most = now->ticks < PROOFS        ? PROOFS
			      : now->ticks < START_TICKS ? now->ticks
							 : START_TICKS;
	const uint64_t all = (UINT64_C(1) << BOOT_BIT) - 1;
	const uint64_t apart =
		(number_of(now->nonce, now->big_endian) - number_of(before, now->big_endian)) & all;

	return apart <= most || apart > all - most;
}

void dph_doctor_nonce(struct dph_doctor *doctor, unsigned source)
{
	const struct dp_hello_answer *now = dp_session_target(doctor->session);
	const uint64_t before = dph_cli_number(doctor->cli, DPH_OPT_NONCE);

	if (before != 0 && is_near(now, before))
		dph_doctor_wrong(doctor, DPH_CHECK_NONCE, DPH_FIX_ENTROPY,
				 "0x%016" PRIx64 " is that of the start before, but for boot and "
				 "time: a recorded session may be played again",
				 now->nonce);
	else if (before != 0)
		dph_doctor_ok(doctor, DPH_CHECK_NONCE, "0x%016" PRIx64 " has moved: %s", now->nonce,
			      dph_nonce_word(source));
	else if (source == DP_NONCE_GENERATOR || source == DP_NONCE_SEED)
		dph_doctor_ok(doctor, DPH_CHECK_NONCE,
			      "%s, 0x%016" PRIx64 "; give --nonce with this number after a power "
			      "cycle",
			      dph_nonce_word(source), now->nonce);
	else
		dph_doctor_unknown(doctor, DPH_CHECK_NONCE, "%s: %s", dph_nonce_word(source),
				   dph_nonce_meaning(source));
}
