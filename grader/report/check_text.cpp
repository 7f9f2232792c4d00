#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "common/numbers.h"
#include "grader/report/annotated_source.h"
#include "grader/report/finding_text.h"
#include "grader/report/report.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

std::string metrics_table(const Metrics& metrics) {
  std::string text;
  for (const auto& [metric, value] : metrics) {
    text += fmt::format("  {:<40}{:>16}\n", to_string(metric), short_number(value));
  }
  return text;
}

constexpr std::size_t kMostPrintedLines = 100;
constexpr std::size_t kMostPrintedBytes = 8000;

/// The start of `output`, as much as a reader of a terminal can take in.
std::string_view readable_start(std::string_view output) {
  std::size_t end = 0;
  for (std::size_t line = 0; line < kMostPrintedLines && end < output.size(); ++line)
    end = std::min(output.find('\n', end), output.size() - 1) + 1;
  return output.substr(0, std::min(end, kMostPrintedBytes));
}

std::string output_text(const CheckReport& report, const TextOptions& options) {
  if (report.output.empty()) return "";
  const std::string_view shown = readable_start(report.output);
  std::string text = "\nprinted by the kernel:\n" + printable(shown);
  if (!text.ends_with('\n')) text += '\n';
  if (!report.output_cut && shown.size() == report.output.size()) return text;
  return text + wrapped(fmt::format("... and more: printf was called {}, and the start is shown. "
                                    "Let one thread print, or a few: if (blockIdx.x == 0 && "
                                    "threadIdx.x == 0) printf(...)",
                                    counted(report.prints, "time")),
                        "", options.width);
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
  text += output_text(report, options);
  if (!report.lines.empty())
    text += "\n" + annotated_source(counted_source(report.source, report.lines), options);
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
