"""Is an extracted text as small as it can be, and does a change of one token come back as that change alone?

Minimality: each declaration of the text but the kernel itself is left out once; the rest must not compile any more. What compiles
without it was taken along for nothing. Origins: one token of the kernel's body is changed, put back with its launch as it is, and the
patch must have one line less and one line more, which differ in that token."""
import random
import re
import shutil
import subprocess
import tomllib

import corpus_rewrite

CLANG = shutil.which("clang-19") or shutil.which("clang")
TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|[^\s\w]")


def compiles(text, options):
    done = subprocess.run([CLANG, "-x", "cl", "-cl-std=CL2.0", "-target", "spir64", "-Xclang", "-finclude-default-header", "-fsyntax-only", "-w",
                           *[o for o in options if o.startswith(("-D", "-U"))], "-"], input=text, capture_output=True, text=True, errors="replace")
    return done.returncode == 0


def declarations(text):
    """[(begin, end)] of what stands at the top of the text: definitions, declarations and macros, without pragmas and conditions."""
    plain, out, at = corpus_rewrite.blanked(text), [], 0
    while True:
        space = re.match(r"\s*", plain[at:]).end()
        at += space
        if at >= len(plain):
            return out
        if plain[at] == "#":
            line = re.match(r"(?:[^\n]*\\\n)*[^\n]*", plain[at:])
            if re.match(r"#\s*define\b", plain[at:]):
                out.append((at, at + line.end()))
            at += line.end()
            continue
        end = at
        while end < len(plain):
            if plain[end] in "({":
                close = corpus_rewrite.closing(plain, end)
                if close is None:
                    return out
                body = plain[end] == "{"
                end = close + 1
                # The body of a function ends it; the braces of a type or a value do not.
                if body and not re.match(r"\s*[;,\w=\[]", plain[end:]):
                    break
                if body and re.search(r"\)\s*$", plain[at:plain.rfind("{", at, close)]) and ";" not in plain[end:end + 1]:
                    break
            elif plain[end] == ";":
                end += 1
                break
            else:
                end += 1
        out.append((at, end))
        at = end


def minimal(mep, kernel, sample, random_):
    """(how many were left out in turn, those without which it compiles all the same)"""
    text = (mep / "kernel.cl").read_text()
    options = [re.sub(r"\{[^}]*\}", "16", o) for o in tomllib.loads((mep / "mep.toml").read_text()).get("options", [])]
    if not compiles(text, options):
        return 0, []
    # A name that is declared more than once (prototypes, a typedef of its struct) is left alone: either declaration would do.
    parts = [(b, e) for b, e in declarations(text) if not re.search(r"\bkernel\b|__kernel", text[b:e])]
    parts = random_.sample(parts, min(sample, len(parts)))
    spare = [text[b:e].strip()[:60] for b, e in parts if compiles(text[:b] + text[e:], options)]
    return len(parts), spare


def changed_token(text, kernel, random_):
    """The text with one word of the kernel's body replaced by another of the body, and both words; None where there are not two."""
    span = corpus_rewrite.body_of(text, kernel)
    if span is None or span[1] is None:
        return None
    plain = corpus_rewrite.blanked(text)
    words = [m for m in TOKEN.finditer(plain, span[0] + 1, span[1])
             if re.fullmatch(r"[1-9]\d*[fFuU]?|[\d.]+[fF]?", m.group(0)) and not plain[plain.rfind("\n", 0, m.start()) + 1:m.start()].lstrip().startswith("#")]
    if not words:
        return None
    word = random_.choice(words)
    new = word.group(0)[0:-1] + "7f" if word.group(0)[-1] in "fF" else word.group(0) + "7" if word.group(0)[-1] not in "uU" else "7" + word.group(0)
    return text[:word.start()] + new + text[word.end():], word.group(0), new


def is_that_hunk(patch, old, new):
    """Why the patch is not the change of that token alone; empty when it is."""
    gone = [line[1:] for line in patch.splitlines() if line.startswith("-") and not line.startswith("---")]
    come = [line[1:] for line in patch.splitlines() if line.startswith("+") and not line.startswith("+++")]
    said = [line for line in come if re.match(r"\s*\"?(/\*|\*|//)", line)]  # the comment above the kernel
    come = [line for line in come if line not in said]
    if len(gone) != 1 or len(come) != 1:
        return f"{len(gone)} lines less and {len(come)} more"
    before, after = TOKEN.findall(gone[0]), TOKEN.findall(come[0])
    different = [(a, b) for a, b in zip(before, after) if a != b]
    return "" if len(before) == len(after) and different == [(old, new)] else f"the line differs in {different}"


def random_of(kernel, seed):
    return random.Random(f"{seed} {kernel}")
