// mov, packing and unpacking, special registers (PTX ISA, 9.7.9.1 and 10).
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

TEST(Mov, CopiesEveryWidth) {
  check16("mov.b16 %x, %a;", {{{0x1234}, 0x1234}});
  check16("mov.u16 %x, 65535;", {{{0}, 0xffff}});
  check16("mov.s16 %x, -2;", {{{0}, 0xfffe}});
  check32("mov.u32 %x, %a;", {{{0x12345678}, 0x12345678}});
  check32("mov.s32 %x, -2;", {{{0}, -2}});
  check64("mov.u64 %x, %a;", {{{-3}, -3}});
  check64("mov.b64 %x, 0x123456789ABCDEF0;", {{{0}, 0x123456789ABCDEF0}});
  check64("mov.s64 %x, -9223372036854775808;", {{{0}, Bits(1ULL << 63)}});
  check32("mov.f32 %f0, %a; mov.b32 %x, %f0;", {{{1.5f}, 1.5f}});
  check64("mov.b64 %fd0, %a; mov.f64 %fd1, %fd0; mov.b64 %x, %fd1;", {{{1.5}, 1.5}});
}

TEST(Mov, PacksTheFirstElementLowest) {
  check({"b32", {"b16", "b16"}}, "mov.b32 %x, {%a, %b};", {{{0x1234, 0x5678}, 0x56781234}});
  check({"b64", {"b32", "b32"}}, "mov.b64 %x, {%a, %b};", {{{1, 2}, 0x200000001}});
  check({"b64", {"b16", "b16", "b16", "b16"}}, "mov.b64 %x, {%a, %b, %c, %d};",
        {{{1, 2, 3, 4}, 0x0004000300020001}});
  check({"b64", {"b32"}}, "mov.b64 %x, {%a, 7};", {{{1}, 0x700000001}});
  check({"b64", {"b32"}}, "mov.b32 %f0, %a; mov.b64 %x, {%f0, %f0};",
        {{{1.0f}, 0x3f8000003f800000}});
}

TEST(Mov, UnpacksTheLowestFirst) {
  check({"b16", {"b32"}}, "mov.b32 {%x, %h0}, %a;", {{{0x56781234}, 0x1234}});
  check({"b16", {"b32"}}, "mov.b32 {%h0, %x}, %a;", {{{0x56781234}, 0x5678}});
  check({"b32", {"b64"}}, "mov.b64 {%r0, %x}, %a;", {{{0x200000001}, 2}});
  check({"b16", {"b64"}}, "mov.b64 {%h0, %h1, %x, %h3}, %a;", {{{0x0004000300020001}, 3}});
  check({"b32", {"b64"}}, "mov.b64 {_, %x}, %a;", {{{0x200000001}, 2}});
}

TEST(Mov, SwapsThroughAPackWithoutLosingAnElement) {
  check64("{ .reg .b32 %lo, %hi; mov.b64 {%lo, %hi}, %a; mov.b64 %x, {%hi, %lo}; }",
          {{{0x100000002}, 0x200000001}});
}

TEST(SpecialRegisters, CountThreadsInThreeDimensions) {
  const Dim3 block{4, 3, 5};
  const Dim3 grid{2, 3, 2};
  const auto x_of = [&](const std::string& name) {
    return lanes("mov.u32 %x, " + name + ";", "", block, grid);
  };
  const std::vector<std::vector<std::uint32_t>> tid = {x_of("%tid.x"), x_of("%tid.y"),
                                                       x_of("%tid.z")};
  const std::vector<std::vector<std::uint32_t>> ctaid = {x_of("%ctaid.x"), x_of("%ctaid.y"),
                                                         x_of("%ctaid.z")};
  const std::vector<std::uint32_t> lane = x_of("%laneid");
  const std::vector<std::uint32_t> warp = x_of("%warpid");
  for (std::uint32_t thread = 0; thread < 60 * 12; ++thread) {
    const std::uint32_t in_block = thread % 60;
    const std::uint32_t of_grid = thread / 60;
    EXPECT_EQ(tid[0][thread], in_block % 4);
    EXPECT_EQ(tid[1][thread], in_block / 4 % 3);
    EXPECT_EQ(tid[2][thread], in_block / 12);
    EXPECT_EQ(ctaid[0][thread], of_grid % 2);
    EXPECT_EQ(ctaid[1][thread], of_grid / 2 % 3);
    EXPECT_EQ(ctaid[2][thread], of_grid / 6);
    EXPECT_EQ(lane[thread], in_block % 32);
    EXPECT_NE(warp[thread], in_block / 32) << "the number of a place, which any warp may have";
    EXPECT_LT(warp[thread], 64u);
  }
}

