#include "grader/authoring/lab_faults.h"

#include <fmt/format.h>

#include "common/text.h"

namespace tessera {

std::string reference_fault(const Record& record) {
  for (const Item& item : record.items) {
    if (item.status == Status::pass || item.status == Status::deferred) continue;
    return fmt::format("{} ({}): {} {}", item.id, item.title, to_string(item.status), item.message);
  }
  for (const Item& item : record.items) {
    for (const Finding& finding : item.findings) {
      if (finding.severity == Severity::error)
        return fmt::format("{}: {} in line {}: {}", item.id, to_string(finding.kind), finding.line,
                           finding.message);
    }
  }
  return "";
}

std::string page_fault(const Lab& lab) {
  const std::filesystem::path page = lab.directory / "README.md";
  const Expected<std::string> text = read_file(page);
  if (!text) return text.error().str() + "; students read there what to do";
  return text->find_first_not_of(" \t\r\n") == std::string::npos
             ? page.string() + ": is empty; students read there what to do"
             : "";
}

}  // namespace tessera
