# SPDX-License-Identifier: BSD-2-Clause
"""tests/port/vectors/cortexm.txt has what the manual says that an instruction does. Each hazard of stepping has its vectors
(HAZARDS). test_cortexm_port.py executes all of them in QEMU, plain and with probes."""
import cortexm_vectors

LEAST = 150
CONDITIONS = "eq ne cs cc mi pl vs vc hi ls ge lt gt le".split()
# Hazard -> [(the text of a vector, what the file says after it)]
HAZARDS = {
    "a branch goes, and does not go, by each condition": [
        *((f"b{name} .+0x40", {"pc": "code+40"}) for name in CONDITIONS), *((f"b{name} .-0x40", {}) for name in CONDITIONS),
        *((f"b{name}.w .-0x200", {"pc": "code-200"}) for name in CONDITIONS), ("cbz r6,.+0x20", {"pc": "code+20"}), ("cbz r3,.+0x20", {})],
    "the link has bit 0, and the target is read before": [("bl .+0x100", {"pc": "code+100", "lr": "next+1"}), ("blx r7", {"pc": "code+40", "lr": "next+1"}), ("blx lr", {"pc": "code+c0", "lr": "next+1"})],
    "a load of the pc": [("pop {pc}", {"pc": "code+40", "sp": "data+e4"}), ("ldr.w pc,[sp],#4", {"pc": "code+40", "sp": "data+e4"})],
    "the pc reads as the instruction's address and 4": [("mov r0,pc", {"r0": "code+4"}), ("add r0,pc,#0x20", {"r0": "code+24"})],
    "what shows the interrupt mask shows the true one": [("mrs r0,primask", {"r0": "0"}), ("mrs r0,primask", {"r0": "1"}), ("mrs r0,basepri", {"r0": "40"})],
    "what changes the mask changes it": [("cpsid i", {"primask": "1"}), ("cpsie i", {"primask": "0"}), ("msr basepri_max,r0", {})],
    "a table of branches": [("tbb [pc,r6]", {"pc": "code+4"}), ("tbh [r1,r6,lsl #1]", {"pc": "code+608"})],
    "an access that faults has done nothing": [(text, {"cfsr": "8200"}) for text in ("ldr.w r0,[r9]", "ldr.w r0,[r9,#4]!", "ldm.w r9!,{r0,r3}", "ldr.w pc,[r9]")],
}


def test_each_hazard_has_a_vector():
    there = cortexm_vectors.read()
    for hazard, shown in HAZARDS.items():
        for text, after in shown:
            assert any((text, after) == (vector[0], vector[2]) for vector in there), f"{hazard}: {text}"
    states = [(text, tuple(sorted(before.items()))) for text, before, _ in there]
    assert len(set(states)) == len(states) >= LEAST
    print(f"{len(HAZARDS)} hazards, {sum(map(len, HAZARDS.values()))} vectors of {len(there)}")