TEST(SpecialRegisters, HoldTheShapeOfTheLaunch) {
  const Dim3 block{4, 3, 2};
  const Dim3 grid{2, 3, 1};
  const auto value = [&](const std::string& name) {
    return lanes("mov.u32 %x, " + name + ";", "", block, grid).back();
  };
  EXPECT_EQ(value("%ntid.x"), 4u);
  EXPECT_EQ(value("%ntid.y"), 3u);
  EXPECT_EQ(value("%ntid.z"), 2u);
  EXPECT_EQ(value("%nctaid.x"), 2u);
  EXPECT_EQ(value("%nctaid.y"), 3u);
  EXPECT_EQ(value("%nctaid.z"), 1u);
  EXPECT_EQ(value("WARP_SZ"), 32u);
  EXPECT_EQ(value("%nwarpid") >= 1, true);
}

/// What the first of 64 threads reads of each register that differs from launch to launch, and a
/// carry that no instruction has set.
std::vector<std::uint32_t> read_of_launch(std::uint64_t key, std::uint64_t readable_key) {
  PtxProgram program(
      "mov.u32 %r0, %gridid; st.global.u32 [%out], %r0;"
      "mov.u32 %r1, %smid; st.global.u32 [%out + 4], %r1;"
      "mov.u32 %r2, %warpid; st.global.u32 [%out + 8], %r2;"
      "mov.u32 %r3, %clock; st.global.u32 [%out + 12], %r3;"
      "addc.u32 %r4, 0, 0; st.global.u32 [%out + 16], %r4;");
  program.buffer("out", std::vector<std::uint32_t>(5));
  program.shape.block = {1, 1, 1};
  program.key = key;
  program.readable_key = readable_key;
  program.run();
  return program.contents<std::uint32_t>("out");
}

TEST(SpecialRegisters, OfALaunchFollowTheReadableKeyAlone) {
  std::vector<std::set<std::uint32_t>> values(5);
  for (std::uint64_t number = 1; number <= 16; ++number) {
    const std::vector<std::uint32_t> read = read_of_launch(1, number);
    EXPECT_EQ(read_of_launch(number, number), read);
    for (std::size_t i = 0; i < read.size(); ++i) values[i].insert(read[i]);
  }
  for (const std::set<std::uint32_t>& different : values) EXPECT_GT(different.size(), 1u);
}

TEST(SpecialRegisters, HoldSharedMemoryAsItIsAllocated) {
  EXPECT_EQ(
      lanes(".shared .b8 data[1028]; mov.u32 %r0, data; mov.u32 %x, %total_smem_size;").front(),
      1152u);
}

TEST(SpecialRegisters, LaneMasksFollowTheLane) {
  const auto mask = [](const std::string& name) {
    return lanes("mov.u32 %x, %lanemask_" + name + ";");
  };
  const std::vector<std::uint32_t> eq = mask("eq"), le = mask("le"), lt = mask("lt"),
                                   ge = mask("ge"), gt = mask("gt");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t own = 1u << lane;
    EXPECT_EQ(eq[lane], own);
    EXPECT_EQ(lt[lane], own - 1);
    EXPECT_EQ(le[lane], (own - 1) | own);
    EXPECT_EQ(gt[lane], ~((own - 1) | own));
    EXPECT_EQ(ge[lane], ~(own - 1));
  }
}

TEST(SpecialRegisters, ClocksRunForward) {
  for (const char* body :
       {"mov.u32 %r0, %clock; mov.u32 %r1, %clock; sub.u32 %r2, %r1, %r0; setp.ge.s32 %p0, %r2, 0;",
        "mov.u64 %rd0, %clock64; mov.u64 %rd1, %clock64; setp.ge.u64 %p0, %rd1, %rd0;",
        "mov.u64 %rd0, %globaltimer; mov.u64 %rd1, %globaltimer; setp.ge.u64 %p0, %rd1, %rd0;"}) {
    EXPECT_EQ(lanes(std::string(body) + " selp.u32 %x, 1, 0, %p0;"),
              std::vector<std::uint32_t>(32, 1))
        << body;
  }
}

TEST(SpecialRegisters, ClocksDoNotCountInstructions) {
  const auto values = lanes(
      "mov.u32 %x, 0; mov.u32 %r0, 0; LOOP: mov.u32 %r1, %clock; mov.u32 %r3, 0; "
      "WAIT: add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, 100; @%p0 bra WAIT; "
      "mov.u32 %r2, %clock; setp.ne.u32 %p1, %r1, %r2; @%p1 add.u32 %x, %x, 1; "
      "add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 100; @%p0 bra LOOP;");
  EXPECT_GT(values[0], 1u);  // of 100 times
  EXPECT_LT(values[0], 20u);
}

TEST(SpecialRegisters, HoldTheDynamicSharedSize) {
  PtxProgram program("mov.u32 %r0, %dynamic_smem_size; st.global.u32 [%out_at], %r0;");
  program.shape.shared_bytes = 640;
  program.buffer("out", std::vector<std::uint32_t>(32, 0));
  expect_clean(program.run());
  EXPECT_EQ(program.contents<std::uint32_t>("out"), std::vector<std::uint32_t>(32, 640));
}

}  // namespace
}  // namespace tessera::test
