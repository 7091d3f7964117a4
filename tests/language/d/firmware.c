/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware of the D tests: types of every kind. It is compiled and never run. */
typedef unsigned int uint32_t;
typedef unsigned short uint16_t;

enum color {
	RED,
	GREEN,
	BLUE = 5
};

struct point {
	int x, y;
};

struct flags {
	unsigned ready : 1;
	int level : 4;
	unsigned kind : 11;
};

struct thing {
	char name[8];
	const char *title;
	enum color color;
	uint16_t small;
	signed char tiny;
	_Bool on;
	struct point at;
	struct point *next;
	unsigned list[4];
	struct flags flags;
	long long wide;
	float ratio;
	union {
		unsigned word;
		unsigned char byte[4];
	};
	void (*hook)(int);
};

/* Members named as words of D. */
union words {
	int self, printf;
	struct {
		char inline_;
		short this, probe;
	} entry;
};

struct hidden;
struct hidden *hidden;
extern int raw; /* without debug information */
int more(int n);
static int twin;
struct thing things[3];
static int counter;
union words words = {7};
volatile int sink;

int take(struct thing *thing, int n, char c, _Bool flag, short s, unsigned last);
void nothing(void);
int wide_argument(int a, long long b, int c);
double floating(double x);
int tail(int n);

int take(struct thing *thing, int n, char c, _Bool flag, short s, unsigned last)
{
	int sum = thing->small + n;
	sink = sum;
	counter += c;
	thing->list[0] = last + flag;
	sink = s;
	return sum;
}

void nothing(void)
{
	sink++;
}

int wide_argument(int a, long long b, int c)
{
	sink = (int)b;
	return a + c;
}

double floating(double x)
{
	sink++;
	return x;
}

int tail(int n)
{
	return more(n + 1);
}

__asm__(".data\n.globl raw\n.type raw, %object\n.size raw, 4\nraw: .word 1\n.text\n");

void main(void);
void main(void)
{
	take(things, counter, 'c', 1, 2, 3);
	nothing();
	twin += more(raw);
	sink = twin + words.self;
	sink = wide_argument(1, 2, 3);
	floating(1);
	tail(2);
}
