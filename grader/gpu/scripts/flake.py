#!/usr/bin/env python3
"""Are verdicts on time flaky? Grades the labs' references many times on this machine's GPU.

    python3 grader/gpu/scripts/flake.py [--runs 100] [--gpus 0,1] [--tessera build/tessera]
                                       [--out flake.md]

The labs are copied, and each threshold gets two companions: one that the reference beats by 5 %, and
one that it misses by 5 %, from a measurement at the start. Half of the runs are made while another
process loads the GPU. A verdict is wrong if a threshold that is met is not won, or a threshold that is
missed is won; under load it may also be deferred as unstable. Exit status 1 if any verdict is wrong.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

LABS = ["01-naive", "03-tiled", "05-transposed", "06-dynamic-shared"]
MARGIN = 1.05

LOAD = r"""
#include <cstdio>
__global__ void burn(float* x, int rounds) {
  float v = threadIdx.x;
  for (int i = 0; i < rounds; ++i) v = v * 1.0001f + 0.5f;
  if (v == 12345.0f) *x = v;
}
int main() {
  float* x;
  if (cudaMalloc(&x, 4) != cudaSuccess) return 1;
  while (true) {
    burn<<<1024, 256>>>(x, 200000);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  }
}
"""


def grade(tessera, labs, seed, json_path, gpu):
    command = [tessera, "grade", *LABS, "--labs", str(labs), "--from", "solutions",
               "--backend", "gpu", "--gpus", gpu, "--seed", str(seed), "--json", str(json_path)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode > 1:
        sys.exit(f"{' '.join(command)} ended with {run.returncode}:\n{run.stderr}")
    return {record["lab"]: record for record in json.loads(json_path.read_text())}


def performance_items(record):
    return [item for item in record["items"] if item["id"].startswith("performance/")]


def threshold(metric, value, full, points=1):
    """A line of lab.yaml: all points at `full`, none a hair beyond."""
    beyond = full * (1.0001 if metric == "time_ms" else 0.9999)
    if metric == "time_ms":
        return (f"    - {{metric: time_ms, devices: {{{value}: {{full: {full:.6g}, "
                f"zero: {beyond:.6g}}}}}, points: {points}}}")
    return f"    - {{metric: speedup, over: {value}, full: {full:.6g}, zero: {beyond:.6g}, points: {points}}}"


def with_companions(yaml, items, device):
    """lab.yaml with a threshold that is met and one that is missed beside each, and what to expect."""
    lines, expected = [], []
    originals = iter(items)
    for line in yaml.splitlines():
        lines.append(line)
        match = re.match(r"\s*- \{metric: (time_ms|speedup)", line)
        if not match:
            continue
        item = next(originals)
        metric = match.group(1)
        measured = item["metrics"][metric]
        over = re.search(r"over: ([\w-]+)", line)
        value = over.group(1) if over else device
        met = measured * MARGIN if metric == "time_ms" else measured / MARGIN
        missed = measured / MARGIN if metric == "time_ms" else measured * MARGIN
        lines.append(threshold(metric, value, met))
        lines.append(threshold(metric, value, missed))
        expected += [("lab's own", metric, True), ("5 % better", metric, True),
                     ("5 % worse", metric, False)]
    return "\n".join(lines) + "\n", expected


class Tally:
    """What became of the verdicts, counted and the wrong ones kept."""

    def __init__(self, expected):
        self.expected = expected
        self.table = collections.Counter()
        self.wrong = []
        self.lock = threading.Lock()

    def add(self, phase, records):
        with self.lock:
            for lab in LABS:
                for (name, metric, met), item in zip(self.expected[lab], performance_items(records[lab])):
                    self.add_verdict(phase, lab, metric, name, met, item)

    def add_verdict(self, phase, lab, metric, name, met, item):
        status = item["status"]
        right = status == ("pass" if met else "fail")
        allowed = status == "deferred" and phase == "loaded" and "unstable" in item["message"]
        self.table[(phase, lab, metric, name, status)] += 1
        if not right and not allowed:
            self.wrong.append(f"{phase}, {lab}, {metric}, {name}: {status}: {item['message']}")

    def text(self, gradings, seconds, device):
        lines = ["| load | lab | metric | threshold | verdicts |", "|---|---|---|---|---|"]
        rows = collections.defaultdict(list)
        for (phase, lab, metric, name, status), count in sorted(self.table.items()):
            rows[(phase, lab, metric, name)].append(f"{status} {count}")
        for (phase, lab, metric, name), verdicts in rows.items():
            lines.append(f"| {phase} | {lab} | {metric} | {name} | {', '.join(verdicts)} |")
        phases = ", ".join(f"{count} gradings of each reference {phase}" for phase, count in gradings.items())
        lines += ["", f"{phases}: {sum(self.table.values())} verdicts in {seconds:.0f} s on {device}, "
                  f"{len(self.wrong)} wrong."]
        return "\n".join(lines + self.wrong[:40]) + "\n"


def run_phase(phase, options, folder, tally):
    """Grades on all cards at once, one grading a card; returns how many gradings there were."""
    runs = itertools.count()
    most = options.runs // len(options.phases.split(","))
    end = time.time() + options.seconds

    def work(gpu):
        done = 0
        while time.time() < end and (run := next(runs)) < most:
            seed = options.seed + 1 + run
            tally.add(phase, grade(options.tessera, folder / "labs", seed, folder / f"result-{gpu}.json", gpu))
            done += 1
        return done

    loads = []
    if phase == "loaded":
        (folder / "load.cu").write_text(LOAD)
        subprocess.run(["nvcc", "-o", folder / "load", folder / "load.cu"], check=True)
        loads = [subprocess.Popen([folder / "load"], env={**os.environ, "CUDA_VISIBLE_DEVICES": gpu})
                 for gpu in options.gpus.split(",")]
    try:
        with concurrent.futures.ThreadPoolExecutor(max_workers=64) as pool:
            return sum(pool.map(work, options.gpus.split(",")))
    finally:
        for load in loads:
            load.kill()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--tessera", default="build/tessera")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--phases", default="idle,loaded")
    parser.add_argument("--gpus", default="0", help="cards to measure on at the same time: 0,1,2")
    parser.add_argument("--out")
    parser.add_argument("--seconds", type=float, default=1e9, help="no run begins later in a phase")
    options = parser.parse_args()

    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-flake-"))
    first = grade(options.tessera, "labs", options.seed, folder / "result.json", options.gpus.split(",")[0])
    device = first[LABS[0]]["device"].split(" (driver")[0]
    shutil.copytree("labs", folder / "labs")
    shutil.copytree("solutions", folder / "solutions")
    expected = {}
    for lab in LABS:
        path = folder / "labs" / lab / "lab.yaml"
        yaml, expected[lab] = with_companions(path.read_text(), performance_items(first[lab]), device)
        path.write_text(yaml)

    tally = Tally(expected)
    start = time.time()
    gradings = {}
    for phase in options.phases.split(","):
        gradings[phase] = run_phase(phase, options, folder, tally)
        text = tally.text(gradings, time.time() - start, device)
        if options.out:
            pathlib.Path(options.out).write_text(text)
    print(text)
    shutil.rmtree(folder)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
