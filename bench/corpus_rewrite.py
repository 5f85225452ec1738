"""A rewritten variant of a kernel, made from its text: half the work-items in dimension 0, each doing two; another local size
where one is given and does not matter; locals renamed. Not to be fast: to have something to put back that changes everything a
winner may change. What cannot be done to a kernel is left out and said."""
import re

GROUP = re.compile(r"\b(barrier|work_group_\w+|sub_group_\w+|get_local_id|get_local_size|get_group_id|get_num_groups|get_local_linear_id|"
                   r"async_work_group_\w+|wait_group_events|__local|local|reqd_work_group_size)\b")
IDS = re.compile(r"\b(get_global_id|get_group_id|get_global_size|get_num_groups|get_global_linear_id|get_global_offset)\b")
TYPES = r"(?:unsigned\s+int|unsigned|(?:u?(?:char|short|int|long)|float|double|half|bool|size_t)(?:2|3|4|8|16)?)"


def blanked(text):
    """The same length, with comments and strings as spaces."""
    blank = lambda m: re.sub(r"[^\n]", " ", m.group(0))
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def closing(text, at):
    pair = {"(": ")", "{": "}"}[text[at]]
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == text[at]) - (text[i] == pair)
        if depth == 0:
            return i
    return None


def body_of(text, kernel):
    """Where the braces of the kernel's body stand; None when no definition is to be seen."""
    plain = blanked(text)
    for m in re.finditer(r"\b" + re.escape(kernel) + r"\s*\(", plain):
        close = closing(plain, m.end() - 1)
        before = plain[max(plain.rfind(c, 0, m.start()) for c in ";}") + 1 if m.start() else 0:m.start()]
        if close is None or ("kernel" not in before and "__global__" not in before):
            continue
        rest = re.match(r"\s*\{", plain[close + 1:])
        if rest:
            begin = close + rest.end()
            return begin, closing(plain, begin)
    return None


def renamed(body, outside):
    """Locals of plain types get another name, unless it means something elsewhere too."""
    plain = blanked(body)
    names = set()
    for m in re.finditer(r"\b" + TYPES + r"(?:\s+const)?[\s*]+([A-Za-z_]\w*)\s*(?=[=;,\[])", plain):
        names.add(m.group(1))
    elsewhere = set(re.findall(r"\w+", outside)) | set(re.findall(r"(?:\.|->)\s*(\w+)", plain))
    for line in re.findall(r"^\s*#.*$", plain, flags=re.M):
        elsewhere |= set(re.findall(r"\w+", line))
    for name in sorted(names - elsewhere):
        body = re.sub(r"(?<![\w.])" + name + r"\b", name + "_r", body)
    return body


def local_declarations(body):
    """(what stands at the top of the body in local memory, the rest); local memory is declared nowhere else."""
    plain, out, rest, at, depth = blanked(body), [], "", 0, 0
    for m in re.finditer(r"[{}]|(?<!\w)(?:__local|local)\s[^;()]*;", plain):
        if m.group(0) in "{}":
            depth += 1 if m.group(0) == "{" else -1
        elif depth == 0 and "*" not in m.group(0).split("=")[0]:
            out.append(body[m.start():m.end()])
            rest += body[at:m.start()]
            at = m.end()
    return out, rest + body[at:]


