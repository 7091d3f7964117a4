# SPDX-License-Identifier: BSD-2-Clause
"""DprobesDriver for labgrid: a session over the serial port of a target.

    targets:
      main:
        resources:
          RawSerialPort:
            port: /dev/ttyUSB0
            speed: 115200
        drivers:
          DprobesDriver:
            elf: build/firmware.elf

The environment names this file under `imports`, or the test imports dprobes.labgrid_driver.
"""
import attr
from labgrid.driver.common import Driver
from labgrid.factory import target_factory

import dprobes


@target_factory.reg_driver
@attr.s(eq=False)
class DprobesDriver(Driver):
    """session is a dprobes.Session while the driver is active. The port belongs to this driver alone."""
    bindings = {"port": {"SerialPort", "NetworkSerialPort"}}  # SerialPort: also a USBSerialPort

    elf = attr.ib(default=None, validator=attr.validators.optional(attr.validators.instance_of(str)))
    settings = attr.ib(factory=dict, validator=attr.validators.instance_of(dict))

    def __attrs_post_init__(self):
        super().__attrs_post_init__()
        self.session = None

    def _line(self):
        """The line as dprobes names it: of a device, or of a port that a host in the network offers."""
        host, protocol = getattr(self.port, "host", None), getattr(self.port, "protocol", "raw")
        if host and protocol != "raw":
            raise dprobes.Error(f"the port of {host} speaks {protocol}, which changes bytes of the line; "
                                "let it speak plain TCP, and give the resource 'protocol: raw'")
        return f"tcp:{host}:{self.port.port}" if host else self.port.port

    def on_activate(self):
        self.session = dprobes.Session(**{"port": self._line(), "baud": self.port.speed, "elf": self.elf, **self.settings})

    def on_deactivate(self):
        self.session.close()
        self.session = None

    @Driver.check_active
    def insert(self, text):
        """Compile, upload and arm a program text; returns a dprobes.Program."""
        return self.session.insert(text)

    @Driver.check_active
    def records(self, timeout):
        """Records as they come, for `timeout` seconds."""
        return self.session.records(timeout)
