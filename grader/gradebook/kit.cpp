#include "grader/gradebook/kit.h"

#include <map>
#include <set>

#include "common/resource_failure.h"
#include "common/text.h"
#include "grader/judge/run/baseline.h"
#include "grader/lab/course_labs.h"
#include "grader/lab/lab_hash.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

void copy_folder(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  fs::copy(from, to, fs::copy_options::recursive);
}

void copy_declaration(const std::string& id, const KitFolders& kit, const fs::path& stage) {
  fs::create_directories(stage / "labs" / id);
  for (const char* name : {"lab.yaml", "reference.cu"}) {
    const fs::path file = kit.labs / id / name;
    if (fs::exists(file)) fs::copy_file(file, stage / "labs" / id / name);
  }
}

/// Copies what `lab` is graded with. `shared` is the part that is the same for all labs.
void copy_lab(const Lab& lab, const KitFolders& kit, const fs::path& shared,
              const fs::path& stage) {
  fs::create_directories(stage);
  fs::copy(shared, stage, fs::copy_options::recursive | fs::copy_options::create_hard_links);
  std::set<std::string> ids = baselines_of(lab);
  ids.insert(lab.id);
  for (const std::string& id : ids) copy_declaration(id, kit, stage);
  const fs::path hidden = kit.solutions / lab.id / "hidden.yaml";
  if (!fs::exists(hidden)) return;
  fs::create_directories(stage / "solutions" / lab.id);
  fs::copy_file(hidden, stage / "solutions" / lab.id / "hidden.yaml");
}

/// Without the path: the folder is gone by the time this is read.
Error not_written() {
  return Error{.message =
                   "what gradings need cannot be written to where TMPDIR points; make room "
                   "there, or set TMPDIR to another folder"};
}

/// Writes a course.yaml that names only the labs of `stage`, if the kit has one.
std::optional<Error> stage_course(const Course& course, const KitFolders& kit,
                                  const fs::path& stage) {
  if (!fs::exists(kit.labs / "course.yaml")) return std::nullopt;
  return write_file(stage / "labs" / "course.yaml",
                    to_yaml(part_of(course, lab_ids(stage / "labs"))));
}

/// Writes the PTX of the references that `labs` are measured against, where a handout has it.
std::optional<Error> stage_baselines(const std::vector<Lab>& labs, const GradeOptions& options,
                                     const fs::path& stage) {
  std::map<std::string, std::string> made;
  for (const Lab& lab : labs) {
    for (const std::string& id : baselines_of(lab)) {
      if (!made.contains(id)) {
        Expected<std::string> ptx = baseline_ptx(id, options);
        if (!ptx) return ptx.error();
        made[id] = std::move(*ptx);
      }
      const fs::path file = stage / lab.id / "labs" / id / "baseline.ptx";
      if (write_file(file, made[id])) return not_written();
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> stage_kit(const std::vector<Lab>& labs, const GradeOptions& options,
                               const fs::path& stage) {
  const KitFolders& kit = options.kit;
  const Expected<Course> course = course_of(kit.labs);
  if (!course) return course.error();
  try {
    const fs::path shared = stage / ".shared";
    copy_folder(kit.datasets, shared / "datasets");
    copy_folder(kit.include_dir(), shared / "common" / "include");
    copy_folder(kit.devices(), shared / "common" / "devices");
    for (const Lab& lab : labs) {
      copy_lab(lab, kit, shared, stage / lab.id);
      if (stage_course(*course, kit, stage / lab.id)) return not_written();
    }
  } catch (const fs::filesystem_error& failure) {
    // Its text and its paths name files of the kit.
    return Error{.message = "what gradings need of the kit cannot be copied for them: " +
                            text_without_paths(failure)};
  }
  return options.machine.gpu ? stage_baselines(labs, options, stage) : std::nullopt;
}

}  // namespace tessera
