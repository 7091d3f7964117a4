/* SPDX-License-Identifier: BSD-2-Clause */
/* A second file of the firmware, with a static variable of the same name. */
static int twin;

int more(int n);
int more(int n)
{
	twin += n;
	return twin * 2;
}

struct pair {
	int list[4];
};
struct pair made(int n);
struct pair made(int n)
{
	return (struct pair){{n, twin, 0, 1}};
}

/* C has a type that D does not read. */
_Complex float turned;

void ends(void);
__attribute__((noreturn)) void ends(void)
{
	for (;;)
		twin++;
}

#if defined(__arm__) && !defined(__thumb__)
/* An exception enters it. */
__asm__(".text\n.arm\n.globl entered\n.type entered, %function\nentered:\n\tsubs pc, lr, #4\n"
	".size entered, . - entered\n");
#endif
