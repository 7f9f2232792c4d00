#include "grader/authoring/release/release_proof.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/authoring/proof/lab_faults.h"
#include "grader/authoring/release/handout_program.h"
#include "grader/authoring/release/zip.h"
#include "grader/process/child_process.h"
#include "grader/report/report.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using ResultsJson = nlohmann::json;

/// The same for every release, so that what was released once is not refused later.
constexpr const char* kSeed = "1";
/// tessera ends with 0 if all was won, 1 if points were lost, 3 if a part could not be graded; with
/// any other status there are no marks.
constexpr int kPointsLost = 1;
constexpr int kInfrastructure = 3;

Error nothing_released(const std::string& what) {
  return Error{.message = what + ". Nothing was released"};
}

/// Whether points are lost, beside what this machine cannot grade.
bool loses(const Record& record) {
  return std::ranges::any_of(record.items, [](const Item& item) {
    return item.status == Status::fail || item.status == Status::partial ||
           item.status == Status::error || item.status == Status::timeout;
  });
}

Expected<ChildResult> run(const std::vector<std::string>& command) {
  ChildLimits limits;
  limits.cpu_seconds = 4 * 3600;
  std::vector<std::string> arguments = {"/usr/bin/env"};
  arguments.insert(arguments.end(), command.begin(), command.end());
  return run_program(arguments, "", limits);
}

std::string without_end_blanks(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

/// The release, unpacked into a temporary folder.
class UnpackedRelease {
 public:
  explicit UnpackedRelease(const ReleaseProof& proof) : proof_(proof) {}

  std::optional<Error> unpack() {
    if (auto error = unpack("handout", folder_.path())) return error;
    fs::create_directories(gradescope() / "source");
    return unpack("autograder", gradescope() / "source");
  }

  /// Grades the references as a student grades in the handout.
  std::optional<Error> prove_handout(std::vector<std::string>& notes) const {
    const fs::path labs = folder_.path() / "handout" / "labs";
    for (const std::string& id : proof_.labs) copy_reference(id, labs / id / "kernel.cu");
    const fs::path file = folder_.path() / "records.json";
    std::vector<std::string> command = {program_of(folder_.path() / "handout"), "grade"};
    command.insert(command.end(), proof_.labs.begin(), proof_.labs.end());
    const std::vector<std::string> options = {"--labs", labs.string(), "--backend", "simulator",
                                              "--seed", kSeed,         "--json",    file.string()};
    command.insert(command.end(), options.begin(), options.end());
    const Expected<ChildResult> result = run(command);
    if (!result) return result.error();
    const bool marks = result->end == ChildResult::End::exited &&
                       (result->status <= kPointsLost || result->status == kInfrastructure);
    if (!marks)
      return nothing_released("the handout does not grade: " + without_end_blanks(result->log));
    return judge_records(file, notes);
  }

  /// Grades them as Gradescope does with the uploaded autograder.
  std::optional<Error> prove_autograder() const {
    for (const std::string& id : proof_.labs) {
      const fs::path name =
          proof_.labs.size() == 1 ? fs::path("kernel.cu") : fs::path(id) / "kernel.cu";
      copy_reference(id, gradescope() / "submission" / name);
    }
    fs::create_directories(gradescope() / "results");
    const Expected<ChildResult> result =
        run({"AUTOGRADER_ROOT=" + gradescope().string(),
             "TESSERA=" + program_of(gradescope() / "source" / "kit"), "TIME_LIMIT=14400",
             (gradescope() / "source" / "run_autograder").string()});
    if (!result) return result.error();
    const auto text = read_file(gradescope() / "results" / "results.json");
    if (!text)
      return nothing_released("autograder/ gives no results: " + without_end_blanks(result->log));
    const ResultsJson results = ResultsJson::parse(*text, nullptr, false);
    if (!results.contains("score")) {
      return nothing_released("autograder/ gives no score: " + without_end_blanks(result->log) +
                              "; students read: " + results.value("output", ""));
    }
    for (const ResultsJson& test : results.at("tests")) {
      if (test.contains("score") && test.at("score") < test.at("max_score")) {
        return nothing_released(fmt::format("on Gradescope the reference loses '{}': {}",
                                            test.value("name", ""),
                                            without_end_blanks(test.value("output", ""))));
      }
    }
    return std::nullopt;
  }

 private:
  std::string program_of(const fs::path& handout) const {
    utsname here{};
    uname(&here);
    const fs::path own = handout / handout_program(here.machine);
    return fs::exists(own) ? own.string() : proof_.program.string();
  }

  fs::path gradescope() const { return folder_.path() / "gradescope"; }

  std::optional<Error> unpack(const std::string& name, const fs::path& target) const {
    const fs::path zip = proof_.out / (name + ".zip");
    if (can_zip()) return unpack_zip(zip, target);
    fs::copy(proof_.out / name, name == "handout" ? target / name : target,
             fs::copy_options::recursive);
    return std::nullopt;
  }

  void copy_reference(const std::string& id, const fs::path& to) const {
    fs::create_directories(to.parent_path());
    fs::copy_file(proof_.solutions / id / "kernel.cu", to, fs::copy_options::overwrite_existing);
  }

  std::optional<Error> judge_records(const fs::path& file, std::vector<std::string>& notes) const {
    const auto text = read_file(file);
    if (!text) return text.error();
    const ResultsJson parsed = ResultsJson::parse(*text, nullptr, false);
    for (const ResultsJson& json : parsed.is_array() ? parsed : ResultsJson::array({parsed})) {
      const Expected<Record> record = read_record(json.dump());
      if (!record) return record.error();
      const fs::path reference = proof_.solutions / record->lab / "kernel.cu";
      const std::string fault = reference_fault(*record);
      if (fault.empty()) continue;
      if (!loses(*record)) {
        notes.push_back(fmt::format("{} could not be graded here: {}", reference.string(), fault));
        continue;
      }
      return Error{.file = reference.string(),
                   .message = fmt::format(
                       "does not win its own lab in the handout: {}. `tessera lab check {}` "
                       "says more. Nothing was released",
                       fault, record->lab)};
    }
    return std::nullopt;
  }

  const ReleaseProof& proof_;
  TemporaryDirectory folder_;
};

}  // namespace

std::optional<Error> prove_release(const ReleaseProof& proof, std::vector<std::string>& notes) {
  UnpackedRelease release(proof);
  if (auto error = release.unpack()) return error;
  if (auto error = release.prove_handout(notes)) return error;
  return release.prove_autograder();
}

}  // namespace tessera
