#!/usr/bin/env python3
"""The reader of bench/blind, on a prompt as it is kept in tests/golden: what it answers, and what it no longer sees. blind_test.py SOURCE_DIR"""
import pathlib
import re
import sys
import tomllib
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "bench/model_parts"))
import blind_solver as solver  # noqa: E402

PROMPT = (SOURCE / "tests/golden/prompts/generate.md").read_text()


def with_moves(*moves):
    return PROMPT.replace("- `matmul`: the rule `lanes 0` applies", "\n".join(f"- `matmul`: the rule `{move}` applies" for move in moves))


def manifest(answer):
    return tomllib.loads(re.search(r"```toml\n(.*?)```", answer, re.S).group(1))


class Blind(unittest.TestCase):
    def test_what_the_prompt_offers_becomes_one_schedule(self):
        answer = manifest(solver.answer(with_moves("registers", "lanes 0", "merge 1", "unroll k", "workgroup")))
        self.assertEqual([step.split()[0] for step in answer["schedule"]], ["registers", "lanes", "merge", "unroll", "workgroup"])
        for parameter in answer["parameter"]:
            self.assertIn(parameter["default"], parameter["values"])

    def test_what_was_tried_is_not_given_again_and_in_the_end_there_is_nothing_more(self):
        prompt, given = with_moves("lanes 0", "merge 1"), []
        while not (answer := solver.answer(prompt)).startswith("NOTHING MORE"):
            given.append(manifest(answer)["name"])
            prompt = prompt.replace("## Suggestions", f"- round 2, `{given[-1]}`: not faster\n\n## Suggestions", 1)
            self.assertLess(len(given), 9)
        self.assertEqual(len(set(given)), len(given))
        self.assertGreaterEqual(len(given), 2)

    def test_a_section_that_is_taken_out_is_gone_and_the_others_stay(self):
        marks = {3: "__kernel void matmul", 4: "`device.local_bytes` =", 5: "loop `k` from", 6: "the rule `lanes 0` applies",
                 7: "## What works so far"}
        for section, mark in marks.items():
            self.assertIn(mark, PROMPT)
            seen = solver.without(PROMPT, section)
            self.assertNotIn(mark, seen, section)
            for other, kept in marks.items():
                self.assertEqual(kept in seen, other != section, (section, other))

    def test_without_any_section_it_still_answers(self):
        for section in (3, 4, 5, 6, 7):
            self.assertTrue(manifest(solver.answer(solver.without(PROMPT, section)))["schedule"])


if __name__ == "__main__":
    unittest.main()
