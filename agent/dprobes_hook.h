/* SPDX-License-Identifier: BSD-2-Clause */
/* Static hooks: places in firmware that keep their name and their arguments from build to build.
 * The header stands alone, in C99 and C++11, for gcc and clang. A hook needs no agent: it is one
 * no-op, and a note in the ELF file that no loader loads. -DDPROBES_NO_HOOKS removes all hooks.
 * The guide is agent/guide/hooks.md.
 *
 * DPROBES_HOOK(provider, name, arguments...)
 *   A hook with 0 to 8 arguments: integers and pointers, of at most 8 bytes (clang: a word).
 * provider and name are words of C without quotes; `__` in a name is `-` in D. Arguments are
 * evaluated at each pass, probed or not: give values that the code has at hand. Context: any.
 *
 * DPROBES_HOOK_CALL(provider, name, arguments...)
 *   The same hook, and a place where the firmware's own functions can be called: C exits. Arguments
 * are of at most a word; give a pointer to what an exit may change. A row in the section
 * dprobes_hooks and a cold block of the function are loaded bytes. Needs an agent with
 * DP_WITH_HOOKS=1 to call anything. Context: any.
 *
 * DPROBES_HOOK_ENABLED(provider, name)
 *   Is the hook probed? 1 or 0, without a side effect. For arguments that cost something to
 * compute. Two bytes of RAM for each name, in a section .bss.NAME, which start-up clears. Context:
 * any. */
#ifndef DPROBES_HOOK_H
#define DPROBES_HOOK_H

/* The macros are chosen by the number of words behind the first one. */
#define DPROBES_HOOK_PICK(p, n, a, b, c, d, e, f, g, h, macro, ...) macro
#define DPROBES_HOOK(...)                                                                          \
	DPROBES_HOOK_PICK(__VA_ARGS__, DPROBES_HOOK_8, DPROBES_HOOK_7, DPROBES_HOOK_6,             \
			  DPROBES_HOOK_5, DPROBES_HOOK_4, DPROBES_HOOK_3, DPROBES_HOOK_2,          \
			  DPROBES_HOOK_1, DPROBES_HOOK_0, 0)                                       \
	(__VA_ARGS__)

#define DPROBES_HOOK_CALL(...)                                                                     \
	DPROBES_HOOK_PICK(__VA_ARGS__, DPROBES_HOOK_CALL_8, DPROBES_HOOK_CALL_7,                   \
			  DPROBES_HOOK_CALL_6, DPROBES_HOOK_CALL_5, DPROBES_HOOK_CALL_4,           \
			  DPROBES_HOOK_CALL_3, DPROBES_HOOK_CALL_2, DPROBES_HOOK_CALL_1,           \
			  DPROBES_HOOK_CALL_0, 0)                                                  \
	(__VA_ARGS__)

#ifdef DPROBES_NO_HOOKS

#define DPROBES_HOOK_0(p, n)                              ((void)0)
#define DPROBES_HOOK_1(p, n, a)                           ((void)0)
#define DPROBES_HOOK_2(p, n, a, b)                        ((void)0)
#define DPROBES_HOOK_3(p, n, a, b, c)                     ((void)0)
#define DPROBES_HOOK_4(p, n, a, b, c, d)                  ((void)0)
#define DPROBES_HOOK_5(p, n, a, b, c, d, e)               ((void)0)
#define DPROBES_HOOK_6(p, n, a, b, c, d, e, f)            ((void)0)
#define DPROBES_HOOK_7(p, n, a, b, c, d, e, f, g)         ((void)0)
#define DPROBES_HOOK_8(p, n, a, b, c, d, e, f, g, h)      ((void)0)
#define DPROBES_HOOK_CALL_0(p, n)                         ((void)0)
#define DPROBES_HOOK_CALL_1(p, n, a)                      ((void)0)
#define DPROBES_HOOK_CALL_2(p, n, a, b)                   ((void)0)
#define DPROBES_HOOK_CALL_3(p, n, a, b, c)                ((void)0)
#define DPROBES_HOOK_CALL_4(p, n, a, b, c, d)             ((void)0)
#define DPROBES_HOOK_CALL_5(p, n, a, b, c, d, e)          ((void)0)
#define DPROBES_HOOK_CALL_6(p, n, a, b, c, d, e, f)       ((void)0)
#define DPROBES_HOOK_CALL_7(p, n, a, b, c, d, e, f, g)    ((void)0)
#define DPROBES_HOOK_CALL_8(p, n, a, b, c, d, e, f, g, h) ((void)0)
#define DPROBES_HOOK_ENABLED(p, n)                        0

