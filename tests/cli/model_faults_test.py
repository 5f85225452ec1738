#!/usr/bin/env python3
"""Six rounds of three candidates, each with a fault of another kind, each mended: over real HTTP, in every protocol, streamed and whole.
model_faults_test.py HONE SOURCE_DIR"""
import os
import re
import shutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from command_line import GEMM, TILES, CommandLine, long, text_of  # noqa: E402
from model_server import ModelServer  # noqa: E402

KERNEL, FAST, MANIFEST = text_of(GEMM, "kernel.cl"), text_of(TILES, "kernel.cl"), text_of(TILES, "template.toml")


def answer(source, manifest):
    return f"An idea.\n\n```opencl\n{source}```\n\n```toml\n{manifest}```\n"


def plain(number, source=KERNEL, extra=""):
    """One point, so that nothing of it is searched; no two alike."""
    return answer(f"// candidate {number}\n{source}", f'name = "plain-{number}"\nsource = "kernel.cl"\n{extra}')


def changed(*pairs):
    source = KERNEL
    for old, new in pairs:
        assert old in source, old
        source = source.replace(old, new)
    return source


SUM, LOOP = "sum += a[i * k + x] * b[x * n + j];", "for (int x = 0; x < k; x++)"
LAUNCH = '[[launch]]\nkernel = "gemm"\nglobal = ["launch.global[0]", "launch.global[1]"]\nlocal = [{local}]\n'
RACING = FAST.replace("for (int r = 0; r < ROWS; r++) vstore8", "if (c[((i + ROWS) % m) * n + j] == 12345.75f) sum[0] += 1.0f;\n    for (int r = 0; r < ROWS; r++) vstore8")
RACE = 16  # its place
# (what it is, the first answer, words that the model is told when it is asked to mend it; none: it is not asked)
FAULTS = [
    ("build error", plain(1, KERNEL + "this is no C\n"), "Mend this template", "BuildFailed", "this is no C"),
    ("wrong at an edge", plain(2, changed(("x < k", "x + 1 < k"))), "Mend this template", "WrongOutput", "C"),
    ("wrong by a factor", plain(3, changed(("= sum;", "= 2.0f * sum;"))), "Mend this template", "WrongOutput", "twice"),
    ("beyond a buffer", plain(4, changed(("c[i * n + j] = sum;", "c[i * n + j] = sum; c[m * n + i * n + j] = sum;"))), "Mend this template",
     "Unsafe", "C"),
    ("a wild read", plain(5, changed((SUM, SUM + " sum += a[(long)k << 36];"))), "Mend this template", "", ""),
    ("without end", plain(6, changed((LOOP, "volatile int spin = 1; while (spin) { }\n    " + LOOP))), "Mend this template", "TimedOut", ""),
    ("a group too large", plain(7, extra=LAUNCH.format(local="4096, 4096")), "Mend this template", "", ""),
    ("more local memory than there is", plain(8, extra='[resources]\nlocal_bytes = "device.local_bytes + 1"\n'), "Mend this template",
     "Infeasible", "local_bytes"),
    ("not exact", plain(9, changed(("c[i * n + j] = sum;", "c[i * n + j] = sum * 1.001f;"))), "Mend this template", "WrongOutput", ""),
    ("an include", plain(10, '#include "/etc/passwd"\n' + KERNEL), "Mend this template", "", "include"),
    ("no form", "I would use tiles.", "could not be used", "", "no fenced block"),
    ("a name that nobody declares", plain(12, extra=LAUNCH.format(local='"TX", 1')), "could not be used", "", "TX"),
    ("another kernel", plain(13, extra=LAUNCH.format(local="16, 4").replace("gemm", "gemv")), "could not be used", "", "gemv"),
    ("given before", plain(1), "could not be used", "", "plain-1"),
    ("cut at its length", {"cut": plain(15)[:200], "rest": plain(15)[200:]}, "Go on exactly where it stopped", "", ""),
    ("words of CUDA", plain(16, KERNEL.replace("__kernel", "__global__").replace("__global ", "")), "", "", ""),
    ("a race", answer(RACING, MANIFEST.replace('"tiles"', '"racing"')), "Mend this template", "Unsafe", "race"),
    ("a list in quotes", plain(18, extra='[[parameter]]\nname = "WX"\nvalues = "8, 16"\n' + LAUNCH.format(local='"WX", 4')), "", "", ""),
]
PLAN = '```json\n{"directions": [{"action": "A"}, {"action": "B"}, {"action": "C"}]}\n```\n'


def texts_in(value):
    if isinstance(value, str):
        return value
    return "\n".join(texts_in(each) for each in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()))


class Scripted:
    """What a model answers that has each fault once, in its order, and mends it when it is asked to."""

    def __init__(self):
        self.given, self.asked = -1, []

    def mended(self, said):
        """What fails in the judge may be asked for after others were given: the prompt names it."""
        named = re.search(r'## Mend this template.*?^name = "([a-z]+)(?:-(\d+))?', said, re.S | re.M)
        if named and named.group(1) == "racing":
            return RACE, answer(FAST, MANIFEST)
        number = int(named.group(2)) - 1 if named else self.given
        return number, plain(number + 1)

    def __call__(self, body):
        said = texts_in(body)
        if "Go on exactly where it stopped" in said:
            self.asked.append((self.given, "Go on exactly where it stopped", said))
            return FAULTS[self.given][1]["rest"]
        for mark in ("could not be used", "Mend this template"):
            if f"## {mark}" in said or mark in said and "## Your last answer" in said:
                number, reply = self.mended(said)
                self.asked.append((number, mark, said))
                return reply
        if "Propose up to" in said:
            return PLAN
        self.given += 1
        return FAULTS[self.given][1] if self.given < len(FAULTS) else "NOTHING MORE: that was all"


class ModelFaults(CommandLine):
    def run_with(self, protocol, stream):
        script = Scripted()
        server = ModelServer([script])
        self.addCleanup(server.close)
        self.environment.update(HONE_BASE_URL=server.url, HONE_STREAM=stream)
        mep = shutil.copytree(GEMM, os.path.join(self.scratch, f"{protocol}{stream}.mep"))
        result = self.data("optimize", mep, "--no-rules", "--model", f"{protocol}:m", "--rounds", "6", "--candidates", "3", "--strategy",
                           "exhaustive", "--budget", "200")
        return script, result

    def expect_each_fault_mended(self, protocol, stream):
        script, result = self.run_with(protocol, stream)
        self.assertEqual(script.given, len(FAULTS) - 1)
        for number, (what, _, mark, verdict, words) in enumerate(FAULTS):
            asked = [said for given, how, said in script.asked if given == number and how == mark]
            self.assertEqual(bool(asked), bool(mark), (what, [how for given, how, _ in script.asked if given == number]))
            for expected in (verdict, words):
                self.assertTrue(not mark or expected in asked[0], (what, expected))
        self.assertTrue(result["faster"])
        self.assertEqual(result["winner"]["template"], "racing+repaired")

    def test_each_kind_of_fault_is_mended_in_six_rounds_of_three_and_the_expected_template_wins(self):
        self.expect_each_fault_mended("anthropic", "1")

    @long
    def test_the_same_in_the_other_protocols_streamed_and_whole(self):
        for protocol, stream in (("anthropic", "0"), ("openai", "1"), ("openai", "0"), ("responses", "1"), ("responses", "0")):
            with self.subTest(protocol=protocol, stream=stream):
                self.expect_each_fault_mended(protocol, stream)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
