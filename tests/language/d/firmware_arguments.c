/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions with arguments in registers and on the stack. They are compiled without optimisation,
 * and never run. */
struct triple {
	int list[3];
};

int many(int a, unsigned char b, short c, unsigned d, signed char e, unsigned short f, int g,
	 int *h, _Bool i, int j);
int mixed(int a, long long b, int c, unsigned long long d, int e, unsigned long long f, int g);
long long wide_result(int n);
int by_value(int a, struct triple t, int b);
int near_end(int a, int b, int c, int d, int e, int f, int g, long long h, int i);
int behind(int a, int b, int c, int d, int e, int f, int g, int h, int i, long long j, int k);
double floating(double x, float y, int n);
struct triple returned(int n);

int many(int a, unsigned char b, short c, unsigned d, signed char e, unsigned short f, int g,
	 int *h, _Bool i, int j)
{
	return a + b + c + (int)d + e + f + g + *h + i + j;
}

int mixed(int a, long long b, int c, unsigned long long d, int e, unsigned long long f, int g)
{
	return (int)(a + b + c + (long long)d + e + (long long)f + g);
}

long long wide_result(int n)
{
	return n * 5000000000LL;
}

int by_value(int a, struct triple t, int b)
{
	return a + t.list[0] + b;
}

int near_end(int a, int b, int c, int d, int e, int f, int g, long long h, int i)
{
	return a + b + c + d + e + f + g + (int)h + i;
}

int behind(int a, int b, int c, int d, int e, int f, int g, int h, int i, long long j, int k)
{
	return a + b + c + d + e + f + g + h + i + (int)j + k;
}

volatile float kept;
double floating(double x, float y, int n)
{
	kept = y;
	return n ? x : 1.5;
}

struct triple returned(int n)
{
	return (struct triple){{n, n, n}};
}
