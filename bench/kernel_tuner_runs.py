"""Kernel Tuner's simulated runs on every cache file of a folder, as FILE.jsonl in the form the scorers read.

kernel_tuner_runs.py DIR OUT [--repeats N] [--strategy NAME]
"""
import argparse, contextlib, gzip, io, json, math, os, random, tempfile

import numpy
import kernel_tuner
from kernel_tuner import util

COSTS = ("compile_time", "verification_time", "benchmark_time", "framework_time")


def budget(cache):
    """Evaluations random search needs to get 95% of the way from the median to the best."""
    times = sorted((v["time"] for v in cache.values() if isinstance(v["time"], float) and math.isfinite(v["time"])), reverse=True)
    middle = (times[(len(times) - 1) // 2] + times[len(times) // 2]) / 2
    target = times[-1] + (middle - times[-1]) * 0.05
    i = next(i for i, t in enumerate(times) if t <= target)
    return math.ceil(i / (len(times) + 1 - i))


def one_run(path, data, strategy, evaluations, seed):
    random.seed(seed)
    numpy.random.seed(seed)
    names = data["tune_params_keys"]
    valid = {tuple(v[n] for n in names) for v in data["cache"].values()}
    sizes = data["problem_size"]
    with contextlib.redirect_stdout(io.StringIO()):
        results, _ = kernel_tuner.tune_kernel(
            data["kernel_name"], "", tuple(sizes) if isinstance(sizes, list) else sizes, [], data["tune_params"],
            restrictions=util.FunctionConstraint(lambda *p: p in valid) if hasattr(util, "FunctionConstraint") else (lambda p: tuple(p[n] for n in names) in valid),
            cache=path, simulation_mode=True, strategy=strategy, strategy_options={"max_fevals": evaluations}, verbose=False, quiet=True)
    return [",".join(str(r[n]) for n in names) for r in results]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--strategy", default="adaptive_tabu_greywolf")
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    for name in sorted(os.listdir(arguments.folder)):
        if ".T4." in name or not (name.endswith(".json") or name.endswith(".json.gz")):
            continue
        path = os.path.join(arguments.folder, name)
        text = (gzip.open(path, "rt") if name.endswith(".gz") else open(path)).read()
        data = json.loads(text)
        if "cache" not in data:
            continue
        stem = name.removesuffix(".gz").removesuffix(".json")
        with tempfile.NamedTemporaryFile("w", suffix=".json") as plain:
            plain.write(text)
            plain.flush()
            # Half as many again: cheap configurations leave time for more than the budget counts.
            runs = [one_run(plain.name, data, arguments.strategy, int(1.5 * budget(data["cache"])), seed) for seed in range(arguments.repeats)]
        with open(os.path.join(arguments.out, stem + ".jsonl"), "w") as out:
            out.writelines(json.dumps(run) + "\n" for run in runs)


main()
