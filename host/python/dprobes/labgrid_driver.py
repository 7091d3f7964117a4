# SPDX-License-Identifier: BSD-2-Clause
"""DprobesDriver for labgrid: probes and the console over one serial port of a target.

    targets:
      main:
        resources:
          RawSerialPort:
            port: /dev/ttyUSB0
            speed: 115200
        drivers:
          DprobesDriver:
            elf: build/firmware.elf
            serve: true
          ShellDriver:
            prompt: '# '
            login_prompt: 'login: '
            username: root

The environment names this file under `imports`, or the test imports dprobes.labgrid_driver. No SerialDriver has the same
port: ShellDriver and other drivers take the console of this driver.
"""
import logging
import subprocess
import threading
import time

import attr
import pexpect
from labgrid.driver.common import Driver
from labgrid.driver.consoleexpectmixin import ConsoleExpectMixin
from labgrid.factory import target_factory
from labgrid.protocol import ConsoleProtocol

import dprobes


@target_factory.reg_driver
@attr.s(eq=False)
class DprobesDriver(ConsoleExpectMixin, Driver, ConsoleProtocol):
    """session is a dprobes.Session while the driver is active. A service (dprobes serve) that owns the port is used together
    with its other clients; without one the port belongs to this driver alone.

    elf: the firmware. settings: others of dp_simple_set. serve: start a service, so that commands of dprobes use the port
    meanwhile. txdelay: seconds between typed characters."""
    bindings = {"port": {"SerialPort", "NetworkSerialPort"}}  # SerialPort: also a USBSerialPort

    elf = attr.ib(default=None, validator=attr.validators.optional(attr.validators.instance_of(str)))
    settings = attr.ib(factory=dict, validator=attr.validators.instance_of(dict))
    serve = attr.ib(default=False, validator=attr.validators.instance_of(bool))
    txdelay = attr.ib(default=0.0, validator=attr.validators.instance_of(float))

    def __attrs_post_init__(self):
        self.logger = logging.getLogger(f"{self}({self.target})")
        super().__attrs_post_init__()
        self.session = self.service = None

    def _line(self):
        """The line as dprobes names it: of a device, or of a port that a host in the network offers."""
        host, protocol = getattr(self.port, "host", None), getattr(self.port, "protocol", "raw")
        if host and protocol != "raw":
            raise dprobes.Error(f"the port of {host} speaks {protocol}, which changes bytes of the line; "
                                "let it speak plain TCP, and give the resource 'protocol: raw'")
        return f"tcp:{host}:{self.port.port}" if host else self.port.port

    def _start_service(self):
        """Start a service and wait until clients may come. One that owns the line already is as good."""
        words = ["dprobes", "serve", "--port", self._line(), "--baud", str(self.port.speed)]
        try:
            self.service = subprocess.Popen([*words, *(["--write"] if self.settings.get("write") else [])], stdin=subprocess.DEVNULL,
                                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        except FileNotFoundError:
            raise dprobes.Error("the command dprobes is not in PATH; install it, or leave out 'serve'") from None
        said = ""
        for line in self.service.stderr:
            said += line
            if "serving" in line:
                # What it says later must not fill the pipe.
                threading.Thread(target=self.service.stderr.read, daemon=True).start()
                return
        self._stop_service()
        if "a service owns" not in said:
            raise dprobes.Error(said.rstrip("\n"))

    def _stop_service(self):
        if self.service is not None:
            self.service.terminate()
            self.service.wait()
            self.service = None

    def on_activate(self):
        if self.serve:
            self._start_service()
        try:
            self.session = dprobes.Session(**{"port": self._line(), "baud": self.port.speed, "elf": self.elf, **self.settings})
        except BaseException:
            self._stop_service()
            raise

    def on_deactivate(self):
        self.session.close()
        self.session = None
        self._stop_service()

    def _read(self, size=1, timeout=0.0, max_size=None):
        """Bytes of the console, `size` or more where they come in time."""
        end, data = time.monotonic() + timeout, self.session.console_bytes()
        while len(data) < size and self.session.listen(max(0, end - time.monotonic())):
            data += self.session.console_bytes()
        if not data:
            raise pexpect.TIMEOUT(f"the console said nothing for {timeout:.2f} s")
        return data

    def _write(self, data):
        """Type bytes on the console."""
        self.session.type(data)
        return len(data)

    @Driver.check_active
    def insert(self, text):
        """Compile, upload and arm a program text; returns a dprobes.Program."""
        return self.session.insert(text)

    @Driver.check_active
    def records(self, timeout):
        """Records as they come, for `timeout` seconds."""
        return self.session.records(timeout)
