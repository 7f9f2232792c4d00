// Compiler messages -> findings in the student's file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/finding.h"
#include "grader/compile/source.h"

namespace tessera {

/// A place in a source, counted from 1; 0 is unknown.
struct SourcePlace {
  std::string file;
  int line = 0;
  int column = 0;
};

/// The file of a place that is a line of the PTX, as ptxas has it.
inline constexpr const char* kAssembledPtx = "(PTX)";

/// More warnings of one file are not told.
inline constexpr std::size_t kMostWarnings = 5;

/// One message of a compiler, with the places that led to it: instantiations, includes, notes.
struct Diagnostic {
  Severity severity = Severity::error;
  SourcePlace place;
  std::string message;
  std::vector<SourcePlace> trail;  // nearest first
  std::string note;                // the first remark, of those that say something if any does
};

struct DiagnosticContext {
  std::string file_name;                 // the student's file, as #line calls it
  Text epilogue_hint;                    // what errors in the grader's own code mean
  std::vector<std::string> directories;  // of this machine; cut from messages
  Source source = {};                    // the student's file
};

/// Clang's messages: `file:line:column: error: text`, notes after what they belong to.
std::vector<Diagnostic> parse_clang_log(std::string_view log);

/// NVRTC's messages: `file(line): error: text`, the quoted line, a caret that gives the column.
/// What the assembler refuses, `ptxas error : text`, has no place. A lambda with `auto` parameters
/// is no mistake: nvcc takes it for device code inside of a kernel, and NVRTC for host code.
std::vector<Diagnostic> parse_nvrtc_log(std::string_view log);

/// Whether lambdas with `auto` parameters are all that NVRTC refuses in its log.
bool refuses_generic_lambdas_alone(std::string_view log);

/// Errors first in source order, then warnings, all in the student's file: what is wrong inside a
/// header is told at the student's line that led there, what is wrong in the grader's own code as
/// one finding with the hint, and that only where the student's own lines have no error. A file
/// that lacks <tessera/lab.cuh> and needs it has that one error. What the source shows (slips.h)
/// explains errors and adds warnings. At most five warnings.
std::vector<Finding> findings_of(const std::vector<Diagnostic>& diagnostics,
                                 const DiagnosticContext& context);

}  // namespace tessera
