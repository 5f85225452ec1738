#!/usr/bin/env python3
"""blind_solver.py [--without N]: a model that is no model. It reads a prompt on standard input, knows nothing but what stands there, and answers
with a schedule: what a reader with a few habits can make of the facts. --without takes a section out of the prompt first: 3 the kernel and its
arguments, 4 the device, 5 the loops, 6 what the rules may do, 7 what works so far. What is missing is guessed as a careless reader would."""
import re
import sys

# Where the sections of a prompt begin, and where each ends.
SECTIONS = {3: (r"^## The original$", r"^## The device$"), 4: (r"^## The device$", r"^## Its loops"),
            7: (r"^## What works so far$", r"^## ")}
LOOP_LINE, MOVE_LINE = r"^- `[^`]+`: loop|^- loop |^- `\w[\w@]*` runs|, its iterations are|, carries ", r"the rule `|does not apply: "


def without(prompt, section):
    if section in (5, 6):
        head, _, tail = prompt.partition("## Its loops and what the rules may do")
        part, mark, rest = tail.partition("\n## ")
        kept = [line for line in part.splitlines() if bool(re.search(MOVE_LINE, line)) == (section == 5) or not line.startswith("- ")]
        return head + "## Its loops and what the rules may do" + "\n".join(kept) + mark + rest
    if section not in SECTIONS:
        return prompt
    begin, end = SECTIONS[section]
    start = re.search(begin, prompt, re.M)
    if not start:
        return prompt
    stop = re.search(end, prompt[start.end():], re.M)
    return prompt[:start.start()] + (prompt[start.end() + stop.start():] if stop else "")


def offers(prompt):
    """(kernel, rule, arguments) in the order of the prompt, which is that of their worth."""
    return [(kernel, *words.split(" ")) for kernel, words in re.findall(r"^- `([^`]+)`: the rule `([^`]+)` applies", prompt, re.M)]


def guessed_offers(prompt):
    """Nobody says what is legal: what the text of the kernel looks like."""
    kernels = re.findall(r"(?:__kernel|kernel)\s+void\s+(\w+)", prompt.partition("## The original")[2].partition("## The device")[0])
    dimensions = sorted({int(d) for d in re.findall(r"get_global_id\((\d)\)", prompt.partition("## The original")[2])}) or [0]
    loops = re.findall(r"for\s*\([^;=]*?(\w+)\s*=", prompt.partition("## The original")[2].partition("## The device")[0])
    out = []
    for kernel in dict.fromkeys(kernels or [""]):
        out += [(kernel, "lanes", "0")] + [(kernel, "merge", str(d)) for d in dimensions] + [(kernel, "unroll", loop) for loop in loops[-1:]]
        out.append((kernel, "workgroup"))
    return out


def dimensions_of(prompt, kernel, moves):
    """Of the kernel's launch, as it is described; else as many as the moves name."""
    launch = re.search(rf"`{re.escape(kernel)}` with global \((.*?)\), local", prompt)
    if launch:
        sizes = launch.group(1)
        while re.search(r"\([^()]*\)", sizes):
            sizes = re.sub(r"\([^()]*\)", "", sizes)
        return min(3, sizes.count(",") + 1)
    return 1 + max([int(move[1]) for move in moves if move[0] in ("merge", "lanes") and len(move) > 1 and move[1].isdigit()] or [0])


def powers(low, high):
    return [1 << n for n in range(20) if low <= 1 << n <= high]


class Schedule:
    def __init__(self, prompt, name, why):
        self.name, self.why, self.steps, self.parameters, self.constraints = name, why, [], {}, []
        fact = re.search(r"`device\.float_lanes` = (\d+)", prompt)
        self.cpu = "a processor (CPU)" in prompt
        self.width = int(fact.group(1)) if fact else 4
        limit = re.search(r"`device\.max_work_group_size` = (\d+)", prompt)
        self.largest = int(limit.group(1)) if limit else 64

    def step(self, *words):
        self.steps.append(" ".join(words))

    def parameter(self, name, values, default):
        self.parameters.setdefault(name, (values, default if default in values else values[-1]))
        return name

    def reply(self):
        lines = [f'name = "{self.name}"', f'rationale = "{self.why}"', "schedule = [" + ", ".join(f'"{step}"' for step in self.steps) + "]"]
        for name, (values, default) in self.parameters.items():
            lines += ["", "[[parameter]]", f'name = "{name}"', f"values = {values}", f"default = {default}"]
        if self.constraints:
            lines += ["", "[constraints]"] + [f'c{n} = "{text}"' for n, text in enumerate(self.constraints)]
        return f"{self.why}.\n\n```toml\n" + "\n".join(lines) + "\n```\n"