#else

/* An address in a note. */
#if __SIZEOF_POINTER__ == 8
#define DPROBES_HOOK_ADDRESS ".8byte "
#else
#define DPROBES_HOOK_ADDRESS ".4byte "
#endif

/* The compiler would take each line of the text for an instruction when it chooses what to inline.
 */
#if __GNUC__ >= 9 || __clang_major__ >= 11
#define DPROBES_HOOK_ASM __asm__ __inline__ __volatile__
#else
#define DPROBES_HOOK_ASM __asm__ __volatile__
#endif

/* An argument is a constant or in a register. In memory, gcc for ARM would put constants there, gcc
 * for MIPS would leave half of an address to the linker, and clang would store each argument. */
#define DPROBES_HOOK_IN "nr"

/* The header has no port beside it: it asks the compiler for the CPU where CPUs differ.
 * The largest argument: clang does not say where the second register of a pair is, and pairs of
 * IA32 have no order. */
#if defined(__clang__) || defined(__i386__)
#define DPROBES_HOOK_LARGEST sizeof(void *)
#else
#define DPROBES_HOOK_LARGEST 8
#endif

/* The text of an argument. Of PowerPC a constant and a register have the same text. Parts of a
 * register of IA32 have names of their own. */
#ifdef __powerpc__
#define DPROBES_HOOK_TEXT(size, value) "%n" #size "@%I" #value "%" #value
#elif defined(__i386__)
#define DPROBES_HOOK_TEXT(size, value) "%n" #size "@%k" #value
#else
#define DPROBES_HOOK_TEXT(size, value) "%n" #size "@%" #value
#endif

#ifdef __cplusplus
/* The type of an argument as a function gets it, and its sign; both are only asked for. */
template <class T> T dprobes_hook_value(T);
template <class T> struct dprobes_hook_type {
	static constexpr bool is_signed = T(-1) < T(0);
};
template <class T> struct dprobes_hook_type<T *> {
	static constexpr bool is_signed = false;
};
#define DPROBES_HOOK_TYPE(x)   decltype(dprobes_hook_value(x))
#define DPROBES_HOOK_VALUE(x)  static_cast<DPROBES_HOOK_TYPE(x)>(x)
#define DPROBES_HOOK_SIGNED(x) dprobes_hook_type<DPROBES_HOOK_TYPE(x)>::is_signed
#else
/* An array as a pointer. */
#define DPROBES_HOOK_VALUE(x) ((void)0, (x))
#define DPROBES_HOOK_TYPE(x)  __typeof__(DPROBES_HOOK_VALUE(x))
/* gcc, __builtin_classify_type: 5 is a pointer. */
#define DPROBES_HOOK_NUMBER(x)                                                                     \
	__typeof__(__builtin_choose_expr(__builtin_classify_type(DPROBES_HOOK_VALUE(x)) == 5, 0u,  \
					 DPROBES_HOOK_VALUE(x)))
#define DPROBES_HOOK_SIGNED(x) ((DPROBES_HOOK_NUMBER(x)) - 1 < (DPROBES_HOOK_NUMBER(x))1)
#endif

/* %n writes the number with the other sign: a signed argument has a negative size. An argument that
 * is too large is an array of negative size, and an error. */
#define DPROBES_HOOK_FITS(x)                                                                       \
	sizeof(char[sizeof(DPROBES_HOOK_TYPE(x)) <= DPROBES_HOOK_LARGEST ? 1 : -1])
#define DPROBES_HOOK_SIZE(x)                                                                       \
	((int)DPROBES_HOOK_FITS(x) * (int)sizeof(DPROBES_HOOK_TYPE(x)) *                           \
	 (DPROBES_HOOK_SIGNED(x) ? 1 : -1))
