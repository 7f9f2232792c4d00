#!/usr/bin/env python3
"""Takes page.png and source.png: two parts of the page for a tiled kernel with one mistake.

    make pictures          (or: make && grader/report/picture/page.py)

Grades the mistake of draw.py with --format html; then takes the page's top and its source in headless
Chromium.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import draw

sys.path.insert(0, str(draw.KIT / "grader" / "report" / "html" / "testing"))
import browser  # pylint: disable=wrong-import-position

WIDTH = 880  # CSS pixels
# From the top of the first element to that of the second.
PARTS = {"page.png": ("html", "#lab1-items"), "source.png": ("#lab1-source", "#lab1-counters")}


def write_page(tessera, folder):
    draw.hand_in(folder)
    graded = subprocess.run([tessera, "grade", draw.LAB, "--seed", "7", "--format", "html"],
                            cwd=folder, capture_output=True, check=False)
    if graded.returncode != 1:
        sys.exit(f"tessera ended with {graded.returncode}, not with 1:\n{graded.stderr.decode()}")
    page = folder / "page.html"
    page.write_bytes(graded.stdout)
    return page


def main():
    tessera = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else str(draw.KIT / "build" / "tessera")
    if not os.access(tessera, os.X_OK):
        sys.exit(f"{tessera} is not here; build it with `make`, or name it: page.py PATH")
    program = browser.find()
    if not program:
        sys.exit("Chromium is not here; ./setup.sh --dev installs it, TESSERA_CHROMIUM names another")
    with tempfile.TemporaryDirectory() as folder, browser.Browser(program) as window:
        window.look(WIDTH, 900)
        window.open(write_page(tessera, pathlib.Path(folder)))
        for name, ends in PARTS.items():
            top, bottom = (window.evaluate(f"document.querySelector('{end}').getBoundingClientRect().top")
                           for end in ends)
            window.screenshot(pathlib.Path(__file__).with_name(name),
                              {"x": 0, "y": top, "width": WIDTH, "height": bottom - top})


if __name__ == "__main__":
    main()
