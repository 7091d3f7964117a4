#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Installs what building and testing needs on Debian 12. Does nothing, and needs
# no network, when everything is there.   usage: sh tests/setup.sh [--demo|--nightly] [--list]
# --demo: only what `scons demo` needs, 123 packages and 186 MB on a fresh Debian.
# --nightly: also what only `scons nightly` needs.
set -eu

skip='/# nightly:/d'
case "${1:-}" in
--nightly) skip= ;;
--demo) skip='/# demo:/!d' ;;
*) false ;;
esac && shift

# package # why it is needed; "demo:" in front for `scons demo`, "nightly:" for `scons nightly` alone
packages() {
	sed -n -e "$skip" -e 's/^\([a-z0-9][a-z0-9.+-]*\)[[:space:]]*#.*/\1/p' <<'LIST'
gcc                      # demo: the host tool, the tests that run on the host, cpp for probe programs
g++                      # C++ programs link with libdprobes.so (test_install.py)
libc6-dev                # demo: headers and libraries of the host tool
scons                    # demo: the build
dpkg-dev                 # scons deb: source and binary package
debhelper                # scons deb: the steps of a package
pkg-config               # demo: where the libraries below are
libelf-dev               # demo: symbols and text of firmware ELF files
libdw-dev                # demo: function extents and lines (DWARF)
zlib1g-dev               # demo: compressed CTF sections
libserialport-dev        # demo: real serial lines
gcc-arm-none-eabi        # demo: agent, ARM port and ARM boards
libnewlib-arm-none-eabi  # demo: the demo kernel's libc; the agent itself uses none
qemu-system-arm          # demo: ARM boards to run it all on
gcc-mipsel-linux-gnu     # MIPS port and malta, little-endian; bare-metal MIPS compilers are not packaged
gcc-mips-linux-gnu       # the same, big-endian
gcc-powerpc-linux-gnu    # PowerPC port and boards; bare-metal PowerPC compilers are not packaged
gcc-riscv64-unknown-elf  # RISC-V port and boards, both widths
gcc-i686-linux-gnu       # IA32 port and the board pc; objdump and compiled code for the tests of its decoder
newlib-source            # the demo kernel's libc on MIPS, PowerPC, RISC-V and IA32: boards/newlib.sh builds it into build/
make                     # newlib's own build; a firmware's build of the agent (tests of dprobes.mk)
cmake                    # the same by CMake (tests of CMakeLists.txt)
xz-utils                 # to unpack newlib-source
qemu-system-mips         # malta, both byte orders
qemu-system-ppc          # PowerPC boards
qemu-system-misc         # RISC-V boards
qemu-system-x86          # the board pc
python3-pytest           # the tests
python3-pytest-xdist     # as many of them at a time as there are CPUs
socat                    # pty in front of a QEMU socket (tests of the libserialport path)
valgrind                 # counts instructions of the compiler: its work is bounded (test_bounded_work.py)
gdb-multiarch            # a second opinion on probed text (tests of foreign breakpoints)
groff-base               # formats the manual pages (test_install.py)
clang-format             # scons check: layout
clang-tidy               # scons check: suspicious code
cppcheck                 # scons check: suspicious code, a second eye
clang                    # scons fuzz
lld                      # a firmware that links with lld (test_release.py)
libbabeltrace2-dev       # report --ctf
babeltrace2              # a reader of such a trace (test_export.py)
libprotobuf-c-dev        # report --perfetto
protobuf-c-compiler      # its messages in C
protobuf-compiler        # a reader of such a trace (test_export.py)
librsvg2-bin             # renders pictures of report --svg (test_export.py)
zsh                      # completion in zsh (test_completion.py)
fish                     # completion in fish
python3-labgrid          # nightly: the driver for labgrid (test_python.py); 60 packages
picocom                  # nightly: the console on a pseudo terminal (test_serve.py)
python3-serial           # nightly: a client of RFC 2217 (test_serve.py)
lintian                  # nightly: errors of the package (test_deb.py)
mmdebstrap               # nightly: a fresh Debian that installs the package (test_deb.py)
libclang-rt-14-dev       # libFuzzer and its sanitizers for scons fuzz
LIST
}

say() {
	printf 'setup.sh: %s\n' "$*" >&2
}

if [ "${1:-}" = --list ]; then
	packages
	exit 0
fi

if ! command -v dpkg-query >/dev/null 2>&1; then
	say "this is not a Debian system (no dpkg-query). Install the equivalents of these yourself, then run scons:"
	say $(packages)
	exit 1
fi

missing=
for package in $(packages); do
	state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=absent
	[ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

release=$(. /etc/os-release 2>/dev/null && printf '%s %s' "${ID:-unknown}" "${VERSION_ID:-}") || release=unknown
if [ "$release" != "debian 12" ]; then
	say "this list of packages is for Debian 12 and this is '$release'. Missing by their Debian 12 names:$missing"
	say "install their equivalents yourself, then run scons."
	exit 1
fi

as_root=
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		say "not root, and there is no sudo. As root run: apt-get install$missing"
		exit 1
	fi
	as_root=sudo
fi

# The lock time-out waits for another apt on this machine instead of failing at once.
apt() {
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
		-o Dpkg::Use-Pty=0 "$@"
}

say "installing:$missing"
apt update || say "apt-get update failed; trying with the package lists that are there."
if ! apt install --no-install-recommends $missing; then
	say "apt-get could not install:$missing. Its message is above; without a network, install them by hand."
	exit 1
fi