#define DPROBES_HOOK_ARGUMENT(x) "n"(DPROBES_HOOK_SIZE(x)), DPROBES_HOOK_IN(DPROBES_HOOK_VALUE(x))

/* The section that gdb looks for, once in a program. */
__asm__(".pushsection .stapsdt.base,\"G\",%progbits,.stapsdt.base,comdat\n"
	".space 1\n"
	".popsection\n");

/* The no-op, and its note: sizes of the owner's name and of the rest, the type, the owner; the
 * place, the base, the semaphore; the names and the arguments. The flag `o` lets the linker keep
 * the note exactly where it keeps the place. The semaphore is 0 where nobody asks for it. */
#define DPROBES_HOOK_NOTE(p, n, arguments)                                                         \
	".Ldprobes_hook%=: nop\n"                                                                  \
	".pushsection .note.stapsdt,\"o\",%%note,.Ldprobes_hook%=; .balign 4\n"                    \
	".weak dprobes_hook_" #p "_" #n "\n"                                                       \
	".4byte 8, 992f-991f, 3; .asciz \"stapsdt\"\n"                                             \
	"991: " DPROBES_HOOK_ADDRESS ".Ldprobes_hook%=, 0, dprobes_hook_" #p "_" #n "\n"           \
	".asciz \"" #p "\", \"" #n "\", \"" arguments "\"\n"                                       \
	"992: .balign 4; .popsection\n"

/* The texts and the operands of 1 to 8 arguments. */
#define DPROBES_HOOK_TEXT_1              DPROBES_HOOK_TEXT(0, 1)
#define DPROBES_HOOK_TEXT_2              DPROBES_HOOK_TEXT_1 " " DPROBES_HOOK_TEXT(2, 3)
#define DPROBES_HOOK_TEXT_3              DPROBES_HOOK_TEXT_2 " " DPROBES_HOOK_TEXT(4, 5)
#define DPROBES_HOOK_TEXT_4              DPROBES_HOOK_TEXT_3 " " DPROBES_HOOK_TEXT(6, 7)
#define DPROBES_HOOK_TEXT_5              DPROBES_HOOK_TEXT_4 " " DPROBES_HOOK_TEXT(8, 9)
#define DPROBES_HOOK_TEXT_6              DPROBES_HOOK_TEXT_5 " " DPROBES_HOOK_TEXT(10, 11)
#define DPROBES_HOOK_TEXT_7              DPROBES_HOOK_TEXT_6 " " DPROBES_HOOK_TEXT(12, 13)
#define DPROBES_HOOK_TEXT_8              DPROBES_HOOK_TEXT_7 " " DPROBES_HOOK_TEXT(14, 15)
#define DPROBES_HOOK_ARGUMENT_1(a)       DPROBES_HOOK_ARGUMENT(a)
#define DPROBES_HOOK_ARGUMENT_2(a, b)    DPROBES_HOOK_ARGUMENT_1(a), DPROBES_HOOK_ARGUMENT(b)
#define DPROBES_HOOK_ARGUMENT_3(a, b, c) DPROBES_HOOK_ARGUMENT_2(a, b), DPROBES_HOOK_ARGUMENT(c)
#define DPROBES_HOOK_ARGUMENT_4(a, b, c, d)                                                        \
	DPROBES_HOOK_ARGUMENT_3(a, b, c), DPROBES_HOOK_ARGUMENT(d)
#define DPROBES_HOOK_ARGUMENT_5(a, b, c, d, e)                                                     \
	DPROBES_HOOK_ARGUMENT_4(a, b, c, d), DPROBES_HOOK_ARGUMENT(e)
#define DPROBES_HOOK_ARGUMENT_6(a, b, c, d, e, f)                                                  \
	DPROBES_HOOK_ARGUMENT_5(a, b, c, d, e), DPROBES_HOOK_ARGUMENT(f)
#define DPROBES_HOOK_ARGUMENT_7(a, b, c, d, e, f, g)                                               \
	DPROBES_HOOK_ARGUMENT_6(a, b, c, d, e, f), DPROBES_HOOK_ARGUMENT(g)
#define DPROBES_HOOK_ARGUMENT_8(a, b, c, d, e, f, g, h)                                            \
	DPROBES_HOOK_ARGUMENT_7(a, b, c, d, e, f, g), DPROBES_HOOK_ARGUMENT(h)

