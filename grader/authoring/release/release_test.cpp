#include "grader/authoring/release/release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "common/testing/source_root.h"
#include "common/text.h"
#include "grader/authoring/proof/skeleton.h"
#include "grader/authoring/release/zip.h"
#include "grader/interpreter/interpreter.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

std::string content(const fs::path& file) {
  const auto text = read_file(file);
  return text ? *text : "no " + file.string();
}

bool is_executable(const fs::path& file) {
  return (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none;
}

ReleaseRequest request_for(const fs::path& kit, const fs::path& out) {
  ReleaseRequest request;
  request.kit = kRoot;
  request.program = TESSERA_PROGRAM;
  request.out = out;
  request.options.device = *load_device_profile("nvidia-h200", kRoot / "common" / "devices");
  request.options.include_dir = kRoot / "common" / "include";
  request.options.interpreters = std::make_shared<InterpreterPool>(TESSERA_INTERPRETER);
  request.options.compiler_program = TESSERA_COMPILER;
  request.options.labs = kit / "labs";
  request.options.solutions = kit / "solutions";
  request.options.datasets = kRoot / "datasets";
  return request;
}

/// The kit itself, released once for all tests.
class KitRelease : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TestFolder>();
    ReleaseRequest request = request_for(kRoot, folder_->path() / "out");
    for (const fs::path& lab : find_labs(kRoot / "labs"))
      request.labs.push_back(lab.filename().string());
    const Expected<Release> released = release(request);
    if (!released) throw std::runtime_error(released.error().str());
    notes_ = released->notes;
  }

  static void TearDownTestSuite() { folder_.reset(); }

  static fs::path out() { return folder_->path() / "out"; }
  static fs::path handout() { return out() / "handout"; }

  static std::unique_ptr<TestFolder> folder_;
  static std::vector<std::string> notes_;
};

std::unique_ptr<TestFolder> KitRelease::folder_;
std::vector<std::string> KitRelease::notes_;

/// Lines of solutions that are long enough to be recognised and are in no skeleton.
std::set<std::string> secrets() {
  std::string given;
  std::set<std::string> lines;
  for (const fs::path& lab : find_labs(kRoot / "labs")) {
    given += content(lab / "kernel.cu");
    const fs::path reference = kRoot / "solutions" / lab.filename() / "kernel.cu";
    const auto marked = solution_lines(content(reference), reference.string());
    for (const std::string& line : marked.value()) {
      if (line.size() > 12) lines.insert(line);
    }
  }
  std::erase_if(lines, [&](const std::string& line) { return given.find(line) != given.npos; });
  return lines;
}

/// Whether the line may be in the program's sources by chance, such as "return value;".
bool may_be_chance(const std::string& line, const fs::path& name) {
  const fs::path part = *name.begin();
  return line.size() < 30 && (part == "common" || part == "grader");
}

TEST_F(KitRelease, HandoutHoldsNoLineOfASolution) {
  const std::set<std::string> lines = secrets();
  EXPECT_GT(lines.size(), 80u);
  for (const fs::path& file : files_in(handout())) {
    const fs::path name = file.lexically_relative(handout());
    const std::string text = content(file);
    for (const std::string& line : lines) {
      if (may_be_chance(line, name)) continue;
      EXPECT_EQ(text.find(line), std::string::npos) << name << " holds: " << line;
    }
  }
}

TEST_F(KitRelease, HandoutHasNothingOfTheSolutionsFolder) {
  EXPECT_FALSE(fs::exists(handout() / "solutions"));
  for (const fs::path& file : files_in(handout())) {
    EXPECT_NE(file.filename(), "hidden.yaml") << file;
    EXPECT_THAT(file.filename().string(), Not(testing::EndsWith("_test.cpp"))) << file;
  }
}

/// "grader/judge/judge.h" for `#include "grader/judge/judge.h"`.
std::vector<std::string> included(const std::string& source) {
  constexpr std::string_view kStart = "#include \"";
  std::vector<std::string> names;
  for (const std::string& line : split_lines(source)) {
    if (line.starts_with(kStart))
      names.push_back(line.substr(kStart.size(), line.rfind('"') - kStart.size()));
  }
  return names;
}

TEST_F(KitRelease, HandoutHasEveryHeaderThatItsSourcesInclude) {
  for (const char* part : {"grader", "common"}) {
    for (const fs::path& file : files_in(handout() / part)) {
      if (file.extension() != ".cpp" && file.extension() != ".h") continue;
      for (const std::string& name : included(content(file)))
        EXPECT_TRUE(fs::exists(handout() / name)) << file << " includes " << name;
    }
  }
}

TEST_F(KitRelease, HandoutHasNoKernelsOfTheStaff) {
  for (const fs::path& file : files_in(handout() / "grader"))
    EXPECT_NE(file.extension(), ".cu") << file;
}

