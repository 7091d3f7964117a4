/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that access `cell`, `pushed` or ports, each once a round. `NAME` is the instruction, and
 * `NAME_end` the next one. tests/port/test_ia32_watch.py has what each of them accesses. */
	.macro	access name, instruction:vararg
	.globl	\name, \name\()_end
\name:	\instruction
\name\()_end:
	.endm

	.text
	.globl	accesses
	.type	accesses, @function
accesses:
	pusha
	pushf
	cli
	mov	$cell, %ebx
	access	store_1, movb %al, 1(%ebx)
	access	store_2, movw %ax, 2(%ebx)
	access	store_4, movl %eax, (%ebx)
	access	store_same, movl %eax, (%ebx)
	access	store_across, movl %eax, 2(%ebx)
	access	store_ahead, movl %eax, -3(%ebx)
	access	load_1, movzbl 3(%ebx), %eax
	access	load_4, movl (%ebx), %eax
	access	load_across, movl 3(%ebx), %eax
	access	modify, addl $3, (%ebx)
	access	locked, lock incl (%ebx)
	access	exchange, xchg %al, 2(%ebx)
	access	load_again, movl (%ebx), %eax
	access	compare, lock cmpxchgl %ecx, (%ebx)
	mov	%ebx, %edi
	mov	%ebx, %esi
	access	string_store, stosb
	access	string_load, lodsw
	mov	%ebx, %edi
	mov	$2, %ecx
	access	string_repeat, rep stosl
	mov	%ebx, %esi
	mov	$from, %edi
	access	string_move, movsl
	pushl	$7
	access	pop_memory, popl (%ebx)
	access	push_memory, pushl (%ebx)
	pop	%eax
	mov	%esp, %ebp
	mov	$pushed + 4, %esp
	access	push_register, push %eax
	mov	%ebp, %esp
	fld1
	access	float_store, fstps 4(%ebx)
	access	other_store, movl %eax, 8(%ebx)
	access	out_1, out %al, $0xe0
	access	in_1, in $0xe1, %al
	access	out_2, out %ax, $0xe2
	access	in_4, in $0xe0, %eax
	mov	$0xe3, %edx
	access	out_dx, out %al, %dx
	access	out_other, out %al, $0xe4
	popf
	popa
	.globl	round_end
	.type	round_end, @function
round_end:
	ret
	.size	round_end, . - round_end
	.size	accesses, . - accesses

	/* void increments(uint32_t *counter, uint32_t times) */
	.globl	increments
	.type	increments, @function
increments:
	mov	4(%esp), %edx
	mov	8(%esp), %ecx
	access	increment, incl (%edx)
	loop	increment
	ret
	.size	increments, . - increments

	/* uint32_t rom_sum(const uint32_t *words, uint32_t count): takes no trap */
	.section .rom, "ax"
	.globl	rom_sum
	.type	rom_sum, @function
rom_sum:
	mov	4(%esp), %edx
	mov	8(%esp), %ecx
	xor	%eax, %eax
1:	access	rom_add, addl (%edx), %eax
	add	$4, %edx
	loop	1b
	ret
	.size	rom_sum, . - rom_sum

	/* uint32_t user_ways(uint32_t n): n * 4 + 100, by all ways of control, in ring 3 */
	.text
	.globl	user_ways
	.type	user_ways, @function
user_ways:
	push	%ebx
	mov	8(%esp), %ebx
	xor	%eax, %eax
	stc
	pushf
	clc
	popf
	jnc	9f
	call	user_add
	call	*user_pointer
	mov	$user_add, %ecx
	call	*%ecx
	push	%ecx
	call	*(%esp)
	pop	%ecx
	push	$1f
	push	$5
	push	$6
	call	user_popped
	jmp	*(%esp)
1:	pop	%ecx
	jmp	*user_end
2:	pop	%ebx
	access	user_gs, addl %gs:4, %eax
	sub	$0x22222222, %eax
	ret
9:	ud2
user_add:
	add	%ebx, %eax
	ret
user_popped:
	add	$100, %eax
	ret	$8
	.size	user_ways, . - user_ways

	/* void user_based(void): a function whose segment has a base, and which has a breakpoint */
	.globl	user_based, based_text, based_trap, based_trap_end
	.type	user_based, @function
user_based:
	lcall	$0x3b, $0
	ret
	.size	user_based, . - user_based
based_text:
	access	based_store, incl based_total
based_trap:
	.byte	0xcd, 3	/* int $3 */
based_trap_end:
	lret

	.data
user_pointer:
	.long	user_add
user_end:
	.long	2b

	.bss
	.balign	16
	.space	64
	.globl	cell
cell:	.space	64
	.globl	from
from:	.space	64
	.globl	based_total
based_total:
	.space	64
	.space	256
	.globl	pushed
pushed:	.space	16

	.section .note.GNU-stack, "", @progbits
