// ld and st in every space, generic addresses, constants and initialised data (PTX ISA, 5
// and 9.7.9).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <stdexcept>

#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

/// Bytes 0x80, 0x81, ... so that every sign extension shows.
std::vector<std::uint8_t> some_bytes(std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0x80});
  return bytes;
}

/// What `load` leaves in a 64-bit register when %at is the address of 0x80 0x81 ...
std::uint64_t loaded(const std::string& load, const std::string& holder) {
  PtxProgram program(
      fmt::format(".reg .b64 %at; mov.u64 %at, %in;\n .reg .{0} %v;\n {1}\n"
                  "  st.global.{0} [%out_at], %v;",
                  holder, load));
  program.shape.block = {1, 1, 1};
  program.buffer("in", some_bytes(64));
  program.buffer("out", std::vector<std::uint64_t>(1, 0));
  expect_clean(program.run());
  return program.contents<std::uint64_t>("out").front();
}

TEST(Load, ExtendsToTheRegister) {
  EXPECT_EQ(loaded("ld.global.s8 %v, [%at];", "b16"), 0xff80u);
  EXPECT_EQ(loaded("ld.global.u8 %v, [%at];", "b16"), 0x0080u);
  EXPECT_EQ(loaded("ld.global.b8 %v, [%at];", "b16"), 0x0080u);
  EXPECT_EQ(loaded("ld.global.s8 %v, [%at+1];", "b32"), 0xffffff81u);
  EXPECT_EQ(loaded("ld.global.u8 %v, [%at+1];", "b32"), 0x00000081u);
  EXPECT_EQ(loaded("ld.global.s8 %v, [%at];", "b64"), 0xffffffffffffff80u);
  EXPECT_EQ(loaded("ld.global.u8 %v, [%at];", "b64"), 0x80u);
  EXPECT_EQ(loaded("ld.global.s16 %v, [%at+2];", "b32"), 0xffff8382u);
  EXPECT_EQ(loaded("ld.global.u16 %v, [%at+2];", "b32"), 0x00008382u);
  EXPECT_EQ(loaded("ld.global.s16 %v, [%at];", "b64"), 0xffffffffffff8180u);
  EXPECT_EQ(loaded("ld.global.s32 %v, [%at];", "b64"), 0xffffffff83828180u);
  EXPECT_EQ(loaded("ld.global.u32 %v, [%at];", "b64"), 0x83828180u);
  EXPECT_EQ(loaded("ld.global.b64 %v, [%at+8];", "b64"), 0x8f8e8d8c8b8a8988u);
  EXPECT_EQ(loaded("ld.global.f32 %v, [%at+4];", "f32"), 0x87868584u);
  EXPECT_EQ(loaded("ld.global.f64 %v, [%at];", "f64"), 0x8786858483828180u);
}

TEST(Load, AcceptsCacheAndOrderQualifiers) {
  for (const char* form :
       {"ld.global.ca.u32", "ld.global.cg.u32", "ld.global.cs.u32", "ld.global.lu.u32",
        "ld.global.cv.u32", "ld.global.nc.u32", "ld.volatile.global.u32",
        "ld.relaxed.gpu.global.u32", "ld.acquire.sys.global.u32", "ld.weak.global.u32",
        "ld.global.L1::evict_last.u32", "ld.global.nc.L1::no_allocate.u32", "ldu.global.u32",
        "ld.global.L2::128B.u32"}) {
    EXPECT_EQ(loaded(fmt::format("{} %v, [%at+4];", form), "b32"), 0x87868584u) << form;
  }
}

TEST(Load, OffsetsMayBeNegativeOrHex) {
  EXPECT_EQ(loaded("add.u64 %at, %at, 16; ld.global.u8 %v, [%at+-16];", "b32"), 0x80u);
  EXPECT_EQ(loaded("ld.global.u8 %v, [%at+0x10];", "b32"), 0x90u);
}

