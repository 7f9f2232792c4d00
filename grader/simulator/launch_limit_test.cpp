// A launch's steps bound its processor time: work that takes longer than an instruction counts as
// more steps.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <ctime>

#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kLimit = 500'000;
/// Ten times what any of these launches takes per step on a slow machine; if their work did not
/// count, some would take a millisecond. Under a sanitizer, and on arm64, which may be emulated,
/// they take longer.
#if defined(__SANITIZE_ADDRESS__) || defined(__aarch64__)
constexpr double kSecondsOfStep = 50e-6;
#else
constexpr double kSecondsOfStep = 10e-6;
#endif

/// A loop without end.
std::string forever(const std::string& body) {
  return "AGAIN:\n" + body + "\nbra AGAIN;\n";
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

PtxProgram limited(const std::string& body, const std::string& scope = "") {
  PtxProgram program(body, scope);
  program.step_limit = 0;
  program.launch_step_limit = kLimit;
  program.buffer("data", std::vector<std::uint32_t>(1 << 16, 1));
  return program;
}

TEST(LaunchLimit, EndsALaunchWhoseWarpsStayBelowTheStepLimitOfOneWarp) {
  PtxProgram program(
      "mov.u32 %r0, 0; LOOP: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 1000;"
      "@%p0 bra LOOP;");
  program.shape.grid = {1000, 1, 1};
  program.step_limit = 10'000;
  EXPECT_EQ(program.run().status, RunStatus::completed);
  program.launch_step_limit = 1'000'000;
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::stopped);
  const Finding finding = only_finding(result);
  EXPECT_EQ(finding.kind, FindingKind::step_limit);
  EXPECT_THAT(finding.message, HasSubstr("1,000,000 instructions in all warps together"));
}

TEST(LaunchLimit, DoesNotDependOnTheNumberOfHostThreads) {
  std::string expected;
  for (const int threads : {1, 2, 3}) {
    PtxProgram program(
        "mov.u32 %r0, 0; LOOP: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, %index;"
        "@%p0 bra LOOP;");
    program.shape.grid = {200, 1, 1};
    program.launch_step_limit = 500'000;
    program.host_threads = threads;
    const std::string found = describe(program.run());
    if (expected.empty()) expected = found;
    EXPECT_EQ(found, expected) << threads;
  }
  EXPECT_THAT(expected, HasSubstr("step-limit"));
}

