/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions with indirect branches: cases of a switch, and calls at the end of a function. */
struct calls {
	int (*first)(int);
	int (*second)(int);
};
extern int outside(int value);

int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}

int one_switch(int x, int y)
{
	switch (x) {
	case 0:
		return outside(y) + 3;
	case 1:
		return y * 7;
	case 2:
		outside(y + 1);
		return y ^ 9;
	case 3:
		return y / 3;
	case 4:
		return outside(y * 2) - y;
	case 5:
		return y << 3;
	case 6:
		return -y;
	case 7:
		return outside(outside(y)) + 1;
	case 8:
		return y % 5;
	}
	return 0;
}

int two_switches(int x, int y)
{
	int r = 0;

	switch (x) {
	case 0:
		r = outside(1);
		break;
	case 1:
		r = outside(y) * 2;
		break;
	case 2:
		outside(3);
		break;
	case 3:
		r = outside(7) & 3;
		break;
	case 4:
		r = y / 7;
		break;
	case 5:
		r = 8;
		outside(9);
		break;
	}
	switch (y) {
	case 0:
		r += outside(11);
		break;
	case 1:
		r *= outside(y);
		break;
	case 2:
		outside(13);
		break;
	case 3:
		r ^= outside(17);
		break;
	case 4:
		r /= 9;
		break;
	case 5:
		outside(19);
		break;
	}
	return r + 1;
}

int by_member(struct calls *calls, int x)
{
	return calls->second(x + 1);
}

static int (*const all[8])(int) = {leaf, leaf, outside, leaf, outside, leaf, outside, outside};

int by_array(unsigned n, int x)
{
	if (n >= 8)
		return -1;
	return all[n](x);
}

int by_both(struct calls *calls, int x, int y)
{
	switch (x) {
	case 0:
		y = outside(y) + 3;
		break;
	case 1:
		y = y * 7;
		break;
	case 2:
		outside(y + 1);
		break;
	case 3:
		y = y / 3;
		break;
	case 4:
		y = outside(y * 2) - y;
		break;
	case 5:
		return calls->first(y << 3);
	case 6:
		y = outside(-y);
		break;
	}
	return calls->second(y);
}

/* The compiler believes that the assembly may go to the label: no direct way leads there. Nothing
 * in the function needs a frame: where arguments are on the stack, GCC describes no jump behind the
 * release of a frame. */
int by_hidden_way(struct calls *calls, int x)
{
	__asm__ goto("" : : : : hidden);
	return calls->second(x + 1);
hidden:
	return x * 3;
}