def halves(text, span, launches):
    """(how, what the original size in dimension 0 is in the new words) or a reason; launches are [(global, local)] as recorded."""
    body, outside = text[span[0] + 1:span[1]], blanked(text[:span[0]] + text[span[1]:])
    plain = blanked(body)
    if IDS.search(outside):
        return None, "a helper or a macro asks for its ids"
    if re.search(r"\bget_(?:global|group)_(?:id|size)\s*\(\s*[^0-2\s]", plain) or "get_global_linear_id" in plain:
        return None, "its ids are asked for by a variable"
    if re.search(r"^\s*#", plain, flags=re.M) and re.search(r"\b(return|__local)\b", plain):
        return None, "directives stand in its body"
    if not launches:
        return None, "no launch of it was recorded"
    locals_ = {tuple(local) for _, local in launches}
    grouped = bool(GROUP.search(plain)) or bool(GROUP.search(blanked(text[:span[0]])))
    if not grouped and all(local and local[0] % 2 == 0 for local in locals_):
        return "items in half groups", "2 * get_global_size(0)"
    if grouped and () in locals_:
        return None, "it works in groups, whose size the runtime chooses"
    counts = {g[0] // l[0] if l else g[0] for g, l in launches}
    if len({count % 2 for count in counts}) > 1:
        return None, "some launches have an odd number and some an even one"
    odd = counts.pop() % 2
    if () in locals_ and len(locals_) == 1:
        return "items", "2 * get_global_size(0)" + (" - 1" if odd else "")
    if () in locals_:
        return None, "some launches give a local size and some do not"
    return "groups", "2 * get_num_groups(0)" + (" - 1" if odd else "")


def doubled(body, how, size):
    hoisted, body = local_declarations(body)
    if how == "groups":
        group, number = "hone_group", size
        setup = ["const size_t hone_group = 2 * get_group_id(0) + hone_pass;", f"if (hone_group >= {size}) break;",
                 "const size_t hone_id = hone_group * get_local_size(0) + get_local_id(0);"]
        swaps = {"get_group_id": group, "get_num_groups": f"({number})", "get_global_size": f"(({size}) * get_local_size(0))"}
        between = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
    else:
        setup = ["const size_t hone_id = 2 * get_global_id(0) + hone_pass;"]
        if size.endswith("- 1"):
            setup.append(f"if (hone_id >= {size}) break;")
        swaps, between = {"get_global_size": f"({size})"}, ""
    swaps["get_global_id"] = "hone_id"
    for function, by in swaps.items():
        body = re.sub(r"\b" + function + r"\s*\(\s*0\s*\)", by, body)
    if re.search(r"\breturn\b", blanked(body)):
        body = re.sub(r"\breturn\s*;", "goto hone_next;", body) + "\n    hone_next: ;"
    lines = "\n    ".join(setup)
    return ("\n  " + "\n  ".join(hoisted) if hoisted else "") + \
        f"\n  for (uint hone_pass = 0; hone_pass < 2; ++hone_pass) {{\n    {lines}\n{body}\n    {between}\n  }}\n"


CUDA_IDS = re.compile(r"\b(blockIdx|gridDim|hipBlockIdx_x|hipGridDim_x|this_grid|blockIdx_x)\b")


def cuda_variant(text, kernel, launches):
    """The same for CUDA and HIP: half the blocks in dimension 0, each doing the work of two. The body becomes a function of its block's
    number, so that whatever ends it early ends one pass only. `launches` are [(grid, block, text)] as the stand-in recorded them."""
    span = body_of(text, kernel)
    if span is None or span[1] is None:
        return None, "", "its definition is made by a macro"
    outside = blanked(text[:span[0]] + text[span[1]:])
    body = renamed(text[span[0] + 1:span[1]], outside)
    plainly = text[:span[0] + 1] + body + text[span[1]:]
    if CUDA_IDS.search(outside):
        return plainly, "", "a helper or another kernel asks for its block"
    if re.search(r"\b(?:blockIdx|gridDim)\b(?!\s*\.)", blanked(body)):
        return plainly, "", "its block is asked for as a whole"
    if len({grid[0] % 2 for grid, _, _ in launches}) != 1:
        return plainly, "", "some launches have an odd number of blocks and some an even one"
    blocks = "(2 * gridDim.x" + (" - 1)" if launches[0][0][0] % 2 else ")")
    body = re.sub(r"\bblockIdx\s*\.\s*x\b|\bhipBlockIdx_x\b", "hone_block", body)
    body = re.sub(r"\bgridDim\s*\.\s*x\b|\bhipGridDim_x\b", "hone_blocks", body)
    new = (f"\n  const unsigned hone_blocks = {blocks};\n  const auto hone_work = [&](const unsigned hone_block) {{{body}}};\n"
           "  hone_work(2 * blockIdx.x);\n  __syncthreads();\n  if (2 * blockIdx.x + 1 < hone_blocks) hone_work(2 * blockIdx.x + 1);\n")
    dimensions = max(3 if grid[2] * block[2] > 1 else 2 if grid[1] * block[1] > 1 else 1 for grid, block, _ in launches)
    return text[:span[0] + 1] + new + text[span[1]:], dimensions, ""


def cuda_shape(kernel, dimensions):
    rest = lambda which: [f"launch.{which}[{d}]" for d in range(1, dimensions)]
    sizes = ["ceil_div(ceil_div(launch.global[0], launch.local[0]), 2) * launch.local[0]"] + rest("global")
    return f'[[launch]]\nkernel = "{kernel}"\nglobal = {quoted(sizes)}\nlocal = {quoted(["launch.local[0]"] + rest("local"))}\n'


def variant(text, kernel, launches):
    """(new text, [launch] of template.toml or "", what was left out)."""
    span = body_of(text, kernel)
    if span is None or span[1] is None:
        return None, "", "its definition is made by a macro"
    outside = text[:span[0]] + text[span[1]:]
    body = renamed(text[span[0] + 1:span[1]], blanked(outside))
    how, size = halves(text, span, launches)
    if how is None:
        return text[:span[0] + 1] + body + text[span[1]:], "", size
    dimensions = len(launches[0][0])
    rest = lambda which: [f"launch.{which}[{d}]" for d in range(1, dimensions)]
    if how == "groups":
        sizes = ["ceil_div(ceil_div(launch.global[0], launch.local[0]), 2) * launch.local[0]"] + rest("global")
        local = ["launch.local[0]"] + rest("local")
    else:
        sizes = ["ceil_div(launch.global[0], 2)"] + rest("global")
        local = ["ceil_div(launch.local[0], 2)"] + rest("local") if how == "items in half groups" else []
    shape = f'[[launch]]\nkernel = "{kernel}"\nglobal = {quoted(sizes)}\n' + (f"local = {quoted(local)}\n" if local else "")
    return text[:span[0] + 1] + doubled(body, how, size) + text[span[1]:], shape, ""


def quoted(texts):
    return "[" + ", ".join(f'"{t}"' for t in texts) + "]"