/// The most expensive launches known, by what they spend their time on.
std::vector<std::pair<std::string, PtxProgram>> expensive_launches() {
  std::vector<std::pair<std::string, PtxProgram>> all;
  const auto add = [&](const char* name, const std::string& body, const std::string& scope = "",
                       Dim3 block = {32, 1, 1}, Dim3 grid = {}) {
    PtxProgram program = limited(body, scope);
    program.shape.block = block;
    program.shape.grid = grid;
    all.emplace_back(name, std::move(program));
  };
  const Dim3 many{1 << 20, 1, 1};
  const Dim3 full{1024, 1, 1};
  add("additions", forever(repeated("add.u32 %r0, %r0, 1;", 100)));
  add("many blocks", "ret;", "", {1, 1, 1}, many);
  add("many warps", "ret;", "", full, many);
  add("local memory of each thread", ".local .b8 big[60000]; st.local.u8 [big], 1;", "", full,
      many);
  add("shared memory of each block", ".shared .b8 big[40000]; st.shared.u8 [big], 1;", "",
      {1, 1, 1}, many);
  add("registers of each warp", ".reg .b64 %big<4000>; " + repeated("mov.u64 %big3999, 1;", 1), "",
      full, many);
  const std::string format = ".global .b8 text[4096] = {" + repeated("65,", 4095) + "0};\n";
  const std::string print =
      "{ .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %rd0; st.param.b64 [b], "
      "%rd1; call (c), vprintf, (a, b); }";
  const std::string vprintf =
      ".extern .func (.param .b32 c) vprintf (.param .b64 a, .param .b64 b);\n";
  add("printf", "mov.u64 %rd0, text; mov.u64 %rd1, 0;" + forever(print), vprintf + format);
  add("a call with large arguments", ".param .b8 a[60000];" + forever("call wide, (a);"),
      ".func wide(.param .b8 a[60000]) { ret; }\n");
  add("a call with many registers", forever("call many, ();"),
      ".func many() { .reg .b64 %big<4000>; mov.u64 %big3999, 1; ret; }\n");
  add("a call with local memory", forever("call deep, ();"),
      ".func deep() { .local .b8 big[60000]; st.local.u8 [big], 1; ret; }\n");
  add("accesses outside", "mov.u64 %rd0, 4096; mad.wide.u32 %rd0, %index, 64, %rd0;" +
                              forever(repeated("st.global.u32 [%rd0], 1;", 20)));
  add("scattered generic loads",
      "mul.wide.u32 %rd0, %index, 36; add.u64 %rd0, %rd0, %data;" +
          forever(repeated("ld.u8 %r0, [%rd0]; ld.u8 %r1, [%rd0+1];", 10)));
  add("loads of four bases",
      "mul.wide.u32 %rd0, %index, 36; add.u64 %rd0, %rd0, %data;" +
          forever(
              repeated("add.u64 %rd0, %rd0, 4; ld.u32 %r0, [%rd0]; sub.u64 %rd0, %rd0, 4;", 10)));
  add("atomics of one address", forever(repeated("atom.global.add.u32 %r0, [%data], 1;", 20)));
  add("atomics of many", "mul.wide.u32 %rd0, %index, 36; add.u64 %rd0, %rd0, %data;" +
                             forever(repeated("atom.add.u32 %r0, [%rd0], 1;", 20)));
  add("races in shared memory",
      ".shared .b32 word[64];" +
          forever(repeated("st.shared.u32 [word], %index; ld.shared.u32 %r0, [word];", 10)),
      "", full);
  add("races in global memory",
      forever(repeated("st.global.u32 [%data], %index; ld.global.u32 %r0, [%data];", 10)), "",
      full);
  add("unwritten shared words",
      ".shared .b32 word[64]; mov.u64 %rd0, word;" +
          forever("mad.wide.u32 %rd1, %index, 4, %rd0; ld.shared.u32 %r0, [%rd1]; bar.sync 0;"),
      "", {64, 1, 1});
  const std::string words =
      ".shared .b32 words[4096]; mov.u32 %r0, words; mad.lo.u32 %r1, %index, 4, %r0;";
  add("asynchronous copies",
      words + forever(repeated("cp.async.ca.shared.global [%r1], [%data_at], 4; cp.async.wait_all;",
                               10)));
  add("reads of the oldest of many copies on their way",
      words +
          "cp.async.ca.shared.global [%r1], [%data_at], 4; mov.u32 %r2, 0;"
          "FILL: cp.async.ca.shared.global [%r1+4096], [%data_at], 4; add.u32 %r2, %r2, 1;"
          "setp.lt.u32 %p0, %r2, 2000; @%p0 bra FILL;" +
          forever(repeated("ld.shared.u32 %r3, [%r1];", 10)));
  add("barriers", forever(repeated("bar.sync 0;", 10)), "", full);
  add("fences and flags",
      forever("st.volatile.global.u32 [%data_at], 1; membar.gl; st.volatile.global.u32 [%data], 1;"
              "ld.volatile.global.u32 %r0, [%data]; ld.volatile.global.u32 %r1, [%data_at];"),
      "", full);
  add("matches", forever(repeated("match.any.sync.b32 %r0, %index, -1;", 20)));
  add("shuffles of halves",
      "setp.lt.u32 %p0, %index, 16; selp.b32 %r1, 0xffff, 0xffff0000, %p0;" +
          forever(repeated("shfl.sync.idx.b32 %r0, %index, 3, 31, %r1;", 20)));
  add("directed division", "mov.f64 %fd0, 0d3FF3333333333333; mov.f64 %fd1, 0d3FB999999999999A;" +
                               forever(repeated("div.rm.f64 %fd2, %fd0, %fd1;", 20)));
  add("square roots",
      "mov.f64 %fd0, 0d3FF3333333333333;" + forever(repeated("sqrt.rp.f64 %fd2, %fd0;", 20)));
  add("sines", "mov.f32 %f0, 0f3F99999A;" + forever(repeated("sin.approx.f32 %f1, %f0;", 20)));
  add("branches of each lane",
      "ts: .branchtargets A, B, C, D; and.b32 %r0, %index, 3;" +
          forever("brx.idx %r0, ts; A: add.u32 %r1, %r1, 1; bra E; B: add.u32 %r1, %r1, 2; bra E;"
                  "C: add.u32 %r1, %r1, 3; bra E; D: add.u32 %r1, %r1, 4; E:"));
  add("deep recursion", "mov.u32 %r0, 0;" + forever("call down, (); "),
      ".func down() { call down, (); ret; }\n");
  return all;
}

TEST(LaunchLimit, BoundsTheProcessorTimeOfExpensiveLaunches) {
  for (auto& [name, program] : expensive_launches()) {
    const std::clock_t start = std::clock();
    program.run();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    RecordProperty(name + ", ns a step", fmt::format("{:.0f}", 1e9 * seconds / kLimit));
    EXPECT_LT(seconds, kSecondsOfStep * kLimit) << name;
  }
}

}  // namespace
}  // namespace tessera::test
