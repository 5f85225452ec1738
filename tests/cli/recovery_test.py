#!/usr/bin/env python3
"""Programs that end at any moment, a disk that is full and a store that cannot be written: no finished trial is lost or
recorded twice, the message says what to do, and the same command goes on. recovery_test.py HONE SOURCE_DIR [KILLS]"""
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

HONE = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 6
MEP = os.path.join(SOURCE, "tests/cli/gemm.mep")
TILES = os.path.join(SOURCE, "tests/cli/gemm-tiles")
TUNE = [HONE, "tune", MEP, "--template", TILES, "--budget", "8", "--strategy", "exhaustive", "--json"]
OPTIMIZE = [HONE, "optimize", MEP, "--budget", "6", "--json"]
RANDOM = random.Random(20)


def rows(state):
    """Every trial: number -> (run, key, digest)."""
    path = os.path.join(state, "hone/trials.db")
    if not os.path.exists(path):
        return {}
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as log:
        try:
            return {number: rest for number, *rest in log.execute("SELECT number, run, key, digest FROM trial")}
        except sqlite3.OperationalError as why:
            if "no such table" in str(why):  # ended before the first one was made
                return {}
            raise


def processes_below(pid):
    """Of all generations."""
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children") as children:
            for child in children.read().split():
                found.append(int(child))
                try:
                    found += processes_below(int(child))
                except (FileNotFoundError, ProcessLookupError):
                    pass
    return found


def told(kills, what):
    """A hundred take a while."""
    if kills % 10 == 0:
        print(f"  {what} was killed {kills} times so far", flush=True)


def is_worker(pid):
    """The process in the sandbox, not those around it."""
    try:
        with open(f"/proc/{pid}/comm") as name:
            if name.read().strip() != "hone-worker":
                return False
        return not any(is_worker(child) for child in processes_below(pid))
    except (FileNotFoundError, ProcessLookupError):
        return False


