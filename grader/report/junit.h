// JUnit XML, which GitLab, Jenkins and the reporters of GitHub Actions read.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/points/record.h"

namespace tessera {

/// A testsuite for each lab and a testcase for each item; README.md says which status becomes what.
/// It is valid by both the schema of Jenkins' xUnit plugin and that of Maven Surefire
/// (testing/junit.rng). Neither allows points in a testcase, so they are properties of the suite,
/// "points.correctness/1". Names are the same in every run; times are in seconds.
std::string junit_report(const std::vector<Record>& records);

}  // namespace tessera
