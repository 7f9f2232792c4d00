// What `make package` packs, installed into a folder and used from there, as by a user without the
// sources.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "common/testing/source_root.h"
#include "common/text.h"
#include "grader/authoring/proof/skeleton.h"
#include "grader/authoring/release/handout_files.h"
#include "grader/authoring/release/leaks.h"
#include "grader/lab/lab.h"
#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::AnyOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

struct Output {
  int status = 0;
  std::string text;
};

/// The package that this build would make, or the archive that TESSERA_PACKAGE names, installed
/// once for all tests under a path with a blank.
class Package : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TestFolder();
    const char* archive = std::getenv("TESSERA_PACKAGE");
    const std::string to = "'" + prefix().string() + "'";
    const Output installed =
        archive == nullptr
            ? shell("cmake --install '" TESSERA_BINARY_DIR "' --component student --prefix " + to)
            : shell("mkdir -p " + to + " && tar -xf '" + fs::absolute(archive).string() +
                    "' --strip-components=1 -C " + to);
    ASSERT_EQ(installed.status, 0) << installed.text;
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }

  /// The output of a shell in the folder `work`.
  static Output shell(const std::string& command) {
    fs::create_directories(work());
    const fs::path log = folder_->path() / "log.txt";
    const std::string all = "cd '" + work().string() + "' && { " + command + "; } >'" +
                            log.string() + "' 2>&1 </dev/null";
    const int status = std::system(all.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, *read_file(log)};
  }

  static Output tessera(const std::string& arguments) {
    return shell("TESSERA_CACHE='" + (folder_->path() / "cache").string() + "' '" +
                 (prefix() / "bin/tessera").string() + "' " + arguments);
  }

  static fs::path prefix() { return folder_->path() / "a place"; }
  static fs::path work() { return folder_->path() / "my work"; }

  static TestFolder* folder_;
};

TestFolder* Package::folder_ = nullptr;

TEST_F(Package, HoldsNothingOfASolution) {
  SolutionText secrets;
  for (const fs::path& lab : find_labs(kRoot / "labs")) {
    const fs::path reference = kRoot / "solutions" / lab.filename() / "kernel.cu";
    const auto lines = solution_lines(*read_file(reference), reference.string());
    ASSERT_TRUE(lines);
    std::string code;
    for (const std::string& line : *lines) code += line + "\n";
    secrets.add_solution(code);
    secrets.add_skeleton(*read_file(lab / "kernel.cu"));
  }
  const auto files = files_below(prefix() / "share");
  EXPECT_GT(files.size(), 60u);
  for (const fs::path& file : files) {
    EXPECT_NE(file.filename(), "hidden.yaml") << file;
    EXPECT_THAT(secrets.found_in(*read_file(prefix() / "share" / file), file), IsEmpty()) << file;
  }
}

TEST_F(Package, HoldsNoFileOfTheStaff) {
  for (const fs::path& file : files_below(prefix()))
    EXPECT_THAT(file.string(), Not(AnyOf(HasSubstr("solutions"), HasSubstr("staff")))) << file;
}

TEST_F(Package, StartsACourseAndGradesIt) {
  const Output started = tessera("start 'cuda course'");
  EXPECT_EQ(started.status, 0) << started.text;
  EXPECT_THAT(started.text, AllOf(HasSubstr("holds 18 labs"), HasSubstr("cd 'cuda course'\n")));
  const auto editor = read_file(work() / "cuda course" / ".clangd");
  ASSERT_TRUE(editor);
  const fs::path flags = prefix() / "share/tessera/common/include";
  EXPECT_THAT(*editor, HasSubstr("CompilationDatabase: '" + flags.string() + "'"));
  EXPECT_TRUE(fs::exists(flags / "compile_flags.txt"));

  const Output skeletons =
      shell("cd 'cuda course'; '" + (prefix() / "bin/tessera").string() + "' grade 03-tiled");
  EXPECT_EQ(skeletons.status, 1) << skeletons.text;
  EXPECT_THAT(skeletons.text, HasSubstr("Nothing written yet"));
  EXPECT_THAT(skeletons.text, HasSubstr("then `tessera")) << "there is no Makefile";

  const Output solved =
      shell("cd 'cuda course'; '" + (prefix() / "bin/tessera").string() +
            "' grade --backend simulator --from '" + (kRoot / "solutions").string() + "'");
  EXPECT_EQ(solved.status, 0) << solved.text;

  const Output again = tessera("start 'cuda course'");
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.text, HasSubstr("is there already; nothing was changed"));
}

