#!/usr/bin/env python3
"""Writes reports on classes that do not exist, to look at.

    make_class_pages.py TESSERA MADE_UP_BOOK FOLDER [STUDENTS]

FOLDER gets class.html of STUDENTS (30) students, some with names that attack the program that prints them,
the same class without names, one lab of a class without a GPU, and an empty gradebook.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

KIT = pathlib.Path(__file__).resolve().parents[4]


def run(*command):
    ended = subprocess.run(command, cwd=KIT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           check=False)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {ended.returncode}: {ended.stderr}")


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    tessera, made_up_book, pages = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    students = sys.argv[4] if len(sys.argv) > 4 else "30"
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        books = {"timed": [students], "untimed": ["20", "--no-gpu"], "empty": ["0"]}
        for name, arguments in books.items():
            run(made_up_book, f"{folder}/{name}", *arguments)
        for page, book, *arguments in (("class", "timed"), ("anonymous", "timed", "--anonymous"),
                                       ("one-lab", "untimed", "--lab", "03"),
                                       ("empty", "empty")):
            run(tessera, "gradebook", "report", "--gradebook", f"{folder}/{book}", *arguments, "--out",
                pages / f"{page}.html")


if __name__ == "__main__":
    main()
