#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No sentence of our catalogs is copied: facts may be equal, wording may not.

    tools/check_own_words.py SPECIFICATION... -- CATALOG...

Compares the titles and descriptions of events, metrics and groups of each CATALOG with those of
all SPECIFICATIONs, sentence by sentence, without regard to case, marks and blanks. Sentences of fewer
than SHORTEST words, titles of one more, are not looked at: there is only one way to say "Branches", and
"L1 Data TLB Miss Ratio" is a name. Prints one line a sentence found in both, and exits with 1 if there
is one.
"""

import json
import pathlib
import re
import sys

SHORTEST = {"description": 5, "title": 6}  # words


def texts(node, path=""):
    """Every title and description in a specification: the path to it, which of them, the text."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in SHORTEST and isinstance(value, str):
                yield path, key, value
            else:
                yield from texts(value, f"{path}/{key}")
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from texts(value, f"{path}/{i}")


def sentences(kind, text):
    """The words of each sentence that is long enough to be recognisable as a copy."""
    for part in re.split(r"(?<=[.;:!?])\s+|\n+", text):
        words = re.findall(r"[a-z0-9_]+", part.lower())
        if len(words) >= SHORTEST[kind]:
            yield " ".join(words)


def read(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def borrowed(theirs, ours):
    """Lines, one for each sentence of @ours that @theirs has too."""
    known = {sentence for one in theirs for _, kind, text in texts(one)
             for sentence in sentences(kind, text)}
    return [f"{path}: \"{sentence}\"" for path, kind, text in texts(ours)
            for sentence in sentences(kind, text) if sentence in known]


def main(arguments):
    if "--" not in arguments[1:-1]:
        print(__doc__.split("\n\n")[1].strip(), file=sys.stderr)
        return 2
    split = arguments.index("--")
    theirs = [read(path) for path in arguments[:split]]
    found = 0
    for path in arguments[split + 1:]:
        for line in borrowed(theirs, read(path)):
            print(f"{path}{line}", file=sys.stderr)
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
