// The compiling processes from the grader's side: what a source cannot read, and what a server that
// was broken into cannot do.
#include "grader/compile/compiler_process.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "common/text.h"
#include "grader/compile/backend.h"
#include "grader/compile/testing/kit_compiler.h"
#include "grader/process/landlock.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kKernel = "extern \"C\" __global__ void k(int* p) { p[0] = 1; }\n";

class Folder {
 public:
  Folder() {
    std::string name = ::testing::TempDir() + "tessera-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool is_available(CompilerKind kind) {
  for (const CompilerInfo& info : available_compilers()) {
    if (info.kind == kind) return info.available;
  }
  return false;
}

class CompilingProcess : public ::testing::TestWithParam<CompilerKind> {
 protected:
  void SetUp() override {
    if (!is_available(GetParam())) GTEST_SKIP() << "this compiler is not here";
  }

  /// Compiles below the rules for includes, which would refuse most of these sources.
  Expected<BackendOutput> compiled(const std::string& source,
                                   const fs::path& program = TESSERA_COMPILER) const {
    const BackendRequest request{.program = source,
                                 .file_name = "kernel.cu",
                                 .compiler = {.include_dir = TESSERA_SOURCE_DIR "/common/include",
                                              .program = program,
                                              .cache_dir = {}}};
    return GetParam() == CompilerKind::nvrtc ? compile_with_nvrtc(request)
                                             : compile_with_clang(request);
  }

  /// Compiles with a server that was broken into and does `deed`.
  Expected<BackendOutput> compiled_by(const std::string& deed) {
    const fs::path link = folder_.path() / deed;
    if (!fs::is_symlink(link)) fs::create_symlink(TESSERA_BROKEN_COMPILER, link);
    return compiled(kKernel, link);
  }

  /// Expects that no byte of `file` is in the result of a source that includes it.
  void expect_unread(const fs::path& file, const std::string& content) {
    for (const std::string& source :
         {"#include \"" + file.string() + "\"\n",
          "#if __has_include(\"" + file.string() + "\")\n#error it is there\n#endif\n"}) {
      const auto output = compiled(source + kKernel);
      ASSERT_TRUE(output) << output.error().str();
      EXPECT_THAT(output->log, Not(HasSubstr(content)));
      EXPECT_THAT(output->ptx, Not(HasSubstr(content)));
    }
    EXPECT_NE(compiled("#include \"" + file.string() + "\"\n")->end, BackendOutput::End::compiled);
  }

  Folder folder_;
};

INSTANTIATE_TEST_SUITE_P(Compilers, CompilingProcess,
                         ::testing::Values(CompilerKind::nvrtc, CompilerKind::clang),
                         [](const auto& info) {
                           return info.param == CompilerKind::nvrtc ? "Nvrtc" : "Clang";
                         });

TEST_P(CompilingProcess, ReadsNoFileOutsideTheHeaders) {
  if (landlock_version() == 0) GTEST_SKIP() << "the kernel has no Landlock";
  const fs::path secret = folder_.path() / "hidden.yaml";
  std::ofstream(secret) << "the_hidden_case m 4711;\n";
  expect_unread(secret, "the_hidden_case");
  expect_unread("/etc/passwd", "root:");
  expect_unread("/proc/self/status", "VmPeak");
}

/// `text` with `name` replaced by `replacement`.
std::string renamed(std::string text, const std::string& name, const std::string& replacement) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;
       at += replacement.size())
    text.replace(at, name.size(), replacement);
  return text;
}

