// From compiler messages to findings in the student's file.
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

/// The file name of a place that is a line of the PTX, as ptxas reports it.
inline constexpr const char* kAssembledPtx = "(PTX)";

/// The most warnings that are reported about one file.
inline constexpr std::size_t kMostWarnings = 5;

/// One message of a compiler, with the places that led to it: instantiations, includes, notes.
struct Diagnostic {
  Severity severity = Severity::error;
  SourcePlace place;
  std::string message;
  std::vector<SourcePlace> trail;  // nearest first
  std::string note;  // the first note, preferably one that is useful without its place
};

struct DiagnosticContext {
  std::string file_name;                 // the student's file, as #line names it
  Text epilogue_hint;                    // the meaning of errors in the grader's own code
  std::vector<std::string> directories;  // of this machine; removed from messages
  Source source = {};                    // the student's file
};

/// Parses Clang's messages: `file:line:column: error: text`, notes after what they belong to.
std::vector<Diagnostic> parse_clang_log(std::string_view log);

/// Parses NVRTC's messages: `file(line): error: text`, the quoted line, a caret that gives the
/// column. Messages of the assembler, `ptxas error : text`, have no place. A lambda with `auto`
/// parameters is no mistake: inside a kernel nvcc takes it for device code, but NVRTC for host
/// code.
std::vector<Diagnostic> parse_nvrtc_log(std::string_view log);

/// Whether NVRTC refuses nothing in its log but lambdas with `auto` parameters.
bool refuses_only_generic_lambdas(std::string_view log);

/// The findings, all in the student's file: errors first in source order, then warnings. An error
/// inside a header is reported at the student's line that led there. Errors in the grader's own
/// code are one finding with the hint, and only if the student's own lines have no error. A file
/// that needs <tessera/lab.cuh> and does not include it has only that error. What the source shows
/// (slips.h) explains errors and adds warnings. At most five warnings.
std::vector<Finding> findings_of(const std::vector<Diagnostic>& diagnostics,
                                 const DiagnosticContext& context);

}  // namespace tessera
