#include "grader/compile/cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "common/sha256.h"
#include "common/text.h"

namespace tessera {
namespace {

class CacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ =
        std::filesystem::path(::testing::TempDir()) / ("tessera-cache-" + std::to_string(getpid()));
    std::filesystem::create_directories(directory_ / "include/tessera");
    std::ofstream(directory_ / "include/tessera/lab.cuh") << "// one\n";
    request_.source = "__global__ void k() {}";
    request_.compiler.include_dir = directory_ / "include";
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path directory_;
  CompileRequest request_;
};

TEST_F(CacheTest, EverythingThatDecidesTheResultChangesTheKey) {
  const std::string key = cache_key(request_, "nvrtc 13.0");
  EXPECT_EQ(key, cache_key(request_, "nvrtc 13.0"));
  EXPECT_EQ(key.size(), 64u);
  EXPECT_NE(key, cache_key(request_, "clang 14"));
  const auto changed = [&](auto change) {
    CompileRequest other = request_;
    change(other);
    return cache_key(other, "nvrtc 13.0");
  };
  EXPECT_NE(key, changed([](CompileRequest& r) { r.source = Source(r.source.text() + " "); }));
  EXPECT_NE(key, changed([](CompileRequest& r) { r.epilogue = "x"; }));
  EXPECT_NE(key, changed([](CompileRequest& r) { r.file_name = "other.cu"; }));
  EXPECT_NE(key, changed([](CompileRequest& r) { r.compute_capability = 90; }));
  EXPECT_NE(key, changed([](CompileRequest& r) { r.cubin = true; }));
  std::ofstream(directory_ / "include/tessera/lab.cuh") << "// two\n";
  EXPECT_NE(key, cache_key(request_, "nvrtc 13.0"));
}

TEST_F(CacheTest, AnEntryIsReadBackWhole) {
  CompileResult result{.ok = true,
                       .ptx = ".version 8.0\n",
                       .cubin = std::string("\x7f"
                                            "ELF\0\xff",
                                            6),
                       .compiler = "nvrtc 13.0",
                       .findings = {}};
  result.findings.push_back({.kind = FindingKind::compiler_warning,
                             .severity = Severity::warning,
                             .file = "kernel.cu",
                             .line = 3,
                             .column = 4,
                             .message = say(Phrase::not_called, Name{"__syncthreads"}),
                             .hint = "as the compiler says",
                             .example = {}});
  store_cached(directory_ / "deep/cache", "key", result);
  const auto back = load_cached(directory_ / "deep/cache", "key");
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->ok);
  EXPECT_TRUE(back->cached);
  EXPECT_EQ(back->ptx, result.ptx);
  EXPECT_EQ(back->cubin, result.cubin);
  EXPECT_EQ(back->compiler, result.compiler);
  ASSERT_EQ(back->findings.size(), 1u);
  EXPECT_EQ(back->findings[0].severity, Severity::warning);
  EXPECT_EQ(back->findings[0].line, 3);
  EXPECT_EQ(back->findings[0].message, result.findings[0].message);
  EXPECT_EQ(back->findings[0].hint, result.findings[0].hint);
  EXPECT_FALSE(load_cached(directory_, "another"));
}

TEST_F(CacheTest, ADamagedEntryIsAMiss) {
  store_cached(directory_, "key", CompileResult{});
  const std::string whole = *read_file(directory_ / "key");
  for (const std::string& damaged :
       {std::string(), whole.substr(0, 10), whole.substr(0, whole.size() - 1), whole + "x",
        sha256("junk") + "junk", sha256("") + ""}) {
    std::ofstream(directory_ / "key", std::ios::binary) << damaged;
    EXPECT_FALSE(load_cached(directory_, "key"));
  }
}

TEST_F(CacheTest, ACacheThatCannotBeWrittenIsNoError) {
  std::ofstream(directory_ / "file") << "";
  store_cached(directory_ / "file", "key", CompileResult{});
  EXPECT_FALSE(load_cached(directory_ / "file", "key"));
}

}  // namespace
}  // namespace tessera