TEST_P(CompilingProcess, NoSourceLearnsWhetherAFileExists) {
  const std::string there = (folder_.path() / "hidden.yaml").string();
  const std::string not_there = (folder_.path() / "no_such.yml").string();
  std::ofstream(there) << "the_hidden_case m 4711;\n";
  const std::string paste =
      "#define PASTE2(a, b) a##b\n#define PASTE(a, b) PASTE2(a, b)\n#define NAME \"FILE\"\n";
  for (const std::string& question : {
           std::string("#include \"FILE\"\n"),
           std::string("\xc2\xa0#include \"FILE\"\n"),
           std::string("\xe2\x80\xa8#include \"FILE\"\n"),
           std::string("%:include \"FILE\"\n"),
           std::string("?\?=include \"FILE\"\n"),
           std::string("#inc\\\nlude \"FILE\"\n"),
           std::string("#include_next \"FILE\"\n"),
           std::string("#import \"FILE\"\n"),
           std::string("const char text[] = {\n#embed \"FILE\"\n};\n"),
           std::string("#if __has_include(\"FILE\")\n#error it is there\n#endif\n"),
           std::string("#if __has_include_next(\"FILE\")\n#error it is there\n#endif\n"),
           std::string("#if __has_embed(\"FILE\")\n#error it is there\n#endif\n"),
           paste + "#if PASTE(__has_, include)(\"FILE\")\n#error it is there\n#endif\n",
           paste + "#if PASTE(__h, as_include)(NAME)\n#error it is there\n#endif\n",
           paste + "#include NAME\n",
           std::string("#pragma GCC dependency \"FILE\"\n"),
           std::string("_Pragma(\"GCC dependency \\\"FILE\\\"\")\n"),
           paste + "PASTE(_Prag, ma)(\"GCC dependency \\\"FILE\\\"\")\n",
           std::string("#pragma clang module load \"FILE\"\n"),
       }) {
    const auto found = compiled(renamed(question, "FILE", there) + kKernel);
    const auto missed = compiled(renamed(question, "FILE", not_there) + kKernel);
    ASSERT_TRUE(found && missed) << question;
    EXPECT_EQ(found->end, missed->end) << question;
    EXPECT_EQ(renamed(found->log, there, not_there), missed->log) << question;
    EXPECT_EQ(renamed(found->ptx, there, not_there), missed->ptx) << question;
    EXPECT_THAT(found->log + found->ptx, Not(HasSubstr("4711"))) << question;
  }
}

TEST_P(CompilingProcess, WithTheRightsTheSameFileIsRead) {
  const auto output =
      compiled("#include \"" TESSERA_SOURCE_DIR "/common/include/tessera/lab.cuh\"\n");
  ASSERT_TRUE(output) << output.error().str();
  EXPECT_EQ(output->end, BackendOutput::End::compiled) << output->log;
}

TEST_P(CompilingProcess, IsNotStartedWithoutAProgram) {
  const auto output = compiled(kKernel, "");
  ASSERT_FALSE(output);
  EXPECT_THAT(output.error().message, HasSubstr("nothing is compiled without its confinement"));
  const auto missing = compiled(kKernel, folder_.path() / "none");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("cannot be started"));
}

TEST_P(CompilingProcess, AServerThatDiesOnceIsStartedAgain) {
  const auto output = compiled_by("dies-once");
  ASSERT_TRUE(output) << output.error().str();
  EXPECT_EQ(output->end, BackendOutput::End::compiled);
  EXPECT_THAT(output->ptx, Not(HasSubstr("nothing of this")));
  EXPECT_THAT(output->ptx, HasSubstr(".entry k"));
}

TEST_P(CompilingProcess, AServerThatBreaksIsAnError) {
  for (const char* deed :
       {"dies", "leaves", "claims-a-terabyte", "stammers", "cut-short", "version-of-its-own",
        "name-without-end", "name-that-acts", "status-of-no-process"}) {
    const auto output = compiled_by(deed);
    ASSERT_FALSE(output) << deed;
    EXPECT_THAT(output.error().message, HasSubstr("ended twice")) << deed;
    EXPECT_TRUE(compiled(kKernel)) << "after " << deed;
  }
}

TEST_P(CompilingProcess, OutputBeyondTheLimitIsCutOff) {
  const auto output = compiled_by("writes-a-terabyte");
  ASSERT_TRUE(output);
  EXPECT_LE(output->ptx.size(), std::size_t{64} << 20);
  EXPECT_LE(output->log.size(), std::size_t{256} << 10);
}

TEST_P(CompilingProcess, ManyThreadsCompileAtATime) {
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      const std::string name = "kernel_" + std::to_string(i);
      const auto output = compiled("extern \"C\" __global__ void " + name + "() {}\n");
      if (output && output->ptx.find(".entry " + name) != std::string::npos) ++good;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 6);
}

TEST_P(CompilingProcess, AForkedGraderHasServersOfItsOwn) {
  ASSERT_TRUE(compiled(kKernel));
  const pid_t child = fork();
  if (child == 0) _exit(compiled(kKernel) ? 0 : 1);
  EXPECT_TRUE(compiled(kKernel));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(CompiledFromTheCache, StartsNoCompiler) {
  if (!is_available(CompilerKind::nvrtc) && !is_available(CompilerKind::clang)) GTEST_SKIP();
  const Folder cache;
  CompileRequest request;
  request.source = kKernel;
  request.compiler = kit_compiler();
  request.compiler.cache_dir = cache.path();
  ASSERT_TRUE(compile(request));
  request.compiler.program = "/nonexistent/tessera-compiler";
  const auto again = compile(request);
  ASSERT_TRUE(again) << again.error().str();
  EXPECT_TRUE(again->cached);
}

}  // namespace
}  // namespace tessera
