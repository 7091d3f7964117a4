/* SPDX-License-Identifier: BSD-2-Clause */
#include "checks.h"
#include "oracle.h"
const unsigned vector_count = 0;
bool has_vector(unsigned i)
{
	return i == 9999;
}
bool vector_holds(unsigned i)
{
	return i == 9999;
}