def build(prompt, moves, name, why, wanted):
    """One template over all kernels; `wanted` are rules, in the order in which they must stand."""
    out = Schedule(prompt, name, why)
    kernels = list(dict.fromkeys(move[0] for move in moves))
    tile = []
    for kernel in kernels:
        own = [move[1:] for move in moves if move[0] == kernel]
        if len(kernels) > 1:
            out.step("kernel", kernel)
        if any(move[0] == "keep" for move in own) or re.search(rf"workgroup \({kernel}\): the launch must stay", prompt):
            out.step("keep")
        lanes = next((move[1] for move in own if move[0] == "lanes" and len(move) > 1), None)
        for rule in wanted:
            found = [move for move in own if move[0] == rule]
            if not found:
                continue
            if rule == "registers":
                out.step("registers")
            elif rule == "lanes":
                most = max(4, min(16, 2 * out.width))
                out.step("lanes", lanes, out.parameter("VX", powers(max(1, out.width // 4), most), most if out.width > 1 else 1))
                tile.append("VX")
            elif rule == "merge":
                others = [move for move in found if "lanes" not in wanted or move[1] != lanes]
                along = [move for move in found if "lanes" in wanted and move[1] == lanes]
                if others:
                    out.step("merge", others[0][1], out.parameter("TI", powers(1, 8), 4))
                    tile.append("TI")
                if along or len(others) > 1:
                    out.step("merge", (along or others[1:])[0][1], out.parameter("TJ", powers(1, 4), 1))
                    tile.append("TJ")
            elif rule == "unroll":
                out.step("unroll", found[0][1], out.parameter("UK", powers(1, 8), 1))
            elif rule == "workgroup" and "keep" not in out.steps[-6:]:
                dimensions = dimensions_of(prompt, kernel, own)
                names = ["WG_X", "WG_Y", "WG_Z"][:dimensions]
                for position, each in enumerate(names):
                    most = min(out.largest, (64 if out.cpu else 256, 16, 4)[position])
                    out.parameter(each, powers(1, most), 4 if position < 2 else 1)
                out.step("workgroup", *names)
                out.constraints.append(" * ".join(names) + " <= device.max_work_group_size")
    if len(set(tile)) > 1:
        out.constraints.append(" * ".join(dict.fromkeys(tile)) + " <= 512")
    out.constraints = list(dict.fromkeys(out.constraints))
    real = [step for step in out.steps if not step.startswith(("kernel", "keep"))]
    return out if real else None


PLANS = (("tile", "neighbours on vectors, several rows at once, sums in registers", ("registers", "lanes", "merge", "unroll", "workgroup")),
         ("lanes", "neighbours on vectors", ("registers", "lanes", "workgroup")),
         ("merge", "one work-item does several", ("registers", "merge", "unroll", "workgroup")),
         ("tile-plain", "a tile, the groups as they are", ("registers", "lanes", "merge")),
         ("groups", "another work-group", ("registers", "workgroup")))


def widened(prompt):
    """The fastest template so far, with the ranges that its search found too narrow."""
    works = prompt.partition("## What works so far")[2].partition("\n## ")[0]
    block = re.search(r"### 1\. .*?```toml\n(.*?)```", works, re.S)
    edges = re.findall(r"^- (\w+) is best at the (first|last) of its values, (\d+)", works.partition("### 2.")[0], re.M)
    if not block or "schedule" not in block.group(1):
        return None
    text, changed = block.group(1), False
    for name, end, value in edges:
        if name.startswith("WG") or name == "VX" and int(value) >= 16 or end == "first":
            continue
        old = re.search(rf'name = "{name}"\nvalues = \[([^\]]*)\]\ndefault = \d+', text)
        if old and int(value) < 64:
            values = [int(v) for v in old.group(1).split(",")] + [2 * int(value)]
            text = text.replace(old.group(0), f'name = "{name}"\nvalues = {values}\ndefault = {2 * int(value)}')
            changed = True
    text = re.sub(r"\n\[\[launch\]\].*", "\n", text, flags=re.S)
    if not changed:
        return None
    return "The ranges were too narrow.\n\n```toml\n" + re.sub(r'^name = ".*"$', 'name = "wider"', text, count=1, flags=re.M) + "\n```\n"


def answer(prompt):
    if "## Mend this template" in prompt:
        return "NOTHING MORE: a schedule that the rules refuse is left alone"
    if "Propose up to" in prompt and '"directions"' in prompt and "This is question" not in prompt:
        return "NOTHING MORE: this reader makes no plans"
    moves = offers(prompt) or guessed_offers(prompt)
    tried = set(re.findall(r"^- round \d+, `([^`]+)`", prompt, re.M))
    for name, why, wanted in PLANS:
        if name in tried:
            continue
        schedule = build(prompt, moves, name, why, wanted)
        if schedule:
            return schedule.reply()
    if "wider" not in tried:
        wider = widened(prompt)
        if wider:
            return wider
    return "NOTHING MORE: every habit was tried"


if __name__ == "__main__":
    missing = int(sys.argv[2]) if len(sys.argv) == 3 and sys.argv[1] == "--without" else 0
    sys.stdout.write(answer(without(sys.stdin.read(), missing)))
