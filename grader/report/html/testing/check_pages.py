#!/usr/bin/env python3
"""Looks at pages as a browser shows them.

    check_pages.py FOLDER [--keep DIR]

Opens every page of FOLDER in headless Chromium: 360 and 1280 pixels wide, light, dark and as print. Asks
for no console error, no request, no overflow, headings in order, links that lead somewhere, contrast, a
focus that is seen. --keep DIR leaves pictures and PDFs there.

Ends with 0, with 1 and what is wrong, or with 77 where Chromium is missing.
"""
import argparse
import pathlib
import sys

import browser

CHECKS = pathlib.Path(__file__).with_name("checks.js").read_text()
SKIPPED = 77


def check(window, path, keep):
    problems = []
    views = [(360, "light", "screen"), (360, "dark", "screen"), (1280, "light", "screen"),
             (1280, "dark", "screen"), (720, "dark", "print")]
    for width, scheme, media in views:
        window.look(width, 900, scheme, media)
        window.open(path)
        window.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        view = f"{width} {scheme} {media}"
        found = window.evaluate(CHECKS) + window.complaints()
        problems += [f"{view}: {problem}" for problem in found]
        if media == "print":
            paper = window.evaluate("getComputedStyle(document.body).backgroundColor")
            if paper != "rgb(255, 255, 255)":
                problems.append(f"{view}: the paper is {paper}")
        elif keep:
            window.screenshot(keep / f"{path.stem}-{width}-{scheme}.png")
    problems += check_focus(window, path)
    if keep:
        window.look(1280, 900)
        window.pdf(keep / f"{path.stem}.pdf")
    return problems


def check_focus(window, path):
    """Checks the first stops of the Tab key: the skip link is the first, and each is visible."""
    window.look(1280, 900)
    window.open(path)
    problems = []
    for stop in range(5):
        window.press_tab()
        seen = window.evaluate("""(() => {
          const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
          return {name: e.className || e.localName, left: box.left, body: e === document.body,
                  outline: style.outlineStyle, width: parseFloat(style.outlineWidth)};
        })()""")
        if seen["body"]:
            break
        if stop == 0 and seen["name"] != "skip":
            problems.append(f"the first stop of Tab is {seen['name']}, not the skip link")
        if seen["left"] < 0 or seen["outline"] == "none" or seen["width"] < 2:
            problems.append(f"the focus on {seen['name']} is not seen")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    program = browser.find()
    if not program:
        print("skipped: Chromium is not here; ./setup.sh --dev installs it, TESSERA_CHROMIUM names one")
        return SKIPPED
    pages = sorted(arguments.folder.glob("*.html"))
    if not pages:
        sys.exit(f"{arguments.folder} holds no page")
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    wrong = 0
    with browser.Browser(program) as window:
        for page in pages:
            problems = check(window, page, arguments.keep)
            print(f"{page.name}: {page.stat().st_size} bytes, {len(problems)} problems")
            for problem in problems:
                print(f"  {problem}")
            wrong += len(problems)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
