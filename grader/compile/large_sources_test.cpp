// Every large file, whatever it contains, is read in time proportional to its size.
#include "grader/compile/testing/large_sources.h"

#include <gtest/gtest.h>

#include <ctime>
#include <functional>

#include "grader/compile/array_shapes.h"
#include "grader/compile/compiler.h"
#include "grader/compile/host_code.h"
#include "grader/compile/no_effect.h"
#include "grader/compile/source_facts.h"

namespace tessera {
namespace {

/// Far more than a reader needs that looks at each token a few times, even with a sanitizer.
constexpr double kMostSeconds = 2;

double processor_seconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

struct Reader {
  const char* name;
  std::function<void(const Source&)> read;

  friend void PrintTo(const Reader& reader, std::ostream* out) { *out << reader.name; }
};

class LargeSources : public ::testing::TestWithParam<Reader> {};

TEST_P(LargeSources, AreReadInProportion) {
  for (const auto& [what, source] : test::large_sources()) {
    const double seconds = processor_seconds([&] { GetParam().read(Source(source)); });
    EXPECT_LT(seconds, kMostSeconds) << what;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Readers, LargeSources,
    ::testing::Values(
        Reader{"scan_source", [](const Source& source) { scan_source(source, "kernel.cu"); }},
        Reader{"array_shapes", [](const Source& source) { array_shapes(source); }},
        Reader{"return_lines", [](const Source& source) { return_lines(source); }},
        Reader{"name_lines", [](const Source& source) { name_lines(source); }},
        Reader{"parameter_names", [](const Source& source) { parameter_names(source, "f", 3); }},
        Reader{"is_begun", [](const Source& source) { is_begun(source, "f"); }},
        Reader{"unclosed_brace_line", [](const Source& source) { unclosed_brace_line(source); }},
        Reader{"find_statements_without_effect",
               [](const Source& source) { find_statements_without_effect(source, "kernel.cu"); }}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tessera
