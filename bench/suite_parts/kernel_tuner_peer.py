"""Kernel Tuner on a MEP: kernel_tuner_peer.py X.mep --evaluations N --hone HONE

Tunes the work-group size of each original kernel, and, where the MEP holds the winner's template, that template's own parameters, with N evaluations
each. Prints one line of JSON: {"work-groups": {"speedup", "evaluations"}, "our template": {...}}; {"fault"} for what Kernel Tuner cannot do.
Speedups are over the original at its own work-group size, as Kernel Tuner times both.
"""
import argparse
import contextlib
import io
import json
import pathlib
import re
import subprocess
import tomllib

import mep_problem

RUNS = 7


class Cannot(Exception):
    """What Kernel Tuner cannot do with this kernel, in words."""


def tune(name, source, groups, arguments, space, evaluations, restrictions=None, blocks=None):
    """{configuration, time} of the best; Kernel Tuner's `problem_size` is the number of groups, a function of the configuration."""
    import kernel_tuner
    options = {"strategy": "genetic_algorithm", "strategy_options": {"max_fevals": evaluations}} if evaluations < size_of(space) else {}
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        results, _ = kernel_tuner.tune_kernel(name, source, groups, arguments, space, lang="OpenCL", grid_div_x=[], grid_div_y=[], grid_div_z=[],
                                              iterations=RUNS, restrictions=restrictions, block_size_names=list(blocks) if blocks else None, **options)
    timed = [one for one in results if isinstance(one.get("time"), (int, float))]
    if not timed:
        raise Cannot("none of its configurations ran")
    best = min(timed, key=lambda one: one["time"])
    return best["time"], len(results)


def size_of(space):
    out = 1
    for values in space.values():
        out *= len(values)
    return out


def group_sizes(dimensions):
    """Powers of two, the first dimension wider."""
    if dimensions == 1:
        return {"block_size_x": [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]}
    return {"block_size_x": [1, 2, 4, 8, 16, 32, 64, 128, 256], "block_size_y": [1, 2, 4, 8, 16, 32]}


def time_at(launch, problem, source):
    """Milliseconds of a launch as it is."""
    local = launch.local or [1] * len(launch.global_size)
    space = {f"block_size_{axis}": [size] for axis, size in zip("xyz", local)}
    groups = tuple(-(-whole // part) for whole, part in zip(launch.global_size, local))
    return tune(launch.kernel, source, lambda _: groups, problem.arguments(launch), space, 1)[0]


def tune_groups(problem, evaluations):
    """The sum over the kernels' first launches, before and after."""
    before = after = 0.0
    count = 0
    for launch in problem.first_launches():
        text = problem.source
        if re.search(r"\b(barrier|__local|get_local_id|get_group_id|reqd_work_group_size)\b", text):
            raise Cannot("the kernel's groups mean something, so that their size is no free choice")
        if not launch.local:
            launch.local = [1] * len(launch.global_size)
        as_it_is = time_at(launch, problem, text)
        before += as_it_is
        space = group_sizes(len(launch.global_size))
        wanted = launch.global_size

        def groups(config, wanted=wanted):
            return tuple(-(-whole // config.get(f"block_size_{axis}", 1)) for whole, axis in zip(wanted, "xyz"))

        best, tried = tune(launch.kernel, text, groups, problem.arguments(launch), space, evaluations,
                           restrictions=["block_size_x * block_size_y <= 1024"] if len(space) > 1 else None)
        after += min(best, as_it_is)  # the original's own size is a configuration too
        count += tried
    return {"speedup": before / after, "evaluations": count}


def tune_template(problem, folder, hone, evaluations):
    """Our template, made concrete by hone for each configuration that Kernel Tuner asks for."""
    with open(folder / "template.toml", "rb") as file:
        template = tomllib.load(file)
    space = {one["name"]: one["values"] for one in template.get("parameter", [])}
    if not space:
        raise Cannot("the template has no parameters")
    launches = problem.first_launches()
    if len(launches) != 1:
        raise Cannot("it tunes one kernel at a time, the template has several")
    launch, shapes = launches[0], template.get("launch", [])
    parameters = list(space)

    def source(config):
        words = ",".join(f"{name}={mep_problem.text_of(config[name])}" for name in parameters)
        done = subprocess.run([hone, "show", str(folder), "--mep", str(problem.folder), "--at", words, "--json"], capture_output=True, text=True, check=False)
        answer = json.loads(done.stdout)
        return "".join(problem.defines()) + answer["source"] if "source" in answer else "#error declined\n"

    def groups(config):
        whole, part = problem.geometry(launch, shapes, config)
        return tuple(-(-size // group) for size, group in zip(whole, part))

    # Kernel Tuner takes block sizes from parameters. Where ours are an expression, that becomes a parameter with one value that fits.
    shape = next((one for one in shapes if one["kernel"] == launch.kernel), {})
    blocks = []
    for axis, size in zip("xyz", shape.get("local") or launch.local):
        if isinstance(size, str) and size in space:
            blocks.append(size)
            continue
        if not isinstance(size, int) and not str(size).isdigit():
            raise Cannot(f"the group size {size} is no parameter")
        blocks.append("block_size_" + axis)
        space["block_size_" + axis] = [int(size)]

    def fits(config):
        return all(holds(one, {**launch.names, **config}) for one in template.get("constraints", {}).values())

    before = time_at(launch, problem, problem.source)
    best, tried = tune(launch.kernel, source, groups, problem.arguments(launch), space, evaluations, restrictions=fits, blocks=blocks)
    return {"speedup": before / best, "evaluations": tried}


def holds(constraint, names):
    try:
        return bool(mep_problem.evaluate(constraint, {**names, "device_max_work_group_size": 1024}))
    except NameError:
        return True  # a fact of the device that only hone knows; what breaks it does not run


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mep")
    parser.add_argument("--evaluations", type=int, default=20)
    parser.add_argument("--hone", default="hone")
    wish = parser.parse_args()
    answer = {}
    tasks = {"work-groups": lambda problem: tune_groups(problem, wish.evaluations)}
    template = pathlib.Path(wish.mep) / "template"
    if (template / "template.toml").exists():
        tasks["our template"] = lambda problem: tune_template(problem, template, wish.hone, wish.evaluations)
    for name, task in tasks.items():
        try:
            answer[name] = task(mep_problem.Problem(wish.mep))
        except (Cannot, mep_problem.Unsupported) as why:
            answer[name] = {"fault": str(why)}
        except Exception as why:  # a peer's failure is a result
            answer[name] = {"fault": f"{type(why).__name__}: {why}"[:200]}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
