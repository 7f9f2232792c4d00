// Folders for programs that look for copies: JPlag, Dolos, compare50. None of them knows .cu, so
// every kernel is <student>/kernel.cpp; the lab's skeleton is the code that all may share.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/text.h"
#include "grader/gradebook/export/exporters.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/gradebook/export/output_folder.h"
#include "grader/gradebook/intake/csv.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSkeleton = "skeleton/kernel.cpp";
constexpr std::size_t kMaxGroupBytes = 200;

/// One kernel, of one student or of a group.
struct Kernel {
  std::string folder;
  std::string full_name;
  std::string label;
  std::string submitted_at;
  std::string source;
};

std::string folder_of(const std::vector<std::string>& names, RowId attempt) {
  const std::string joined = fmt::format("{}", fmt::join(names, "+"));
  return names.size() == 1 || joined.size() <= kMaxGroupBytes ? joined
                                                              : fmt::format("group-{}", attempt);
}

/// The attempts of `lab` that count, each once. A group's folder has the names of all its members.
std::vector<Kernel> kernels_of(const ExportContext& context, const std::string& lab,
                               const std::map<RowId, std::string>& folders) {
  std::map<RowId, std::vector<const Mark*>> owners;  // by attempt
  for (const Mark& mark : context.marks) {
    const bool counts = mark.lab == lab && mark.attempt && !mark.attempt->sha256.empty();
    if (counts) owners[mark.attempt->id].push_back(&mark);
  }
  std::vector<Kernel> kernels;
  std::set<std::string> taken;  // a student may have the name of a group's folder
  for (const auto& [attempt, marks] : owners) {
    std::vector<std::string> names, people;
    for (const Mark* mark : marks) {
      names.push_back(folders.at(mark->student.id));
      people.push_back(display_name(mark->student.identity));
    }
    const BookAttempt& counted = *marks.front()->attempt;
    const auto source = context.book.source(counted.sha256);
    if (!source) continue;
    const std::string folder = folder_of(names, attempt);
    std::string own = folder;
    for (int number = 2; !taken.insert(own).second; ++number)
      own = fmt::format("{}-{}", folder, number);
    kernels.push_back({own, fmt::format("{}", fmt::join(people, ", ")),
                       marks.front()->student.identity.section, counted.submitted_at, *source});
  }
  return kernels;
}

/// The kernel's path below the lab's folder.
fs::path kernel_path(ExportFormat format, const Kernel& kernel) {
  const fs::path file = fs::path(kernel.folder) / "kernel.cpp";
  switch (format) {
    case ExportFormat::jplag:
      return "submissions" / file;
    case ExportFormat::compare50:
      return "subs" / file;
    default:
      return "students" / file;
  }
}

std::string dolos_table(const std::vector<Kernel>& kernels) {
  std::string text = csv_row({"filename", "label", "created_at", "full_name"});
  for (const Kernel& kernel : kernels) {
    text += csv_row({kernel_path(ExportFormat::dolos, kernel).string(), guarded_cell(kernel.label),
                     kernel.submitted_at, guarded_cell(kernel.full_name)});
  }
  return text;
}

std::string command(ExportFormat format) {
  switch (format) {
    case ExportFormat::jplag:
      return "java -jar jplag.jar submissions -l cpp -p .cu,.cuh,.cpp,.h -bc skeleton";
    case ExportFormat::compare50:
      return "compare50 subs/* -d skeleton/*";
    default:
      return "dolos run -f web -l cpp -i skeleton/kernel.cpp info.csv";
  }
}

std::string readme(ExportFormat format, const std::vector<std::string>& labs) {
  return fmt::format(
      "One folder a lab: {}. Each has the kernels of the attempts that count, one a\n"
      "student or group, and the lab's skeleton, which all may share. In a lab's\n"
      "folder run\n\n    {}\n\nA high similarity is a reason to read both kernels, not a "
      "verdict: labs leave little\nroom for different solutions.\n",
      fmt::join(labs, ", "), command(format));
}

std::optional<Error> write_lab(const ExportContext& context, const std::string& lab,
                               const std::map<RowId, std::string>& folders,
                               const OutputFolder& out) {
  const Expected<std::string> skeleton = read_file(context.request.labs / lab / "kernel.cu");
  if (!skeleton) return skeleton.error();
  if (auto error = out.write(fs::path(lab) / kSkeleton, *skeleton)) return error;
  const ExportFormat format = context.request.format;
  const std::vector<Kernel> kernels = kernels_of(context, lab, folders);
  for (const Kernel& kernel : kernels) {
    const fs::path file = fs::path(lab) / kernel_path(format, kernel);
    if (auto error = out.write(file, kernel.source)) return error;
  }
  if (format != ExportFormat::dolos) return std::nullopt;
  return out.write(fs::path(lab) / "info.csv", dolos_table(kernels));
}

}  // namespace

Expected<Exported> export_similarity(const ExportContext& context) {
  const Expected<OutputFolder> out = OutputFolder::open(context.request.into);
  if (!out) return out.error();
  const auto folders = folder_names(context.book.students());
  const std::vector<std::string> labs = labs_of(context.marks);
  for (const std::string& lab : labs) {
    if (const auto error = write_lab(context, lab, folders, *out)) return *error;
  }
  if (const auto error = out->write("README.txt", readme(context.request.format, labs)))
    return *error;
  return Exported{};
}

}  // namespace tessera
