#!/usr/bin/env python3
"""Do verdicts on time flake? Grades the labs' references many times on this machine's GPU.

    python3 grader/gpu/scripts/flake.py [--runs 100] [--tessera build/tessera] [--out flake.md]

The labs are copied, and each threshold gets two companions: one that the reference beats by 5 %, and
one that it misses by 5 %, from a measurement at the start. Half of the runs are made while another
process loads the GPU. A verdict is wrong where a threshold that is met is not won, or one that is
missed is won; under load it may also end deferred, as unstable. Exit status 1 where one is wrong.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
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


def grade(tessera, labs, seed, json_path):
    command = [tessera, "grade", *LABS, "--labs", str(labs), "--from", "solutions",
               "--backend", "gpu", "--seed", str(seed), "--json", str(json_path)]
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--tessera", default="build/tessera")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--phases", default="idle,loaded")
    parser.add_argument("--out")
    parser.add_argument("--seconds", type=float, default=1e9, help="a phase ends its last run after")
    options = parser.parse_args()

    folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-flake-"))
    result = folder / "result.json"
    first = grade(options.tessera, "labs", options.seed, result)
    device = first[LABS[0]]["device"].split(" (driver")[0]
    shutil.copytree("labs", folder / "labs")
    shutil.copytree("solutions", folder / "solutions")
    expected = {}
    for lab in LABS:
        path = folder / "labs" / lab / "lab.yaml"
        yaml, expected[lab] = with_companions(path.read_text(), performance_items(first[lab]), device)
        path.write_text(yaml)

    table = collections.Counter()
    wrong = []
    load = None
    start = time.time()
    for phase in options.phases.split(","):
        if phase == "loaded":
            (folder / "load.cu").write_text(LOAD)
            subprocess.run(["nvcc", "-o", folder / "load", folder / "load.cu"], check=True)
            load = subprocess.Popen([folder / "load"])
        start_of_phase = time.time()
        for run in range(options.runs // len(options.phases.split(","))):
            records = grade(options.tessera, folder / "labs", options.seed + 1 + run, result)
            for lab in LABS:
                for (name, metric, met), item in zip(expected[lab], performance_items(records[lab])):
                    status = item["status"]
                    right = status == ("pass" if met else "fail")
                    allowed = status == "deferred" and phase == "loaded" and "unstable" in item["message"]
                    table[(phase, lab, metric, name, status)] += 1
                    if not right and not allowed:
                        wrong.append(f"{phase}, {lab}, {metric}, {name}: {status}: {item['message']}")
            print(f"{phase}: {run + 1} runs, {time.time() - start:.0f} s", file=sys.stderr, flush=True)
            if time.time() - start_of_phase > options.seconds:
                break
    if load:
        load.kill()

    lines = ["| load | lab | metric | threshold | verdicts |", "|---|---|---|---|---|"]
    rows = collections.defaultdict(list)
    for (phase, lab, metric, name, status), count in sorted(table.items()):
        rows[(phase, lab, metric, name)].append(f"{status} {count}")
    for (phase, lab, metric, name), verdicts in rows.items():
        lines.append(f"| {phase} | {lab} | {metric} | {name} | {', '.join(verdicts)} |")
    lines.append("")
    lines.append(f"{sum(table.values())} verdicts in {time.time() - start:.0f} s on {device}, "
                 f"{len(wrong)} wrong.")
    text = "\n".join(lines) + "\n"
    print(text)
    print("\n".join(wrong[:40]))
    if options.out:
        pathlib.Path(options.out).write_text(text + "\n".join(wrong[:40]) + "\n")
    shutil.rmtree(folder)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
