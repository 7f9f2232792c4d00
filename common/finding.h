// A finding is one cause, said once: what is wrong with a kernel, where, how often, and what to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera {

enum class FindingKind {
  out_of_bounds,
  misaligned,
  race,
  uninitialized_read,
  divergent_barrier,
  barrier_deadlock,
  input_modified,
  output_not_written,
  wrong_result,
  not_finite,
  bad_launch,
  step_limit,
  trap,
  read_only_write,
  does_not_compile,
  forbidden_include,
  unsupported_instruction,
  compiler_warning,
  grader_crash,  // the process that executed the kernel ended: for a person to look at
};

enum class Severity { error, warning, info };

/// The word used in records and lab.yaml: "out-of-bounds", "race", ...
std::string_view to_string(FindingKind kind);
std::string_view to_string(Severity severity);

/// The kind that `word` names, or nothing.
std::optional<FindingKind> finding_kind(std::string_view word);

/// Every kind, in the order of the enum.
const std::vector<FindingKind>& all_finding_kinds();

struct Finding {
  FindingKind kind = FindingKind::wrong_result;
  Severity severity = Severity::error;
  std::string file;     // as the student knows it: "kernel.cu"
  int line = 0;         // 1-based; 0 where no source line is known
  int column = 0;       // 1-based; 0 where unknown
  std::string message;  // what happened, with the numbers
  std::string hint;     // what to do about it
  std::uint64_t count = 1;
  /// One concrete instance, as ordered pairs: ("thread", "(3, 0, 0)"), ("element", "As[3][5]").
  std::vector<std::pair<std::string, std::string>> example;
};

/// Adds those of `more` that are errors and of whose kind and line none is among `findings`.
void add_untold_errors(std::vector<Finding>& findings, std::vector<Finding> more);

}  // namespace tessera
