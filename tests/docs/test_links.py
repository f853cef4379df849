#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every relative link of every page leads somewhere, README.md leads to every page of docs/, and the figures
that several pages have are those of the page that a tool writes, and the paths of how-to.md are there.

usage: test_links.py ROOT
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
OWN = ("README.md", "CHANGELOG.md", "SECURITY.md")


def slug(heading):
    """The anchor of a heading, as GitHub makes it."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(text):
    return {slug(h) for h in re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.M)}


def links(text):
    return [link for link in LINK.findall(FENCE.sub("", text)) if not re.match(r"[a-z]+:", link)]


def resolve(page, link):
    """The path below the root that a link of a page means, and its anchor."""
    path, _, anchor = link.partition("#")
    parts = list(page.parent.parts) if path else list(page.parts)
    for part in pathlib.PurePosixPath(path).parts:
        if part == ".." and not parts:
            return None, anchor
        parts = parts[:-1] if part == ".." else parts + [part]
    return pathlib.PurePosixPath(*parts), anchor


def dead(pages, others):
    """Links that lead nowhere. @pages: text by path, @others: what else there is"""
    for page, text in pages.items():
        for link in links(text):
            target, anchor = resolve(page, link)
            if target not in pages and target not in others:
                yield f"{page}: {link} is not there"
            elif anchor and target in pages and anchor not in anchors(pages[target]):
                yield f"{page}: {link} has no such heading"


def unreachable(pages, start):
    """Pages of docs/ to which no way of links leads."""
    seen, left = {start}, [start]
    while left:
        page = left.pop()
        for link in links(pages[page]):
            target = resolve(page, link)[0]
            if target in pages and target not in seen:
                seen.add(target)
                left.append(target)
    return [f"{page}: nothing leads here from {start}" for page in pages
            if page.parts[0] == "docs" and page not in seen]


def block(text, name):
    found = re.search(f"<!-- begin {name} -->\n+(.*?)\n", text)
    return found and found[1]


def stale(pages, owner):
    """Copies of the first sentence of what ./dev fidelity writes that are not as the owner has it."""
    now = block(pages[owner], "headline")
    return [f"{page}: says {block(text, 'standing')}, and {owner} {now}" for page, text in pages.items()
            if block(text, "standing") not in (None, now)]


def missing(text, exists):
    """Paths that a page of how-tos names and that are not there any more."""
    named = re.findall(r"`((?:src|include|tests|cpus|tools|docs|man|completions|fuzz|workloads)/[\w./-]*)`", text)
    return [f"how-to: {path} is not there" for path in named if not exists(path)]


def check(pages, others):
    return sorted(dead(pages, others)) + sorted(unreachable(pages, pathlib.PurePosixPath("README.md")))


def test_itself():
    """A few pages with each fault."""
    path = pathlib.PurePosixPath
    pages = {path("README.md"): "[a](docs/a.md) [b](docs/b.md#the-end) [w](https://x/y.md)",
             path("docs/a.md"): "# A\n[up](../README.md) [gone](c.md) [high](../../x) [own](#a) [no](#b)\n"
                                "```\n[code](d.md)\n# the end\n```\n",
             path("docs/b.md"): "## The `end`\n[src](../src/b.c)",
             path("docs/lost.md"): "[a](a.md#a)"}
    want = ["docs/a.md: #b has no such heading", "docs/a.md: ../../x is not there", "docs/a.md: c.md is not there",
            "docs/lost.md: nothing leads here from README.md"]
    got = check(pages, {path("src/b.c")})
    if got != want:
        sys.exit(f"the test itself: {got}")
    if stale({path("a.md"): "<!-- begin headline -->\n\none\n\ntwo\n", path("b.md"): "<!-- begin standing -->\n\none\n",
              path("c.md"): "<!-- begin standing -->\n\ntwo\n"}, path("a.md")) != ["c.md: says two, and a.md one"]:
        sys.exit("the test itself: figures")
    if missing("`src/a.c`, `src/b.c` and `b/c`", lambda path: path == "src/a.c") != ["how-to: src/b.c is not there"]:
        sys.exit("the test itself: paths")


def main():
    root = pathlib.Path(sys.argv[1])
    test_itself()
    pages = {pathlib.PurePosixPath(name): (root / name).read_text(encoding="utf-8")
             for name in [*OWN, *(p.relative_to(root).as_posix() for p in root.glob("docs/**/*.md"))]}
    others = set()
    for page, text in pages.items():
        for link in links(text):
            target = resolve(page, link)[0]
            if target and (root / target).exists():
                others.add(target)
    found = check(pages, others) + stale(pages, pathlib.PurePosixPath("docs/model/fidelity.md"))
    found += missing(pages[pathlib.PurePosixPath("docs/development/how-to.md")], lambda path: (root / path).exists())
    if found:
        sys.exit("\n".join(found))


main()
