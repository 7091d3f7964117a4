# SPDX-License-Identifier: BSD-2-Clause
"""tests/port/vectors/mips.txt is what QEMU does, without any of our code: measured again. Each hazard of
stepping that one instruction can show (HAZARDS) has its vectors, and they show what the
manual says. test_mips_port.py executes them with probes, in both byte orders."""
import re

import pytest

import cpus
import measure_vectors
from harness.paths import built, program

LEAST = 80
CPU = cpus.of_file(__file__)
CODE, DATA = CPU.measured["code"], CPU.measured["data"]
TAKEN, PAST, LINK, IE = CODE + 32, CODE + 8, CODE + 8, 1
BD = 0x80000000
CODES = {"overflow": 12, "trap": 13, "load": 4, "store": 5, "no_load": 2, "no_store": 3}


def slot(v):
    """Did the delay slot (addiu r2, r2, 3) run?"""
    return v["after"]["r2"] == v["before"]["r2"] + 3


def goes(v, target):
    return v["after"]["pc"] == target


def code(v, name, delay=False):
    return (v["after"]["cause"] & 0x8000007c) == CODES[name] << 2 | (BD if delay else 0)


def linked(v):
    return v["after"]["r31"] == LINK


def old(v, register):
    """It holds the mask bit as it was before."""
    return v["after"][register] & IE == v["before"]["sr"] & IE


def part(v, op, at, order):
    """The bytes from the address to the end of the word that the op's side means, the rest as it was."""
    shift = 8 * (at if (op[2] == "l") == (order == "big") else 3 - at)
    register, word = v["before"]["r2"], measure_vectors.data_before()[1]
    new, kept = (word, register) if op[0] == "l" else (register, word)
    up = op in ("lwl", "swr")
    mask = (0xffffffff << shift if up else 0xffffffff >> shift) & 0xffffffff
    found = v["after"]["r2"] if op[0] == "l" else v["after"]["m1"]
    return found == ((new << shift if up else new >> shift) & mask) | (kept & ~mask & 0xffffffff)


def likely(name):
    return {f"{name}_taken": lambda v: slot(v) and goes(v, TAKEN),
            f"{name}_not": lambda v: not slot(v) and goes(v, PAST)}


def branch(name):
    return {f"{name}_taken": lambda v: slot(v) and goes(v, TAKEN),
            f"{name}_not": lambda v: slot(v) and goes(v, PAST)}


def both(first, second):
    return {name: (lambda v, f=first[name], s=second: f(v) and s(v)) for name in first}


