"""What was measured so far, one file a program, so that a run that was killed goes on where it was. A record belongs to a key: the
options, the hone that measured it, and the program's own files; another key starts afresh."""

import fcntl
import hashlib
import json
import os
import pathlib


def digest(*parts):
    total = hashlib.sha256()
    for part in parts:
        total.update(part if isinstance(part, bytes) else str(part).encode())
        total.update(b"\0")
    return total.hexdigest()[:16]


def digest_of_files(folder, names=("*",)):
    files = sorted({path for pattern in names for path in pathlib.Path(folder).rglob(pattern) if path.is_file()})
    return digest(*(part for path in files for part in (path.relative_to(folder), path.read_bytes())))


class State:
    def __init__(self, folder, key):
        self.folder = pathlib.Path(folder) / key
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = open(self.folder / "lock", "w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SystemExit(f"{self.folder}: another bench/suite is at it") from None

    def _file(self, name):
        return self.folder / (name.replace("/", "--") + ".json")

    def load(self, name, files):
        """The record of a program; empty when there is none or its files have changed since."""
        try:
            record = json.loads(self._file(name).read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return {"name": name, "files": files}
        return record if record.get("files") == files else {"name": name, "files": files}

    def forget(self, name):
        self._file(name).unlink(missing_ok=True)

    def save(self, record):
        """Whole or not at all: a kill in the middle leaves the record that was there."""
        file = self._file(record["name"])
        beside = file.with_suffix(".new")
        beside.write_text(json.dumps(record, indent=1))
        os.replace(beside, file)
