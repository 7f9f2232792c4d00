// Bad launches, kernel declarations and device printf.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;

LaunchShape shape(Dim3 grid, Dim3 block, std::uint64_t shared_bytes = 0) {
  return {.grid = grid, .block = block, .shared_bytes = shared_bytes};
}

TEST(Launch, ABadLaunchRunsNothing) {
  PtxProgram program("st.global.u32 [%out], 1;");
  program.buffer("out", std::vector<std::uint32_t>(1, 7));
  program.shape.block = {2048, 1, 1};
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::not_launched);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings.front().kind, FindingKind::bad_launch);
  EXPECT_EQ(program.contents<std::uint32_t>("out").front(), 7u);
}

/// Returns the message for a launch of a kernel declared with `bounds`; "" if the launch runs.
std::string refusal(const std::string& bounds, Dim3 grid, Dim3 block, int registers = 0) {
  const auto module = load_module(".version 8.8\n.target sm_90\n.address_size 64\n.entry k() " +
                                  bounds + " { ret; }\n");
  EXPECT_TRUE(module) << module.error().str();
  DeviceMemory memory;
  RunRequest request;
  request.entry = "k";
  request.shape = shape(grid, block);
  request.memory = &memory;
  request.registers_per_thread = registers;
  const RunResult result = run(**module, request);
  const bool is_sampled = sample_launch(**module, request).has_value();
  EXPECT_EQ(is_sampled, result.status == RunStatus::completed);
  if (result.status == RunStatus::completed) return "";
  EXPECT_EQ(result.status, RunStatus::not_launched);
  EXPECT_EQ(result.findings.at(0).kind, FindingKind::bad_launch);
  return result.findings.at(0).message;
}

TEST(LaunchBounds, LimitTheThreadsOfABlock) {
  const char* bounds = ".maxntid 32, 2, 1 .minnctapersm 2";
  EXPECT_EQ(refusal(bounds, {1, 1, 1}, {64, 1, 1}), "");
  EXPECT_EQ(refusal(bounds, {1, 1, 1}, {8, 8, 1}), "");
  EXPECT_EQ(refusal(bounds, {1, 1, 1}, {16, 16, 1}),
            "a block of 256 threads does not fit: because of its __launch_bounds__ this kernel "
            "runs in blocks of at most 64");
  EXPECT_NE(refusal(".maxntid 128", {1, 1, 1}, {129, 1, 1}), "");
}

TEST(LaunchBounds, ARequiredBlockSizeAllowsNoOtherSize) {
  const char* bounds = ".blocksareclusters .reqntid 32, 8 .reqnctapercluster 1, 1, 1";
  EXPECT_EQ(refusal(bounds, {3, 1, 1}, {32, 8, 1}), "");
  EXPECT_EQ(
      refusal(bounds, {3, 1, 1}, {8, 32, 1}),
      "a block of 8 x 32 x 1 does not fit: because of its __block_size__ this kernel runs only "
      "in blocks of 32 x 8 x 1");
}

TEST(LaunchBounds, AGridHasWholeClusters) {
  const char* bounds = ".explicitcluster .reqnctapercluster 2, 1, 1";
  EXPECT_EQ(refusal(bounds, {4, 3, 1}, {32, 1, 1}), "");
  EXPECT_EQ(refusal(bounds, {3, 4, 1}, {32, 1, 1}),
            "a grid of 3 x 4 x 1 does not fit: because of its __cluster_dims__ this kernel runs in "
            "grids that are multiples of 2 x 1 x 1");
}

TEST(LaunchBounds, AClusterHasAtMostEightBlocks) {
  EXPECT_EQ(refusal(".reqnctapercluster 8, 1, 1", {16, 1, 1}, {32, 1, 1}), "");
  EXPECT_EQ(refusal(".reqnctapercluster 16, 1, 1", {16, 1, 1}, {32, 1, 1}),
            "a cluster of 16 blocks: clusters of more than 8 do not run on every device");
}

TEST(LaunchBounds, AreNumbersAboveZero) {
  for (const char* bounds : {".maxntid 0, 1, 1", ".reqntid 8, 0", ".reqnctapercluster 0",
                             ".maxntid 4294967296", ".maxntid -1"}) {
    EXPECT_FALSE(load_module(".version 8.8\n.target sm_90\n.address_size 64\n.entry k() " +
                             std::string(bounds) + " { ret; }\n"))
        << bounds;
  }
}

TEST(Registers, LimitTheBlock) {
  EXPECT_EQ(refusal("", {1, 1, 1}, {32, 12, 1}, 168), "");
  EXPECT_EQ(
      refusal("", {1, 1, 1}, {32, 32, 1}, 168),
      "a block of 1024 threads does not fit: with 168 registers per thread this kernel runs in "
      "blocks of at most 384");
  EXPECT_EQ(refusal("", {1, 1, 1}, {32, 32, 1}, 64), "");
}