TEST_F(Package, ACommandForStaffSaysWhereItIs) {
  const Output lab = tessera("lab check 03");
  EXPECT_NE(lab.status, 0);
  EXPECT_THAT(lab.text,
              AllOf(HasSubstr("'lab' is a command for staff"), HasSubstr("tessera-staff")));
}

TEST_F(Package, ChecksAKernelWithoutALabAroundIt) {
  folder_->write("my work/fill.cu",
                 "#include <tessera/lab.cuh>\n"
                 "__global__ void fill(int* x) { x[threadIdx.x] = 1; }\n");
  const Output checked =
      tessera("check fill.cu --kernel fill --grid 1 --block 32 --arg 'int32[32]=unwritten'");
  EXPECT_EQ(checked.status, 0) << checked.text;
  EXPECT_THAT(checked.text, HasSubstr("nothing found"));
}

TEST_F(Package, TheDoctorNeedsNoLabs) {
  const Output doctor = tessera("doctor");
  EXPECT_THAT(doctor.status, AnyOf(0, 3)) << doctor.text;
  EXPECT_THAT(doctor.text, HasSubstr("isolation"));
  EXPECT_THAT(doctor.text, HasSubstr("there is no folder labs/ here or above"));
}

TEST_F(Package, AFolderWithoutLabsSaysWhatToDo) {
  const Output lost = tessera("grade 03");
  EXPECT_EQ(lost.status, 2);
  EXPECT_THAT(lost.text, HasSubstr("tessera start DIR"));
}

TEST_F(Package, AFolderThatHoldsSomethingElseStaysAsItIs) {
  const Output refused = shell("mkdir full; touch full/thesis.tex; '" +
                               (prefix() / "bin/tessera").string() + "' start full");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.text, HasSubstr("is not an empty folder"));
  EXPECT_FALSE(fs::exists(work() / "full/labs"));
}

TEST_F(Package, AFolderThatCannotBeWrittenIsNamed) {
  const Output refused = tessera("start /proc/course");
  EXPECT_EQ(refused.status, 3) << refused.text;
  EXPECT_THAT(refused.text, HasSubstr("/proc/course: cannot be filled"));
}

TEST_F(Package, AMissingCompilerIsNamedWithWhatInstallsIt) {
  shell("'" + (prefix() / "bin/tessera").string() + "' start uncompiled");
  const Output ungraded =
      shell("cd uncompiled; PATH=/nonexistent TESSERA_CACHE=/proc/none '" +
            (prefix() / "bin/tessera").string() + "' grade 00 --compiler clang");
  EXPECT_EQ(ungraded.status, 3) << ungraded.text;
  EXPECT_THAT(ungraded.text, HasSubstr("install Clang 14 or newer (Debian, Ubuntu: apt install "
                                       "clang)"));
}

TEST_F(Package, AHomeThatCannotBeWrittenIsNoHindrance) {
  shell("'" + (prefix() / "bin/tessera").string() + "' start homeless");
  const std::string homeless =
      "cd homeless; env -u TESSERA_CACHE -u XDG_CACHE_HOME HOME=/proc/1 '" +
      (prefix() / "bin/tessera").string() + "' ";
  EXPECT_EQ(shell(homeless + "grade 00 --backend simulator").status, 1);
  EXPECT_THAT(shell(homeless + "doctor").text, HasSubstr("none can be written; set TESSERA_CACHE"));
}

TEST_F(Package, AnOlderProcessorGetsOneSentence) {
  if (std::getenv("TESSERA_PACKAGE") == nullptr)
    GTEST_SKIP() << "a build for this machine alone; TESSERA_PACKAGE names an archive";
  if (shell("command -v qemu-x86_64-static").status != 0)
    GTEST_SKIP() << "qemu-user-static is not installed";
  const Output old = shell("qemu-x86_64-static -cpu Nehalem '" +
                           (prefix() / "lib/tessera/tessera").string() + "' --version");
  EXPECT_EQ(old.status, 3);
  EXPECT_THAT(old.text, HasSubstr("needs a processor with AVX2 and FMA"));
}