TEST(Load, VectorsFillTheirElementsInOrder) {
  EXPECT_EQ(loaded(".reg .b32 %w; ld.global.v2.u32 {%w, %v}, [%at];", "b32"), 0x87868584u);
  EXPECT_EQ(loaded(".reg .b32 %w<4>; ld.global.v4.u32 {%w0, %w1, %w2, %v}, [%at+16];", "b32"),
            0x9f9e9d9cu);
  EXPECT_EQ(loaded(".reg .b64 %w; ld.global.v2.u64 {%w, %v}, [%at];", "b64"), 0x8f8e8d8c8b8a8988u);
  EXPECT_EQ(loaded(".reg .b16 %w<4>; ld.global.v4.u16 {%w0, %w1, %v, %w3}, [%at];", "b16"),
            0x8584u);
  EXPECT_EQ(loaded(".reg .b32 %w<4>; ld.global.v4.s8 {%w0, %w1, %w2, %v}, [%at];", "b32"),
            0xffffff83u);
  EXPECT_EQ(loaded(".reg .f64 %w; ld.global.v2.f64 {%w, %v}, [%at];", "f64"), 0x8f8e8d8c8b8a8988u);
  EXPECT_EQ(loaded("ld.global.v2.u32 {_, %v}, [%at];", "b32"), 0x87868584u);
}

TEST(Load, AVectorMayOverwriteItsOwnAddress) {
  EXPECT_EQ(loaded("ld.global.v2.u64 {%at, %v}, [%at];", "b64"), 0x8f8e8d8c8b8a8988u);
}

TEST(Store, WritesTheLowBytesOnly) {
  PtxProgram program(
      "mov.u32 %r0, 0x11223344; mov.u64 %rd0, 0x1122334455667788;\n"
      "st.global.u8 [%out], %r0; st.global.u8 [%out+1], %rd0; st.global.b16 [%out+2], %r0;\n"
      "st.global.u32 [%out+4], %r0; st.global.b64 [%out+8], %rd0; st.global.u8 [%out+16], 200;\n"
      "st.global.v4.u8 [%out+20], {%r0, %r0, %r0, %r0}; st.global.v2.u32 [%out+24], {%r0, 5};\n"
      "st.global.v4.u32 [%out+32], {%r0, %r0, 1, -1}; st.global.v2.f32 [%out+48], {0f3F800000, "
      "0f40000000};\n"
      "st.global.v2.b64 [%out+64], {%rd0, 9};");
  program.shape.block = {1, 1, 1};
  program.buffer("out", std::vector<std::uint8_t>(80, 0));
  expect_clean(program.run());
  EXPECT_EQ(program.contents<std::uint32_t>("out"),
            (std::vector<std::uint32_t>{0x33448844, 0x11223344, 0x55667788, 0x11223344, 200,
                                        0x44444444, 0x11223344, 5,          0x11223344, 0x11223344,
                                        1,          0xffffffff, 0x3f800000, 0x40000000, 0,
                                        0,          0x55667788, 0x11223344, 9,          0}));
}

TEST(Space, SharedMemoryIsTheBlocks) {
  const std::vector<std::uint32_t> values = lanes(
      ".shared .align 4 .b8 tile[256];\n"
      "mov.u32 %r0, %tid.x; mov.u32 %r1, tile; shl.b32 %r2, %r0, 2; add.u32 %r2, %r1, %r2;\n"
      "mov.u32 %r3, %ctaid.x; mad.lo.u32 %r4, %r3, 100, %r0; st.shared.u32 [%r2], %r4;\n"
      "bar.sync 0; xor.b32 %r5, %r0, 63; shl.b32 %r5, %r5, 2; add.u32 %r5, %r1, %r5;\n"
      "ld.shared.u32 %x, [%r5];",
      "", {64, 1, 1}, {3, 1, 1});
  for (std::uint32_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], i / 64 * 100 + 63 - i % 64);
}