TEST(Kernels, AreListedWithNamesAndParameters) {
  const auto module = load_module(
      ".version 8.8\n.target sm_90\n.address_size 64\n"
      ".visible .entry _Z6matmul6MatrixIKfES1_S_IfE(.param .align 8 .b8 a[24], .param .align 8 .b8 "
      "b[24], .param .align 8 .b8 c[24]) { .shared .align 4 .b8 t[100]; .reg .b32 %r; mov.u32 %r, "
      "t; ret; }\n"
      ".func helper() { ret; }\n"
      ".entry plain(.param .u8 a, .param .f64 b) .maxntid 256, 1, 1 .minnctapersm 2 { ret; }\n"
      ".visible .entry _Z3addPKfPfi(.param .u64 .ptr .global .align 4 x, .param .u64 .ptr y, "
      ".param .u32 n) { ret; }\n");
  ASSERT_TRUE(module) << module.error().str();
  const std::vector<KernelInfo> list = kernels(**module);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].entry, "_Z6matmul6MatrixIKfES1_S_IfE");
  EXPECT_EQ(list[0].name, "matmul");
  EXPECT_EQ(list[0].signature, "matmul(Matrix<float const>, Matrix<float const>, Matrix<float>)");
  EXPECT_EQ(list[0].parameter_bytes, (std::vector<std::uint32_t>{24, 24, 24}));
  EXPECT_EQ(list[0].static_shared_bytes, 100u);
  EXPECT_EQ(list[1].name, "plain");
  EXPECT_EQ(list[1].signature, "plain");
  EXPECT_EQ(list[1].parameter_bytes, (std::vector<std::uint32_t>{1, 8}));
  EXPECT_EQ(list[1].bounds.most_threads, 256u);
  EXPECT_EQ(list[2].signature, "add(float const*, float*, int)");
  EXPECT_EQ(list[2].parameter_bytes, (std::vector<std::uint32_t>{8, 8, 4}));
}

std::string global_string(const std::string& name, const std::string& text) {
  std::string bytes;
  for (const char letter : text) bytes += fmt::format("{}, ", static_cast<int>(letter));
  return fmt::format(".global .align 1 .b8 {}[{}] = {{{}0}};\n", name, text.size() + 1, bytes);
}

const std::string kVprintf =
    ".extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments);\n";

/// Returns what one thread prints; `stores` fills the argument buffer `values` of 64 bytes.
std::string printed(const std::string& format, const std::string& stores,
                    const std::string& declarations = "") {
  PtxProgram program(fmt::format(R"(
    setp.ne.u32 %p0, %index, 0; @%p0 exit;
    .local .align 8 .b8 values[64]; .reg .b64 %to; mov.u64 %to, values; {}
    cvta.local.u64 %rd1, %to; mov.u64 %rd0, text; cvta.global.u64 %rd0, %rd0;
    {{ .param .b64 p0; .param .b64 p1; .param .b32 answer; st.param.b64 [p0], %rd0;
    st.param.b64 [p1], %rd1;
    call.uni (answer), vprintf, (p0, p1); ld.param.b32 %r0, [answer]; }})",
                                 stores),
                     kVprintf + global_string("text", format) + declarations);
  const RunResult result = program.run();
  expect_clean(result);
  return result.output;
}

TEST(Printf, FormatsIntegers) {
  EXPECT_EQ(printed("plain 100%%\n", ""), "plain 100%\n");
  EXPECT_EQ(
      printed("%d %i %u\n", "st.local.v2.u32 [values], {-5, 6}; st.local.u32 [values+8], -1;"),
      "-5 6 4294967295\n");
  EXPECT_EQ(printed("%x %X %o %#x\n", "st.local.v4.u32 [values], {255, 255, 8, 255};"),
            "ff FF 10 0xff\n");
  EXPECT_EQ(printed("[%5d|%-5d|%05d|%+d]\n", "st.local.v4.u32 [values], {42, 42, 42, 42};"),
            "[   42|42   |00042|+42]\n");
  EXPECT_EQ(printed("%c%c\n", "st.local.v2.u32 [values], {72, 105};"), "Hi\n");
  EXPECT_EQ(printed("%lld %llu %lx\n",
                    "st.local.u64 [values], -5; st.local.u64 [values+8], -1; st.local.u64 "
                    "[values+16], 0x123456789ABC;"),
            "-5 18446744073709551615 123456789abc\n");
}

TEST(Printf, FormatsFloatsAndStrings) {
  EXPECT_EQ(printed("%f %.2f %e %g\n",
                    "st.local.f64 [values], 0d3FF8000000000000; st.local.f64 [values+8], "
                    "0d3FF8000000000000; st.local.f64 [values+16], 0d3FF8000000000000; "
                    "st.local.f64 [values+24], 0d3FF8000000000000;"),
            "1.500000 1.50 1.500000e+00 1.5\n");
  EXPECT_EQ(printed("%d:%f:%d\n",
                    "st.local.u32 [values], 1; st.local.f64 [values+8], 0d4000000000000000; "
                    "st.local.u32 [values+16], 3;"),
            "1:2.000000:3\n");
  EXPECT_EQ(printed("<%s> <%8s> %d\n",
                    "mov.u64 %rd5, word; cvta.global.u64 %rd5, %rd5; st.local.u64 [values], %rd5; "
                    "st.local.u64 [values+8], %rd5; st.local.u32 [values+16], 7;",
                    global_string("word", "text")),
            "<text> <    text> 7\n");
}

