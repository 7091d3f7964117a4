# SPDX-License-Identifier: BSD-2-Clause
pytest_plugins = ["dprobes.pytest_plugin"]