TEST(Space, SharedVariablesAreReachedByNameAndOffset) {
  EXPECT_EQ(lanes(".shared .align 8 .u64 first; .shared .align 16 .f32 second[4];\n"
                  "setp.ne.u32 %p0, %index, 0; @!%p0 st.shared.u64 [first], 77; @!%p0 "
                  "st.shared.f32 [second+8], 0f3F800000;\n"
                  "bar.sync 0; ld.shared.u32 %r0, [first]; ld.shared.u32 %r1, [second+8]; add.u32 "
                  "%x, %r0, %r1;"),
            std::vector<std::uint32_t>(32, 0x3f800000 + 77));
}

TEST(Space, DynamicSharedMemoryFollowsTheStatic) {
  PtxProgram program(
      "mov.u32 %r0, pool; shl.b32 %r1, %index, 2; add.u32 %r0, %r0, %r1; st.shared.u32 [fixed], "
      "1;\n"
      "st.shared.u32 [%r0], %index; ld.shared.u32 %r2, [%r0]; st.global.u32 [%out_at], %r2;",
      ".extern .shared .align 16 .b8 pool[];\n.shared .align 4 .u32 fixed;\n");
  program.shape.shared_bytes = 128;
  program.buffer("out", std::vector<std::uint32_t>(32, 0));
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::completed);
  EXPECT_EQ(program.contents<std::uint32_t>("out")[31], 31u);
}

TEST(Space, LocalArraysBelongToTheThread) {
  const std::vector<std::uint32_t> values = lanes(
      ".local .align 16 .b8 own[64]; .reg .b64 %own_at; mov.u64 %own_at, own;\n"
      "mul.wide.u32 %rd0, %index, 4; and.b64 %rd0, %rd0, 60; add.u64 %rd1, %own_at, %rd0;\n"
      "st.local.v4.u32 [%own_at], {0, 0, 0, 0}; st.local.v4.u32 [%own_at+16], {0, 0, 0, 0};\n"
      "st.local.v4.u32 [%own_at+32], {0, 0, 0, 0}; st.local.v4.u32 [%own_at+48], {0, 0, 0, 0};\n"
      "st.local.u32 [%rd1], %index; ld.local.u32 %x, [own+20];");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], i % 16 == 5 ? i : 0u);
}

TEST(Generic, AddressesReachEverySpace) {
  const std::vector<std::uint32_t> values = lanes(
      ".shared .align 4 .b8 tile[128]; .local .align 4 .u32 own; .reg .b64 %own_at;\n"
      "mul.wide.u32 %rd9, %index, 4;\n"
      "mov.u64 %rd0, tile; cvta.shared.u64 %rd0, %rd0; add.u64 %rd0, %rd0, %rd9;\n"
      "mov.u64 %own_at, own; cvta.local.u64 %rd1, %own_at;\n"
      "mov.u64 %rd2, cells; cvta.global.u64 %rd2, %rd2; add.u64 %rd2, %rd2, %rd9;\n"
      "st.u32 [%rd0], 1; st.u32 [%rd1], 20; st.u32 [%rd2], 300;\n"
      "cvta.to.shared.u64 %rd3, %rd0; ld.shared.u32 %r0, [%rd3];\n"
      "cvta.to.local.u64 %rd4, %rd1; ld.local.u32 %r1, [%rd4];\n"
      "cvta.to.global.u64 %rd5, %rd2; ld.global.u32 %r2, [%rd5];\n"
      "add.u32 %x, %r0, %r1; add.u32 %x, %x, %r2; ld.u32 %r3, [%rd0]; ld.u32 %r4, [%rd1]; ld.u32 "
      "%r5, [%rd2];\n"
      "mad.lo.u32 %x, %r3, 1000, %x; add.u32 %x, %x, %r4; add.u32 %x, %x, %r5;",
      ".global .align 4 .u32 cells[32];\n");
  EXPECT_EQ(values, std::vector<std::uint32_t>(32, 1000 + 321 + 320));
}

