#include "common/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera {
namespace {

TEST(InParallel, DoesEachPieceOnceOnTheThreadsAskedFor) {
  std::vector<int> done(1000, 0);
  std::atomic<bool> stranger = false;
  in_parallel(done.size(), 3, [&](std::size_t index, std::size_t thread) {
    ++done[index];
    if (thread >= 3) stranger = true;
  });
  EXPECT_EQ(done, std::vector<int>(1000, 1));
  EXPECT_FALSE(stranger);
}

TEST(InParallel, NoPiecesNeedNoCalls) {
  in_parallel(0, 4, [](std::size_t, std::size_t) { FAIL(); });
}

TEST(InParallel, TheFirstExceptionIsThrownAgainAndTheRestDoesNotBegin) {
  std::atomic<int> begun = 0;
  try {
    in_parallel(1000, 1, [&](std::size_t index, std::size_t) {
      ++begun;
      if (index == 7) throw std::runtime_error("seven");
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& failure) {
    EXPECT_EQ(std::string(failure.what()), "seven");
  }
  EXPECT_EQ(begun, 8);
}

}  // namespace
}  // namespace tessera
