"""The tables as Markdown, from records alone: the same records give the same text."""

import figures

GROUPS = {"polybench": "PolyBench", "appsdk": "APP SDK", "sglang": "SGLang", "hpc": "HPC"}
PAPERS_THIRTEEN = ["2MM", "3MM", "ADI", "ATAX", "BICG", "CORR", "COVAR", "GEMM", "GEMVER", "GESUMMV", "GRAMSCHM", "SYR2K", "SYRK"]


def times(value):
    """3.39, 14.6, 145: three digits."""
    if value is None:
        return ""
    return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f}"


def percent(value):
    return "" if value is None else f"{100 * value:.0f}%"


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def row(cells):
    return "| " + " | ".join(cell(one) for one in cells) + " |\n"


def head(cells):
    return row(cells) + "|" + "---|" * len(cells) + "\n"


def in_order(records):
    """The groups in the papers' order, programs by name."""
    order = list(GROUPS)
    return sorted(records, key=lambda one: (order.index(one["group"]) if one["group"] in order else len(order), one["title"].lower()))


def first_run(record):
    return record["runs"][0]


def standalone_cell(record):
    run = first_run(record)
    if not any(one["faster"] for one in record["runs"]):
        return "none"
    if not run["faster"]:
        return times(figures.standalone_of(record))
    interval = f" ({times(run['low'])} to {times(run['high'])})" if run.get("low") else ""
    return times(figures.standalone_of(record)) + (interval if len(record["runs"]) == 1 else "")


def integrated_cell(record):
    integrated = record.get("integrated")
    if not integrated:
        return ""
    if "fault" in integrated:
        return "FAULT"
    return f"{times(integrated['ratio'])}: {integrated['before_ms']:.1f} to {integrated['after_ms']:.1f} ms"


def program_row(record, with_direct):
    run = first_run(record)
    faster = [one for one in record["runs"] if one["faster"]]
    proofs = [one["first_proof_s"] for one in faster if one.get("first_proof_s")]
    cells = [record["title"], standalone_cell(record), times(figures.median(one["held_out"] for one in faster if one.get("held_out"))),
             integrated_cell(record)]
    if with_direct:
        direct = record.get("direct")
        cells.append("" if direct is None else times(direct["standalone"]) if direct["faster"] else "none")
    return cells + [percent(figures.spread(one["standalone"] if one["faster"] else 1.0 for one in record["runs"])),
                    percent(run.get("share_of_least")), f"{figures.median(proofs):.1f} s" if proofs else "",
                    f"{figures.median(one['seconds'] for one in record['runs']):.0f} s"]


def mean_rows(name, records, with_direct):
    """A program without a win counts as 1."""
    for word, mean in (("geometric", figures.geometric_mean), ("arithmetic", figures.arithmetic_mean)):
        held = [1.0 if not first_run(one)["faster"] else first_run(one).get("held_out") or 1.0 for one in records]
        cells = [f"**{name}, {word} mean of {len(records)}**", times(mean(figures.standalone_of(one) for one in records)), times(mean(held)),
                 times(mean(figures.integrated_of(one) for one in records))]
        if with_direct:
            cells.append(times(mean(one["direct"]["standalone"] if one["direct"]["faster"] else 1.0 for one in records if one.get("direct"))))
        yield cells + [""] * 4


def main_table(records):
    with_direct = any(one.get("direct") for one in records)
    out = head(["program", "standalone", "held-out", "integrated", *(["direct"] if with_direct else []), "seeds apart", "least time is", "first proof",
                "whole run"])
    ordered = in_order(records)
    for group in dict.fromkeys(one["group"] for one in ordered):
        of_group = [one for one in ordered if one["group"] == group]
        for one in of_group:
            out += row(program_row(one, with_direct))
        thirteen = [one for one in of_group if one["title"] in PAPERS_THIRTEEN] if group == "polybench" else []
        if len(thirteen) == len(PAPERS_THIRTEEN):
            out += "".join(row(cells) for cells in mean_rows("PolyBench, the paper's thirteen", thirteen, with_direct))
        out += "".join(row(cells) for cells in mean_rows(GROUPS.get(group, group), of_group, with_direct))
    if len({one["group"] for one in ordered}) > 1:
        out += "".join(row(cells) for cells in mean_rows("all", ordered, with_direct))
    return out