TEST(Generic, OneInstructionMayReachSeveralSpaces) {
  // Even lanes write shared memory, odd lanes global memory, through one generic store.
  const std::vector<std::uint32_t> values = lanes(
      ".shared .align 4 .b8 tile[128]; mul.wide.u32 %rd9, %index, 4;\n"
      "mov.u64 %rd0, tile; cvta.shared.u64 %rd0, %rd0; mov.u64 %rd2, cells; cvta.global.u64 %rd2, "
      "%rd2;\n"
      "and.b32 %r0, %index, 1; setp.eq.u32 %p0, %r0, 0; selp.b64 %rd3, %rd0, %rd2, %p0; add.u64 "
      "%rd3, %rd3, %rd9;\n"
      "add.u32 %r1, %index, 50; st.u32 [%rd3], %r1; ld.u32 %r2, [%rd3];\n"
      "mov.u32 %x, 0; cvt.u32.u64 %r3, %rd9; mov.u32 %r4, tile; add.u32 %r4, %r4, %r3;\n"
      "@%p0 ld.shared.u32 %x, [%r4]; mov.u64 %rd4, cells; add.u64 %rd4, %rd9, %rd4; @!%p0 "
      "ld.global.u32 %x, [%rd4]; "
      "mad.lo.u32 %x, %x, 1000, %r2;",
      ".global .align 4 .u32 cells[32];\n");
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], (i + 50) * 1001);
}

TEST(Data, ConstantsAndGlobalsStartInitialised) {
  const std::string scope =
      ".const .align 4 .u32 table[4] = {10, 20, 30, 40};\n"
      ".const .align 8 .f64 pi = 3.5;\n"
      ".global .align 4 .b8 bytes[8] = {1, 2, 0xff, 4};\n"
      ".global .align 2 .s16 shorts[3] = {-1, 2, -3};\n"
      ".global .align 4 .f32 floats[2] = {0f3F800000, 2.5};\n"
      ".global .align 8 .u64 wide = 0x123456789ABCDEF0;\n"
      ".global .align 4 .u32 zeros[4];\n"
      ".global .align 4 .s32 matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};\n";
  const auto value = [&](const std::string& body) { return lanes(body, scope).at(3); };
  EXPECT_EQ(value("ld.const.u32 %x, [table+8];"), 30u);
  EXPECT_EQ(value("and.b32 %r0, %index, 3; mul.wide.u32 %rd0, %r0, 4; mov.u64 %rd1, table; add.u64 "
                  "%rd0, %rd0, %rd1; ld.const.u32 %x, [%rd0];"),
            40u);
  EXPECT_EQ(value("ld.const.f64 %fd0, [pi]; cvt.rni.u32.f64 %x, %fd0;"), 4u);
  EXPECT_EQ(value("ld.global.u8 %x, [bytes+2];"), 255u);
  EXPECT_EQ(value("ld.global.u32 %x, [bytes+4];"), 0u);
  EXPECT_EQ(value("ld.global.s16 %x, [shorts+4];"), 0xfffffffdu);
  EXPECT_EQ(value("ld.global.u32 %x, [floats+4];"), bits_of(2.5f));
  EXPECT_EQ(value("ld.global.u32 %x, [wide+4];"), 0x12345678u);
  EXPECT_EQ(value("ld.global.u32 %x, [zeros+12];"), 0u);
  EXPECT_EQ(value("ld.global.u32 %x, [matrix+16];"), 5u);
  EXPECT_EQ(value("mov.u64 %rd0, table; cvta.const.u64 %rd0, %rd0; ld.u32 %x, [%rd0+4];"), 20u);
}

