// JUnit XML, which GitLab, Jenkins and the reporters of GitHub Actions read.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/points/record.h"

namespace tessera {

/// One testsuite a lab, one testcase an item; README.md says which status becomes what. Within what
/// the schemas of Jenkins' xUnit plugin and of Maven Surefire have in common (testing/junit.rng):
/// points are properties of the suite, "points.correctness/1", since neither allows them in a
/// testcase. Names are the same at every run, times are in seconds.
std::string junit_report(const std::vector<Record>& records);

}  // namespace tessera