def losses(records):
    """What ended without a win, without a patch, or with an application that did not see the claim; each with the line that says why."""
    lines = []
    for one in in_order(records):
        run, integrated = first_run(one), one.get("integrated") or {}
        if run["why_not"]:
            lines.append((one["title"], "no win", run["why_not"]))
        elif run["no_patch"]:
            lines.append((one["title"], "no patch", run["no_patch"]))
        elif "fault" in integrated:
            lines.append((one["title"], "not integrated", integrated["fault"]))
        elif figures.agrees(one) is False:
            lines.append((one["title"], "another figure", f"integrated {times(integrated['ratio'])}x against {times(run['standalone'])}x standalone"))
    return head(["program", "what", "why"]) + "".join(row(line) for line in lines) if lines else ""


def counts(records):
    wins = [one for one in records if first_run(one)["faster"]]
    back = [one for one in wins if (one.get("integrated") or {}).get("ratio")]
    agreeing = [one for one in back if figures.agrees(one)]
    out = f"{len(records)} programs: {len(wins)} with a proven win, {len(back)} of them put back and passing their own check"
    return out + (f", {len(agreeing)} of those within 0.8 to 1.25 of the standalone figure" if back else "") + ".\n"


def shapes_table(records):
    """General and per shape, on the tuning shapes and on those nobody saw."""
    lines = []
    for one in in_order(records):
        run = one.get("by_shape") or {}
        shapes = run.get("shapes")
        if run and not shapes:
            lines.append([one["title"], "none", "", "", "", run.get("fault") or run.get("why_not", "")])
        for shape in (shapes or {}).get("shapes", []):
            lines.append([one["title"], shape["workload"], shape["role"], times(shape.get("general")), times(shape.get("per_shape")),
                          shape.get("configuration", "")])
        for role, means in ((shapes or {}).get("means") or {}).items():
            lines.append([f"**{one['title']}**", "**geometric mean**", role, times(means.get("general")), times(means.get("per_shape")), ""])
    return head(["program", "shape", "role", "general", "per shape", "configuration of the shape"]) + "".join(map(row, lines)) if lines else ""


def peers_table(records):
    lines = []
    for one in in_order(records):
        for peer in one.get("peers", []):
            if peer.get("fault"):
                lines.append([one["title"], peer["name"], "", "", "", peer["fault"]])
                continue
            ratio = peer["ms"] / peer["hone_ms"]
            lines.append([one["title"], peer["name"], f"{peer['ms']:.2f} ms", f"{peer['hone_ms']:.2f} ms", times(ratio),
                          "**the peer is ahead**" if ratio < 0.97 else "even" if ratio <= 1.03 else ""])
    return head(["program", "peer", "peer's time", "Hone's time", "peer by Hone", ""]) + "".join(map(row, lines)) if lines else ""


def page(records, about):
    """docs/results.md. `about`: machine, date, command, seeds."""
    out = "# Results\n\nWritten by `bench/suite --markdown`; do not edit.\n\n" + "".join(f"- {line}\n" for line in about)
    out += "\n" + counts(records) + "\n" + main_table(records)
    out += ("\nStandalone: the kernels in their MEP, winner against original on the tune workloads, interval at what its pairs allow (94 to 99%); median over seeds. Held-out: sizes no "
            "proposer saw. Integrated: the program rebuilt with the patch, its own timer, its own check. Least time: which part of the winner's "
            "time the device needs at least by bandwidth or arithmetic. A program without a win counts as 1 in every mean.\n")
    for title, text in (("What ended without a win, without a patch, or with another figure", losses(records)),
                        ("One configuration for all shapes, and one for each", shapes_table(records)), ("Peers", peers_table(records))):
        out += f"\n## {title}\n\n{text}" if text else ""
    return out


def between_markers(text, inner, start="<!-- suite -->", end="<!-- /suite -->"):
    """The text with what stands between the markers replaced."""
    before, opening, rest = text.partition(start)
    _, closing, after = rest.partition(end)
    if not opening or not closing:
        raise ValueError(f"there is no {start} ... {end}")
    return before + start + "\n" + inner + end + after


def summary(records, about):
    """For a README: the means and the programs' two figures."""
    out = counts(records) + "\n" + head(["program", "standalone", "integrated", "", "program", "standalone", "integrated"])
    cells = [[one["title"], standalone_cell(one).split(" ")[0] + ("x" if first_run(one)["faster"] else ""), integrated_cell(one).split(":")[0]]
             for one in in_order(records)]
    half = (len(cells) + 1) // 2
    for left in range(half):
        right = cells[left + half] if left + half < len(cells) else ["", "", ""]
        out += row([*cells[left], "", *right])
    means = [times(figures.geometric_mean(measure(one) for one in records)) for measure in (figures.standalone_of, figures.integrated_of)]
    return out + f"\nGeometric means over all: standalone {means[0]}x, integrated {means[1]}x. " + "; ".join(about) + ".\n"
