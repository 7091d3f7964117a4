# SPDX-License-Identifier: BSD-2-Clause
"""host/present/schema.json: what a line of --format json may have, from readings.def."""
import json
import pathlib
import re

TOP = pathlib.Path(__file__).resolve().parents[3]
TARGET = TOP / "host/present/schema.json"
TABLE = TOP / "host/present/readings.def"
SINK = TOP / "host/present/sink_json.c"
_ROW = re.compile(r'^(READING|FIELD|LIST|PART|END)\((\w+)(?:, (?:struct )?"?([\w]+)"?)?(.*)\)$', re.M)
_FORMS = {
    "NUMBER": {"type": "integer", "minimum": 0},
    "SIGNED": {"type": "integer"},
    "INTEGER": {"type": "integer"},
    "FLAG": {"type": "boolean"},
    "SECONDS": {"type": "number"},
    "STRING": {"type": "string"},
    "ADDRESS": {"type": "string", "pattern": "^0x[0-9a-f]+$"},
    "HEX": {"type": "string", "pattern": "^([0-9a-f]{2})*$"},
    "JSON": {},
    "NUMBERS": {"type": "array", "items": {"type": "integer", "minimum": 0}},
    "STRINGS": {"type": "array", "items": {"type": "string"}},
}


def number():
    """The number of the schema, as the tool prints it."""
    return int(re.search(r"^\tSCHEMA = (\d+)", SINK.read_text(encoding="utf-8"), re.M)[1])


def _merged(one, other):
    """A key that has one of two forms."""
    forms = one.get("anyOf", [one])
    return one if other in forms else {"anyOf": [*forms, other]}


def _kind(value):
    """The words that the kind of a reading may be; a function may give any."""
    words = re.findall(r'"([^"]*)"', value.rpartition(", ")[0])
    return {"enum": words} if words else _FORMS["STRING"]


def readings():
    """kind -> (table, {key: form}, keys that are always there)."""
    found, kind = {}, None
    text = re.sub(r"/\*.*?\*/", "", TABLE.read_text(encoding="utf-8"), flags=re.S)
    for macro, first, name, rest in _ROW.findall(text):
        if macro == "READING":
            kind = first.lower()
            found[kind] = (rest.rpartition(" ")[2], {}, [])
            continue
        if macro == "END":
            continue
        _, keys, always = found[kind]
        ref = {"$ref": f"#/$defs/{first.lower()}"}
        form = {"type": "array", "items": ref} if macro == "LIST" else ref if macro == "PART" else _FORMS[first]
        form = _kind(rest) if name == "kind" else form
        keys[name] = _merged(keys[name], form) if name in keys else form
        if rest.endswith(", true"):
            always.append(name)
    return found


def generate():
    defs, lines = {}, []
    for kind, (table, keys, always) in readings().items():
        if table == "PEOPLE":
            continue
        defs[kind] = {"type": "object", "properties": dict(keys), "required": always}
        if table != "NONE":
            defs[kind]["properties"]["schema"] = {"const": number()}
            lines.append({"$ref": f"#/$defs/{kind}"})
    return json.dumps({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": "SPDX-License-Identifier: BSD-2-Clause. Made from readings.def by scons manual.",
        "title": "A line of --format json",
        "description": f"Schema {number()}. The first line of an output has the key schema. Later versions only add keys and kinds.",
        "anyOf": lines,
        "$defs": defs,
    }, indent=1) + "\n"


def wrong(value, form, schema):
    """Why a value does not have the form: the keywords that generate uses. Null: it has it."""
    if "$ref" in form:
        return wrong(value, schema["$defs"][form["$ref"].rpartition("/")[2]], schema)
    if "anyOf" in form:
        reasons = [wrong(value, one, schema) for one in form["anyOf"]]
        return None if None in reasons else "; ".join(reasons)
    if "enum" in form:
        return None if value in form["enum"] else f"{value} is none of {form['enum']}"
    if "const" in form:
        return None if value == form["const"] else f"{value} is not {form['const']}"
    types = {"integer": int, "number": (int, float), "string": str, "boolean": bool, "array": list, "object": dict}
    if "type" in form and (not isinstance(value, types[form["type"]]) or isinstance(value, bool) != (form["type"] == "boolean")):
        return f"{value!r} is no {form['type']}"
    if "minimum" in form and value < form["minimum"]:
        return f"{value} is below {form['minimum']}"
    if "pattern" in form and not re.search(form["pattern"], value):
        return f"{value} does not match {form['pattern']}"
    if isinstance(value, list) and "items" in form:
        return next((why for item in value if (why := wrong(item, form["items"], schema))), None)
    if isinstance(value, dict) and "properties" in form:
        missing = [key for key in form["required"] if key not in value]
        unknown = [key for key in value if key not in form["properties"]]
        if missing or unknown:
            return f"missing {missing}, unknown {unknown}"
        return next((f"{key}: {why}" for key, item in value.items() if (why := wrong(item, form["properties"][key], schema))), None)
    return None
