# SPDX-License-Identifier: BSD-2-Clause
"""The examples use the fixture of the installed module."""
pytest_plugins = ["dprobes.pytest_plugin"]