# Hazard -> vector -> what the manual says of it.
HAZARDS = {
    "a likely branch's slot runs when it is taken, and only then": {
        **likely("beql"), **likely("bnel"), **likely("blezl"), **likely("bgtzl"), **likely("bltzl"), **likely("bgezl"),
        "bltzall_taken": lambda v: slot(v) and goes(v, TAKEN), "bgezall_not": lambda v: not slot(v),
        "bc1tl_cc1_taken": lambda v: slot(v) and goes(v, TAKEN), "bc1tl_not": lambda v: not slot(v),
        "bc1fl_not": lambda v: not slot(v), "likely_not_slot_faults": lambda v: goes(v, PAST)},
    "the slot of any other branch always runs": {
        **branch("beq"), **branch("bne"), **branch("blez"), **branch("bgtz"), **branch("bltz"), **branch("bgez")},
    "coprocessor 1 is not all branches": {
        "cfc1": lambda v: goes(v, CODE + 4) and v["after"]["r2"] == 0x00800000,
        "movt": lambda v: v["after"]["r2"] == v["before"]["r4"],
        "movf": lambda v: v["after"]["r2"] == v["before"]["r2"],
        "bc1t_taken": lambda v: slot(v) and goes(v, TAKEN), "bc1t_not": lambda v: slot(v) and goes(v, PAST),
        "bc1f_cc3_taken": lambda v: goes(v, TAKEN)},
    "bltzal $0 links and is never taken": {"nal": lambda v: linked(v) and goes(v, PAST)},
    "what shows the interrupt mask shows the true one": {
        "mfc0_status_on": lambda v: old(v, "r2"), "mfc0_status_off": lambda v: old(v, "r2"),
        "slot_reads_mask": lambda v: old(v, "r2") and goes(v, TAKEN),
        "di_old": lambda v: old(v, "r2"), "di_off": lambda v: old(v, "r2"), "ei_old": lambda v: old(v, "r2")},
    "what changes the mask changes it": {
        "di_old": lambda v: not v["after"]["sr"] & IE, "ei_old": lambda v: v["after"]["sr"] & IE,
        "ei_no_result": lambda v: v["after"]["sr"] & IE, "mtc0_status": lambda v: v["after"]["sr"] == 0x30000000,
        "mtc0_status_on": lambda v: v["after"]["sr"] & IE},
    "the target is read before the slot, and before the link is written": {
        "jr_slot_writes_link": lambda v: goes(v, v["before"]["r31"]),
        "jr_slot_writes_target": lambda v: goes(v, v["before"]["r25"]) and v["after"]["r25"] == 0,
        "branch_slot_changes_operand": lambda v: goes(v, TAKEN) and v["after"]["r4"] == 2},
    "a fault in the slot is reported at the jump, with the delay bit": {
        "fault_slot_load": lambda v: code(v, "no_load", True), "fault_slot_odd": lambda v: code(v, "store", True),
        "fault_slot_overflow": lambda v: code(v, "overflow", True),
        "fault_slot_link": lambda v: code(v, "load", True) and linked(v),
        "fault_slot_likely": lambda v: code(v, "load", True)},
    "a fault elsewhere is reported at the instruction, without": {
        "fault_overflow": lambda v: code(v, "overflow"), "fault_overflow_sub": lambda v: code(v, "overflow"),
        "fault_overflow_addi": lambda v: code(v, "overflow"), "fault_trap": lambda v: code(v, "trap"),
        "fault_load_odd": lambda v: code(v, "load") and v["after"]["bad"] == DATA + 2,
        "fault_store_odd": lambda v: code(v, "store"), "fault_load_none": lambda v: code(v, "no_load"),
        "fault_store_none": lambda v: code(v, "no_store"), "fault_lwl_none": lambda v: code(v, "no_load")},
    "the link is the address behind the slot, also when not taken": {
        **both(branch("bltzal"), linked), **both(branch("bgezal"), linked),
        "bltzall_not": lambda v: linked(v) and not slot(v), "bgezall_taken": linked, "bal": linked, "bal_back": linked,
        "jalr_link": lambda v: linked(v) and v["after"]["m0"] == LINK,
        "jalr_other_link": lambda v: v["after"]["r2"] == LINK and v["after"]["r31"] == v["before"]["r31"],
        "jalr_no_link": lambda v: v["after"]["r31"] == v["before"]["r31"], "jalr_hb": linked},
    "the slot sees the new link": {
        "jal_slot_reads_link": lambda v: v["after"]["r2"] == LINK,
        "branch_slot_stores_link": lambda v: v["after"]["m1"] == LINK,
        "bal": lambda v: v["after"]["r2"] == LINK},
    "j stays in its region": {"j_region": lambda v: goes(v, 0x80200f00)},
    "a branch back": {"beq_back": lambda v: goes(v, CODE - 400), "bal_back": lambda v: goes(v, CODE - 64)},
    "a conditional trap that does not trap": {"no_trap": lambda v: goes(v, CODE + 4)},
    "parts of a word, by byte order": {
        f"{op}{at}_{order}": lambda v, what=(op, at, order): part(v, *what) for op in ("lwl", "lwr", "swl", "swr")
        for at in range(4) for order in ("little", "big")},
}


@pytest.fixture(scope="module")
def vectors():
    return {vector["name"]: vector for vector in measure_vectors.read(CPU.name)}


def test_each_hazard_has_a_vector(vectors):
    for hazard, shown in HAZARDS.items():
        for name, holds in shown.items():
            assert name in vectors, f"{hazard}: {name}"
            assert holds(vectors[name]), f"{hazard}: {name}: {vectors[name]}"
    for order in ("little", "big"):
        assert sum(vector["order"] in ("any", order) for vector in vectors.values()) >= LEAST
    print(f"{len(HAZARDS)} hazards, {sum(map(len, HAZARDS.values()))} vectors of {len(vectors)}")


@pytest.mark.nightly  # malta-be
def test_measured_again():
    for name in ("qemu-system-mipsel", "qemu-system-mips", "mipsel-linux-gnu-as", "mips-linux-gnu-as", "gdb-multiarch"):
        program(name)
    built("boards", CPU.board, "demo.elf")
    built("boards", "malta-be", "demo.elf")

    def bare(text):
        return re.sub(r"^source .*\n", "", text, flags=re.M)  # which QEMU, which gdb

    there = (measure_vectors.VECTORS / "mips.txt").read_text(encoding="ascii")
    assert bare(measure_vectors.measured(CPU.name)) == bare(there)
