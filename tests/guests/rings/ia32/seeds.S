/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that the programs of the seed documents probe, with the first instructions that they
 * name, and the variable that they watch. tests/port/test_ia32_seeds.py */
	.macro	function name
	.globl	\name
	.type	\name, @function
\name:
	.endm

	/* push %ebp (0x55) is the first instruction */
	.macro	with_frame name
	function \name
	push	%ebp
	mov	%esp, %ebp
	incl	nr_free_pages
	pop	%ebp
	ret
	.size	\name, . - \name
	.endm

	/* sub $4, %esp (0x83) is the first one, ret (0xc3) stands at an offset */
	.macro	with_exit name, offset
	function \name
	sub	$4, %esp
	jmp	1f
	.skip	\offset - 3 - (. - \name), 0x90
1:	add	$4, %esp
	ret
	.size	\name, . - \name
	.endm

	.text
	/* void seeds(void): calls each, with eax, ebx and ecx known */
	function seeds
	pusha
	.irp	name, do_fork, entered_fork, kill_proc, swap_out, do_general_protection, kmalloc, ext2_file_write, do_page_fault, vortex_open, vortex_start_xmit, vortex_close
	mov	$0x11, %eax
	mov	$0x22, %ebx
	mov	$text, %ecx
	call	\name
	.endr
	popa
	ret

	with_frame do_fork
	with_frame kill_proc
	with_frame swap_out
	with_frame do_general_protection
	with_exit entered_fork, 1987
	with_exit ext2_file_write, 1583
	with_exit do_page_fault, 813
	function kmalloc
	push	%ebp
	jmp	1f
	.skip	344 - 1 - (. - kmalloc), 0x90
1:	pop	%ebp
	ret
	.size	kmalloc, . - kmalloc

	/* A module of the kernel: its functions at the offsets of its map. */
	.balign	0x1000
	.globl	ethernet
ethernet:
	with_frame vortex_open
	.org	ethernet + 0x100
	with_frame vortex_start_xmit
	.org	ethernet + 0x200
	with_frame vortex_close
	.globl	ethernet_end
ethernet_end:

	/* An application, whose main is at 0x400. It ends the time of ring 3. */
	.balign	0x1000
	.globl	appln
appln:	.org	appln + 0x400
	.globl	appln_main
	.type	appln_main, @function
appln_main:
	push	%ebp
	push	$16
	testl	$63, user_rounds
	jnz	1f
	movl	$0x20000000, (%esp)
1:	call	libc_malloc
	pop	%eax
	incl	0x0804040c
	.globl	appln_touched
appln_touched:
	pop	%ebp
	ret
	.size	appln_main, . - appln_main
	.globl	appln_end
appln_end:

	/* A library. */
	.section .libc, "ax"
	.globl	libc_malloc
	.type	libc_malloc, @function
libc_malloc:
	push	%ebp
	pop	%ebp
	ret
	.size	libc_malloc, . - libc_malloc
	.globl	libc_end
libc_end:

	.data
	.balign	4
	.globl	nr_free_pages
nr_free_pages:
	.long	0
	.globl	text
text:	.asciz	"hello"

	.section .note.GNU-stack, "", @progbits