TEST_F(KitRelease, NothingIsLeftToLookAt) {
  EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(KitRelease, HandoutHasWhatItsReadmeSpeaksOf) {
  const std::string readme = content(handout() / "README.md");
  EXPECT_THAT(readme, AllOf(HasSubstr("# CUDA labs\n"), HasSubstr("make grade LAB=00"),
                            HasSubstr("| [03-tiled](labs/03-tiled/README.md) | Tiled"),
                            Not(HasSubstr("@"))));
  for (const char* name :
       {"setup.sh", "Makefile", "CMakeLists.txt", "LICENSE", "labs/03-tiled/README.md",
        "labs/03-tiled/lab.yaml", "labs/03-tiled/kernel.cu", "common/include/tessera/lab.cuh",
        "common/run/run.sh", "grader/cli/main.cpp", ".github/workflows/grade.yml",
        ".devcontainer/devcontainer.json"}) {
    EXPECT_TRUE(fs::is_regular_file(handout() / name)) << name;
  }
  EXPECT_TRUE(is_executable(handout() / "setup.sh"));
}

TEST_F(KitRelease, BaselinesComeAsPtx) {
  EXPECT_THAT(content(handout() / "labs/01-naive/baseline.ptx"), HasSubstr(".visible .entry"));
  EXPECT_FALSE(fs::exists(handout() / "labs/03-tiled/baseline.ptx"));
}

TEST_F(KitRelease, HandoutIsARepositoryWithoutChanges) {
  if (std::system("git --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "Git is not installed";
  const std::string git = "git -C '" + handout().string() + "' ";
  EXPECT_EQ(std::system((git + "diff --quiet HEAD").c_str()), 0);
  EXPECT_EQ(std::system(("test -z \"$(" + git + "status --porcelain)\"").c_str()), 0);
  EXPECT_EQ(content(handout() / ".git/HEAD"), "ref: refs/heads/main\n");
}

TEST_F(KitRelease, AutograderHasTheHiddenCasesAndNoReference) {
  const fs::path autograder = out() / "autograder";
  EXPECT_TRUE(is_executable(autograder / "setup.sh"));
  EXPECT_TRUE(is_executable(autograder / "run_autograder"));
  EXPECT_EQ(content(autograder / "kit/solutions/03-tiled/hidden.yaml"),
            content(kRoot / "solutions/03-tiled/hidden.yaml"));
  EXPECT_FALSE(fs::exists(autograder / "kit/solutions/03-tiled/kernel.cu"));
  EXPECT_THAT(content(autograder / "labs.txt"), HasSubstr("\n03-tiled\n"));
}

TEST_F(KitRelease, ZipsHoldWhatTheFoldersHold) {
  if (!can_zip()) GTEST_SKIP() << "no libarchive";
  if (std::system("unzip -v >/dev/null 2>&1") != 0) GTEST_SKIP() << "unzip is not installed";
  const fs::path target = folder_->path() / "unzipped";
  fs::create_directory(target);
  const auto unzip = [&](const std::string& name) {
    return std::system(
        ("unzip -q '" + (out() / name).string() + "' -d '" + (target / name).string() + "'")
            .c_str());
  };
  ASSERT_EQ(unzip("autograder.zip"), 0);
  ASSERT_EQ(unzip("handout.zip"), 0);
  EXPECT_EQ(content(target / "autograder.zip/labs.txt"), content(out() / "autograder/labs.txt"));
  EXPECT_TRUE(is_executable(target / "autograder.zip/run_autograder"));
  EXPECT_TRUE(is_executable(target / "handout.zip/handout/setup.sh"));
  EXPECT_FALSE(fs::exists(target / "handout.zip/handout/.git"));
  EXPECT_EQ(files_in(target / "autograder.zip").size(), files_in(out() / "autograder").size());
}

/// Two labs in a folder of their own: the second is measured against the first.
class OwnRelease : public testing::Test {
 protected:
  OwnRelease() {
    for (const fs::path part : {"labs", "solutions"}) {
      fs::create_directories(folder_.path() / part);
      for (const fs::path lab : {"01-naive", "03-tiled", "04-boundary-checked"}) {
        fs::copy(kRoot / part / lab, folder_.path() / part / lab, fs::copy_options::recursive);
      }
    }
  }

  Expected<Release> released(std::vector<std::string> labs) const {
    ReleaseRequest request = request_for(folder_.path(), out());
    request.labs = std::move(labs);
    return release(request);
  }

  std::string refusal() const {
    const auto result = released({"03-tiled"});
    return result ? "released" : result.error().str();
  }

  fs::path out() const { return folder_.path() / "out"; }

  TestFolder folder_;
};

TEST_F(OwnRelease, BringsTheLabThatAnotherIsMeasuredAgainst) {
  const auto result = released({"03-tiled"});
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_TRUE(fs::exists(out() / "handout/labs/01-naive/baseline.ptx"));
  EXPECT_FALSE(fs::exists(out() / "handout/labs/04-boundary-checked"));
  EXPECT_EQ(content(out() / "autograder/labs.txt"), "03-tiled\n");
  EXPECT_THAT(content(out() / "handout/README.md"),
              AllOf(HasSubstr("make grade LAB=03"),
                    HasSubstr("not graded: [01-naive](labs/01-naive/README.md)")));
  EXPECT_THAT(result->notes, Contains(HasSubstr("01-naive is handed out too")));
}

TEST_F(OwnRelease, RefusesASkeletonThatIsNotItsReferences) {
  folder_.write("labs/03-tiled/kernel.cu", "// mine\n");
  EXPECT_THAT(refusal(), HasSubstr("labs/03-tiled/kernel.cu: is not what the reference gives"));
  EXPECT_TRUE(fs::is_empty(out()));
}

TEST_F(OwnRelease, RefusesALabWithoutATask) {
  fs::remove(folder_.path() / "labs/03-tiled/README.md");
  EXPECT_THAT(refusal(), HasSubstr("labs/03-tiled/README.md: no such file"));
  EXPECT_TRUE(fs::is_empty(out()));
}

TEST_F(OwnRelease, RefusesALabThatItsReferenceDoesNotWin) {
  const fs::path reference = "solutions/03-tiled/kernel.cu";
  std::string source = content(folder_.path() / reference);
  const std::size_t barrier = source.find("__syncthreads();");
  folder_.write(reference, source.erase(barrier, 16));
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr("03-tiled/kernel.cu: does not win its own lab in the handout: "),
                    HasSubstr("`tessera lab check 03-tiled` says more")));
  EXPECT_TRUE(fs::is_empty(out()));
}

TEST_F(OwnRelease, RefusesATaskThatHoldsTheSolution) {
  const std::string readme = content(folder_.path() / "labs/03-tiled/README.md");
  folder_.write("labs/03-tiled/README.md", readme +
                                               "\n    As[row][col] = A_tile(row, col);\n"
                                               "    Bs[row][col] = B_tile(row, col);\n");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("labs/03-tiled/README.md:"),
                               HasSubstr("would give away a solution")));
  EXPECT_TRUE(fs::is_empty(out()));
}

