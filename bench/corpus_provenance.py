"""What a MEP says it has seen in the host code, held against what the program really passes, as the layer recorded it.

A MEP binds each argument and each launch size to an expression and says where that is from. Its sizes may have been chosen so that a
pass takes long enough; what was seen is then the formula: `global = (n + 63) // 64 * 64`. So the sizes' names get the values of a
recorded launch first, from the arguments and launch sizes that are such a name alone, and every other expression labelled *seen* must
give what was recorded. A launch of the MEP stands for some recorded launch: it is held against the one that agrees best."""
import re
import struct
import tomllib

FORMATS = {"char": "b", "uchar": "B", "bool": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "long": "q", "ulong": "Q",
           "size_t": "Q", "half": "e", "float": "f", "double": "d"}
FUNCTIONS = {"min": min, "max": max, "ceil_div": lambda a, b: -(-a // b), "__builtins__": {}}
NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?!\s*\()")
WORDS = {"if", "else", "and", "or", "not", "in"}


class Unknown(Exception):
    """An expression with a name whose value nothing recorded tells."""


def evaluate(expression, values):
    try:
        return eval(str(expression), FUNCTIONS, values)  # the manifests' language is a subset of Python's
    except NameError as error:
        raise Unknown(error.name) from error
    except (SyntaxError, TypeError, ZeroDivisionError) as error:
        raise Unknown(str(error)) from error


def names_in(expression):
    return set(NAME.findall(str(expression))) - WORDS - set(FUNCTIONS)


def decoded(kind, bytes_):
    """A recorded scalar as a number, None where its size is another than the type's."""
    code = FORMATS.get(kind)
    return struct.unpack("<" + code, bytes_)[0] if code and struct.calcsize(code) == len(bytes_) else None


def same(expected, recorded, kind="int"):
    if kind in ("float", "half", "double"):
        return struct.pack("<" + FORMATS[kind], expected) == struct.pack("<" + FORMATS[kind], recorded) or expected == recorded
    return int(expected) == expected and int(expected) % 2**64 == recorded % 2**64


def launches_of(steps):
    for step in steps:
        if "loop" in step:
            yield from launches_of(step["launches"])
        else:
            yield step


class Claim:
    """One value of a launch: which, where it is said to be from, its expression, and how it is found in a record."""

    def __init__(self, what, label, expression, kind, find):
        self.what, self.label, self.expression, self.kind, self.find = what, label, str(expression), kind, find


def sizes_claims(launch):
    label = launch.get("from", "set")
    for which in ("global", "local", "offset"):
        for d, expression in enumerate(launch.get(which, [])):
            yield Claim(f"{which}[{d}]", label, expression, "size_t",
                        lambda event, which=which, d=d: event[which][d] if d < len(event[which]) else None)


def field_places(fields, packed):
    """(name, type, offset) of a struct's scalar fields, as C lays them out."""
    at = 0
    for field in fields:
        width = struct.calcsize(FORMATS[field["type"]]) if field["type"] in FORMATS else None
        if width is None:
            return
        at = at if packed else -(-at // width) * width
        if field.get("count", 1) == 1:
            yield field["name"], field["type"], at
        at += width * field.get("count", 1)


def bytes_of(event, index):
    arguments = event["arguments"]
    return bytes.fromhex(arguments[index]["bytes"]) if index < len(arguments) and "bytes" in arguments[index] else None


def local_bytes(event, index):
    """0 too where another kernel of that name has fewer arguments."""
    return event["arguments"][index].get("local", 0) if index < len(event["arguments"]) else 0


def argument_claims(manifest, launch, kernel):
    labels = launch.get("arguments_from", {})
    for index, argument in enumerate(kernel["arguments"]):
        name = argument["name"]
        bound, label = launch["arguments"].get(name), labels.get(name, "set")
        if bound is None:
            continue
        if "scalar" in argument:
            kind = argument["scalar"]
            yield Claim(name, label, bound, kind, lambda event, index=index, kind=kind: decoded(kind, bytes_of(event, index) or b""))
        elif "local" in argument and argument["local"] in FORMATS:
            width = struct.calcsize(FORMATS[argument["local"]])
            yield Claim(name, label, bound, "size_t", lambda event, index=index, width=width: local_bytes(event, index) / width)
        elif "struct" in argument and isinstance(bound, dict):
            spec = next((s for s in manifest.get("struct", []) if s["name"] == argument["struct"]), {"fields": []})
            for field, kind, at in field_places(spec["fields"], spec.get("packed", False)):
                if field in bound:
                    cut = lambda event, index=index, kind=kind, at=at: decoded(kind, (bytes_of(event, index) or b"")[at:at + struct.calcsize(FORMATS[kind])])
                    yield Claim(f"{name}.{field}", label, bound[field], kind, cut)


def is_seen(claim):
    return claim.label.startswith("seen")


def held_against(claims, event, given):
    """(wrong, how many agreed, how many could not be worked out) of what is labelled seen, for one recorded launch."""
    values = dict(given)
    for claim in claims:
        if re.fullmatch(r"[A-Za-z_]\w*", claim.expression) and claim.expression not in values:
            recorded = claim.find(event)
            if recorded is not None:
                values[claim.expression] = recorded
    wrong, agreed, open_ = [], 0, 0
    for claim in filter(is_seen, claims):
        recorded = claim.find(event)
        try:
            expected = evaluate(claim.expression, values)
            if recorded is not None and same(expected, recorded, claim.kind):
                agreed += 1
            else:
                wrong.append(f"{claim.what} = {claim.expression} gives {expected}, passed was {recorded} ({claim.label})")
        except Unknown:
            open_ += 1
    return wrong, agreed, open_


def defines_of(options):
    return dict(re.findall(r"-D\s*(\w+)(?:=(\S+))?", options))


def held_defines(manifest, events):
    wrong, seen, labelled = [], 0, 0
    built = [defines_of(event["options"]) for event in events]
    for name, label in manifest.get("options_from", {}).items():
        labelled += 1
        given = defines_of(" ".join(manifest.get("options", []))).get(name)
        if label.startswith("seen"):
            seen += 1
            if given and "{" in given:  # made of each workload's own sizes
                given = None
            if not any(name in options and given in (None, options[name]) for options in built):
                wrong.append(f"-D{name}={given}: built with {sorted({o.get(name, 'nothing') for o in built})} ({label})")
    return wrong, seen, labelled


def compare(mep, events):
    """Of the tune workload's launches: how many values there are, how many are labelled seen (and how many of those with all sizes in
    them seen too), which of them are wrong. `events` are the recorded launches of any kernel."""
    manifest = tomllib.loads((mep / "mep.toml").read_text())
    workload = next(w for w in manifest["workload"] if w["role"] == "tune")
    kernels = {k["name"]: k for k in manifest["kernel"]}
    labels = workload.get("scalars_from", {})
    given = {name: value for name, value in workload["scalars"].items() if labels.get(name, "set").startswith("seen")}
    out = {"values": 0, "seen": 0, "with_sizes": 0, "open": 0, "wrong": []}
    events = [event for event in events if event["kernel"] in kernels]
    if not events:
        return out
    for launch in launches_of(workload["launches"]):
        recorded = [event for event in events if event["kernel"] == launch["kernel"]]
        if not recorded:
            continue
        claims = [*sizes_claims(launch), *argument_claims(manifest, launch, kernels[launch["kernel"]])]
        out["values"] += len(claims)
        out["seen"] += sum(map(is_seen, claims))
        out["with_sizes"] += sum(is_seen(c) and not names_in(c.expression) - set(given) for c in claims)
        wrong, _, open_ = min((held_against(claims, event, given) for event in recorded), key=lambda found: (len(found[0]), -found[1]))
        out["open"] += open_
        out["wrong"] += wrong
    wrong, seen, labelled = held_defines(manifest, events)
    out["values"] += labelled
    out["seen"] += seen
    out["with_sizes"] += seen
    out["wrong"] += wrong
    return out
