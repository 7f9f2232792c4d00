#include "common/resource_failure.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace tessera {
namespace {

TEST(TextWithoutPaths, OfAFileSystemErrorIsOnlyTheReason) {
  const std::filesystem::filesystem_error failure(
      "cannot copy", "/opt/kit/solutions/03-tiled/hidden.yaml", "/tmp/x",
      std::make_error_code(std::errc::no_space_on_device));
  EXPECT_EQ(text_without_paths(failure),
            "this machine cannot read or write a file that the grader needs: No space left on "
            "device; is there room where TMPDIR points?");
}

TEST(TextWithoutPaths, OfAnotherFailureIsItsMessage) {
  EXPECT_EQ(text_without_paths(ResourceFailure("no memory")), "no memory");
}

}  // namespace
}  // namespace tessera