TEST_F(OwnRelease, RefusesTheSolutionOfALabThatIsNotReleasedYet) {
  fs::copy_file(folder_.path() / "solutions/04-boundary-checked/kernel.cu",
                folder_.path() / "labs/03-tiled/reference.cu");
  EXPECT_THAT(refusal(), HasSubstr("labs/03-tiled/reference.cu:"));
}

TEST_F(OwnRelease, KeepsWhatNoListNames) {
  folder_.write("labs/03-tiled/notes.md", "for the staff");
  const auto result = released({"03-tiled"});
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_FALSE(fs::exists(out() / "handout/labs/03-tiled/notes.md"));
  EXPECT_THAT(result->notes, Contains(HasSubstr("labs/03-tiled/notes.md stays here")));
}

TEST_F(OwnRelease, RefusesACourseWhoseCardsNoThresholdKnows) {
  ReleaseRequest request = request_for(folder_.path(), out());
  request.labs = {"03-tiled"};
  request.course.title = "T";
  request.course.labs = {{.id = "03-tiled"}};
  request.course.devices = {"NVIDIA A100"};
  const auto result = release(request);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().str(), AllOf(HasSubstr("the handout does not grade: tessera: "),
                                          HasSubstr("course.yaml counts NVIDIA A100 alone")));
  EXPECT_TRUE(fs::is_empty(out()));
}

TEST_F(OwnRelease, BringsTheCoursesOwnRecipes) {
  const std::string lab = content(folder_.path() / "labs/03-tiled/lab.yaml");
  const std::size_t data = lab.find("data: ");
  folder_.write("labs/03-tiled/lab.yaml",
                lab.substr(0, data) + "data: ours" + lab.substr(lab.find('}', data)));
  fs::copy(kRoot / "datasets", folder_.path() / "datasets");
  folder_.write("datasets/ours.yaml", content(kRoot / "datasets/bits.yaml"));
  ReleaseRequest request = request_for(folder_.path(), out());
  request.options.datasets = folder_.path() / "datasets";
  request.labs = {"03-tiled"};
  const auto result = release(request);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_TRUE(fs::exists(out() / "handout/datasets/ours.yaml"));
}

TEST_F(OwnRelease, RefusesAFileThatNothingReads) {
  folder_.write("solutions/03-tiled/hiden.yaml", "cases: []\n");
  EXPECT_THAT(refusal(), HasSubstr("solutions/03-tiled/hiden.yaml: is read by nothing (did you "
                                   "mean 'hidden.yaml'?)"));
}

TEST_F(OwnRelease, OverwritesNothing) {
  folder_.write("out/mine.txt", "mine");
  EXPECT_THAT(refusal(), HasSubstr("out: is not empty"));
  EXPECT_EQ(content(out() / "mine.txt"), "mine");
}

}  // namespace
}  // namespace tessera
