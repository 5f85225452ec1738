#!/usr/bin/env python3
"""The command line as scripts see it: exit codes, JSON, messages with a next command, resumption. cli_test.py HONE SOURCE_DIR"""
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
from command_line import GEMM as MEP  # noqa: E402
from command_line import HONE, SOURCE, TILES, CommandLine  # noqa: E402


class Cli(CommandLine):
    shares_measurements = False  # some count what is in the state folder

    def test_a_folder_that_is_no_mep_is_misuse_with_the_next_command(self):
        done = self.hone("check", self.scratch, code=2)
        self.assertIn("E-FORMAT", done.stderr)
        self.assertIn("next: hone extract", done.stderr)

    def test_an_unknown_option_is_misuse(self):
        self.hone("check", "--frobnicate", code=2)
        self.hone(code=2)

    def test_errors_are_json_too(self):
        self.assertEqual(self.data("show", "nowhere", code=2)["error"]["code"], "E-FILE")

    def test_a_wrong_budget_is_named(self):
        self.assertIn("E-BUDGET", self.hone("tune", MEP, "--template", TILES, "--budget", "soon", code=2).stderr)

    def test_devices_tells_facts_and_the_sandbox(self):
        answer = self.data("devices")
        self.assertGreater(answer["devices"][0]["facts"]["max_work_group_size"], 0)
        self.assertTrue(answer["sandbox"])

    def test_scan_finds_the_kernel_of_each_example_and_its_launch(self):
        for example, kernel in (("matmul", "matmul"), ("filter", "blur"), ("dotproduct", "dot_partial")):
            found = self.data("scan", os.path.join(SOURCE, "examples", example))["kernels"]
            self.assertEqual([k["name"] for k in found], [kernel])
            self.assertTrue(found[0]["launches"], example)

    def test_an_unknown_kernel_is_named_with_the_nearest(self):
        done = self.hone("extract", os.path.join(SOURCE, "examples/matmul"), "--kernel", "matmull", "-o", "x.mep", code=2)
        self.assertIn("E-KERNEL", done.stderr)
        self.assertIn("matmul", done.stderr)

    def test_show_prints_the_accesses_and_the_tree(self):
        self.assertIn("global_id[0]", self.hone("show", os.path.join(MEP, "kernel.cl")).stdout)
        self.assertIn("For", self.hone("show", MEP, "--ir").stdout)

    def test_a_wrong_candidate_is_rejected_with_the_defence(self):
        broken = os.path.join(self.scratch, "broken")
        shutil.copytree(TILES, broken)
        path = os.path.join(broken, "kernel.cl")
        text = open(path).read().replace("r < min(i + ROWS, m)", "r < min(i + ROWS, m - 1)")
        open(path, "w").write(text)
        answer = self.data("check", MEP, "--template", broken, code=1)
        self.assertEqual(answer["verdict"], "WrongOutput")
        self.assertIsNone(answer["comparison"])
        self.assertTrue(answer["defence"])

    def test_a_check_command_decides_over_the_outputs_and_stands_in_the_claim(self):
        seen = os.path.join(self.scratch, "seen")
        command = f'same() {{ ls "$1" >> {seen}; cat "$1/scalars" >> {seen}; cmp -s "$1/expected/C" "$1/got/C"; }}; same'
        report = self.data("check", MEP, "--check-command", command)
        self.assertEqual(report["verdict"], "Timed")
        self.assertTrue(any("check command" in line for line in report["checks"]), report["checks"])
        with open(seen) as lines:
            text = lines.read()
        self.assertIn("expected\ngot\nscalars", text)
        self.assertRegex(text, r"(?m)^\w+=\d+$")
        self.assertIn("E-CHECK", self.hone("check", MEP, "--check-command", "echo never; exit 3;", code=2).stderr)

    def test_a_candidate_that_does_not_build_is_rejected(self):
        broken = os.path.join(self.scratch, "broken")
        shutil.copytree(TILES, broken)
        with open(os.path.join(broken, "kernel.cl"), "a") as f:
            f.write("this is no C\n")
        self.assertEqual(self.data("check", MEP, "--template", broken, code=1)["verdict"], "BuildFailed")

    def test_tune_survives_kill_9_and_repeats_no_trial(self):
        words = [HONE, "tune", MEP, "--template", TILES, "--budget", "6", "--strategy", "exhaustive", "--json"]
        first = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)
        deadline = time.time() + 60
        while self.trials() < 3 and time.time() < deadline and first.poll() is None:
            time.sleep(0.05)
        first.send_signal(signal.SIGKILL)
        first.wait()
        before = self.trials()
        self.assertGreaterEqual(before, 3)
        subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment, timeout=300)
        log = self.data("check", "--log")
        self.assertEqual(log["problems"], [])
        self.assertEqual(log["runs"], 1)
        self.assertGreater(log["trials"], before)

    def test_mutants_are_counted_survivors_named_and_the_score_kept(self):
        mep = shutil.copytree(MEP, os.path.join(self.scratch, "gemm.mep"))
        answer = self.data("check", mep, "--mutants")
        self.assertGreaterEqual(answer["mutants"], 10)
        self.assertGreater(answer["killed"], answer["mutants"] // 2)
        self.assertEqual(len(answer["survivors"]), answer["mutants"] - answer["killed"])
        self.assertIn(f'mutants = "{answer["killed"]}/{answer["mutants"]}"', open(os.path.join(mep, "mep.toml")).read())
        self.assertIn("mutants killed", self.hone("check", mep, "--explain").stdout)

    def test_structs_images_rows_and_counters_run_alone_and_are_checked(self):
        source = """
typedef struct { int width, height; float gain; } view_t;
typedef struct { float weight; int begin, length; } row_t;
__kernel void rows(__global const row_t *rows, __global const float *values, __global float *sums, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float sum = 0;
  for (int k = rows[i].begin; k < rows[i].begin + rows[i].length; k++) sum += values[k];
  sums[i] = rows[i].weight * sum;
}
__kernel void shade(__read_only image2d_t in, __write_only image2d_t out, sampler_t s, view_t v) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= v.width || y >= v.height) return;
  write_imagef(out, (int2)(x, y), v.gain * read_imagef(in, s, (int2)(x + 1, y)));
}
__kernel void pick(__global const int *in, __global int *out, __global int *count, int n) {
  int i = get_global_id(0);
  if (i < n && (in[i] & 1)) out[atomic_inc(count)] = in[i];
}
"""
        with open(os.path.join(self.scratch, "all.cl"), "w") as file:
            file.write(source)
        for kernel in ("rows", "shade", "pick"):
            mep = os.path.join(self.scratch, kernel + ".mep")
            self.hone("extract", self.scratch, "--kernel", kernel, "-o", mep, "--s-max", "16")
            subprocess.run(["make", "-s"], cwd=mep, check=True, capture_output=True)
            done = subprocess.run(["./run", "--check"], cwd=mep, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, kernel + done.stdout + done.stderr)

    def test_a_t1_space_is_counted_and_code_in_it_is_not_run(self):
        def t1(values):
            parameters = [{"Name": "A", "Type": "int", "Values": "[1, 2, 4]"}, {"Name": "B", "Type": "int", "Values": values}]
            path = os.path.join(self.scratch, "space.json")
            with open(path, "w") as f:
                json.dump({"ConfigurationSpace": {"TuningParameters": parameters,
                                                  "Conditions": [{"Expression": "A * B <= 4", "Parameters": ["A", "B"]}]}}, f)
            return path

        self.assertIn("9 points, 6 of them", self.hone("tune", "--space", t1("list(range(1, 4))")).stdout)
        self.assertIn("E-FORMAT", self.hone("tune", "--space", t1("__import__('os').listdir()"), code=2).stderr)
        broken = os.path.join(self.scratch, "broken.json")
        with open(broken, "w") as f:
            f.write('{"ConfigurationSpace": {')
        said = self.hone("tune", "--space", broken, code=2).stderr
        self.assertIn("not JSON at 1:25", said)
        self.assertIn("python3 -m json.tool " + broken, said)

    def test_where_no_launch_is_found_only_the_kernels_text_changes(self):
        application = os.path.join(self.scratch, "matmul")
        shutil.copytree(os.path.join(SOURCE, "examples/matmul"), application)
        path = os.path.join(application, "main.c")
        text = open(path).read()
        launch = "status = clEnqueueNDRangeKernel(device->queue, kernel, 2, NULL, global, local, 0, NULL, &events[run]);"
        self.assertIn(launch, text)
        elsewhere = "status = launched_by_a_library(device->queue, kernel, global, local, &events[run]);"
        open(path, "w").write(text.replace(launch, elsewhere))
        answer = self.data("optimize", application, "--kernel", "matmul", "--template", os.path.join(SOURCE, "examples/templates/matmul"), "--no-rules",
                           "--budget", "8")
        self.assertIn("no launch of it was found", json.dumps(answer["notes"]))
        self.assertEqual(answer["patch"]["launches"], {"matmul": "kept"})
        self.assertEqual(re.findall(r"^\+\+\+ (.*)$", answer["patch"]["diff"], re.M), ["b/matmul.cl"])

    def test_a_launch_that_other_kernels_share_goes_through_an_adapter(self):
        application = os.path.join(self.scratch, "matmul")
        shutil.copytree(os.path.join(SOURCE, "examples/matmul"), application)
        path = os.path.join(application, "main.c")
        text = open(path).read()
        create = 'cl_kernel kernel = clCreateKernel(device->program, "matmul", &status);'
        self.assertIn(create, text)
        open(path, "w").write(text.replace(create, create + '\n    if (getenv("OTHER"))\n        kernel = clCreateKernel(device->program, "other", &status);'))
        answer = self.data("optimize", application, "--kernel", "matmul", "--template", os.path.join(SOURCE, "examples/templates/matmul"), "--no-rules",
                           "--budget", "8", "--validate", "make -s check")
        self.assertIn("hone_launch.h", answer["patch"]["diff"])
        self.assertNotIn("hone_global", answer["patch"]["diff"])

    def application(self, **files):
        folder = os.path.join(self.scratch, "application")
        os.makedirs(folder, exist_ok=True)
        for name, text in files.items():
            open(os.path.join(folder, name + ".cl"), "w").write(text)
        return folder

    def test_arguments_may_be_called_like_words_of_the_expression_language(self):
        folder = self.application(k="__kernel void k(__global const float *in, __global float *not, int or)\n"
                                    "{\n    int i = get_global_id(0);\n    if (i < or)\n        not[i] = 2.0f * in[i];\n}\n")
        self.hone("extract", folder, "--kernel", "k", "-o", "x.mep", "--set", "or=5000")
        self.hone("check", "x.mep")
        said = self.hone("show", "x.mep").stdout
        self.assertIn("or=5000 (set)", said)
        self.assertIn("in = `in` (guessed)", said)
        self.assertIn("mutants not measured", said)
        subprocess.run(["make", "-s"], cwd=os.path.join(self.scratch, "x.mep"), check=True, timeout=120)
        subprocess.run(["./run", "--check"], cwd=os.path.join(self.scratch, "x.mep"), check=True, timeout=120)

    def test_a_kernel_that_is_defined_twice_is_chosen_by_its_file(self):
        kernel = "__kernel void k(__global float *a, int n)\n{\n    int i = get_global_id(0);\n    if (i < n)\n        a[i] = a[i] %s 2.0f;\n}\n"
        folder = self.application(one=kernel % "*", two=kernel % "+")
        self.assertIn("--file one.cl", self.hone("extract", folder, "--kernel", "k", "-o", "x.mep", code=2).stderr)
        self.hone("extract", folder, "--kernel", "k", "--file", "two.cl", "-o", "x.mep")
        self.assertIn("a[i] + 2.0f", open(os.path.join(self.scratch, "x.mep", "kernel.cl")).read())

    def test_what_is_set_must_be_there(self):
        folder = self.application(k="__kernel void k(__global float *a, int n)\n{\n    int i = get_global_id(0);\n    if (i < n)\n        a[i] = 1.0f + a[i];\n}\n")
        self.assertIn("E-SET", self.hone("extract", folder, "--kernel", "k", "-o", "x.mep", "--set", "m=4", code=2).stderr)
        self.assertIn("E-SET", self.hone("extract", folder, "--kernel", "k", "-o", "x.mep", "--set", "n=four", code=2).stderr)

    def reply(self, kernel):
        manifest = open(os.path.join(TILES, "template.toml")).read()
        return f"Tiles.\n\n```c\n{kernel}\n```\n\n```toml\n{manifest}```\n"

    def test_scripted_replies_of_a_model_each_get_their_fate(self):
        good = open(os.path.join(TILES, "kernel.cl")).read()
        script = os.path.join(self.scratch, "script")
        os.mkdir(script)
        replies = ["I like turtles.", "Still no code.", self.reply(good + "\nthis is no C\n"), self.reply(good.replace("+= a[", "-= a[")),
                   self.reply(good)]
        for number, text in enumerate(replies):
            with open(os.path.join(script, f"{number}.txt"), "w") as f:
                f.write(text)
        model = os.path.join(self.scratch, "model")
        with open(model, "w") as f:
            f.write(f'#!/bin/sh\nexec python3 {SOURCE}/tests/cli/scripted_model.py {script}\n')
        os.chmod(model, 0o755)
        mep = shutil.copytree(MEP, os.path.join(self.scratch, "gemm.mep"))
        answer = self.data("optimize", mep, "--no-rules", "--model", "command:" + model, "--rounds", "2", "--candidates", "3",
                           "--strategy", "exhaustive", "--budget", "40")
        self.assertTrue(answer["faster"])
        self.assertTrue(answer["winner"]["proposer"].startswith("model:"))
        fates = {attempt["fate"] for attempt in answer["attempts"]}
        self.assertIn("BuildFailed", fates)
        self.assertIn("WrongOutput", fates)
        self.assertTrue(os.path.exists(os.path.join(mep, "best", "template.toml")))
        with open(os.path.join(script, "prompt0.md")) as prompt:
            self.assertRegex(prompt.read(), r"[0-9.]+ GB/s of [0-9.]+ GB/s possible")

    def test_tune_leaves_a_report_says_where_its_time_went_and_clean_removes_it(self):
        answer = self.data("tune", MEP, "--template", TILES, "--budget", "3", "--strategy", "exhaustive")
        time_spent = answer["time"]
        for kind in ("for", "in"):
            self.assertAlmostEqual(sum(time_spent[kind].values()), time_spent["total"], places=3)
        self.assertTrue(answer["ended"])
        self.assertEqual(self.data("report")["run"], answer["run"])
        self.assertEqual(self.data("report", answer["run"])["run"], answer["run"])
        state = {group["name"]: group for group in self.data("clean")["groups"]}
        self.assertEqual(state["reports"]["files"], 4)
        self.assertIn("reports/last.md", self.data("clean", "--all", "--dry-run")["removed"])
        self.hone("report")
        self.assertIn("trials", self.data("clean", "--all")["removed"])
        self.assertIn("E-REPORT", self.hone("report", code=2).stderr)
        self.assertEqual(self.data("check", "--log")["trials"], 0)
        self.assertIn("E-AGE", self.hone("clean", "--older-than", "long", code=2).stderr)

    def trials(self):
        done = subprocess.run([HONE, "check", "--log", "--json"], capture_output=True, text=True, env=self.environment)
        try:
            return json.loads(done.stdout).get("trials", 0)
        except json.JSONDecodeError:
            return 0


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
