#!/usr/bin/env python3
"""Whole commands on CUDA and HIP kernels, on a machine without a GPU: compiling for one that is not here, and the real backend over
the stand-in driver. gpu_test.py HONE SOURCE_DIR BINARY_DIR"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HONE, SOURCE, BINARY = (os.path.abspath(word) for word in sys.argv[1:4])
CUDA = os.path.join(SOURCE, "tests/cli/scale-cuda.mep")
HIP = os.path.join(SOURCE, "tests/cli/scale-hip.mep")
STANDIN = os.path.join(BINARY, "standin")


class Gpu(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.mkdtemp(prefix="hone-gpu-")
        self.addCleanup(shutil.rmtree, self.scratch, True)
        self.environment = dict(os.environ, XDG_STATE_HOME=os.path.join(self.scratch, "state"))

    def with_standin(self, folder=STANDIN):
        self.environment["LD_LIBRARY_PATH"] = folder + ":" + os.environ.get("LD_LIBRARY_PATH", "")

    def hone(self, *words, code=0):
        done = subprocess.run([HONE, *words], capture_output=True, text=True, env=self.environment, cwd=self.scratch, timeout=300)
        if "E-NVRTC" in done.stderr + done.stdout and "HONE_MUST_RUN" not in os.environ:
            self.skipTest("no NVRTC here")
        self.assertEqual(done.returncode, code, f"hone {' '.join(words)}\n{done.stdout}\n{done.stderr}")
        return done

    def data(self, *words, code=0):
        return json.loads(self.hone(*words, "--json", code=code).stdout)

    def changed(self, mep, **replacements):
        copy = os.path.join(self.scratch, "changed.mep")
        shutil.copytree(mep, copy)
        for name in os.listdir(copy):
            path = os.path.join(copy, name)
            with open(path) as file:
                text = file.read()
            for old, new in replacements.items():
                text = text.replace(old, new)
            with open(path, "w") as file:
                file.write(text)
        return copy

    def test_a_kernel_is_compiled_for_an_nvidia_gpu_that_is_not_here(self):
        answer = self.data("check", CUDA, "--for", "sm_86")
        kernel = answer["kernels"][0]
        self.assertEqual(kernel["kernel"], "scale")
        self.assertGreater(kernel["numbers"]["registers"], 4)
        self.assertEqual(kernel["numbers"]["spill_stores"], 0)
        self.assertEqual(kernel["launches"][0]["threads"], 64)
        self.assertEqual(kernel["launches"][0]["blocks"], 16)
        self.assertEqual(kernel["launches"][0]["limited_by"], "blocks")
        self.assertIn("nothing ran and nothing was timed", self.hone("check", CUDA, "--for", "sm_80").stdout)

    def test_a_kernel_is_compiled_for_an_amd_gpu_that_is_not_here(self):
        if not shutil.which("hipcc") and "HONE_MUST_RUN" not in os.environ:
            self.skipTest("no hipcc here")
        kernel = self.data("check", HIP, "--for", "gfx90a")["kernels"][0]
        self.assertEqual(kernel["kernel"], "scale")
        self.assertGreater(kernel["numbers"]["registers"], 0)
        self.assertEqual(kernel["numbers"]["private_bytes"], 0)
        self.assertGreater(kernel["launches"][0]["blocks"], 0)

    def test_what_cannot_run_there_is_the_answer_no(self):
        with_kernel = self.changed(CUDA, **{"local = [64]": "local = [2048]", "round_up(n, 64)": "round_up(n, 2048)"})
        done = self.hone("check", with_kernel, "--for", "sm_86", code=1)
        self.assertIn("CANNOT RUN, threads do not fit", done.stdout)

    def test_what_does_not_compile_there_is_the_answer_no_with_the_log(self):
        too_much = self.changed(CUDA, **{"const int i": "__shared__ float s[20000]; s[threadIdx.x] = f; __syncthreads(); f = s[63 - threadIdx.x]; const int i"})
        done = self.hone("check", too_much, "--for", "sm_86", code=1)
        self.assertIn("80000 bytes of static shared memory, and 49152 are allowed", done.stdout)

    def test_words_that_are_no_architecture_are_misuse(self):
        self.assertIn("E-ARCH", self.hone("check", CUDA, "--for", "fast", code=2).stderr)
        self.assertIn("E-ARCH", self.hone("check", CUDA, "--for", "sm_20", code=2).stderr)
        self.assertIn("E-LANGUAGE", self.hone("check", CUDA, "--for", "gfx90a", code=2).stderr)

    def test_without_a_gpu_a_cuda_kernel_is_not_run_on_something_else(self):
        if any(os.path.exists(os.path.join(folder, "libcuda.so.1")) for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib64")):
            self.skipTest("there is a driver here")
        done = self.hone("check", CUDA, code=2)
        self.assertIn("no CUDA device: libcuda.so.1", done.stderr)
        self.assertIn("E-LANGUAGE", self.hone("check", CUDA, "--device", "opencl:0:0", code=2).stderr)
        self.assertIn("no HIP device", self.hone("check", HIP, code=2).stderr)

    def test_without_a_gpu_optimize_does_what_can_be_done_and_times_nothing(self):
        application = os.path.join(self.scratch, "application")
        shutil.copytree(os.path.join(SOURCE, "suites/polybench/cuda/gemm"), application)
        answer = self.data("optimize", application, "--kernel", "gemm", "--set", "ni=48", "--for", "sm_86", code=1)
        self.assertFalse(answer["timed"])
        self.assertEqual(answer["reason"], "no GPU here")
        self.assertTrue(os.path.exists(os.path.join(self.scratch, answer["mep"], "mep.toml")))
        for candidate in answer["candidates"]:
            self.assertTrue(os.path.isdir(os.path.join(self.scratch, candidate)), candidate)
        self.assertNotRegex(json.dumps(answer), r"\d+(\.\d+)? (ms|us|ns|s)\b", "no time of anything")

    def test_on_the_emulator_answers_are_checked_and_nothing_is_timed(self):
        for mep, device in ((CUDA, "emulator:cuda"), (HIP, "emulator:hip")):
            answer = self.data("check", mep, "--device", device)
            self.assertTrue(answer["holds"], answer)
            self.assertFalse(answer["timed"])
        self.assertIn("E-LANGUAGE", self.hone("check", HIP, "--device", "emulator:cuda", code=2).stderr)
        self.assertIn("E-EMULATED", self.hone("optimize", CUDA, "--device", "emulator:cuda", code=2).stderr)

    def test_on_the_emulator_a_race_and_a_stray_write_are_found(self):
        racing = self.changed(CUDA, **{"const int i": "__shared__ float s; s = threadIdx.x; __syncthreads(); f += s; const int i"})
        self.assertIn("in another order", self.data("check", racing, "--device", "emulator:cuda", code=1)["reason"])
        shutil.rmtree(racing)
        straying = self.changed(CUDA, **{"if (i < n)": "if (i <= n)"})
        self.assertFalse(self.data("check", straying, "--device", "emulator:cuda", code=1)["holds"])

    def whole_program(self, folder, words, **make):
        """Built by nvcc as its Makefile says and run on the stand-in runtime; what it prints."""
        if not shutil.which("nvcc"):
            self.skipTest("no nvcc here")
        copy = os.path.join(self.scratch, "program")
        shutil.copytree(os.path.join(SOURCE, folder), copy)
        environment = dict(os.environ, NVCC_APPEND_FLAGS="-cudart shared --no-compress")
        built = subprocess.run(["make", "-s", *(f"{key}={value}" for key, value in make.items())], cwd=copy, env=environment, capture_output=True, text=True)
        self.assertEqual(built.returncode, 0, built.stderr)
        environment = dict(os.environ, LD_LIBRARY_PATH=STANDIN, STANDIN_LAUNCHES=os.path.join(self.scratch, "launches"))
        done = subprocess.run(words, cwd=copy, env=environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_a_whole_cuda_program_runs_on_the_stand_in_runtime(self):
        self.assertIn("check OK", self.whole_program("suites/polybench/cuda/gesummv", ["./gesummv", "256"]))
        with open(os.path.join(self.scratch, "launches")) as file:
            self.assertIn("2,1,1 128,1,1 0", file.read())

    def test_a_whole_hip_program_runs_on_the_stand_in_runtime(self):
        hipcc = os.path.join(SOURCE, "tests/standin/hip/hipcc")
        self.assertIn("check OK", self.whole_program("suites/polybench/hip/2mm", ["./2mm", "96"], HIPCC=hipcc))

    def test_the_self_test_holds_on_the_stand_ins_and_finds_a_device_that_errs(self):
        for folder, device in ((STANDIN + "-hip", "hip:0"), (STANDIN, "cuda:0")):
            self.with_standin(folder)
            answer = self.data("devices", "--self-test", "--device", device)
            steps = {step["step"]: step for step in answer["devices"][0]["steps"]}
            self.assertEqual([name for name, step in steps.items() if not step["ok"]], [])
            self.assertGreater(len(steps), 10)
        self.environment["CUDA_EMULATOR_MEMORY"] = "65536"
        answer = self.data("devices", "--self-test", "--device", "cuda:0", code=1)
        self.assertFalse(answer["devices"][0]["passed"])

    def test_a_kernel_runs_on_the_gpu_that_takes_its_language(self):
        for folder, mep, other in ((STANDIN + "-hip", HIP, CUDA), (STANDIN, CUDA, HIP)):
            self.with_standin(folder)
            self.hone("check", mep)
            self.hone("check", other, code=2)

    def test_devices_lists_the_gpu_with_its_limits(self):
        self.with_standin()
        devices = {device["id"]: device for device in self.data("devices", "--quick")["devices"]}
        self.assertEqual(devices["cuda:0"]["kind"], "gpu")
        self.assertIn("emulator", devices["cuda:0"]["name"])
        self.assertEqual(devices["cuda:0"]["facts"]["architecture"], "sm_86")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