/// Grades as an ordinary user in a root with only the C library, a shell and Clang. If the Debian
/// package is beside the archive, that is unpacked instead.
TEST_F(Package, GradesAllReferencesInARootThatHoldsClangAlone) {
  fs::path installed = prefix();
  const char* archive = std::getenv("TESSERA_PACKAGE");
  if (archive != nullptr) {
    const std::string debs = fs::absolute(archive).parent_path().string() + "/tessera_*_amd64.deb";
    if (shell("ls " + debs).status == 0) {
      const Output unpacked = shell("dpkg-deb --extract " + debs + " \"$PWD/unpacked\"");
      ASSERT_EQ(unpacked.status, 0) << unpacked.text;
      installed = work() / "unpacked/usr";
    }
  }
  const Output solved =
      shell(std::string(archive == nullptr ? "NEEDS_LIBRARIES=yes " : "") + "'" +
            (kRoot / "grader/package/testing/clean_root.sh").string() + "' '" + installed.string() +
            "' --ro-bind '" + (kRoot / "solutions").string() +
            "' /from -- sh -c 'cd /tmp && tessera start course && cd course && "
            "tessera grade --backend simulator --compiler clang --from /from'");
  if (solved.status == 77) GTEST_SKIP() << solved.text;
  EXPECT_EQ(solved.status, 0) << solved.text;
  EXPECT_THAT(solved.text, HasSubstr("17-wgmma"));
}

TEST_F(Package, StaffHaveTheSolutionsAndReleaseTheStudentsProgram) {
  const char* archive = std::getenv("TESSERA_PACKAGE");
  if (archive == nullptr) GTEST_SKIP() << "TESSERA_PACKAGE names no archive";
  const fs::path students = fs::absolute(archive);
  const std::string rest = students.filename().string().substr(std::string("tessera").size());
  const fs::path staff = students.parent_path() / ("tessera-staff" + rest);
  const Output done =
      shell("mkdir staff && for archive in '" + students.string() + "' '" + staff.string() +
            "'; do tar -xf \"$archive\" --strip-components=1 -C staff; done && export "
            "PATH=\"$PWD/staff/bin:$PATH\" TESSERA_CACHE=\"$PWD/cache\" && tessera start kit && cd "
            "kit && "
            "tessera grade 00 --from solutions --backend simulator && "
            "tessera lab release 00 --out ../released");
  EXPECT_EQ(done.status, 0) << done.text;
  const std::string bin = "ls released/handout/bin/*/";
  EXPECT_EQ(shell(bin + "tessera").status, 0);
  EXPECT_NE(shell(bin + "tessera-staff").status, 0);
}

struct Shell {
  std::string name;
  std::string file;
  /// The completions that a shell offers, by the file, after the words "tessera $line".
  std::string commands;
};

class Completions : public Package, public testing::WithParamInterface<Shell> {
 protected:
  Output offered(const std::string& line) const {
    const Shell& shell_here = GetParam();
    const fs::path script = prefix() / "share" / shell_here.file;
    folder_->write("complete", shell_here.commands);
    return shell("PATH='" + (prefix() / "bin").string() + "':$PATH; file='" + script.string() +
                 "' line='" + line + "' " + shell_here.name + " '" +
                 (folder_->path() / "complete").string() + "'");
  }
};

TEST_P(Completions, OffersCommandsAndOptionsAndLabs) {
  if (shell("command -v " + GetParam().name).status != 0)
    GTEST_SKIP() << GetParam().name << " is not installed";
  EXPECT_THAT(offered("gr").text, StartsWith("grade"));
  EXPECT_THAT(offered("grade --wat").text, StartsWith("--watch"));
  EXPECT_THAT(offered("grade --compiler cl").text, StartsWith("clang"));
  shell("[ -d labs ] || { '" + (prefix() / "bin/tessera").string() + "' start x; mv x/labs .; }");
  EXPECT_THAT(offered("grade 03").text, StartsWith("03-tiled"));
}

INSTANTIATE_TEST_SUITE_P(Package, Completions,
                         testing::Values(Shell{"bash", "bash-completion/completions/tessera", R"(
source "$file"
COMP_WORDS=(tessera $line)
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_tessera tessera
printf '%s\n' "${COMPREPLY[@]}"
)"},
                                         Shell{"zsh", "zsh/vendor-completions/_tessera", R"(
fpath=(${file:h} $fpath)
autoload -Uz compinit && compinit -u -D
_describe() { print -rl -- ${(P)2} }
words=(tessera ${=line})
CURRENT=$#words
$_comps[tessera]
)"},
                                         Shell{"fish", "fish/vendor_completions.d/tessera.fish", R"(
source $file
complete --do-complete "tessera $line"
)"}),
                         [](const auto& info) { return info.param.name; });

TEST_F(Package, VersionNamesTheCommit) {
  EXPECT_THAT(tessera("--version").text,
              ContainsRegex("^[0-9]+\\.[0-9]+\\.[0-9]+( \\([0-9a-f]{7,}(-dirty)?\\))?\n$"));
}

}  // namespace
}  // namespace tessera
