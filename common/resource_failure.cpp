#include "common/resource_failure.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>

namespace tessera {

std::string text_without_paths(const std::exception& failure) {
  const auto* const of_files = dynamic_cast<const std::filesystem::filesystem_error*>(&failure);
  if (of_files == nullptr) return failure.what();
  return "this machine cannot read or write a file that the grader needs: " +
         of_files->code().message() + "; is there room where TMPDIR points?";
}

bool is_resource_failure(int code) {
  // EFBIG is the limit on a file's size that `ulimit -f` sets.
  constexpr int kCodes[] = {ENOSPC, EDQUOT, EFBIG,  EIO,    EMFILE,   ENFILE,
                            ENOMEM, EROFS,  ENODEV, ESTALE, ETIMEDOUT};
  return std::ranges::find(kCodes, code) != std::end(kCodes);
}

}  // namespace tessera
