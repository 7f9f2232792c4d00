#include "grader/judge/run/baseline.h"

#include "common/text.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 8u << 20;

std::variant<Baseline, Text> from_source(Lab lab, const std::string& source,
                                         const GradeOptions& options) {
  std::string compiler;
  auto program = build_program(lab, Source(source), options, compiler);
  if (const Refusal* refusal = std::get_if<Refusal>(&program)) return refusal->message;
  return Baseline{std::move(lab), std::get<Program>(std::move(program)), std::move(compiler)};
}

std::variant<Baseline, Text> from_ptx(Lab lab, std::string ptx, const GradeOptions& options) {
  auto program = load_program(lab, start_interpreter(options.machine), ptx);
  if (const Refusal* refusal = std::get_if<Refusal>(&program)) return refusal->message;
  return Baseline{std::move(lab), std::get<Program>(std::move(program)), ""};
}

/// Without hidden cases: a baseline is timed, not graded.
Expected<Lab> baseline_lab(const std::string& id, const KitFolders& kit) {
  return load_lab(kit.labs / id, "", kit.datasets);
}

fs::path reference_of(const std::string& id, const KitFolders& kit) {
  return kit.solutions / id / "kernel.cu";
}

}  // namespace

Expected<std::string> baseline_ptx(const std::string& id, const GradeOptions& options) {
  const Expected<Lab> lab = baseline_lab(id, options.kit);
  if (!lab) return lab.error();
  const fs::path reference = reference_of(id, options.kit);
  const Expected<std::string> source = read_file(reference, kMaxBytes);
  if (!source) return source.error();
  std::string compiler;
  auto program = build_program(*lab, Source(*source), options, compiler);
  if (const Refusal* refusal = std::get_if<Refusal>(&program))
    return Error{.file = reference.string(), .message = refusal->message};
  return std::get<Program>(std::move(program)).ptx;
}

std::variant<Baseline, Text> find_baseline(const std::string& id, const GradeOptions& options) {
  Expected<Lab> lab = baseline_lab(id, options.kit);
  if (!lab) return Text(lab.error().str());
  const fs::path reference = reference_of(id, options.kit);
  const fs::path handout = options.kit.labs / id / "baseline.ptx";
  std::error_code ignored;
  const bool has_source = fs::exists(reference, ignored);
  Expected<std::string> text = read_file(has_source ? reference : handout, kMaxBytes);
  if (!text) {
    return say(Phrase::no_baseline, Detail(reference.string()), Detail(handout.string()));
  }
  GradeOptions apart = options;  // from processes that have executed a submission
  apart.machine.interpreters = options.machine.interpreters->apart();
  return has_source ? from_source(std::move(*lab), *text, apart)
                    : from_ptx(std::move(*lab), std::move(*text), apart);
}

}  // namespace tessera
