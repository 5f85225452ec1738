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


TYPES = "typedef struct { float x, v; } particle_t;"


def completed(declarations, fill=""):
    """A proposal for `drift`, whose types come out of a header that the build makes."""
    return (f'Particles.\n\n```toml\nrationale = "one work-item for each particle"\n[set]\nn = 1000000\ndt = 0.5\n[bytes]\nout = "4 * n"\n'
            f'[fill]\n{fill}\n[[launch]]\nkernel = "drift"\nglobal = ["round_up(n, 64)"]\nlocal = ["64"]\n```\n\n```c\n{declarations}\n```\n')


DRIFT = """#include "generated_types.h"
__kernel void drift(__global const particle_t *in, __global float *out, int n, float dt)
{
    int i = get_global_id(0);
    if (i < n)
        out[i] = in[i].x + dt * in[i].v;
}
"""


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

    def application_without_its_types(self):
        app = os.path.join(self.scratch, "app")
        os.mkdir(app)
        with open(os.path.join(app, "drift.cl"), "w") as f:
            f.write(DRIFT)
        return app

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

    def test_patterns_go_to_another_machine_and_are_told_to_the_model_there(self):
        self.optimize(self.scripted(reply(), "NOTHING MORE: enough"))
        first = self.data("patterns")["patterns"]
        self.assertGreaterEqual(len(first), 1)
        kept = os.path.join(self.scratch, "patterns.jsonl")
        self.assertEqual(self.data("patterns", "export", kept)["patterns"], len(first))
        self.environment["XDG_STATE_HOME"] = os.path.join(self.scratch, "elsewhere")
        self.assertEqual(self.data("patterns")["patterns"], [])
        self.assertEqual(self.data("patterns", "import", kept)["added"], len(first))
        self.assertEqual(self.data("patterns", "import", kept)["added"], 0, "what is there is not there twice")
        self.assertEqual(self.data("patterns")["patterns"], first)
        self.assertEqual(self.data("patterns", "show", "1")["source"], first[0]["source"])
        self.assertEqual(self.data("patterns", "show", "99", code=2)["error"]["code"], "E-PATTERN")
        with open(kept, "a") as f:
            f.write("{}\n")
        self.assertEqual(self.data("patterns", "import", kept, code=2)["error"]["message"][:len(kept)], kept)

    def test_a_model_alone_gets_one_question(self):
        self.optimize(self.scripted(reply()), "--direct", "--rounds", "3")
        self.assertEqual(self.asked(), 1)

    def test_what_the_code_does_not_say_is_asked_for_and_the_best_of_several_proposals_is_kept_and_labelled(self):
        app = self.application_without_its_types()
        mep = os.path.join(self.scratch, "drift.mep")
        nothing = self.data("extract", app, "--kernel", "drift", "-o", mep, code=2)
        self.assertEqual(nothing["error"]["code"], "E-BUILD")
        model = self.scripted(completed("typedef struct { int y; } particle_t;"), completed(TYPES, 'in = "zero"'),
                              completed(TYPES, 'in = "uniform(-1,1)"'), "NOTHING MORE: that is all")
        answer = self.data("extract", app, "--kernel", "drift", "-o", mep, "--model", model)
        self.assertEqual(self.asked(), 3, "one goes back, one works, and after the next there is no fault left to notice")
        prompts = [text_of(self.scratch, f"script/prompt{i}.md") for i in range(3)]
        self.assertIn("E-BUILD", prompts[0])
        self.assertIn("could not be used", prompts[1])
        self.assertRegex(prompts[2], r"works, \d+ of \d+ small faults")
        self.assertEqual(answer["fidelity"], "D")
        self.assertRegex(answer["reasons"][0], r"completed by a model \(command\).*E-BUILD")
        self.assertIn("uniform(-1,1)", text_of(mep, "mep.toml"), "zeros hide more faults")
        self.assertIn('dt = "guessed by a model (command)"', text_of(mep, "mep.toml"))
        self.hone("check", mep)
        again = self.data("extract", app, "--kernel", "drift", "-o", mep + "2", "--model", model)
        self.assertEqual((again["reasons"][0], self.asked()), (answer["reasons"][0], 3), "nobody is asked twice")

    def test_a_patch_of_a_kernel_that_a_model_completed_has_nothing_of_its_declarations(self):
        app = self.application_without_its_types()
        mep, template = os.path.join(self.scratch, "drift.mep"), os.path.join(self.scratch, "fused")
        self.data("extract", app, "--kernel", "drift", "-o", mep, "--model", self.scripted(completed(TYPES), "NOTHING MORE: enough"))
        os.mkdir(template)
        with open(os.path.join(template, "template.toml"), "w") as f:
            f.write('name = "fused"\nsource = "kernel.cl"\n')
        with open(os.path.join(template, "kernel.cl"), "w") as f:
            f.write(text_of(mep, "kernel.cl").replace("in[i].x + dt * in[i].v", "fma(dt, in[i].v, in[i].x)"))
        patch = self.data("apply", mep, "--to", app, "--template", template)["diff"]
        self.assertIn("+        out[i] = fma(dt, in[i].v, in[i].x);", patch)
        self.assertNotIn("typedef", patch)

    def test_what_was_asked_to_complete_a_kernel_counts_in_the_run_that_follows(self):
        app = self.application_without_its_types()
        model = self.scripted(completed(TYPES), "NOTHING MORE: enough")
        answer = self.data("optimize", app, "--kernel", "drift", "--model", model, "--no-plan", "--no-rules", "--budget", "5", "--max-calls", "1", code=1)
        self.assertEqual(self.asked(), 1)
        self.assertTrue([reason for reason in answer["reasons"] if "limit of 1 questions" in reason], answer["reasons"])

    def test_proposals_that_cannot_be_run_leave_the_error_that_they_were_asked_for(self):
        app = self.application_without_its_types()
        model = self.scripted(completed("typedef struct { int y; } particle_t;"))
        words = ("extract", app, "--kernel", "drift", "-o", os.path.join(self.scratch, "drift.mep"), "--model", model)
        self.assertEqual(self.data(*words, "--max-calls", "2", code=2)["error"]["code"], "E-BUILD")
        self.assertEqual(self.asked(), 2)
        self.data(*words, "--max-calls", "3", code=2)
        self.assertEqual(self.asked(), 3, "a larger limit goes on where the smaller one ended")

    @long
    def test_garbage_leaves_the_rules_their_result(self):
        answer = self.data("optimize", self.mep, "--model", "command:head -c 3000 /dev/urandom", "--budget", "30", "--rounds", "2")
        self.assertTrue(answer["faster"])
        self.assertEqual(answer["winner"]["proposer"], "rules")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
