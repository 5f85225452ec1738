#!/usr/bin/env python3
"""Servers of models that disappoint, and runs that are killed while they ask: what the run makes of it, and what it pays. server_faults_test.py HONE
SOURCE_DIR"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from command_line import GEMM, HONE, TILES, CommandLine, long, text_of  # noqa: E402
from model_server import ModelServer  # noqa: E402

KERNEL, FAST, MANIFEST = text_of(GEMM, "kernel.cl"), text_of(TILES, "kernel.cl"), text_of(TILES, "template.toml")
WHOLE = f"Tiles.\n\n```c\n{FAST}\n```\n\n```toml\n{MANIFEST}```\n"
NOTHING = "NOTHING MORE: enough"
# (what it is, what the server does before it gives the answer that is right)
FAULTS = [
    ("429 with a time to wait", [{"status": 429, "retry_after": 1}]),
    ("429 without one", [{"status": 429}]),
    ("500", [{"status": 500}]),
    ("a connection that says nothing", [{"hang": 30}]),
    ("a stream that is cut", [{"cut_stream": WHOLE}, WHOLE[len(WHOLE) // 2:]]),
    ("no JSON", [{"raw": b"<html>busy</html>"}]),
    ("an empty answer", [{"raw": b""}]),
    ("an answer without text", [""]),
    ("17 MB", [{"raw": b"x" * (17 << 20)}]),
    ("another form", [{"raw": b'{"result": "tiles"}'}]),
    ("a slow drip", [{"drip": WHOLE}]),
]
ENDS_THE_ANSWER = ("a stream that is cut", "a slow drip")


def candidate(number):
    return f'Another.\n\n```opencl\n// {number}\n{KERNEL}```\n\n```toml\nname = "plain-{number}"\nsource = "kernel.cl"\n```\n'


class ServerFaults(CommandLine):
    def setUp(self):
        super().setUp()
        self.mep = shutil.copytree(GEMM, os.path.join(self.scratch, "gemm.mep"))
        self.environment.update(HONE_FIRST_BYTE="2", HONE_STALL="2")

    def words(self, model, *more):
        return ("optimize", self.mep, "--no-rules", "--no-plan", "--model", model, "--candidates", "1", "--strategy", "exhaustive", "--budget", "12",
                *more)

    def server(self, script):
        server = ModelServer(list(script))
        self.addCleanup(server.close)
        self.environment["HONE_BASE_URL"] = server.url
        return server

    @long
    def test_each_fault_of_a_server_costs_time_and_not_the_run(self):
        for number, (what, steps) in enumerate(FAULTS):
            with self.subTest(what):
                right = [] if what in ENDS_THE_ANSWER else [WHOLE]
                server = self.server([*steps, *right, NOTHING])
                answer = self.data(*self.words(f"openai:m{number}", "--max-calls", "9"))
                self.assertEqual(answer["winner"]["template"], "tiles", answer["reasons"])
                self.assertLessEqual(len(server.requests), len(steps) + len(right) + 1)

    @long
    def test_a_name_that_nobody_knows_leaves_the_rules_their_run(self):
        self.environment["HONE_BASE_URL"] = "http://nowhere.invalid/v1"
        words = [word for word in self.words("openai:m", "--rounds", "1") if word != "--no-rules"]
        answer = self.data(*words)
        self.assertTrue(answer["faster"])
        self.assertTrue([reason for reason in answer["reasons"] if "nowhere.invalid" in reason], answer["reasons"])

    def test_parts_of_an_answer_and_what_broke_off_are_paid_for_in_the_next_process_too(self):
        """The original in other words, so that nothing is to be proven."""
        whole = candidate("again")
        server = self.server([{"cut": whole[:200]}, whole[200:], NOTHING])
        for limit, asked in (("2", 2), ("2", 2), ("3", 3)):  # the limit is that of the run, not of its processes
            self.data(*self.words("openai:m", "--max-calls", limit), code=1)
            self.assertEqual(len(server.requests), asked)

    @long
    def test_a_run_killed_anywhere_asks_no_question_twice_that_was_answered(self):
        kept = os.path.join(self.scratch, "kept")
        asked, twice = [], []

        def step(body):
            question, turn = re.search(r"This is question (\d+) of \d+ in round (\d+)", json.dumps(body)).groups()
            asked.append((turn, question))
            if os.path.exists(os.path.join(kept, f"exchanges/r{turn}-s{question}-a0-generate.json")):
                twice.append(asked[-1])
            return WHOLE if turn == "1" else candidate(f"{turn}-{question}")

        self.server([step])
        words = self.words("anthropic:m", "--rounds", "4", "--recording", kept)
        kills = 0
        for delay in (0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9):
            run = subprocess.Popen([HONE, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment, cwd=self.scratch)
            time.sleep(delay)
            if run.poll() is None:
                run.send_signal(signal.SIGKILL)
                kills += 1
            run.wait()
        self.assertTrue(self.data(*words)["faster"])
        self.assertGreater(kills, 3)
        self.assertEqual(twice, [])
        self.assertEqual({turn for turn, _ in asked}, {"1", "2", "3", "4"})


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
