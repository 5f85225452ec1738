#!/usr/bin/env python3
"""Models from the command line: forms, recordings, replays, interruption, servers and their faults. models_test.py HONE SOURCE_DIR"""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from command_line import GEMM, HONE, SOURCE, TILES, CommandLine, long, text_of  # noqa: E402
from model_server import ModelServer  # noqa: E402

PROMPTS = os.path.join(SOURCE, "assets/prompts")


def reply(kernel=None, manifest=None):
    kernel = kernel or text_of(TILES, "kernel.cl")
    manifest = manifest or text_of(TILES, "template.toml")
    return f"Tiles.\n\n```c\n{kernel}\n```\n\n```toml\n{manifest}```\n"


def broken():
    return reply(text_of(TILES, "kernel.cl") + "\nthis is no C\n")


class Models(CommandLine):
    def setUp(self):
        super().setUp()
        self.mep = shutil.copytree(GEMM, os.path.join(self.scratch, "gemm.mep"))

    def scripted(self, *replies):
        script = os.path.join(self.scratch, "script")
        os.makedirs(script, exist_ok=True)
        for number, text in enumerate(replies):
            with open(os.path.join(script, f"{number}.txt"), "w") as f:
                f.write(text)
        return f"command:python3 {SOURCE}/tests/cli/scripted_model.py {script}"

    def asked(self):
        return len(glob.glob(os.path.join(self.scratch, "script", "prompt*.md")))

    def server(self, *script):
        server = ModelServer(list(script))
        self.addCleanup(server.close)
        self.environment["HONE_BASE_URL"] = server.url
        return server

    def optimize(self, model, *words, **more):
        return self.data("optimize", self.mep, "--no-rules", "--no-plan", "--model", model, "--candidates", "1", "--strategy",
                         "exhaustive", "--budget", "12", *words, **more)

    def test_the_examples_of_the_reply_forms_are_judged_and_pass(self):
        mep = os.path.join(SOURCE, "tests/cli/scale.mep")
        for form in ("source", "schedule"):
            folder = os.path.join(self.scratch, form)
            os.mkdir(folder)
            example = text_of(PROMPTS, f"example-{form}.md").replace("{{extension}}", ".cl")
            with open(os.path.join(folder, "template.toml"), "w") as f:
                f.write(re.search(r"```toml\n(.*?)```", example, re.S).group(1))
            if form == "source":
                shutil.copy(os.path.join(PROMPTS, "example-kernel.cl"), os.path.join(folder, "kernel.cl"))
            self.hone("check", mep, "--template", folder)

    def test_a_run_is_replayed_without_model_and_device_and_gives_the_same_winner(self):
        model = self.scripted(broken(), reply(), "NOTHING MORE: enough")
        first = self.optimize(model)
        self.assertTrue(first["faster"])
        self.assertIn("BuildFailed", {attempt["fate"] for attempt in first["attempts"]})
        asked = self.asked()
        self.assertGreaterEqual(asked, 3)
        recording = shutil.copytree(first["recording"], os.path.join(self.scratch, "kept"))
        shutil.rmtree(os.path.join(self.scratch, "state"))
        self.environment["OCL_ICD_VENDORS"] = "/nonexistent"
        again = self.optimize(model, "--recording", recording, "--replay")
        self.assertEqual(again["winner"], first["winner"])
        self.assertEqual(again["attempts"], first["attempts"])
        self.assertEqual(again["comparison"], first["comparison"])
        del self.environment["OCL_ICD_VENDORS"]
        measured = self.optimize(model, "--recording", recording, "--replay=measure")
        self.assertEqual(measured["winner"]["template"], first["winner"]["template"])
        self.assertEqual(self.asked(), asked, "nobody was asked again")

    def test_a_run_that_is_started_again_asks_nothing_twice(self):
        model = self.scripted(reply(), "NOTHING MORE: enough")
        self.optimize(model)
        asked = self.asked()
        again = self.optimize(model)
        self.assertEqual(self.asked(), asked)
        self.assertTrue(again["faster"])

    def test_an_interrupt_while_a_model_is_waited_for_is_heard_and_what_is_proven_is_told(self):
        box = os.path.join(self.scratch, "box")
        command = [HONE, "optimize", self.mep, "--no-rules", "--no-plan", "--model", "mailbox:" + box, "--candidates", "1", "--strategy",
                   "exhaustive", "--budget", "12", "--json"]
        os.mkdir(box)
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment, cwd=self.scratch)
        answered = False
        for line in run.stderr:
            wanted = re.search(r"save the answer as (\S+)", line)
            if wanted and not answered:
                with open(wanted.group(1), "w") as f:
                    f.write(reply())
                answered = True
            elif wanted:
                run.send_signal(signal.SIGINT)
                break
        out, _ = run.communicate(timeout=120)
        answer = json.loads(out)
        self.assertEqual(run.returncode, 0, out)
        self.assertTrue(answer["faster"])
        self.assertTrue(answer["interrupted"])

    def test_each_protocol_works_streamed_and_whole_and_its_tokens_are_counted(self):
        for protocol in ("openai", "responses", "anthropic"):
            for stream in ("1", "0"):
                server = self.server("NOTHING MORE: enough")
                self.environment["HONE_STREAM"] = stream
                answer = self.optimize(f"{protocol}:m{stream}", code=1)
                self.assertEqual(len(server.requests), 1, (protocol, stream))
                self.assertEqual(server.requests[0][1]["stream"], stream == "1")
                self.assertTrue([n for n in answer["notes"] if "1 answers: 1000 tokens in (600 of them cached), 200 out" in n],
                                (protocol, stream, answer["notes"]))

    @long
    def test_faults_of_a_server_cost_time_and_not_the_run(self):
        whole = reply()
        rest = whole[len(whole) // 2:]
        self.server({"status": 429, "retry_after": 1}, {"status": 500}, {"cut_stream": whole}, {"raw": b"<html>"},
                    {"cut": rest[:300]}, rest[300:], "NOTHING MORE: enough")
        answer = self.optimize("openai:m")
        self.assertTrue(answer["faster"])
        self.assertEqual(answer["winner"]["template"], "tiles")

    def test_a_server_that_wants_a_long_pause_is_not_waited_for_and_the_run_can_be_resumed(self):
        self.server({"status": 429, "retry_after": 100000})
        answer = self.optimize("openai:m", code=1)
        self.assertTrue([r for r in answer["reasons"] if "429" in r], answer["reasons"])
        server = self.server(reply(), "NOTHING MORE: enough")
        self.assertTrue(self.optimize("openai:m")["faster"])
        self.assertEqual(len(server.requests), 2)

    def test_limits_are_kept_and_a_larger_one_goes_on(self):
        model = self.scripted(reply(), "NOTHING MORE: enough")
        answer = self.optimize(model, "--max-calls", "1")
        self.assertEqual(self.asked(), 1)
        self.assertTrue([r for r in answer["reasons"] if "limit of 1 questions" in r], answer["reasons"])
        self.optimize(model, "--max-calls", "2")
        self.assertEqual(self.asked(), 2)
        self.assertEqual(self.data("optimize", self.mep, "--model", "openai:unheard-of", "--max-cost", "1", code=2)["error"]["code"],
                         "E-PRICES")

    def test_a_brief_tells_kernel_device_and_forms_and_no_size_that_is_only_checked(self):
        answer = self.data("brief", self.mep)
        for part in ("__kernel void gemm", "measured here", "Form A", "`k`: int = k", "m = 192", "the rule `lanes 0` applies"):
            self.assertIn(part, answer["text"])
        for hidden in ("160", "101", "67"):
            self.assertNotRegex(answer["text"], rf"[mnk] = {hidden}")

    def test_a_model_alone_gets_one_question(self):
        self.optimize(self.scripted(reply()), "--direct", "--rounds", "3")
        self.assertEqual(self.asked(), 1)

    @long
    def test_garbage_leaves_the_rules_their_result(self):
        answer = self.data("optimize", self.mep, "--model", "command:head -c 3000 /dev/urandom", "--budget", "30", "--rounds", "2")
        self.assertTrue(answer["faster"])
        self.assertEqual(answer["winner"]["proposer"], "rules")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