TEST(Data, PointersMayBeInitialisers) {
  const std::string scope =
      ".global .align 4 .u32 first = 11;\n.global .align 4 .u32 second[2] = {22, 33};\n"
      ".global .align 8 .u64 pointers[3] = {generic(first), generic(second), generic(second)+4};\n"
      ".global .align 8 .u64 plain[2] = {first, second+4};\n"
      ".const .align 8 .u64 in_constants[1] = {generic(second)};\n";
  const auto value = [&](const std::string& body) { return lanes(body, scope).at(0); };
  EXPECT_EQ(value("ld.global.u64 %rd0, [pointers]; ld.u32 %x, [%rd0];"), 11u);
  EXPECT_EQ(value("ld.global.u64 %rd0, [pointers+16]; ld.u32 %x, [%rd0];"), 33u);
  EXPECT_EQ(value("ld.global.u64 %rd0, [plain]; ld.global.u32 %x, [%rd0];"), 11u);
  EXPECT_EQ(value("ld.global.u64 %rd0, [plain+8]; ld.global.u32 %x, [%rd0];"), 33u);
  EXPECT_EQ(value("ld.const.u64 %rd0, [in_constants]; ld.u32 %x, [%rd0+4];"), 33u);
}

TEST(Parameters, StructsAreReadWithOffsetsAndThroughARegister) {
  const std::string ptx =
      ".version 8.8\n.target sm_90\n.address_size 64\n"
      ".visible .entry test(.param .u64 out, .param .align 8 .b8 view[24], .param .u8 small)\n{\n"
      ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .b16 %h<2>;\n"
      "ld.param.u64 %rd0, [out]; ld.param.u32 %r0, [view+16]; ld.param.v2.u32 {%r1, %r2}, "
      "[view+8];\n"
      "mov.b64 %rd2, view; ld.param.u32 %r3, [%rd2+20]; ld.param.s8 %r4, [small]; ld.param.u64 "
      "%rd3, [view];\n"
      "st.global.v4.u32 [%rd0], {%r0, %r1, %r2, %r3}; st.global.u32 [%rd0+16], %r4; st.global.u32 "
      "[%rd0+20], %rd3;\n"
      "ret;\n}\n";
  const auto module = load_module(ptx);
  ASSERT_TRUE(module) << module.error().str();
  const KernelInfo kernel = kernels(**module).at(0);
  EXPECT_EQ(kernel.parameter_bytes, (std::vector<std::uint32_t>{8, 24, 1}));
  DeviceMemory memory;
  const std::uint64_t out = memory.allocate({.name = "out"}, 24);
  const auto bytes_of = [](const auto& value) {
    Argument argument(sizeof value);
    std::memcpy(argument.data(), &value, sizeof value);
    return argument;
  };
  RunRequest request;
  request.entry = "test";
  request.arguments = {bytes_of(out), bytes_of(std::array<std::uint32_t, 6>{7, 0, 2, 3, 4, 5}),
                       bytes_of(std::int8_t{-9})};
  request.memory = &memory;
  expect_clean(run(**module, request));
  std::array<std::int32_t, 6> values{};
  std::memcpy(values.data(), memory.bytes(out).data(), sizeof values);
  EXPECT_EQ(values, (std::array<std::int32_t, 6>{4, 2, 3, 5, -9, 7}));
}

TEST(Parameters, WrongCountOrSizeThrows) {
  PtxProgram program("");
  program.buffer("out", std::vector<std::uint32_t>(1, 0));
  const auto module = load_module(program.text());
  ASSERT_TRUE(module);
  DeviceMemory memory;
  RunRequest request;
  request.entry = "test";
  request.memory = &memory;
  EXPECT_THROW(run(**module, request), std::invalid_argument);
  request.arguments = {Argument(4)};
  EXPECT_THROW(run(**module, request), std::invalid_argument);
  request.arguments = {Argument(8)};
  request.entry = "other";
  EXPECT_THROW(run(**module, request), std::invalid_argument);
}

TEST(Fences, AndPrefetchesAreAccepted) {
  EXPECT_EQ(lanes("membar.gl; membar.cta; membar.sys; fence.acq_rel.gpu; fence.sc.cta; "
                  "prefetch.global.L2 [%out_at]; mov.u32 %x, 3;")
                .at(0),
            3u);
}

}  // namespace
}  // namespace tessera::test
