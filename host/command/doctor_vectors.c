/* SPDX-License-Identifier: BSD-2-Clause */
/* The checks of `dprobes doctor` that the answer to HARDWARE decides: whose the exception vectors
 * are, and which of the CPU's units no hardware has shown. */
#include "doctor.h"

#include "tables/modelled.h"
#include "tables/vectors.h"

#include <inttypes.h>

static void tell_taken(struct dph_doctor *doctor, const struct dp_hardware_answer *hardware)
{
	const unsigned cpu = dp_session_target(doctor->session)->cpu;
	const char *exception = dph_vector_name(cpu, hardware->vector);
	char name[DP_NAME_ROOM];
	const char *at = dp_image_name(doctor->image, hardware->leads_to, name);
	char where[DP_NAME_ROOM + 32] = "no longer to the agent";

	if (hardware->leads_to != 0)
		snprintf(where, sizeof where, "to 0x%08" PRIx64 " (%s)", hardware->leads_to,
			 at != NULL ? at : "no symbol");
	dph_doctor_wrong(
		doctor, DPH_CHECK_TAKEN, DPH_FIX_TAKEN,
		"since the start of the agent the vector of %s was taken over: it leads %s",
		exception != NULL ? exception : "an exception", where);
}

static void tell_vectors(struct dph_doctor *doctor, const struct dp_hardware_answer *hardware)
{
	doctor->taken = hardware->vectors == DP_VECTORS_TAKEN;
	if (doctor->taken)
		tell_taken(doctor, hardware);
	else if (hardware->vectors == DP_VECTORS_AGENT)
		dph_doctor_ok(doctor, DPH_CHECK_TAKEN,
			      "each vector that the agent needs leads to the agent");
	else if (hardware->vectors == DP_VECTORS_OWN)
		dph_doctor_unknown(doctor, DPH_CHECK_TAKEN,
				   "the firmware keeps its vectors (own_vectors): a hit of --probe "
				   "shows whether they call dprobes_exception");
	else
		dph_doctor_unknown(doctor, DPH_CHECK_TAKEN,
				   "agents of this version do not report it");
}

static void tell_modelled(struct dph_doctor *doctor, enum dph_modelled use, const char *what)
{
	const char *unit =
		dph_modelled(dp_session_target(doctor->session)->cpu, &doctor->hardware, use);

	if (unit != NULL)
		dph_doctor_unknown(doctor, DPH_CHECK_MODELLED,
				   "%s are those of the %s, which ran on a model alone", what,
				   unit);
}

bool dph_doctor_vectors(struct dph_doctor *doctor)
{
	struct dp_hardware_answer *hardware = &doctor->hardware;

	if (!(dp_hello_parts(dp_session_target(doctor->session)) >> DP_PART_HARDWARE & 1)) {
		dph_doctor_unknown(doctor, DPH_CHECK_TAKEN,
				   "the agent was built without DP_WITH_CHECKS");
		return true;
	}
	if (!dp_session_hardware(doctor->session, hardware))
		return dph_doctor_failed(doctor, DPH_CHECK_TAKEN);
	tell_vectors(doctor, hardware);
	tell_modelled(doctor, DPH_MODELLED_CODE,
		      "the comparators that stop the CPU in place of a trap");
	tell_modelled(doctor, DPH_MODELLED_BEHIND, "the comparators of watchpoints");
	return true;
}
