#!/usr/bin/env python3
"""Writes students' pages to look at.

    make_pages.py TESSERA FOLDER

Grades the skeleton, references, known wrong kernels and a hostile file; FOLDER gets a page of each.
"""
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys
import tempfile

KIT = pathlib.Path(__file__).resolve().parents[4]

# What each page shows: a lab and the name of a wrong kernel.
WRONG = {
    "race": ("03-tiled", "no-second-barrier"),
    "uncoalesced": ("03-tiled", "x-on-rows"),
    "bad-launch": ("03-tiled", "tile-of-64"),
    "does-not-compile": ("01-naive", "typing-mistake"),
    "endless-loop": ("01-naive", "endless-loop"),
    "bank-conflicts": ("07-transpose", "no-padding"),
}
HOSTILE = (
    b"// </style></code><script>alert(1)</script><img src=x onerror=alert(2)> &lt;b&gt; \"'\n"
    b"// right-to-left \xe2\x80\xae edoc \xe2\x81\xa6 isolate, nothing\xe2\x80\x8bwide, \xef\xbb\xbf mark\n"
    b"// control \x01\x07\x1b[31m\x7f and broken \xff\xc3\x28 \xed\xa0\x80 bytes, \xf0\x9f\x98\x80 and \xed\x95\x9c\n"
    b"#define JOIN(x) x ## " + b"w" * 5000 + b"\n"
    b"int " + b"x" * 2000 + b" = \"<script>alert(3)</script>\";\n"
    + b"// line\n" * 30000 +
    b"__global__ void matmul(int) { undeclared<script>(); }\n")



def orders(folder):
    """Lays kernels out in `folder`; returns what `tessera grade` is to grade, by the page's name."""
    wanted = {"skeleton": ["03"],
              "reference": ["00", "03", "05", "--from", str(KIT / "solutions")]}
    for name, (lab, wrong) in WRONG.items():
        place = folder / name / lab
        place.mkdir(parents=True)
        shutil.copy(KIT / "solutions" / lab / "wrong" / f"{wrong}.cu", place / "kernel.cu")
        wanted[name] = [lab, "--from", str(folder / name)]
    hostile = folder / "hostile" / "03-tiled"
    hostile.mkdir(parents=True)
    (hostile / "kernel.cu").write_bytes(HOSTILE)
    wanted["hostile"] = ["03", "--from", str(folder / "hostile")]
    return wanted


def write_page(tessera, path, arguments):
    graded = subprocess.run([tessera, "grade", *arguments, "--seed", "7", "--backend", "simulator",
                             "--format", "html"], cwd=KIT, stdin=subprocess.DEVNULL,
                            capture_output=True, check=False)
    if graded.returncode not in (0, 1):
        sys.exit(f"grading {path.stem} ended with {graded.returncode}: {graded.stderr.decode()}")
    path.write_bytes(graded.stdout)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tessera, pages = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(2) as pool:
        written = [pool.submit(write_page, tessera, pages / f"{name}.html", arguments)
                   for name, arguments in orders(pathlib.Path(temporary)).items()]
        for page in written:
            page.result()


if __name__ == "__main__":
    main()
