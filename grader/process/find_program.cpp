#include "grader/process/find_program.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace tessera {
namespace {

bool can_run(const std::filesystem::path& path) {
  std::error_code failure;
  return access(path.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(path, failure);
}

}  // namespace

std::string find_program(const std::string& program) {
  if (program.find('/') != std::string::npos) {
    return can_run(program) ? std::filesystem::absolute(program).string() : "";
  }
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    const std::filesystem::path candidate = std::filesystem::path(folder) / program;
    if (candidate.is_absolute() && can_run(candidate)) return candidate.string();
  }
  return "";
}

}  // namespace tessera
