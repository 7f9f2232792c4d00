#!/usr/bin/env python3
"""Draws grade.svg: what a student's terminal shows for a kernel with one mistake.

    make && grader/report/picture/draw.py

Runs build/tessera on a pseudo-terminal, so that it prints in colours, in a copy of labs/ where
lab 03 holds one of the known mistakes; then turns text and colours into SVG.
"""
import html
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile

KIT = pathlib.Path(__file__).resolve().parents[3]
LAB = "03-tiled"
MISTAKE = KIT / "solutions" / LAB / "wrong" / "no-second-barrier.cu"
PROMPT = "$ make grade LAB=03"
COLUMNS = 100

FONT_SIZE = 13
ADVANCE = 7.8  # of one character, px
LINE = 18
MARGIN = 16
COLORS = {"31": "#f47067", "32": "#57ab5a", "33": "#daaa3f", "35": "#b083f0", "36": "#39c5cf"}
INK, FAINT, PAPER = "#c9d1d9", "#768390", "#161b22"


def hand_in(folder):
    """Lays the kit's labs out in `folder`; one holds the mistake as a student would make it."""
    shutil.copytree(KIT / "labs", folder / "labs")
    _expectation, kernel = MISTAKE.read_text().split("\n", 1)
    (folder / "labs" / LAB / "kernel.cu").write_text(kernel)


def run(tessera):
    """Returns what the program prints to a terminal."""
    with tempfile.TemporaryDirectory() as folder:
        hand_in(pathlib.Path(folder))
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        environment["LC_ALL"] = "C.UTF-8"
        master, terminal = pty.openpty()
        program = subprocess.Popen([tessera, "grade", LAB, "--seed", "7"], cwd=folder,
                                   env=environment, stdout=terminal)
        os.close(terminal)
        output = read_all(master)
        status = program.wait()
    if status != 1:
        sys.exit(f"tessera ended with {status}, not with 1:\n{output}")
    return output.replace("\r\n", "\n")


def read_all(terminal):
    output = bytearray()
    try:
        while data := os.read(terminal, 65536):
            output += data
    except OSError:  # how Linux reports that the other side was closed
        pass
    return output.decode()


def style(codes):
    color, bold = INK, False
    for code in codes:
        if code == "1":
            bold = True
        elif code == "2":
            color = FAINT
        elif code in COLORS:
            color = COLORS[code]
    return f'fill="{color}"' + (' font-weight="bold"' if bold else "")


def pieces(line, codes):
    """Returns (column, text, style) of what a line shows; `codes` carry over to the next line."""
    column, result = 0, []
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            new = part[2:-1].split(";")
            codes[:] = [] if new in (["0"], [""]) else codes + new
        else:
            for words in re.finditer(r"\S+(?: \S+)*", part):
                result.append((column + words.start(), words.group(), style(codes)))
            column += len(part)
    return result


def svg(text):
    lines = text.rstrip("\n").split("\n")
    width = round(2 * MARGIN + COLUMNS * ADVANCE)
    height = 2 * MARGIN + len(lines) * LINE
    rows, codes = [], []
    for number, line in enumerate(lines):
        y = MARGIN + LINE * number + 13
        for column, piece, look in pieces(line, codes):
            x = round(MARGIN + column * ADVANCE, 1)
            rows.append(f'<text x="{x}" y="{y}" textLength="{round(len(piece) * ADVANCE, 1)}" '
                        f'{look}>{html.escape(piece, quote=False)}</text>')
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">',
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
        f'<g font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" '
        f'font-size="{FONT_SIZE}">', *rows, "</g>", "</svg>", ""])


def main():
    tessera = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else str(KIT / "build" / "tessera")
    if not os.access(tessera, os.X_OK):
        sys.exit(f"{tessera} is not here; build it with `make`, or name it: draw.py PATH")
    picture = pathlib.Path(__file__).with_name("grade.svg")
    picture.write_text(svg(f"{PROMPT}\n{run(tessera)}"))


if __name__ == "__main__":
    main()
