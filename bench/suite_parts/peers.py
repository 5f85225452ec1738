"""Others on the same cores, the same problem, the same minute."""


def of(program, record, scratch, root, device):
    return []
