// lab.yaml, a line "=== hidden" and hidden.yaml -> load_lab().
#include <cstdint>
#include <string_view>

#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/lab/lab.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  constexpr std::string_view kHidden = "\n=== hidden\n";
  static const TemporaryDirectory folder;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find(kHidden);
  folder.write("lab.yaml", text.substr(0, end));
  std::filesystem::path hidden;
  if (end != text.npos) hidden = folder.write("hidden.yaml", text.substr(end + kHidden.size()));
  const auto lab = load_lab(folder.path(), hidden, TESSERA_SOURCE_DIR "/datasets");
  if (lab) (void)lab->max_points();
  return 0;
}
