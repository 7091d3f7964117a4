/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* sincos, exp10, j0 and its kin */
#include "libm.h"

#include <complex.h>
#include <fenv.h>
#include <math.h>
#include <stddef.h>

#include "arch.h"
#include "checksum.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#undef isinf /* the functions */
#undef isnan
#undef CMPLX
#define CMPLX(x, y) __builtin_complex(x, y)

/* newlib has these functions, and declares them in no header. */
double significand(double x);
float significandf(float x);
double scalb(double x, double y);
float scalbf(float x, float y);

/* --- the functions, by what they take and give --- */

/* ALL(name): name, namef and namel; TWO(name): no namel; REENTRANT(name): name_r and namef_r. */
/* clang-format off */
#define D_D(ALL, TWO, REENTRANT) \
	ALL(acos) ALL(acosh) ALL(asin) ALL(asinh) ALL(atan) ALL(atanh) ALL(cbrt) ALL(ceil) \
	ALL(cos) ALL(cosh) ALL(erf) ALL(erfc) ALL(exp) ALL(exp2) ALL(expm1) ALL(fabs) \
	ALL(floor) ALL(lgamma) ALL(log) ALL(log10) ALL(log1p) ALL(log2) ALL(logb) \
	ALL(nearbyint) ALL(rint) ALL(round) ALL(sin) ALL(sinh) ALL(sqrt) ALL(tan) ALL(tanh) \
	ALL(tgamma) ALL(trunc) TWO(exp10) TWO(gamma) TWO(j0) TWO(j1) TWO(pow10) \
	TWO(significand) TWO(y0) TWO(y1)
#define D_DD(ALL, TWO, REENTRANT) \
	ALL(atan2) ALL(copysign) ALL(fdim) ALL(fmax) ALL(fmin) ALL(fmod) ALL(hypot) \
	ALL(nextafter) ALL(pow) ALL(remainder) TWO(drem) TWO(scalb)
#define D_DL(ALL, TWO, REENTRANT) ALL(nexttoward)
#define D_DDD(ALL, TWO, REENTRANT) ALL(fma)
#define D_DI(ALL, TWO, REENTRANT) ALL(ldexp) ALL(scalbn)
#define D_DLONG(ALL, TWO, REENTRANT) ALL(scalbln)
#define D_ID(ALL, TWO, REENTRANT) TWO(jn) TWO(yn)
#define I_D(ALL, TWO, REENTRANT) ALL(finite) ALL(ilogb) TWO(isinf) TWO(isnan)
#define LONG_D(ALL, TWO, REENTRANT) ALL(lrint) ALL(lround)
#define LONGLONG_D(ALL, TWO, REENTRANT) ALL(llrint) ALL(llround)
#define D_DPI(ALL, TWO, REENTRANT) ALL(frexp) REENTRANT(gamma) REENTRANT(lgamma)
#define D_DDPI(ALL, TWO, REENTRANT) ALL(remquo)
#define D_DPD(ALL, TWO, REENTRANT) ALL(modf)
#define DPDPD(ALL, TWO, REENTRANT) TWO(sincos)
#define C_C(ALL, TWO, REENTRANT) \
	ALL(cacos) ALL(cacosh) ALL(casin) ALL(casinh) ALL(catan) ALL(catanh) ALL(ccos) \
	ALL(ccosh) ALL(cexp) ALL(clog) ALL(conj) ALL(cproj) ALL(csin) ALL(csinh) ALL(csqrt) \
	ALL(ctan) ALL(ctanh) TWO(clog10)
#define C_CC(ALL, TWO, REENTRANT) ALL(cpow)
#define D_C(ALL, TWO, REENTRANT) ALL(cabs) ALL(carg) ALL(cimag) ALL(creal)
/* clang-format on */

#define DECLARE(name) long double complex name##l(long double complex z);
#define NOT(name)
C_C(DECLARE, NOT, NOT)
#undef DECLARE
#define DECLARE(name) long double name##l(long double complex z);
D_C(DECLARE, NOT, NOT)
#undef DECLARE
long double complex cpowl(long double complex z, long double complex power);

_Static_assert(sizeof(long double) == sizeof(double), "a long double is called as a double");

typedef void (*any_function)(void);
typedef uint32_t (*one_call)(uint32_t crc, any_function function, size_t first, size_t second);

#define DOUBLES(name)  (any_function)(name), (any_function)(name##l),
#define DOUBLE(name)   (any_function)(name),
#define DOUBLE_R(name) (any_function)(name##_r),
#define FLOAT(name)    (any_function)(name##f),
#define FLOAT_R(name)  (any_function)(name##f_r),

/* --- the calls --- */

static const double numbers[] = {
	0.0,  -0.0,   1.0,   -1.0,    0.5,       -0.75,  1.5,   2.718281828459045,
	3.25, -7.5,   10.25, 1e-310,  1e-9,      -1e-3,  24.0,  (double)INFINITY,
	1e6,  1e19,   3e38,  -1e200,  1e308,     0.9999, 1e-30, (double)NAN,
	-0.1, 33.125, -2.0,  123.456, -4567.875,
};

enum {
	ONE = COUNT(numbers), /* strides of the second argument */
	FEW = 7,
	MANY = 3
};

uint32_t libm_add(uint32_t crc, double value)
{
	if (isnan(value))
		return checksum_bytes(crc, "nan", 3);
	return checksum_bytes(crc, &value, sizeof(value));
}

/* Call a function with each number, and each `stride`th as the second one. */
static uint32_t with_numbers(uint32_t crc, any_function function, one_call call, size_t stride)
{
	const unsigned state = arch_irq_save();

	for (size_t i = 0; i < COUNT(numbers); i++)
		for (size_t k = i % stride; k < COUNT(numbers); k += stride)
			crc = call(crc, function, i, k);
	arch_irq_restore(state);
	return crc;
}

#define NUMBER       double
#define OF(name)     name##_of_doubles
#define LISTED(list) list(DOUBLES, DOUBLE, DOUBLE_R)
#include "libm_calls.def"

#define NUMBER       float
#define OF(name)     name##_of_floats
#define LISTED(list) list(FLOAT, FLOAT, FLOAT_R)
#include "libm_calls.def"

/* What is not a function of numbers. */
static uint32_t environment(uint32_t crc)
{
	const unsigned state = arch_irq_save();
	const char *volatile empty = ""; /* the compiler knows the nan of a constant */
	fexcept_t flags = 0;
	fenv_t kept;

	crc = libm_add(crc, feholdexcept(&kept));
	crc = libm_add(crc, feraiseexcept(FE_ALL_EXCEPT));
	crc = libm_add(crc, fegetexceptflag(&flags, FE_ALL_EXCEPT));
	crc = libm_add(crc, fesetexceptflag(&flags, FE_ALL_EXCEPT));
	crc = libm_add(crc, fetestexcept(FE_ALL_EXCEPT));
	crc = libm_add(crc, feclearexcept(FE_ALL_EXCEPT));
	crc = libm_add(crc, fesetround(fegetround()));
	crc = libm_add(crc, fegetenv(&kept) + fesetenv(&kept) + feupdateenv(&kept));
	crc = libm_add(libm_add(libm_add(crc, nan(empty)), (double)nanf(empty)),
		       (double)nanl(empty));
	crc = libm_add(libm_add(crc, infinity()), (double)infinityf());
	arch_irq_restore(state);
	return crc;
}

uint32_t libm_full(uint32_t crc)
{
	return environment(functions_of_floats(functions_of_doubles(crc)));
}
