"""Matched arms: the same kernels, the same budget and seed, one difference each. What a run of an arm gave is kept by its words, so that a bench
that is killed goes on where it was."""
import hashlib
import json
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench/suite_parts"), str(ROOT / "suites")]
import figures  # noqa: E402
import measure  # noqa: E402
import programs  # noqa: E402


AGAIN = 2


def was_busy(data):
    """Others took so much of the machine that nothing could be said of the winner: no figure, neither a good nor a bad one."""
    return not data.get("faster") and any(": BUSY, ratio " in reason for reason in data.get("reasons", []))


class ToBeContinued(Exception):
    """As many runs as were asked for are done; the same command goes on."""


class Arms:
    """`runs`: measured ones at most in this process; None: all. `answer_limit`: seconds that one answer of a model may take."""

    def __init__(self, hone, state, budget, seed, runs=None, answer_limit=0):
        self.hone, self.state, self.budget, self.seed = pathlib.Path(hone), pathlib.Path(state).absolute(), budget, seed
        self.runs, self.answer_limit = runs, answer_limit
        self.state.mkdir(parents=True, exist_ok=True)

    def mep_of(self, program):
        """Taken out once, so that every arm works on the same sizes."""
        mep = self.state / "meps" / (program.name + ".mep")
        if not (mep / "mep.toml").exists():
            _, application = measure.copy_of(program, self.state / "taken")
            tool = self.tool(self.state / "state")
            code, _, err = tool.run("extract", application, "--kernel", ",".join(program.kernels), "-o", mep, "--json", limit=300)
            if code != 0:
                raise SystemExit(f"{program.name}: {err.strip()}")
            shutil.rmtree(self.state / "taken")
        return mep

    def tool(self, state):
        return measure.Hone(self.hone, state, "", "")

    def mine(self, program, arm):
        """What belongs to one arm of one program alone: its log, its recording, its result."""
        return self.state / "runs" / program.name / arm.replace(" ", "-")

    def speedup(self, program, arm, words, repetition=0, answers=None, before=None):
        """Proven, against K(0); 1 where nothing was. `answers`: the arm whose recording is used; its own when absent.
        `before`: what is done to the arm's state first, with a Hone that works on it."""
        key = hashlib.sha256(json.dumps([program.name, self.budget, self.seed, words, repetition]).encode()).hexdigest()[:16]
        folder = self.mine(program, arm)
        kept = folder / (key + ".json")
        for attempt in range(1 + AGAIN):
            if not kept.exists():
                self.run(program, folder, kept, words, repetition, self.mine(program, answers or arm), before)
            data = json.loads(kept.read_text())
            if not was_busy(data):
                break
            if attempt < AGAIN:
                kept.unlink()
        else:
            print(f"  {program.name}, {arm}: the machine was too busy for a figure, {1 + AGAIN} times", file=sys.stderr)
        if "error" in data:
            print(f"  {program.name}, {arm}: {data['error']['code']} {data['error']['message']}", file=sys.stderr)
            return 1.0
        return data["comparison"]["ratio"] if data.get("faster") and data["comparison"].get("ratio") else 1.0

    def run(self, program, folder, kept, words, repetition, answers, before):
        if self.runs is not None:
            if self.runs == 0:
                raise ToBeContinued
            self.runs -= 1
        mep, taken = folder / "kernel.mep", self.mep_of(program)
        if not mep.exists():
            shutil.copytree(taken, mep)
        for log in (folder / "state").glob("hone/trials.db*"):
            log.unlink()
        measured = self.state / "state/hone/ceilings"
        if measured.exists() and not (folder / "state/hone/ceilings").exists():
            shutil.copytree(measured, folder / "state/hone/ceilings")
        model = words[words.index("--model") + 1] if "--model" in words else ""
        where = ["--recording", answers / ("recording-" + hashlib.sha256(model.encode()).hexdigest()[:8])] if model else []
        tool = self.tool(folder / "state")
        if before:
            before(tool)
        limit = measure.seconds_of(self.budget) + measure.OVER_BUDGET + self.answer_limit
        status, out, err = tool.run("optimize", mep, "--budget", self.budget, "--seed", self.seed + repetition, "--json", *where, *words, limit=limit)
        try:
            data = json.loads(out)
        except json.JSONDecodeError:
            # An end from outside is no result: the next process goes on with the answers that are kept.
            if status is None or status < 0 or status == 130:
                raise SystemExit(f"{program.name}: the run was ended; the same command goes on") from None
            data = {"error": {"code": "E-CRASH", "message": err.strip()[-300:]}}
        if data.get("interrupted"):
            raise SystemExit(f"{program.name}: interrupted; the same command goes on")
        folder.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(data))


def table(programs_of, arms, figure):
    """One row for each program, the geometric means last. `figure(program, arm)`."""
    lines = ["| program | " + " | ".join(arms) + " |", "|---" * (len(arms) + 1) + "|"]
    columns = {arm: [] for arm in arms}
    for program in programs_of:
        row = []
        for arm in arms:
            value = figure(program, arm)
            columns[arm].append(value)
            row.append(f"{value:.2f}x")
        lines.append(f"| {program.name} | " + " | ".join(row) + " |")
        print(lines[-1], file=sys.stderr, flush=True)
    means = {arm: figures.geometric_mean(values) for arm, values in columns.items()}
    lines.append("| geometric mean | " + " | ".join(f"{means[arm]:.2f}x" for arm in arms) + " |")
    return "\n".join(lines), means, columns
