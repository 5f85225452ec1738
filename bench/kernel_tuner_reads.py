"""Checks that Kernel Tuner reads what `hone tune` wrote: a cache is replayed by its simulation mode, a T1 space is built by its Searchspace.
Kernel Tuner only writes T4; a T4 file is held against the schema that it writes by.

kernel_tuner_reads.py CACHE T1 [T4]
Exits 0 with a line for each file, 1 when a value differs, 77 when Kernel Tuner is not installed.
"""
import json
import pathlib
import sys

try:
    import jsonschema
    import kernel_tuner
    from kernel_tuner.file_utils import get_input_file, output_file_schema
    from kernel_tuner.searchspace import Searchspace
    from kernel_tuner.util import FunctionConstraint, read_cache
except ImportError:
    print("skipped: kernel_tuner is not installed (bench/search --kernel-tuner makes a virtual environment with it)")
    sys.exit(77)


def check_cache(path):
    data = json.load(open(path))
    by_tuner = read_cache(path, open_cache=False)["cache"]
    assert by_tuner.keys() == data["cache"].keys(), "keys differ"
    names = data["tune_params_keys"]
    valid = {tuple(v[n] for n in names) for v in data["cache"].values()}
    results, _ = kernel_tuner.tune_kernel(
        data["kernel_name"], "", data["problem_size"], [], data["tune_params"],
        restrictions=FunctionConstraint(lambda *p: p in valid), cache=path, simulation_mode=True,
        strategy="brute_force", verbose=False, quiet=True)
    timed = {k: v["time"] for k, v in data["cache"].items() if isinstance(v["time"], float)}
    seen = {",".join(str(r[n]) for n in names): r["time"] for r in results if isinstance(r["time"], float)}
    assert seen == timed, f"times differ: {seen} and {timed}"
    print(f"{path}: Kernel Tuner replayed {len(valid)} configurations, {len(timed)} of them timed")


def check_t1(path):
    space = get_input_file(pathlib.Path(path), validate=True)["ConfigurationSpace"]
    parameters = {p["Name"]: eval(p["Values"]) for p in space["TuningParameters"]}
    built = Searchspace(parameters, [c["Expression"] for c in space["Conditions"]], 1024)
    print(f"{path}: Kernel Tuner builds a space of {built.size} points")


def check_t4(path):
    data = json.load(open(path))
    version, schema = output_file_schema("results")
    jsonschema.validate(data, schema)
    print(f"{path}: {len(data['results'])} results keep to Kernel Tuner's T4 schema {version}")


check_cache(sys.argv[1])
check_t1(sys.argv[2])
if len(sys.argv) > 3:
    check_t4(sys.argv[3])
