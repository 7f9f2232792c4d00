#include "grader/judge/run/load_finding.h"

#include "grader/compile/ptx_text.h"
#include "grader/compile/source_facts.h"

namespace tessera {
namespace {

int line_of(const LoadError& error, const std::string& ptx, const Source& source,
            const std::string& file) {
  const int of_name = first_line_with(source, error.name);
  // A declaration has no .loc of its own, so the line of the name is better.
  if (error.fault == LoadFault::over_limit && of_name != 0) return of_name;
  const int of_instruction = SourceLines(ptx, file).of(error.line);
  return of_instruction != 0 ? of_instruction : of_name;
}

}  // namespace

bool has_inline_assembly(const std::string& ptx) {
  return ptx.find("// begin inline asm") != ptx.npos;
}

Finding load_finding(const LoadError& error, const std::string& ptx, const Source& source,
                     const std::string& file, bool is_assembled) {
  Finding finding;
  finding.kind = FindingKind::does_not_compile;
  finding.file = file;
  finding.line = line_of(error, ptx, source, file);
  if (error.fault == LoadFault::over_limit) {
    if (!error.name.empty()) finding.message = say(Phrase::in_name, Name{error.name});
    finding.message += error.message;
    finding.hint = Phrase::over_limit_hint;
  } else if (error.fault == LoadFault::undefined) {
    finding.message = say(Phrase::in_name, Name{error.name}) + error.message;
    finding.hint = Phrase::undefined_hint;
  } else if (error.fault == LoadFault::not_ptx && has_inline_assembly(ptx) && !is_assembled) {
    finding.message = Phrase::not_ptx + Text(error.message);
    finding.hint = Phrase::not_ptx_hint;
  } else {
    finding.kind = FindingKind::unsupported_instruction;
    finding.message = Phrase::unreadable_ptx + Text(error.message);
    finding.hint = Phrase::unreadable_ptx_hint;
  }
  return finding;
}

}  // namespace tessera
