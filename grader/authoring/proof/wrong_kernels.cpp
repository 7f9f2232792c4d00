#include "grader/authoring/proof/wrong_kernels.h"

#include <algorithm>
#include <utility>

#include "common/text.h"

namespace tessera {

namespace fs = std::filesystem;

std::vector<fs::path> kernel_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

Expected<std::vector<WrongKernel>> read_wrong_kernels(const Lab& lab, const fs::path& solution,
                                                      const std::string& folder) {
  std::vector<WrongKernel> kernels;
  for (const fs::path& file : kernel_files(solution / folder)) {
    Expected<std::string> source = read_file(file);
    if (!source) return source.error();
    Expected<Expectation> expectation = read_expectation(*source, file.string());
    if (!expectation) return expectation.error();
    if (std::string unknown = unknown_item(*expectation, lab); !unknown.empty())
      return Error{.file = file.string(), .line = 1, .message = std::move(unknown)};
    kernels.push_back({file, std::move(*source), std::move(*expectation)});
  }
  return kernels;
}

}  // namespace tessera