#define DPROBES_HOOK_0(p, n) DPROBES_HOOK_ASM(DPROBES_HOOK_NOTE(p, n, "") : :)
#define DPROBES_HOOK_1(p, n, a)                                                                    \
	DPROBES_HOOK_ASM(DPROBES_HOOK_NOTE(p, n, DPROBES_HOOK_TEXT_1)                              \
			 :                                                                         \
			 : DPROBES_HOOK_ARGUMENT_1(a))
#define DPROBES_HOOK_2(p, n, a, b)                                                                 \
	DPROBES_HOOK_ASM(DPROBES_HOOK_NOTE(p, n, DPROBES_HOOK_TEXT_2)                              \
			 :                                                                         \
			 : DPROBES_HOOK_ARGUMENT_2(a, b))
#define DPROBES_HOOK_3(p, n, a, b, c)                                                              \
	DPROBES_HOOK_ASM(DPROBES_HOOK_NOTE(p, n, DPROBES_HOOK_TEXT_3)                              \
			 :                                                                         \
			 : DPROBES_HOOK_ARGUMENT_3(a, b, c))
#define DPROBES_HOOK_4(p, n, a, b, c, d)                                                           \
	DPROBES_HOOK_ASM(DPROBES_HOOK_NOTE(p, n, DPROBES_HOOK_TEXT_4)                              \
			 :                                                                         \
			 : DPROBES_HOOK_ARGUMENT_4(a, b, c, d))
#define DPROBES_HOOK_5(p, n, a, b, c, d, e)                                                        \
	DPROBES_HOOK_ASM(DPROBES_HOOK_NOTE(p, n, DPROBES_HOOK_TEXT_5)                              \
			 :                                                                         \
			 : DPROBES_HOOK_ARGUMENT_5(a, b, c, d, e))
#define DPROBES_HOOK_6(p, n, a, b, c, d, e, f)                                                     \
	DPROBES_HOOK_ASM(DPROBES_HOOK_NOTE(p, n, DPROBES_HOOK_TEXT_6)                              \
			 :                                                                         \
			 : DPROBES_HOOK_ARGUMENT_6(a, b, c, d, e, f))
#define DPROBES_HOOK_7(p, n, a, b, c, d, e, f, g)                                                  \
	DPROBES_HOOK_ASM(DPROBES_HOOK_NOTE(p, n, DPROBES_HOOK_TEXT_7)                              \
			 :                                                                         \
			 : DPROBES_HOOK_ARGUMENT_7(a, b, c, d, e, f, g))
#define DPROBES_HOOK_8(p, n, a, b, c, d, e, f, g, h)                                               \
	DPROBES_HOOK_ASM(DPROBES_HOOK_NOTE(p, n, DPROBES_HOOK_TEXT_8)                              \
			 :                                                                         \
			 : DPROBES_HOOK_ARGUMENT_8(a, b, c, d, e, f, g, h))

/* --- hooks that call C exits --- */

#ifdef __cplusplus
extern "C" {
#endif
/* Call the armed exits of the hook "provider:name". Without an agent nobody does, and no hook comes
 * here. */
void dprobes_hook_dispatch(const char *hook, unsigned count, void *args)
	__attribute__((__weak__, __cold__));
#ifdef __cplusplus
}
#endif
/* A word for exits, which read it as their own type. */
typedef __UINTPTR_TYPE__ __attribute__((__may_alias__)) dprobes_hook_word;

/* The lowest bit of the place tells the agent the instruction set. */
#ifdef __thumb__
#define DPROBES_HOOK_ISA "+1"
#else
#define DPROBES_HOOK_ISA ""
#endif
#if __SIZEOF_POINTER__ == 8
#define DPROBES_HOOK_ALIGN ".balign 8; "
#else
#define DPROBES_HOOK_ALIGN ".balign 4; "
#endif

/* The row: the place, the block that calls the exits, the name. A copy of the place by the compiler
 * has a row of its own, and may share the block. */
