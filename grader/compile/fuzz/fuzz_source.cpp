// Gives a text to everything in the judge's own process that reads parts of a submission: as a
// source, as a compiler's messages, and as a compiler's output.
#include <cstdint>
#include <string>

#include "grader/compile/array_shapes.h"
#include "grader/compile/compiler.h"
#include "grader/compile/cubin.h"
#include "grader/compile/diagnostics.h"
#include "grader/compile/host_code.h"
#include "grader/compile/no_effect.h"
#include "grader/compile/ptx_text.h"
#include "grader/compile/slips.h"
#include "grader/compile/source_facts.h"
#include "grader/compile/uninitialized.h"
#include "grader/compile/vector_copies.h"

namespace tessera {
namespace {

void read_as_source(const Source& source) {
  (void)scan_source(source, "kernel.cu");
  (void)array_shapes(source);
  (void)parameter_names(source, "matmul", 3);
  (void)return_lines(source);
  (void)is_begun(source, "matmul");
  (void)name_lines(source);
  (void)unclosed_brace_line(source);
  (void)find_statements_without_effect(source, "kernel.cu");
  (void)find_uninitialized(source, "kernel.cu");
  (void)find_slips(source, "kernel.cu");
}

void read_as_log(const Source& source) {
  const std::string& log = source.text();
  const DiagnosticContext context{.file_name = "kernel.cu",
                                  .epilogue_message = "launch is missing",
                                  .directories = {"/usr/include"},
                                  .source = source};
  for (const auto& diagnostics : {parse_clang_log(log), parse_nvrtc_log(log)}) {
    std::vector<Finding> findings = findings_of(diagnostics, context);
    explain_errors(source, "kernel.cu", findings);
  }
  (void)refuses_only_generic_lambdas(log);
}

void read_as_output(const std::string& output) {
  (void)with_whole_vector_copies(output);
  const SourceLines lines(with_plain_file_names(output, "kernel.cu", "/usr/include"), "kernel.cu");
  (void)lines.of(10);
  if (is_cubin(output)) (void)cubin_registers(output, "matmul");
}

}  // namespace
}  // namespace tessera

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  tessera::read_as_output(text);
  const tessera::Source source(text);
  tessera::read_as_source(source);
  tessera::read_as_log(source);
  return 0;
}
