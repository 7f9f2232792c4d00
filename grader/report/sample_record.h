// Records for the tests of what a user sees.
#pragma once

#include "grader/judge/points/record.h"

namespace tessera {

inline Item sample_item(const std::string& id, const std::string& title, Status status,
                        double points, double max_points) {
  Item item;
  item.id = id;
  item.title = title;
  item.hidden = title.starts_with("hidden case");
  item.status = status;
  item.points = points;
  item.max_points = max_points;
  return item;
}

inline Record sample_record() {
  Record record;
  record.lab = "03-tiled";
  record.title = "Tiled multiplication";
  record.path = "labs/03-tiled/kernel.cu";
  record.sha256 = "0123";
  record.seed = 1234;
  record.backend = "simulator";
  record.compiler = "nvrtc 13.0";
  record.device = "simulated NVIDIA H200";
  record.isolation = "bubblewrap";
  return record;
}

/// A record with all points that can be won.
inline Record won_record() {
  Record record = sample_record();
  record.items = {sample_item("correctness/1", "m=16 n=16 k=16 identity", Status::pass, 25, 25),
                  sample_item("correctness/2", "hidden case 1", Status::pass, 25, 25),
                  sample_item("checks", "no out-of-bounds, misaligned, race", Status::pass, 10, 10),
                  sample_item("technique/1", "global_load_sectors_per_request at most 4.5",
                              Status::pass, 10, 10),
                  sample_item("performance/1", "speedup over 01-naive, all points at 1.2",
                              Status::deferred, 0, 20)};
  record.items[3].metrics = {{Metric::global_load_sectors_per_request, 4}};
  record.items[4].message = "needs a GPU";
  sum_points(record);
  return record;
}

/// A record with a race and a wrong result, in two cases of three.
inline Record failed_record() {
  Record record = sample_record();
  record.source.assign(22, "");
  record.source.push_back("\tAs[ty][tx] = A(row, col);  // 행렬");
  Finding race;
  race.kind = FindingKind::race;
  race.file = "kernel.cu";
  race.line = 23;
  race.column = 2;
  race.message = "As[3][5] is written by thread (5, 3, 0) and read by thread (0, 3, 0)";
  race.hint = "put __syncthreads() between the two";
  race.count = 1920;
  race.example = {{"element", "As[3][5]"}};
  Finding wrong;
  wrong.kind = FindingKind::wrong_result;
  wrong.message =
      "C: 192 of 3,072 elements are wrong: the last 3 columns. C[0][45] is 1.5, expected 2.25; "
      "this "
      "data leaves no room for rounding";
  wrong.hint = "follow C[0][45] by hand";
  wrong.count = 192;

  Item second =
      sample_item("correctness/2", "m=64 n=48 k=32 integers padding=8", Status::fail, 0, 20);
  second.message = wrong.message;
  second.findings = {race, wrong};
  Item third = sample_item("correctness/3", "m=128 n=96 k=160 uniform", Status::pass, 20, 20);
  third.findings = {race};
  Item checks = sample_item("checks", "no out-of-bounds, misaligned, race", Status::fail, 0, 10);
  checks.message = "found: race in line 23";
  checks.findings = {race};
  Item technique = sample_item("technique/1", "barriers at least 1", Status::skipped, 0, 10);
  technique.message = "counters and times wait until every case passes";
  record.items = {sample_item("correctness/1", "m=16 n=16 k=16 identity", Status::pass, 10, 10),
                  second, third, checks, technique};
  sum_points(record);
  return record;
}

}  // namespace tessera