#define DPROBES_HOOK_ROW(p, n)                                                                     \
	".pushsection dprobes_hooks,\"ao\",%%progbits,.Ldprobes_hook%=\n" DPROBES_HOOK_ALIGN       \
		DPROBES_HOOK_ADDRESS ".Ldprobes_hook%=" DPROBES_HOOK_ISA                           \
	", %l[dprobes_body], 993f; .popsection\n"                                                  \
	".pushsection .rodata.dprobes_hooks,\"aMS\",%%progbits,1\n"                                \
	"993: .asciz \"" #p ":" #n "\"; .popsection\n"

/* An argument, evaluated once, of at most a word. */
#define DPROBES_HOOK_KEEP(name, x)                                                                 \
	DPROBES_HOOK_TYPE(x) name = (x);                                                           \
	(void)sizeof(char[sizeof(DPROBES_HOOK_TYPE(x)) <= sizeof(void *) ? 1 : -1]);
#define DPROBES_HOOK_WORD(name) (dprobes_hook_word)(name)

#define DPROBES_HOOK_CALL_0(p, n)                                                                  \
	__extension__({                                                                            \
		__label__ dprobes_body;                                                            \
		DPROBES_HOOK_ASM goto(DPROBES_HOOK_NOTE(p, n, "") DPROBES_HOOK_ROW(p, n)           \
				      :                                                            \
				      :                                                            \
				      :                                                            \
				      : dprobes_body);                                             \
		if (0) {                                                                           \
		dprobes_body:;                                                                     \
			dprobes_hook_dispatch(#p ":" #n, 0, 0);                                    \
		}                                                                                  \
	})
/* count, the asm's operands, the words of the exits; the arguments are kept before. */
#define DPROBES_HOOK_GOTO(p, n, text, operands, count, ...)                                        \
	DPROBES_HOOK_ASM goto(DPROBES_HOOK_NOTE(p, n, text) DPROBES_HOOK_ROW(p, n)                 \
			      :                                                                    \
			      : operands                                                           \
			      :                                                                    \
			      : dprobes_body);                                                     \
	if (0) {                                                                                   \
	dprobes_body:;                                                                             \
		dprobes_hook_word dprobes_args[] = {__VA_ARGS__};                                  \
		dprobes_hook_dispatch(#p ":" #n, count, dprobes_args);                             \
	}
#define DPROBES_HOOK_CALL_1(p, n, a)                                                               \
	__extension__({                                                                            \
		__label__ dprobes_body;                                                            \
		DPROBES_HOOK_KEEP(dprobes_a, a)                                                    \
		DPROBES_HOOK_OF_1(p, n, dprobes_a)                                                 \
	})
#define DPROBES_HOOK_CALL_2(p, n, a, b)                                                            \
	__extension__({                                                                            \
		__label__ dprobes_body;                                                            \
		DPROBES_HOOK_KEEP(dprobes_a, a)                                                    \
		DPROBES_HOOK_KEEP(dprobes_b, b)                                                    \
		DPROBES_HOOK_OF_2(p, n, dprobes_a, dprobes_b)                                      \
	})
#define DPROBES_HOOK_CALL_3(p, n, a, b, c)                                                         \
	__extension__({                                                                            \
		__label__ dprobes_body;                                                            \
		DPROBES_HOOK_KEEP(dprobes_a, a)                                                    \
		DPROBES_HOOK_KEEP(dprobes_b, b)                                                    \
		DPROBES_HOOK_KEEP(dprobes_c, c)                                                    \
		DPROBES_HOOK_OF_3(p, n, dprobes_a, dprobes_b, dprobes_c)                           \
	})
#define DPROBES_HOOK_CALL_4(p, n, a, b, c, d)                                                      \
	__extension__({                                                                            \
		__label__ dprobes_body;                                                            \
		DPROBES_HOOK_KEEP(dprobes_a, a)                                                    \
		DPROBES_HOOK_KEEP(dprobes_b, b)                                                    \
		DPROBES_HOOK_KEEP(dprobes_c, c)                                                    \
		DPROBES_HOOK_KEEP(dprobes_d, d)                                                    \
		DPROBES_HOOK_OF_4(p, n, dprobes_a, dprobes_b, dprobes_c, dprobes_d)                \
	})
#define DPROBES_HOOK_CALL_5(p, n, a, b, c, d, e)                                                   \
	__extension__({                                                                            \
		__label__ dprobes_body;                                                            \
		DPROBES_HOOK_KEEP(dprobes_a, a)                                                    \
		DPROBES_HOOK_KEEP(dprobes_b, b)                                                    \
		DPROBES_HOOK_KEEP(dprobes_c, c)                                                    \
		DPROBES_HOOK_KEEP(dprobes_d, d)                                                    \
		DPROBES_HOOK_KEEP(dprobes_e, e)                                                    \
		DPROBES_HOOK_OF_5(p, n, dprobes_a, dprobes_b, dprobes_c, dprobes_d, dprobes_e)     \
	})
#define DPROBES_HOOK_CALL_6(p, n, a, b, c, d, e, f)                                                \
	__extension__({                                                                            \
		__label__ dprobes_body;                                                            \
		DPROBES_HOOK_KEEP(dprobes_a, a)                                                    \
		DPROBES_HOOK_KEEP(dprobes_b, b)                                                    \
		DPROBES_HOOK_KEEP(dprobes_c, c)                                                    \
		DPROBES_HOOK_KEEP(dprobes_d, d)                                                    \
		DPROBES_HOOK_KEEP(dprobes_e, e)                                                    \
		DPROBES_HOOK_KEEP(dprobes_f, f)                                                    \
		DPROBES_HOOK_OF_6(p, n, dprobes_a, dprobes_b, dprobes_c, dprobes_d, dprobes_e,     \
				  dprobes_f)                                                       \
	})
#define DPROBES_HOOK_CALL_7(p, n, a, b, c, d, e, f, g)                                             \
	__extension__({                                                                            \
		__label__ dprobes_body;                                                            \
		DPROBES_HOOK_KEEP(dprobes_a, a)                                                    \
		DPROBES_HOOK_KEEP(dprobes_b, b)                                                    \
		DPROBES_HOOK_KEEP(dprobes_c, c)                                                    \
		DPROBES_HOOK_KEEP(dprobes_d, d)                                                    \
		DPROBES_HOOK_KEEP(dprobes_e, e)                                                    \
		DPROBES_HOOK_KEEP(dprobes_f, f)                                                    \
		DPROBES_HOOK_KEEP(dprobes_g, g)                                                    \
		DPROBES_HOOK_OF_7(p, n, dprobes_a, dprobes_b, dprobes_c, dprobes_d, dprobes_e,     \
				  dprobes_f, dprobes_g)                                            \
	})
#define DPROBES_HOOK_CALL_8(p, n, a, b, c, d, e, f, g, h)                                          \
	__extension__({                                                                            \
		__label__ dprobes_body;                                                            \
		DPROBES_HOOK_KEEP(dprobes_a, a)                                                    \
		DPROBES_HOOK_KEEP(dprobes_b, b)                                                    \
		DPROBES_HOOK_KEEP(dprobes_c, c)                                                    \
		DPROBES_HOOK_KEEP(dprobes_d, d)                                                    \
		DPROBES_HOOK_KEEP(dprobes_e, e)                                                    \
		DPROBES_HOOK_KEEP(dprobes_f, f)                                                    \
		DPROBES_HOOK_KEEP(dprobes_g, g)                                                    \
		DPROBES_HOOK_KEEP(dprobes_h, h)                                                    \
		DPROBES_HOOK_OF_8(p, n, dprobes_a, dprobes_b, dprobes_c, dprobes_d, dprobes_e,     \
				  dprobes_f, dprobes_g, dprobes_h)                                 \
	})
#define DPROBES_HOOK_OF_1(p, n, a)                                                                 \
	DPROBES_HOOK_GOTO(p, n, DPROBES_HOOK_TEXT_1, DPROBES_HOOK_ARGUMENT_1(a), 1,                \
			  DPROBES_HOOK_WORD(a))
#define DPROBES_HOOK_OF_2(p, n, a, b)                                                              \
	DPROBES_HOOK_GOTO(p, n, DPROBES_HOOK_TEXT_2, DPROBES_HOOK_ARGUMENT_2(a, b), 2,             \
			  DPROBES_HOOK_WORD(a), DPROBES_HOOK_WORD(b))
#define DPROBES_HOOK_OF_3(p, n, a, b, c)                                                           \
	DPROBES_HOOK_GOTO(p, n, DPROBES_HOOK_TEXT_3, DPROBES_HOOK_ARGUMENT_3(a, b, c), 3,          \
			  DPROBES_HOOK_WORD(a), DPROBES_HOOK_WORD(b), DPROBES_HOOK_WORD(c))
#define DPROBES_HOOK_OF_4(p, n, a, b, c, d)                                                        \
	DPROBES_HOOK_GOTO(p, n, DPROBES_HOOK_TEXT_4, DPROBES_HOOK_ARGUMENT_4(a, b, c, d), 4,       \
			  DPROBES_HOOK_WORD(a), DPROBES_HOOK_WORD(b), DPROBES_HOOK_WORD(c),        \
			  DPROBES_HOOK_WORD(d))
#define DPROBES_HOOK_OF_5(p, n, a, b, c, d, e)                                                     \
	DPROBES_HOOK_GOTO(p, n, DPROBES_HOOK_TEXT_5, DPROBES_HOOK_ARGUMENT_5(a, b, c, d, e), 5,    \
			  DPROBES_HOOK_WORD(a), DPROBES_HOOK_WORD(b), DPROBES_HOOK_WORD(c),        \
			  DPROBES_HOOK_WORD(d), DPROBES_HOOK_WORD(e))
#define DPROBES_HOOK_OF_6(p, n, a, b, c, d, e, f)                                                  \
	DPROBES_HOOK_GOTO(p, n, DPROBES_HOOK_TEXT_6, DPROBES_HOOK_ARGUMENT_6(a, b, c, d, e, f), 6, \
			  DPROBES_HOOK_WORD(a), DPROBES_HOOK_WORD(b), DPROBES_HOOK_WORD(c),        \
			  DPROBES_HOOK_WORD(d), DPROBES_HOOK_WORD(e), DPROBES_HOOK_WORD(f))
#define DPROBES_HOOK_OF_7(p, n, a, b, c, d, e, f, g)                                               \
	DPROBES_HOOK_GOTO(p, n, DPROBES_HOOK_TEXT_7, DPROBES_HOOK_ARGUMENT_7(a, b, c, d, e, f, g), \
			  7, DPROBES_HOOK_WORD(a), DPROBES_HOOK_WORD(b), DPROBES_HOOK_WORD(c),     \
			  DPROBES_HOOK_WORD(d), DPROBES_HOOK_WORD(e), DPROBES_HOOK_WORD(f),        \
			  DPROBES_HOOK_WORD(g))
#define DPROBES_HOOK_OF_8(p, n, a, b, c, d, e, f, g, h)                                            \
	DPROBES_HOOK_GOTO(p, n, DPROBES_HOOK_TEXT_8,                                               \
			  DPROBES_HOOK_ARGUMENT_8(a, b, c, d, e, f, g, h), 8,                      \
			  DPROBES_HOOK_WORD(a), DPROBES_HOOK_WORD(b), DPROBES_HOOK_WORD(c),        \
			  DPROBES_HOOK_WORD(d), DPROBES_HOOK_WORD(e), DPROBES_HOOK_WORD(f),        \
			  DPROBES_HOOK_WORD(g), DPROBES_HOOK_WORD(h))

/* The semaphore is defined once in a file, and once in a program. As an array without a bound it is
 * no small data, which some compilers expect near a register. */
#define DPROBES_HOOK_ENABLED(p, n)                                                                 \
	__extension__({                                                                            \
		extern volatile unsigned short dprobes_hook_##p##_##n[] __asm__("dprobes_hook_" #p \
										"_" #n);           \
		__asm__ volatile(".ifndef dprobes_hook_" #p "_" #n "\n"                            \
				 ".pushsection .bss.dprobes_hook_" #p "_" #n                       \
				 ",\"awG\",%%nobits,dprobes_hook_" #p "_" #n ",comdat\n"           \
				 ".weak dprobes_hook_" #p "_" #n "; .balign 2\n"                   \
				 "dprobes_hook_" #p "_" #n ": .space 2\n"                          \
				 ".popsection; .endif\n"                                           \
				 :                                                                 \
				 :);                                                               \
		dprobes_hook_##p##_##n[0] != 0;                                                    \
	})
#endif
#endif
