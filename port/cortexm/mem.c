/* SPDX-License-Identifier: BSD-2-Clause */
/* This file restores the fault status that a caught fault has changed, for a probed fault handler,
 * and performs the accesses of emulated instructions. */
#include "dp_access_cpu.h"
#include "dp_thumb_cpu.h"

/* Bits of CFSR and HFSR are cleared by writing ones.  DDI 0403E B3.2.15 */
void dp_fault_status_put(const struct dp_fault_status *status)
{
#if DP_CORTEXM_HAS_FAULTS
	DP_SCS(CFSR) = DP_SCS(CFSR) & ~status->cfsr;
	DP_SCS(HFSR) = DP_SCS(HFSR) & ~status->hfsr;
	DP_SCS(MMFAR) = status->mmfar;
	DP_SCS(BFAR) = status->bfar;
#else
	(void)status;
#endif
}

static bool load(const struct dp_frame *frame, uint32_t address, unsigned width, uint32_t *data)
{
#if DP_CORTEXM_HAS_FAULTS
	if (!dp_cortexm_privileged(frame))
		return dp_cortexm_user_load(address, width, data);
#else
	(void)frame;
#endif
	return dp_access_load(address, width, data);
}

/* A failed access stays noted: dp_port_step performs it in the context. */
bool dp_cortexm_emulated_load(const struct dp_frame *frame, uint32_t address, unsigned width,
			      uint32_t *data)
{
	struct dp_cortexm_pending *p = dp_cortexm_pending();
	unsigned words = width == 8 ? 2 : 1;

	p->fault_width = (uint8_t)width;
	for (unsigned i = 0; i < words; i++) {
		p->fault_at = address + 4 * i;
		if ((width == 3 || width == 8) && (address & 3) != 0)
			return false;
		if (!load(frame, p->fault_at, width < 3 ? width : 4, &data[i]))
			return false;
	}
	return true;
}
