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

/// Stands in for the file name if a place is a line of the PTX, as in the messages of ptxas.
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
  std::string file_name;  // the student's file, as #line names it
  /// The message of the finding that replaces errors in the code that the grader appends.
  Text epilogue_message;
  std::vector<std::string> directories;  // of this machine; removed from messages
  Source source = {};                    // the student's file
};

/// Parses Clang's messages: `file:line:column: error: text`, notes after what they belong to.
std::vector<Diagnostic> parse_clang_log(std::string_view log);

/// Parses NVRTC's messages: `file(line): error: text`, the quoted line, a caret that gives the
/// column. Messages of the assembler, `ptxas error : text`, have no place. NVRTC's errors about
/// lambdas with `auto` parameters are left out: NVRTC takes such a lambda for host code even inside
/// a kernel, while nvcc takes it for device code.
std::vector<Diagnostic> parse_nvrtc_log(std::string_view log);

/// Whether NVRTC refuses nothing in its log but lambdas with `auto` parameters.
bool refuses_only_generic_lambdas(std::string_view log);

/// The findings, all in the student's file: errors first in source order, then warnings. An error
/// inside a header is reported at the student's line that led there. Errors in the code that the
/// grader appends become one finding with epilogue_message, and only if the student's own lines
/// have no error. If a file uses something from <tessera/lab.cuh> without including it, only the
/// missing #include is reported. slips.h explains errors whose cause the source shows, and adds
/// warnings if there is no error. At most kMostWarnings warnings are kept.
std::vector<Finding> findings_of(const std::vector<Diagnostic>& diagnostics,
                                 const DiagnosticContext& context);

}  // namespace tessera