class Recovery(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.mkdtemp(prefix="hone-recovery-")
        self.addCleanup(shutil.rmtree, self.scratch, True)
        self.state = None
        self.command = TUNE

    def start(self):
        environment = dict(os.environ, XDG_STATE_HOME=self.state)
        return subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=self.scratch)

    def fresh_state(self):
        self.state = tempfile.mkdtemp(dir=self.scratch)

    def sound(self):
        environment = dict(os.environ, XDG_STATE_HOME=self.state)
        done = subprocess.run([HONE, "check", "--log", "--json"], capture_output=True, text=True, env=environment, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(json.loads(done.stdout)["problems"], [])

    def nothing_lost(self, before):
        now = rows(self.state)
        for number, trial in before.items():
            self.assertEqual(now.get(number), trial)
        keys = [(run, key) for run, key, _ in now.values()]
        self.assertEqual(len(keys), len(set(keys)))
        return now

    def finish(self):
        process = self.start()
        out, err = process.communicate(timeout=300)
        self.assertIn(process.returncode, (0, 1), out + err)
        return json.loads(out)

    def test_hone_killed_at_random_points_loses_and_repeats_nothing(self):
        kills = 0
        whole = self.whole_run()
        while kills < KILLS:
            self.fresh_state()
            before = {}
            while kills < KILLS:
                process = self.start()
                try:
                    process.wait(timeout=RANDOM.uniform(0, whole))
                    process.communicate()
                    break  # it came to its end
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.communicate()
                    kills += 1
                    told(kills, "hone")
                if os.path.exists(os.path.join(self.state, "hone/trials.db")) and rows(self.state):
                    self.sound()
                before = self.nothing_lost(before)
            self.assertGreater(self.finish()["evaluations"], 0)
            self.nothing_lost(before)
            self.sound()
        print(f"  hone was killed {kills} times")

    def test_a_killed_optimize_goes_on_where_it_was(self):
        self.command = OPTIMIZE
        self.fresh_state()
        before, kills = {}, 0
        for _ in range(3):
            process = self.start()
            while process.poll() is None and len(rows(self.state)) <= len(before):
                time.sleep(0.05)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1
            process.communicate()
            before = self.nothing_lost(before)
        self.assertGreater(kills, 0)
        self.assertGreater(len(before), 0)
        self.finish()
        self.nothing_lost(before)
        self.sound()

    def whole_run(self):
        """How long an undisturbed run takes: where to strike."""
        self.fresh_state()
        start = time.monotonic()
        self.finish()
        return time.monotonic() - start

    def test_workers_killed_at_random_points_cost_no_run(self):
        kills = 0
        while kills < KILLS:
            self.fresh_state()
            process = self.start()
            before = {}
            while process.poll() is None and kills < KILLS:
                # Twice on one candidate would be a verdict on it, so not faster than candidates come and go.
                time.sleep(RANDOM.uniform(0.3, 1.5))
                try:
                    workers = [pid for pid in processes_below(process.pid) if is_worker(pid)]
                except (FileNotFoundError, ProcessLookupError):
                    continue
                if not workers or process.poll() is not None:
                    continue
                try:
                    os.kill(RANDOM.choice(workers), signal.SIGKILL)
                    kills += 1
                    told(kills, "a worker")
                except ProcessLookupError:
                    continue
            out, err = process.communicate(timeout=300)
            self.assertIn(process.returncode, (0, 1), out + err)
            before = self.nothing_lost(before)
            self.assertGreater(len(before), 0)
            self.sound()
        print(f"  workers were killed {kills} times")

    def on_a_disk(self, script):
        """A file system of its own in a name space of its own: nothing of the machine is touched."""
        self.fresh_state()
        shell = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-e", "-c", script]
        words = " ".join(f"'{word}'" for word in TUNE)
        environment = dict(os.environ, XDG_STATE_HOME=self.state, TUNE=words, STATE=self.state, HONE=HONE)
        probe = subprocess.run([*shell[:-1], 'mount -t tmpfs -o size=4m none "$STATE"'], capture_output=True, env=environment)
        if probe.returncode != 0:
            self.skipTest("no name spaces of one's own here")
        done = subprocess.run(shell, capture_output=True, text=True, env=environment, cwd=self.scratch, timeout=300)
        return done.stderr + done.stdout

    def test_a_full_disk_is_named_and_the_run_goes_on_when_there_is_room(self):
        said = self.on_a_disk('''
            mount -t tmpfs -o size=4m none "$STATE"
            export XDG_STATE_HOME="$STATE"
            "$HONE" check --log --json >/dev/null 2>&1 || true
            sh -c "$TUNE" >/dev/null 2>&1 & first=$!
            while ! test -s "$STATE/hone/trials.db"; do sleep 0.05; done
            while test "$("$HONE" check --log --json 2>/dev/null | grep -o '"trials": [0-9]*' | grep -o '[0-9]*')" -lt 2; do sleep 0.05; done
            kill -9 $first; wait $first || true
            before=$("$HONE" check --log | head -1); echo "before: $before"
            dd if=/dev/zero of="$STATE/filler" bs=4k 2>/dev/null || true
            sh -c "$TUNE" && echo "code: 0" || echo "code: $?"
            rm "$STATE/filler"
            sh -c "$TUNE" >/dev/null && echo "later: 0" || echo "later: $?"
            "$HONE" check --log
        ''')
        self.assertIn("code: 2", said)
        self.assertRegex(said, "E-STORE-(FULL|IO)")
        self.assertIn("run the same command again", said.lower().replace("then run", "run"))
        self.assertRegex(said, "later: [01]")
        self.assertIn("sound", said.splitlines()[-1])
        first = int(said.split("before: ")[1].split()[0])
        self.assertGreater(int(said.splitlines()[-1].split()[0]), first)

    def test_a_store_that_cannot_be_written_is_named(self):
        said = self.on_a_disk('''
            mount -t tmpfs -o size=16m none "$STATE"
            export XDG_STATE_HOME="$STATE"
            sh -c "$TUNE" >/dev/null && echo "first: 0" || echo "first: $?"
            before=$("$HONE" check --log); echo "before: $before"
            mount -o remount,ro "$STATE"
            sh -c "$TUNE --seed 2" && echo "code: 0" || echo "code: $?"
            mount -o remount,rw "$STATE"
            sh -c "$TUNE --seed 2" >/dev/null && echo "later: 0" || echo "later: $?"
            "$HONE" check --log
        ''')
        self.assertRegex(said, "first: [01]")
        self.assertIn("code: 2", said)
        self.assertRegex(said, "E-ST(ORE|ATE)")
        self.assertIn("XDG_STATE_HOME", said)
        self.assertRegex(said, "later: [01]")
        self.assertIn("sound", said.splitlines()[-1])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
