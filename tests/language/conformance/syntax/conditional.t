# SPDX-License-Identifier: BSD-2-Clause
claim: #ifdef, #else, #elif and #endif choose text; #elseif is taken as #elif
spec: dprobes.lang(8) "PREPROCESSOR DIRECTIVES"; decisions.txt C18
covers: #ifdef; #else; #elif; #elseif; #endif
---
case: defined
full: |
  #define X
  name = "t"
  offset = 0x1000
  #ifdef X
  push 1
  #else
  push 2
  #endif
  log 1
record: 0 0 exit {w:1}
---
case: not defined
full: |
  name = "t"
  offset = 0x1000
  #ifdef X
  push 1
  #else
  push 2
  #endif
  log 1
record: 0 0 exit {w:2}
---
case: elif
full: |
  #define Y
  name = "t"
  offset = 0x1000
  #ifdef X
  push 1
  #elif defined(Y)
  push 2
  #else
  push 3
  #endif
  log 1
record: 0 0 exit {w:2}
---
case: elseif
full: |
  #define Y
  name = "t"
  offset = 0x1000
  #ifdef X
  push 1
  #elseif defined(Y)
  push 2
  #else
  push 3
  #endif
  log 1
record: 0 0 exit {w:2}
---
case: nested
full: |
  #define X
  name = "t"
  offset = 0x1000
  #ifdef X
  #ifdef Y
  push 1
  #else
  push 2
  #endif
  #else
  push 3
  #endif
  log 1
record: 0 0 exit {w:2}