TEST(Printf, TextThatIsNoConversionIsPrintedUnchanged) {
  EXPECT_EQ(printed("%-%BBBB%nld|%7$llx|%y|%", ""), "%-%BBBB%nld|%7$llx|%y|%");
}

TEST(Printf, WidthsAndPrecisionsAreBounded) {
  EXPECT_EQ(printed("%999999999999d", "st.local.u32 [values], 7;").size(), 4096u);
  EXPECT_EQ(printed("%.2147483647f", "st.local.f64 [values], 0d3FF0000000000000;").size(), 4098u);
  EXPECT_EQ(printed("%*d|", "st.local.u32 [values], -2147483648; st.local.u32 [values+4], 7;"),
            "7" + std::string(4095, ' ') + "|");
  EXPECT_EQ(
      printed("%.*f", "st.local.u32 [values], -1; st.local.f64 [values+8], 0d3FF0000000000000;"),
      "1.000000");
}

TEST(Printf, LongStringsAreNotCut) {
  const std::string letters(600, 'x');
  EXPECT_EQ(printed("%s|%.3s|%5.1s",
                    "mov.u64 %rd2, word; cvta.global.u64 %rd2, %rd2; st.local.u64 [values], %rd2; "
                    "st.local.u64 [values+8], %rd2; st.local.u64 [values+16], %rd2;",
                    global_string("word", letters)),
            letters + "|xxx|    x");
}

const std::string kPrintPair = R"(
    .local .align 8 .b8 values[8]; .reg .b64 %to; mov.u64 %to, values; mov.u32 %r2, %ctaid.x;
    st.local.v2.u32 [values], {%r2, %r1};
    cvta.local.u64 %rd1, %to; mov.u64 %rd0, text; cvta.global.u64 %rd0, %rd0;
    { .param .b64 p0; .param .b64 p1; .param .b32 answer; st.param.b64 [p0], %rd0;
    st.param.b64 [p1], %rd1;
    call (answer), vprintf, (p0, p1); ld.param.b32 %r0, [answer]; })";

TEST(Printf, KeepsTheOrderOfBlocksAndLanes) {
  PtxProgram program(
      "mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 2; @%p1 bra END;" + kPrintPair + "END:",
      kVprintf + global_string("text", "%d.%d "));
  program.shape.block = {16, 1, 1};
  program.shape.grid = {4, 1, 1};
  program.host_threads = 3;
  const RunResult result = program.run();
  expect_clean(result);
  EXPECT_EQ(result.output, "0.0 0.1 1.0 1.1 2.0 2.1 3.0 3.1 ");
}

// CUDA C++ Programming Guide: "CUDA's printf() returns the number of arguments parsed."
TEST(Printf, ReturnsTheNumberOfArguments) {
  PtxProgram program("mov.u32 %r1, %tid.x;" + kPrintPair + "st.global.u32 [%out_at], %r0;",
                     kVprintf + global_string("text", "%d.%d "));
  program.buffer("out", std::vector<std::uint32_t>(32, 0));
  expect_clean(program.run());
  EXPECT_EQ(program.contents<std::uint32_t>("out"), std::vector<std::uint32_t>(32, 2));
}

/// Every thread prints ten characters.
PtxProgram flood() {
  return PtxProgram(
      "mov.u64 %rd0, text; cvta.global.u64 %rd0, %rd0; mov.u64 %rd1, 0; { .param .b64 p0; .param "
      ".b64 p1; .param .b32 answer;\n"
      "st.param.b64 [p0], %rd0; st.param.b64 [p1], %rd1; call.uni (answer), vprintf, (p0, p1); }",
      kVprintf + global_string("text", "0123456789"));
}

TEST(Printf, OutputIsLimitedAndAllCallsAreCounted) {
  PtxProgram program = flood();
  program.output_limit = 105;
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::completed);
  EXPECT_EQ(result.output.size(), 105u);
  EXPECT_EQ(result.output.substr(95), "5678901234");
  EXPECT_TRUE(result.output_cut);
  EXPECT_EQ(result.prints, 32u);
}

TEST(Printf, OutputThatFitsIsNotCut) {
  PtxProgram program = flood();
  program.output_limit = 320;
  const RunResult result = program.run();
  EXPECT_EQ(result.output.size(), 320u);
  EXPECT_FALSE(result.output_cut);
}

TEST(Printf, KeptOutputDoesNotDependOnHostThreads) {
  const auto run_on = [](int host_threads) {
    PtxProgram program = flood();
    program.output_limit = 1000;
    program.shape.grid = {64, 1, 1};
    program.host_threads = host_threads;
    return program.run();
  };
  const RunResult alone = run_on(1);
  const RunResult shared = run_on(4);
  EXPECT_EQ(alone.output, shared.output);
  EXPECT_EQ(alone.prints, 64u * 32);
  EXPECT_EQ(shared.prints, 64u * 32);
  EXPECT_TRUE(shared.output_cut);
}

}  // namespace
}  // namespace tessera::test
