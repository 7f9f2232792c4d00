#include "grader/cli/lab_check_report.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(CheckProgressText, ShowsTheTimeThatIsLeft) {
  EXPECT_EQ(check_progress_text("10-softmax", {"mutants", 20, 120, 0}, 40),
            "10-softmax: mutants 20 of 120, about 3 min 20 s left");
  EXPECT_EQ(check_progress_text("10-softmax", {"mutants", 20, 120, 0}, 2),
            "10-softmax: mutants 20 of 120")
      << "10 s are not worth a word";
  EXPECT_EQ(check_progress_text("10-softmax", {"kernels", 1, 22, 0}, 40),
            "10-softmax: kernels 1 of 22")
      << "one says nothing about the others";
}

TEST(CheckProgressText, WhatIsKnownFromEarlierRunsTakesNoTime) {
  EXPECT_EQ(check_progress_text("10-softmax", {"mutants", 110, 120, 100}, 40),
            "10-softmax: mutants 110 of 120, 100 of them from earlier runs, about 40 s left");
}

}  // namespace
}  // namespace tessera
