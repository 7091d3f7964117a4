/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of libm's functions in one width of numbers. libm.c includes this file twice, and
 * defines NUMBER, OF(name) and LISTED, the functions' names in this width. */

#define AS(result, ...) ((result(*)(__VA_ARGS__))function)
#define CALL(shape, expression)                                                                    \
	static uint32_t OF(shape)(uint32_t crc, any_function function, size_t first,               \
				  size_t second)                                                   \
	{                                                                                          \
		const NUMBER x = (NUMBER)numbers[first], y = (NUMBER)numbers[second];              \
		const int n = (int)second * 40 - 500;                                              \
                                                                                                   \
		(void)x, (void)y, (void)n;                                                         \
		expression;                                                                        \
		return crc;                                                                        \
	}

CALL(d_d, crc = libm_add(crc, AS(NUMBER, NUMBER)(x)))
CALL(d_dd, crc = libm_add(crc, AS(NUMBER, NUMBER, NUMBER)(x, y)))
CALL(d_dl, crc = libm_add(crc, AS(NUMBER, NUMBER, long double)(x, y)))
CALL(d_ddd, crc = libm_add(crc, AS(NUMBER, NUMBER, NUMBER, NUMBER)(x, y, (NUMBER)1.25)))
CALL(d_di, crc = libm_add(crc, AS(NUMBER, NUMBER, int)(x, n)))
CALL(d_dlong, crc = libm_add(crc, AS(NUMBER, NUMBER, long)(x, n)))
CALL(d_id, crc = libm_add(crc, AS(NUMBER, int, NUMBER)(n / 100, x)))
CALL(i_d, crc = libm_add(crc, AS(int, NUMBER)(x)))
CALL(long_d, crc = libm_add(crc, (double)AS(long, NUMBER)(x)))
CALL(longlong_d, crc = libm_add(crc, (double)AS(long long, NUMBER)(x)))
CALL(d_dpi, int more = 0; crc = libm_add(crc, AS(NUMBER, NUMBER, int *)(x, &more));
     crc = libm_add(crc, more))
CALL(d_ddpi, int more = 0; crc = libm_add(crc, AS(NUMBER, NUMBER, NUMBER, int *)(x, y, &more));
     crc = libm_add(crc, more & 7)) /* more bits are not promised */
CALL(d_dpd, NUMBER more = 0; crc = libm_add(crc, AS(NUMBER, NUMBER, NUMBER *)(x, &more));
     crc = libm_add(crc, more))
CALL(dpdpd, NUMBER sine = 0; NUMBER cosine = 0;
     AS(void, NUMBER, NUMBER *, NUMBER *)(x, &sine, &cosine);
     crc = libm_add(libm_add(crc, sine), cosine))
CALL(c_c, const NUMBER complex z = AS(NUMBER complex, NUMBER complex)(CMPLX(x, y));
     crc = libm_add(libm_add(crc, __real__ z), __imag__ z))
CALL(c_cc, const NUMBER complex z = AS(NUMBER complex, NUMBER complex, NUMBER complex)(CMPLX(x, y),
										       (NUMBER)0.7);
     crc = libm_add(libm_add(crc, __real__ z), __imag__ z))
CALL(d_c, crc = libm_add(crc, AS(NUMBER, NUMBER complex)(CMPLX(x, y))))

#define SHAPE(list, call, stride) static const any_function OF(list)[] = {LISTED(list)};
#include "libm_shapes.def"

static uint32_t OF(functions)(uint32_t crc)
{
	static const struct {
		const any_function *functions;
		size_t count;
		one_call call;
		size_t stride;
	} shapes[] = {
#define SHAPE(list, call, stride) {OF(list), COUNT(OF(list)), OF(call), stride},
#include "libm_shapes.def"
	};

	for (size_t s = 0; s < COUNT(shapes); s++)
		for (size_t f = 0; f < shapes[s].count; f++)
			crc = with_numbers(crc, shapes[s].functions[f], shapes[s].call,
					   shapes[s].stride);
	return crc;
}

#undef AS
#undef CALL
#undef NUMBER
#undef OF
#undef LISTED
