# SPDX-License-Identifier: BSD-2-Clause
# Common part of boards/<board>/run. The script that reads this sets MACHINE, QEMU, and QEMU_FLAGS;
# where QEMU has no semihosting SEMIHOSTING= (nothing), where -kernel will not do LOADER=-bios.
# COM2_DEVICE is a device of QEMU that is com2, where the machine itself has no second UART.
# RANDOM_AT is the physical address of the last 8 bytes of the firmware's RAM: random bytes at each start, in place of a
# generator (boards/demo/boot.h).
#
# It ends in exec: the process is QEMU itself, so a signal sent to it needs no forwarding.

usage()
{
	cat >&2 <<END
usage: run [--nowait] [--tcp PORT] [--stdio] [--random HEX] [--dry-run] FIRMWARE.elf [DIR] [QEMU ARGUMENT ...]

Start FIRMWARE.elf on $MACHINE with com1 and com2 as unix sockets DIR/com1 and DIR/com2.
  --nowait    run at once; by default QEMU waits until both are connected (with --tcp too)
  --tcp PORT  com1 and com2 on 127.0.0.1 ports PORT and PORT+1; no DIR
  --stdio     com1 on this terminal (C-a x ends), com2 on DIR/com2, or nowhere without DIR;
              never waits
  --random HEX  the 8 bytes at the end of the RAM, up to 16 hex digits; by default random ones
  --dry-run   print the command, run nothing
QEMU's exit status is the firmware's, where there is semihosting. SIGTERM also gives 0: look for output too.
END
	exit 1
}

wait=on
tcp=
stdio=
random=
dry=
while [ $# -gt 0 ]; do
	case $1 in
	--nowait) wait=off ;;
	--tcp)
		[ $# -ge 2 ] || usage
		tcp=$2
		shift
		;;
	--stdio) stdio=1 ;;
	--random)
		[ $# -ge 2 ] || usage
		random=$2
		shift
		;;
	--dry-run) dry=1 ;;
	-*) usage ;;
	*) break ;;
	esac
	shift
done
[ $# -ge 1 ] || usage
firmware=$1
shift
[ -r "$firmware" ] || {
	echo "run: cannot read $firmware" >&2
	exit 1
}

dir=
if [ -z "$tcp" ]; then
	case ${1-} in
	-*) ;;
	'') [ $# -eq 0 ] || shift ;;
	*)
		dir=$1
		shift
		;;
	esac
	[ -n "$dir" ] || [ -n "$stdio" ] || usage
fi
if [ -n "$dir" ]; then
	mkdir -p "$dir" || exit 1
	rm -f "$dir/com1" "$dir/com2"
fi

if [ -n "$tcp" ]; then
	com1=tcp:127.0.0.1:$tcp,server=on,wait=$wait,nodelay=on
	com2=tcp:127.0.0.1:$((tcp + 1)),server=on,wait=$wait,nodelay=on
else
	com1=unix:$dir/com1,server=on,wait=$wait
	com2=unix:$dir/com2,server=on,wait=$wait
fi
if [ -n "$stdio" ]; then
	com1=mon:stdio
	if [ -n "$dir" ]; then com2=unix:$dir/com2,server=on,wait=off; else com2=null; fi
fi

# An option of -serial as one of -chardev.
chardev_of()
{
	case $1 in
	unix:*) echo "socket,id=$2,path=${1#unix:}" ;;
	tcp:*)
		address=${1#tcp:}
		echo "socket,id=$2,host=${address%%:*},port=${address#*:}"
		;;
	*) echo "$1,id=$2" ;;
	esac
}

first="-serial $com1"
if [ -n "${COM2_DEVICE-}" ]; then
	second="-chardev $(chardev_of "$com2" com2) -device $COM2_DEVICE,chardev=com2"
	# QEMU opens a -chardev before a -serial, and com1 is to wait first.
	case $com1 in mon:*) ;; *) first="-chardev $(chardev_of "$com1" com1) -serial chardev:com1" ;; esac
else
	second="-serial $com2"
fi

[ -n "$random" ] || random=$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')

# shellcheck disable=SC2086
set -- $QEMU -M "$MACHINE" $QEMU_FLAGS -display none -monitor none \
	${SEMIHOSTING--semihosting-config enable=on,target=native} \
	-device "loader,addr=$RANDOM_AT,data=0x$random,data-len=8" \
	$first $second ${LOADER--kernel} "$firmware" "$@"
echo "run: $*" >&2
[ -z "$dry" ] || exit 0
if [ -n "$stdio" ]; then
	exec "$@"
fi
exec "$@" </dev/null
