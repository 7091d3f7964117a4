#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds newlib for a CPU that Debian has none for, from its package newlib-source.
# usage: newlib.sh TARGET CROSS OUTPUT FLAGS...
#   TARGET  as newlib calls it: mipsel-elf ...    CROSS   prefix of the compiler
#   OUTPUT  gets include/ and lib/                FLAGS   for the compiler
# The sources are unpacked and compiled in OUTPUT.work, which is removed at the end.
# Takes half a minute. Small forms throughout: the demo kernel prints integers and strings.
set -eu

[ $# -ge 4 ] || {
	sed -n 's/^# \{0,1\}//p' "$0" | sed -n '2,6p' >&2
	exit 1
}
target=$1
cross=$2
output=$3
shift 3
archive=$(ls /usr/src/newlib/newlib-*.tar.* 2>/dev/null | head -n 1)
[ -n "$archive" ] || {
	echo "newlib.sh: no sources; run: sh tests/setup.sh (package newlib-source)" >&2
	exit 1
}

rm -rf "$output"
mkdir -p "$output"
output=$(cd "$output" && pwd)
work=$output.work
rm -rf "$work"
mkdir -p "$work/source" "$work/build"
tar -x -f "$archive" -C "$work/source" --strip-components=1

for tool in CC:gcc GCC:gcc AS:as LD:ld AR:ar RANLIB:ranlib NM:nm OBJCOPY:objcopy \
	OBJDUMP:objdump READELF:readelf STRIP:strip; do
	export "${tool%%:*}_FOR_TARGET=$cross${tool#*:}"
done
# newlib's folder for RISC-V compiles some files without CFLAGS: with another word size.
case $target in riscv*) export CC_FOR_TARGET="$CC_FOR_TARGET $*" ;; esac
# The compilers are for Linux; the library is not.
export CFLAGS_FOR_TARGET="$* -Os -g0 -ffreestanding -fno-stack-protector \
-fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections \
-U__linux__ -Ulinux -U__unix__ -Uunix -U__gnu_linux__ -ffile-prefix-map=$work=newlib"

cd "$work/build"
../source/configure --target="$target" --prefix="$output" --disable-multilib --disable-nls \
	--disable-libgloss --disable-newlib-supplied-syscalls --enable-newlib-nano-malloc \
	--enable-newlib-nano-formatted-io --enable-newlib-reent-small --enable-lite-exit \
	--disable-newlib-fvwrite-in-streamio --disable-newlib-fseek-optimization \
	--disable-newlib-wide-orient --disable-newlib-unbuf-stream-opt \
	--enable-newlib-global-atexit >configure.log 2>&1 || {
	tail -n 20 configure.log >&2
	exit 1
}
# The demo kernel needs no libm and no manual, which are half of the work: an empty libm stands in.
library=$target/newlib
{
	make configure-target-newlib &&
		make -C "$library" _newlib_version.h newlib.h stmp-targ-include &&
		make -C "$library/libc" AR_FLAGS=rc &&
		"${cross}ar" rc "$library/libm/libm.a" &&
		make -C "$library" SUBDIRS=. MATHOBJS_IN_LIBC= AR_FLAGS=rc install
} >make.log 2>&1 || {
	tail -n 20 make.log >&2
	exit 1
}
# configure installs into PREFIX/TARGET
mv "$output/$target/include" "$output/$target/lib" "$output/"
rm -rf "$work" "${output:?}/$target" "$output/share"
