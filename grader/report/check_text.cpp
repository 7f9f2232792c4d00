#include <fmt/format.h>

#include <filesystem>

#include "common/numbers.h"
#include "grader/report/annotated_source.h"
#include "grader/report/finding_text.h"
#include "grader/report/report.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

std::string metrics_table(const std::map<std::string, double>& metrics) {
  std::string text;
  for (const auto& [name, value] : metrics) {
    text += fmt::format("  {:<40}{:>16}\n", name, short_number(value));
  }
  return text;
}

std::string output_text(const std::string& output) {
  if (output.empty()) return "";
  std::string text = "\nprinted by the kernel:\n" + printable(output);
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

}  // namespace

std::string text_report(const CheckReport& report, const TextOptions& options) {
  std::string text = painted(report.kernel, Color::bold, options.color) + "  ";
  text += printable(fmt::format("{}, {}, {}, seed {}\n", report.path, report.device,
                                report.compiler, report.seed));
  const std::string file = std::filesystem::path(report.path).filename().string();
  for (const Finding& finding : report.findings) {
    text += "\n" + finding_text(finding, "", {file, report.source}, options);
  }
  text += output_text(report.output);
  if (!report.lines.empty())
    text += "\n" + annotated_source({report.source, report.lines}, options);
  if (!report.metrics.empty()) text += "\n" + metrics_table(report.metrics);
  if (!report.occupancy.empty()) text += wrapped(report.occupancy, "  ", options.width);
  if (!report.modelled.empty()) text += wrapped(report.modelled, "  ", options.width);
  const std::string verdict = !report.findings.empty() ? counted(report.findings.size(), "finding")
                              : report.time_only       ? "not checked: only a few blocks were run"
                                                       : "nothing found";
  return text + fmt::format("\n{}; compiled in {:.2f} s, ran in {:.2f} s\n", verdict,
                            report.compile_seconds, report.run_seconds);
}

}  // namespace tessera
