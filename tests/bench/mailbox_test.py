#!/usr/bin/env python3
"""bench/mailbox: which question is unanswered. mailbox_test.py SOURCE_DIR"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()


class Mailbox(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="hone-box-")
        self.addCleanup(folder.cleanup)
        self.box = pathlib.Path(folder.name)

    def asked(self):
        done = subprocess.run([sys.executable, SOURCE / "bench/mailbox", self.box, "--wait", "0"], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def put(self, name, text, second):
        (self.box / name).write_text(text)
        os.utime(self.box / name, (second, second))

    def test_the_oldest_question_without_an_answer_is_told_with_the_file_its_answer_belongs_in(self):
        self.put("prompt-r1-s2.md", "b", 2)
        self.put("prompt-r1-s1.md", "a", 1)
        self.put("prompt-r2-s1.md", "c", 3)
        self.put("reply-r1-s1.md", "done", 4)
        self.assertEqual(self.asked(), (0, f"prompt {self.box}/prompt-r1-s2.md\nreply {self.box}/reply-r1-s2.md\n"))

    def test_an_empty_answer_is_none(self):
        self.put("prompt-r1-s1.md", "a", 1)
        self.put("reply-r1-s1.md", " \n", 2)
        self.assertEqual(self.asked()[0], 0)

    def test_without_a_question_it_says_whether_the_run_has_ended(self):
        self.assertEqual(self.asked()[0], 75)
        (self.box / "over").touch()
        self.assertEqual(self.asked()[0], 1)


if __name__ == "__main__":
    unittest.main()
