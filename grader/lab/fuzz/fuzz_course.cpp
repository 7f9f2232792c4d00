// course.yaml -> load_course().
#include <cstdint>
#include <string_view>

#include "common/temporary_directory.h"
#include "grader/lab/course.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  static const TemporaryDirectory folder;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)load_course(folder.write("course.yaml", text), {"01-naive", "03-tiled"});
  return 0;
}
