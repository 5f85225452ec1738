"""The tune workload of a MEP as numpy arrays and concrete launches, for tools that know nothing of Hone."""

import dataclasses
import math
import pathlib
import re
import tomllib

TYPES = {"float": "float32", "double": "float64", "int": "int32", "uint": "uint32", "unsigned int": "uint32", "long": "int64", "ulong": "uint64",
         "short": "int16", "ushort": "uint16", "char": "int8", "uchar": "uint8", "size_t": "uint64"}
VECTOR = re.compile(r"^(.*?)(2|3|4|8|16)$")


class Unsupported(Exception):
    """What this reader does not do, in words."""


def evaluate(text, names):
    """An expression of a manifest: Python's own, but for backquotes, dots and a few functions."""
    if not isinstance(text, str):
        return text
    plain = re.sub(r"`([^`]*)`", r"\1", text)
    plain = re.sub(r"\b(launch|device)\.(\w+)", r"\1_\2", plain)
    functions = {"ceil_div": lambda a, b: -(-a // b), "round_up": lambda a, b: -(-a // b) * b, "min": min, "max": max, "abs": abs, "true": True, "false": False}
    return eval(plain, {"__builtins__": {}}, {**functions, **names})  # noqa: S307  a manifest that hone wrote


def text_of(value):
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


@dataclasses.dataclass
class Launch:
    kernel: str
    bindings: dict
    global_size: list
    local: list
    names: dict


class Problem:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        with open(self.folder / "mep.toml", "rb") as file:
            self.mep = tomllib.load(file)
        self.source = "".join(self.defines()) + (self.folder / "kernel.cl").read_text()
        self.kernels = {one["name"]: one["arguments"] for one in self.mep["kernel"]}
        self.workload = next(one for one in self.mep["workload"] if one["role"] == "tune")
        self.names = dict(self.workload.get("scalars", {}))
        self._buffers = {}

    def defines(self):
        for option in self.mep.get("options", []):
            found = re.match(r"-D(\w+)(?:=(.*))?$", option)
            if not found:
                raise Unsupported("the build option " + option)
            yield f"#define {found[1]} {found[2] or 1}\n"

    def first_launches(self):
        """One launch of each kernel, in the order of the workload; loops stand at their first turn."""
        found = {}

        def walk(steps, names):
            for step in steps:
                if "loop" in step:
                    variable, bounds = (part.strip() for part in step["loop"].split(" in ", 1))
                    walk(step["launches"], {**names, variable.strip("`"): evaluate(bounds.split("..")[0], names)})
                elif step["kernel"] not in found:
                    sizes = [[evaluate(one, names) for one in step.get(kind, [])] for kind in ("global", "local")]
                    found[step["kernel"]] = Launch(step["kernel"], step["arguments"], *sizes, names)

        walk(self.workload["launches"], self.names)
        return list(found.values())

    def geometry(self, launch, shapes, configuration):
        """(global, local) of a launch under a template's shapes."""
        shape = next((one for one in shapes if one["kernel"] == launch.kernel), None)
        local = launch.local or [1] * len(launch.global_size)
        if shape is None:
            return launch.global_size, local
        names = {**launch.names, **configuration, "launch_global": launch.global_size, "launch_local": local}
        part = [int(evaluate(one, names)) for one in shape["local"]] or [1] * len(shape["global"])
        return [int(evaluate(one, names)) for one in shape["global"]], part

    def arguments(self, launch):
        return [self.argument(one, launch) for one in self.kernels[launch.kernel]]

    def argument(self, spec, launch):
        import numpy
        bound = launch.bindings[spec["name"]]
        if "buffer" in spec:
            name = bound.strip("`")
            names = {one["name"]: one["name"] for one in self.mep.get("buffer", [])}
            return self.buffer(name if name in names else evaluate(bound, {**launch.names, **names}))
        if "scalar" in spec:
            scalar, lanes = element(spec["scalar"])
            if lanes > 1:
                raise Unsupported("an argument of type " + spec["scalar"])
            return numpy.dtype(scalar).type(evaluate(bound, launch.names))
        raise Unsupported("an argument in local memory, an image, a sampler or a struct")

    def buffer(self, name):
        import numpy
        if name not in self._buffers:
            spec = next(one for one in self.mep["buffer"] if one["name"] == name)
            scalar, lanes = element(spec["type"])
            count = int(evaluate(spec["extent"], self.names)) * lanes
            self._buffers[name] = filled(spec["fill"], count, numpy.dtype(scalar), self.names)
        return self._buffers[name]


def element(name):
    found = VECTOR.match(name)
    scalar, lanes = (found[1], int(found[2])) if found and found[1] in TYPES else (name, 1)
    if scalar not in TYPES:
        raise Unsupported("data of type " + name)
    return TYPES[scalar], 4 if lanes == 3 else lanes


def filled(fill, count, kind, names):
    import numpy
    random = numpy.random.default_rng(1)
    word, _, rest = fill.partition("(")
    inside = [evaluate(one, names) for one in rest.rstrip(")").split(",") if one.strip()]
    if word in ("zero", "const"):
        return numpy.full(count, inside[0] if inside else 0, kind)
    if word == "ramp":
        return (numpy.arange(count) * (inside[1] if len(inside) > 1 else 1) + (inside[0] if inside else 0)).astype(kind)
    if word == "index":
        return random.integers(0, max(int(inside[0]), 1), count).astype(kind)
    if word == "permutation":
        return numpy.resize(random.permutation(int(inside[0])), count).astype(kind)
    if word in ("spd", "dominant"):
        side = math.isqrt(count)
        square = random.uniform(-1, 1, (side, side)) + 2 * side * numpy.eye(side)
        return numpy.resize((square + square.T) if word == "spd" else square, count).astype(kind)
    low, high = inside[:2] if len(inside) > 1 else (0, 1)
    return (random.integers(int(low), int(high) + 1, count) if kind.kind in "iu" else random.uniform(low, high, count)).astype(kind)
