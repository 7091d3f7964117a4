/* SPDX-License-Identifier: BSD-2-Clause */
/* This file saves and restores the registers that a caught fault overwrites. */
#include "dp_access_cpu.h"

#define DP_PVR           287
#define DP_PVR_E500V1    0x8020u
#define DP_PVR_E500V2    0x8021u /* and later versions */
#define DP_PVR_E500_LAST 0x8024u

/* MAS(index in dp_fault_status.mas, SPR): the registers that a TLB miss of e500 writes. Book
 * III-E 6.7.2 */
#define DP_MAS_REGISTERS(MAS)                                                                      \
	MAS(0, 624)                                                                                \
	MAS(1, 625)                                                                                \
	MAS(2, 626)                                                                                \
	MAS(3, 627)                                                                                \
	MAS(4, 630)                                                                                \
	MAS(5, 944)
enum {
	MAS_COUNT = 6
};

void dp_ppc_mem_init(void)
{
	uint32_t pvr;

	DP_PPC_GET(pvr, DP_PVR);
	pvr >>= 16;
	dp_ppc->mas = 0;
	if (DP_PPC_BOOKE && pvr == DP_PVR_E500V1)
		dp_ppc->mas = MAS_COUNT - 1;
	if (DP_PPC_BOOKE && pvr >= DP_PVR_E500V2 && pvr <= DP_PVR_E500_LAST)
		dp_ppc->mas = MAS_COUNT;
}

/* Only CPUs with these registers get here: each load of a hit saves the status. */
void dp_ppc_mas_get(struct dp_fault_status *status)
{
#define DP_GET(index, spr)                                                                         \
	if (dp_ppc->mas > (index))                                                                 \
		DP_PPC_GET(status->mas[index], spr);
	DP_MAS_REGISTERS(DP_GET)
}

void dp_fault_status_put(const struct dp_fault_status *status)
{
	DP_PPC_PUT(status->address, DP_SPR_ADDRESS);
	DP_PPC_PUT(status->syndrome, DP_SPR_SYNDROME);
#define DP_PUT(index, spr)                                                                         \
	if (dp_ppc->mas > (index))                                                                 \
		DP_PPC_PUT(status->mas[index], spr);
	DP_MAS_REGISTERS(DP_PUT)
}
