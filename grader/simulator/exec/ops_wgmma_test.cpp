// Asynchronous products of a warpgroup (PTX ISA, "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate Instructions").
#include <bit>

#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kDepth = 16;
constexpr std::uint32_t kRows = 64;
constexpr std::uint32_t kStart = 8192;  // of B in the shared array; A is at 0

/// How a matrix lies in shared memory.
struct Layout {
  std::uint32_t mode = 0;  // of the descriptor: 0 none, 1 rows of 128 bytes, 2 of 64, 3 of 32
  bool transposed = false;
  std::uint32_t leading = 0;
  std::uint32_t stride = 0;

  std::uint32_t row_bytes() const { return std::array{16u, 128u, 64u, 32u}[mode]; }
  std::uint64_t descriptor(std::uint32_t start) const {
    return start / 16 | std::uint64_t{leading / 16} << 16 | std::uint64_t{stride / 16} << 32 |
           std::uint64_t{mode} << 62;
  }
};

/// The byte of element (line, k) of 16 bits: the layouts as CUTLASS's documentation gives them.
std::uint32_t place(const Layout& layout, std::uint32_t line, std::uint32_t k) {
  const std::uint32_t width = layout.row_bytes();
  const std::uint32_t chunk = width / 16;
  std::uint32_t row = 0, piece = 0, base = 0, within = 0;
  if (!layout.transposed) {
    row = line % 8;
    piece = k / 8 % chunk;
    base = line / 8 * layout.stride + k / 8 / chunk * layout.leading;
    within = k % 8;
  } else {
    row = k % 8;
    piece = line / 8 % chunk;
    const std::uint32_t across = line / 8 / chunk;
    base = layout.mode == 0 ? across * layout.stride + k / 8 * layout.leading
                            : across * layout.leading + k / 8 * layout.stride;
    within = line % 8;
  }
  const std::uint32_t turn = layout.mode == 1 ? row : layout.mode == 2 ? row / 2 : row / 4;
  if (layout.mode != 0) piece ^= turn;
  return base + row * width + piece * 16 + within * 2;
}

/// Layouts of a matrix of that many lines.
std::vector<Layout> layouts(std::uint32_t lines) {
  std::vector<Layout> all;
  for (std::uint32_t mode = 0; mode < 4; ++mode) {
    Layout layout{.mode = mode};
    const std::uint32_t pattern = 8 * layout.row_bytes();
    layout.stride = pattern;
    layout.leading = lines / 8 * pattern;
    all.push_back(layout);
    layout.transposed = true;
    layout.stride = mode == 0 ? 2 * pattern : pattern;
    layout.leading = mode == 0 ? pattern : 2 * pattern;
    all.push_back(layout);
  }
  return all;
}

/// Small integers, no two rows and no two columns of which are equal.
int number(std::uint32_t line, std::uint32_t k, int seed) {
  return static_cast<int>((line * 13 + k * 29 + line * k * 3 + static_cast<std::uint32_t>(seed)) %
                          31) -
         15;
}

std::uint16_t bits_of(int value, bool f16) {
  const auto whole = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (!f16) return static_cast<std::uint16_t>(whole >> 16);
  if (value == 0) return 0;
  const std::uint32_t exponent = (whole >> 23 & 0xff) - 127 + 15;
  return static_cast<std::uint16_t>((whole >> 16 & 0x8000) | exponent << 10 |
                                    (whole >> 13 & 0x3ff));
}

std::string list(const std::string& name, std::uint32_t count) {
  std::string text = "{";
  for (std::uint32_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + name + std::to_string(i);
  return text + "}";
}

/// Copies the input of 16 KiB, of which `threads` threads copy four bytes at a time, to shared
/// memory; %tile is its address, %sum0... are zero.
std::string prologue(std::uint32_t sums, std::uint32_t threads) {
  std::string body = fmt::format(
      ".shared .align 1024 .b8 tile[16384]; .reg .b32 %t, %tile, %i, %from; .reg .pred %more;"
      ".reg .f32 %sum<{}>; .reg .b64 %at64;"
      "mov.u32 %t, %tid.x; mov.u32 %tile, tile; mul.lo.u32 %i, %t, 4;"
      "copy: cvt.u64.u32 %at64, %i; add.u64 %at64, %at64, %in; ld.global.u32 %r0, [%at64];"
      "add.u32 %from, %tile, %i; st.shared.u32 [%from], %r0;"
      "add.u32 %i, %i, {}; setp.lt.u32 %more, %i, 16384; @%more bra copy;",
      sums, 4 * threads);
  for (std::uint32_t i = 0; i < sums; ++i) body += fmt::format("mov.f32 %sum{}, 0f00000000;", i);
  return body;
}

const std::string kProxyFence = "fence.proxy.async.shared::cta;";
const std::string kBarrier = "bar.sync 0;";
const std::string kFence = "wgmma.fence.sync.aligned;";
const std::string kCommit = "wgmma.commit_group.sync.aligned;";
const std::string kWait = "wgmma.wait_group.sync.aligned 0;";

/// Descriptors of matrices at %tile and %tile + kStart: %rd20 and %rd21.
std::string descriptors(const Layout& a, const Layout& b) {
  return fmt::format(
      "shr.u32 %r1, %tile, 4; cvt.u64.u32 %rd19, %r1; add.u64 %rd20, %rd19, {}; add.u64 %rd21, "
      "%rd19, {};",
      a.descriptor(0), b.descriptor(kStart));
}

/// Stores the sums: `count` for each thread, at out[thread][i].
std::string store(std::uint32_t count) {
  std::string body = fmt::format("mad.wide.u32 %rd18, %t, {}, %out;", 4 * count);
  for (std::uint32_t i = 0; i < count; ++i)
    body += fmt::format("st.global.f32 [%rd18+{}], %sum{};", 4 * i, i);
  return body;
}

/// What decides the product of a test.
struct Product {
  Layout a, b;
  std::uint32_t columns = 8;
  bool f16 = false;
  std::string adds = "1";
  int sign_a = 1, sign_b = 1;
};

std::string instruction(const Product& product, const std::string& a = "%rd20") {
  const std::string type = product.f16 ? "f16" : "bf16";
  const bool registers = a.starts_with('{');
  return fmt::format(
      "wgmma.mma_async.sync.aligned.m64n{}k16.f32.{}.{} {}, {}, %rd21, {}, {}, {}{}, {};",
      product.columns, type, type, list("%sum", product.columns / 2), a, product.adds,
      product.sign_a, product.sign_b,
      registers              ? ""
      : product.a.transposed ? ", 1"
                             : ", 0",
      product.b.transposed ? 1 : 0);
}

/// The contents of the shared array.
std::vector<std::uint32_t> tiles(const Product& product) {
  std::vector<std::uint16_t> halves(8192);
  for (std::uint32_t k = 0; k < kDepth; ++k) {
    for (std::uint32_t i = 0; i < kRows; ++i)
      halves[place(product.a, i, k) / 2] = bits_of(number(i, k, 1), product.f16);
    for (std::uint32_t j = 0; j < product.columns; ++j)
      halves[(kStart + place(product.b, j, k)) / 2] = bits_of(number(j, k, 5), product.f16);
  }
  std::vector<std::uint32_t> words(4096);
  std::memcpy(words.data(), halves.data(), 16384);
  return words;
}

PtxProgram program(const Product& product, const std::string& body, std::uint32_t threads = 128) {
  PtxProgram result(prologue(product.columns / 2, threads) + body);
  result.buffer("in", tiles(product))
      .buffer("out", std::vector<std::uint32_t>(std::size_t{threads} * product.columns / 2));
  result.shape.block = {threads, 1, 1};
  return result;
}

/// The sum that thread `thread` holds in register i, `times` products added up.
float sum(const Product& product, std::uint32_t thread, std::uint32_t i, int times) {
  const std::uint32_t row = thread % 128 / 32 * 16 + thread % 32 / 4 + 8 * (i / 2 % 2);
  const std::uint32_t column = 8 * (i / 4) + 2 * (thread % 4) + i % 2;
  int total = 0;
  for (std::uint32_t k = 0; k < kDepth; ++k)
    total += number(row, k, 1) * product.sign_a * number(column, k, 5) * product.sign_b;
  return static_cast<float>(times * total);
}

void expect_product(PtxProgram program, const Product& product, int times = 1,
                    const std::string& what = "") {
  expect_clean(program.run());
  const auto out = program.contents<float>("out");
  const auto threads = static_cast<std::uint32_t>(program.shape.block.x);
  for (std::uint32_t t = 0; t < threads; ++t) {
    for (std::uint32_t i = 0; i < product.columns / 2; ++i)
      ASSERT_EQ(out[t * product.columns / 2 + i], sum(product, t, i, times))
          << what << " thread " << t << " sum " << i;
  }
}

/// A whole kernel around one product.
std::string whole(const Product& product) {
  return kProxyFence + kBarrier + descriptors(product.a, product.b) + kFence +
         instruction(product) + kCommit + kWait + store(product.columns / 2);
}

TEST(Wgmma, FindsItsMatricesInEveryLayout) {
  for (const Layout& a : layouts(kRows)) {
    for (const Layout& b : layouts(64)) {
      const Product product{.a = a, .b = b, .columns = 64};
      expect_product(program(product, whole(product)), product, 1,
                     fmt::format("{}{} {}{}", a.mode, a.transposed, b.mode, b.transposed));
    }
  }
}

TEST(Wgmma, HasAnyNumberOfColumnsThatIsAMultipleOfEight) {
  for (const std::uint32_t columns : {8u, 24u, 128u, 256u}) {
    const Product product{
        .a = {.mode = 3, .stride = 256}, .b = {.mode = 3, .stride = 256}, .columns = columns};
    expect_product(program(product, whole(product)), product);
  }
}

const Layout kRowsOf32{.mode = 3, .stride = 256};
const Product kSmall{.a = kRowsOf32, .b = kRowsOf32};

TEST(Wgmma, TakesHalvesAndSigns) {
  Product product = kSmall;
  product.f16 = true;
  expect_product(program(product, whole(product)), product);
  product.sign_a = -1;
  expect_product(program(product, whole(product)), product);
  product.f16 = false;
  product.sign_b = -1;
  expect_product(program(product, whole(product)), product);
  product.sign_a = 1;
  expect_product(program(product, whole(product)), product);
}

TEST(Wgmma, AddsToItsSumsOrReplacesThem) {
  const std::string begin = kProxyFence + kBarrier + descriptors(kSmall.a, kSmall.b) + kFence;
  const std::string end = kCommit + kWait + store(4);
  const std::string once = instruction(kSmall);
  Product product = kSmall;
  expect_product(program(product, begin + once + once + once + end), product, 3);
  product.adds = "0";
  expect_product(program(product, begin + once + instruction(product) + end), product, 1);
  product.adds = "%p3";
  const std::string falls = "setp.gt.u32 %p3, %t, 1000;";
  expect_product(program(product, falls + begin + once + instruction(product) + end), product, 1);
  product.adds = "!%p3";
  expect_product(program(product, falls + begin + once + instruction(product) + end), product, 2);
}

TEST(Wgmma, TakesRowsFromRegisters) {
  // The fragment of m16n8k16, loaded from the tile of A.
  std::string load =
      "and.b32 %r2, %t, 31; shr.u32 %r3, %r2, 2; and.b32 %r4, %r2, 3; shr.u32 %r5, %t, 5;"
      "mad.lo.u32 %r6, %r5, 16, %r3; mov.u32 %r12, 0;";
  for (int e = 0; e < 4; ++e) {
    load += fmt::format(
        // row %r7, piece of 8 columns: swizzled as in kRowsOf32
        "add.u32 %r7, %r6, {}; shr.u32 %r8, %r7, 2; and.b32 %r8, %r8, 1; xor.b32 %r8, %r8, {};"
        "shl.b32 %r8, %r8, 4; mad.lo.u32 %r8, %r7, 32, %r8; mad.lo.u32 %r8, %r4, 4, %r8;"
        "add.u32 %r8, %r8, %tile; ld.shared.u32 %r{}, [%r8];",
        8 * (e % 2), e / 2, 20 + e);
  }
  const std::string registers = "{%r20, %r21, %r22, %r23}";
  const std::string body = kProxyFence + kBarrier + load + descriptors(kSmall.a, kSmall.b) +
                           kFence + instruction(kSmall, registers) + kCommit + kWait + store(4);
  expect_product(program(kSmall, body), kSmall);
  const std::string again = instruction(kSmall, registers) + kCommit;
  expect_product(program(kSmall, kProxyFence + kBarrier + load + descriptors(kSmall.a, kSmall.b) +
                                     kFence + again + kFence + kWait + again + kWait + store(4)),
                 kSmall, 2, "a fence before the wait counts behind it");
  const std::string other_names =
      ".reg .b32 a<4>; mov.u32 a0, %r20; mov.u32 a1, %r21; mov.u32 a2, %r22; mov.u32 a3, %r23;";
  expect_product(
      program(kSmall, kProxyFence + kBarrier + load + descriptors(kSmall.a, kSmall.b) +
                          other_names + kFence + instruction(kSmall, "{a0, a1, a2, a3}") + kCommit +
                          kWait + store(4)),
      kSmall, 1, "a range of registers with any name");
  const Finding changed = only_finding(
      program(kSmall, kProxyFence + kBarrier + load + descriptors(kSmall.a, kSmall.b) + kFence +
                          at(11, instruction(kSmall, registers)) +
                          at(12, "add.u32 %r21, %r21, 1;") + kCommit + kWait + store(4))
          .run());
  EXPECT_EQ(changed.kind, FindingKind::unfinished_product);
  EXPECT_EQ(changed.line, 12);
  EXPECT_EQ(changed.message.str(),
            "changes a register of A while the product of line 11 may still read it");
}

TEST(Wgmma, EachWarpgroupMultipliesForItself) {
  expect_product(program(kSmall, whole(kSmall), 256), kSmall);
}

TEST(Wgmma, CountsAsSixteenRowsOfProductsForEachWarp) {
  const Product product{.a = kRowsOf32, .b = kRowsOf32, .columns = 24};
  const RunResult result = program(product, whole(product)).run();
  EXPECT_EQ(result.metrics.at(Metric::tensor_instructions), 4 * 3);
}

// ---- mistakes

const std::string kBegin = kProxyFence + kBarrier + descriptors(kSmall.a, kSmall.b);

/// Three lines: the fence of registers in 10, the product in 11, the group in 12.
const std::string kProduct = at(10, kFence) + at(11, instruction(kSmall)) + at(12, kCommit);

Finding found(const std::string& body, std::uint32_t threads = 128) {
  return only_finding(program(kSmall, body, threads).run());
}

TEST(WgmmaMistake, ASumIsReadBeforeTheWait) {
  const Finding finding =
      found(kBegin + kProduct + at(13, "add.f32 %f1, %sum1, %sum1;") + at(14, kWait) + store(4));
  EXPECT_EQ(finding.kind, FindingKind::unfinished_product);
  EXPECT_EQ(finding.line, 13);
  EXPECT_EQ(finding.message.str(),
            "uses a sum of the product of line 11 while the tensor cores may still compute it");
  EXPECT_THAT(finding.hint.str(), HasSubstr("wgmma_wait_group<0>()"));
}

TEST(WgmmaMistake, ACopyOfASumIsReadBeforeTheWait) {
  EXPECT_EQ(found(kBegin + kProduct + at(13, "mov.f32 %f1, %sum1;") +
                  at(14, "add.f32 %f2, %f1, %f1;") + at(15, kWait) + store(4))
                .line,
            14);
  expect_clean(program(kSmall, kBegin + kProduct + at(13, "mov.f32 %f1, %sum1;") + at(14, kWait) +
                                   at(15, "add.f32 %f2, %f1, %f1;") + store(4))
                   .run());
}

TEST(WgmmaMistake, ASumIsChangedBeforeTheWait) {
  const Finding finding =
      found(kBegin + kProduct + at(13, "mov.f32 %sum2, 0f00000000;") + at(14, kWait) + store(4));
  EXPECT_EQ(finding.kind, FindingKind::unfinished_product);
  EXPECT_EQ(finding.line, 13);
  EXPECT_THAT(finding.message.str(), HasSubstr("changes a sum of the product of line 11"));
}

TEST(WgmmaMistake, AProductInNoGroupIsNotWaitedFor) {
  const Finding finding = found(kBegin + kFence + at(11, instruction(kSmall)) + at(12, kWait) +
                                at(13, "add.f32 %f1, %sum1, %sum1;") + kCommit + kWait + store(4));
  EXPECT_EQ(finding.line, 13);
  EXPECT_THAT(finding.hint.str(), HasSubstr("The product of line 11 belongs to no group yet"));
}

TEST(WgmmaMistake, AWaitLetsGroupsRun) {
  const std::string two = kBegin + kProduct + at(13, instruction(kSmall)) + kCommit;
  const std::string one = "wgmma.wait_group.sync.aligned 1;";
  EXPECT_EQ(found(two + one + at(15, "add.f32 %f1, %sum1, %sum1;") + kWait + store(4)).line, 15);
}

TEST(WgmmaMistake, NothingWaitsForTheProduct) {
  const Finding finding = found(kBegin + kProduct);
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_EQ(finding.kind, FindingKind::unfinished_product);
  EXPECT_EQ(finding.line, 11);
}

TEST(WgmmaMistake, NoFenceOrdersTheRegisters) {
  const Finding finding = found(kBegin + at(11, instruction(kSmall)) + kCommit + kWait + store(4));
  EXPECT_EQ(finding.kind, FindingKind::missing_fence);
  EXPECT_EQ(finding.line, 11);
  // Sums that only products have changed need none.
  const std::string again = at(13, instruction(kSmall)) + kCommit + kWait;
  expect_clean(program(kSmall, kBegin + kProduct + kWait + again + store(4)).run());
  const std::string change = "add.f32 %sum0, %sum0, 0f3f800000;";
  EXPECT_EQ(found(kBegin + kProduct + kWait + change + again + store(4)).line, 13);
  expect_clean(
      program(kSmall, kBegin + kProduct + kWait + change + kFence + again + store(4)).run());
}

TEST(WgmmaMistake, NoFenceMakesStoresVisible) {
  const std::string descriptor = descriptors(kSmall.a, kSmall.b);
  const std::string rest = descriptor + kProduct + kWait + store(4);
  const Finding finding = found(at(5, kBarrier) + rest);
  EXPECT_EQ(finding.kind, FindingKind::missing_fence);
  EXPECT_EQ(finding.line, 11);
  EXPECT_THAT(finding.message.str(), HasSubstr("multiplies tile + 0 bytes"));
  EXPECT_EQ(found(kBarrier + thread_only(3, kProxyFence) + kBarrier + thread_only(1, kProxyFence) +
                  thread_only(5, "st.shared.u32 [%tile], %r0;") + kBarrier + rest)
                .kind,
            FindingKind::missing_fence)
      << "the fence stands before the store";
  expect_clean(program(kSmall, kBarrier + kProxyFence + rest).run());
  expect_clean(program(kSmall, kBarrier + thread_only(9, kProxyFence) + kBarrier + rest).run());
  expect_clean(program(kSmall, kProxyFence + kBarrier + kProxyFence + rest).run());
}

TEST(WgmmaMistake, SharedMemoryIsOverwrittenBeforeTheWait) {
  const std::string store_in_a = at(13, thread_only(0, "st.shared.u32 [%tile], %t;"));
  const Finding own = found(kBegin + kProduct + store_in_a + at(14, kWait) + store(4));
  EXPECT_EQ(own.kind, FindingKind::unfinished_product);
  EXPECT_EQ(own.line, 13);
  EXPECT_EQ(own.message.str(),
            "stores tile + 0 bytes while the product of line 11 may still read it");
  EXPECT_THAT(own.hint.str(), HasSubstr("The product of line 11 is waited for only in line 14"));
  const std::string other = at(13, thread_only(64, "st.shared.u32 [%tile+8192], %t;"));
  const Finding later = found(kBegin + kProduct + kBarrier + other + at(14, kWait) + store(4));
  EXPECT_EQ(later.kind, FindingKind::unfinished_product);
  EXPECT_EQ(later.line, 13);
  const std::string copies =
      at(13, thread_only(64, "cp.async.ca.shared.global [%tile+8192], [%in], 4;"));
  const Finding copy = found(kBegin + kProduct + kBarrier + copies + at(14, kWait) +
                             "cp.async.wait_all;" + store(4));
  EXPECT_EQ(copy.kind, FindingKind::unfinished_product);
  EXPECT_EQ(copy.line, 13);
  EXPECT_THAT(copy.message.str(), HasSubstr("copies into tile + 8192 bytes"));
  expect_clean(
      program(kSmall, kBegin + kProduct + kWait + kBarrier + other + kBarrier + store(4)).run());
}

TEST(WgmmaMistake, AnotherWarpgroupStoresBeforeItsWaitIsKnown) {
  // The second warpgroup stores behind the barrier, and the first may not have waited by then.
  const std::string body =
      kBegin + "setp.ge.u32 %p3, %t, 128; @%p3 bra meet;" + kProduct + "meet:" + kBarrier +
      "@%p3 bra other;" + at(14, kWait) +
      "bra after; other:" + at(13, thread_only(200, "st.shared.u32 [%tile], %t;")) +
      "after:" + kBarrier;
  const Finding finding = found(body, 256);
  EXPECT_EQ(finding.kind, FindingKind::race);
  EXPECT_THAT(finding.message.str(), HasSubstr("line 14 waits for a product of it"));
  EXPECT_THAT(finding.hint.str(),
              HasSubstr("after line 14 and a barrier of all these warps that follows it"));
}

TEST(WgmmaMistake, AnotherWarpgroupIsAllowedToStoreTooEarly) {
  // Barriers of a part of the block order the store behind the product, and before the wait.
  const std::string body =
      kBegin + "setp.ge.u32 %p3, %t, 128; @%p3 bra other;" + kProduct +
      "bar.sync 2, 256; bar.sync 3, 256;" + at(14, kWait) + "bra after; other: bar.sync 2, 256;" +
      at(13, thread_only(200, "st.shared.u32 [%tile], %t;")) + "bar.sync 3, 256; after:";
  const RunResult result = program(kSmall, body, 256).run();
  const auto early =
      std::ranges::find(result.findings, FindingKind::unfinished_product, &Finding::kind);
  ASSERT_NE(early, result.findings.end());
  EXPECT_EQ(early->line, 13);
}

TEST(WgmmaMistake, OtherWarpsStoreWithoutABarrier) {
  const Finding finding =
      found(kBegin + kProduct + at(14, kWait) +
            at(15, thread_only(64, "st.shared.u32 [%tile+8192], %t;")) + store(4));
  expect_race(finding, 11, 15);
  EXPECT_THAT(finding.message.str(), HasSubstr("line 11 multiplies tile"));
}

/// `body` with another descriptor.
std::string described(std::string body, std::uint64_t descriptor, std::uint64_t instead) {
  const std::string text = std::to_string(descriptor);
  return body.replace(body.find(text), text.size(), std::to_string(instead));
}

TEST(WgmmaMistake, AMatrixReachesPastItsArray) {
  const Product product{.a = kRowsOf32, .b = kRowsOf32, .columns = 16};
  const Layout far{.mode = 3, .stride = 12288};
  const std::string body =
      described(whole(product), product.b.descriptor(kStart), far.descriptor(kStart));
  const Finding finding = only_finding(program(product, body).run());
  EXPECT_EQ(finding.kind, FindingKind::out_of_bounds);
}

TEST(WgmmaMistake, AMatrixBeginsInTheMiddleOfItsSwizzle) {
  const Layout a{.mode = 1, .stride = 1024};
  const Product product{.a = a, .b = kRowsOf32};
  const std::string body = described(whole(product), a.descriptor(0), a.descriptor(256));
  const Finding finding = only_finding(program(product, body).run());
  EXPECT_EQ(finding.kind, FindingKind::misaligned);
  EXPECT_THAT(finding.message.str(), HasSubstr("256 bytes after the start of a swizzle"));
}

TEST(WgmmaMistake, AWarpgroupIsNotComplete) {
  const std::string rest = at(10, kFence) + at(11, instruction(kSmall)) + kCommit + kWait;
  EXPECT_EQ(found(kBegin + rest, 64).kind, FindingKind::divergent_barrier);
  const Finding part =
      found(kBegin + "setp.ge.u32 %p3, %t, 32; @%p3 bra multiply; bra after; multiply:" + rest +
            "after:");
  EXPECT_EQ(part.kind, FindingKind::divergent_barrier);
  EXPECT_EQ(part.line, 11);
  EXPECT_THAT(part.message.str(), HasSubstr("3 of the four warps"));
  const RunResult lanes =
      program(kSmall, kBegin + "and.b32 %r9, %t, 31; setp.ge.u32 %p3, %r9, 16; @%p3 bra after;" +
                          rest + "after:")
          .run();
  ASSERT_EQ(lanes.findings.size(), 2u);
  EXPECT_EQ(lanes.findings[1].line, 11);
  EXPECT_EQ(lanes.findings[1].kind, FindingKind::divergent_barrier);
}

TEST(WgmmaMistake, WarpsOfAGroupMultiplyDifferentMatrices) {
  const Finding finding =
      found(kBegin + "setp.ge.u32 %p3, %t, 96; @%p3 add.u64 %rd21, %rd21, 16;" + kProduct + kWait);
  EXPECT_EQ(finding.kind, FindingKind::divergent_barrier);
  EXPECT_THAT(finding.message.str(), HasSubstr("do not execute the same wgmma instructions"));
}

TEST(Wgmma, TakesAFromRegistersAlone) {
  PtxProgram refused = program(kSmall, kBegin + instruction(kSmall, "{%r20, 0, %r22, %r23}"));
  EXPECT_FALSE(load_module(refused.text()));
}

TEST(Wgmma, AProductOutlivesTheCallThatBeganIt) {
  // The frame of `begins` is used again by `other`, which has more registers.
  const std::string begins =
      ".func begins(.param .b64 a, .param .b64 b) { .reg .f32 %s<4>; .reg .b64 %a, %b;"
      "ld.param.b64 %a, [a]; ld.param.b64 %b, [b]; mov.f32 %s0, 0f00000000; mov.f32 %s1, "
      "0f00000000;"
      "mov.f32 %s2, 0f00000000; mov.f32 %s3, 0f00000000;" +
      kFence +
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%s0, %s1, %s2, %s3}, %a, %b, 1, 1, 1, "
      "0, 0;" +
      kCommit + "ret; }";
  std::string other = ".func other() { .reg .b32 %w<64>;";
  for (int i = 0; i < 64; ++i) other += fmt::format("mov.u32 %w{}, {};", i, i);
  PtxProgram calls(prologue(4, 128) + kBegin +
                       ".param .b64 pa; .param .b64 pb; st.param.b64 [pa], %rd20;"
                       "st.param.b64 [pb], %rd21; call begins, (pa, pb); call other;" +
                       kWait,
                   begins + other + "ret; }");
  calls.buffer("in", tiles(kSmall)).buffer("out", std::vector<std::uint32_t>(512));
  calls.shape.block = {128, 1, 1};
  expect_clean(calls.run());
}

TEST(Wgmma, OtherFormsAreRefused) {
  const auto unsupported = [](const std::string& text) {
    const Finding finding = found(kBegin + text);
    EXPECT_EQ(finding.kind, FindingKind::unsupported_instruction) << text;
  };
  unsupported(
      "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r1, %r2}, %rd20, %rd21, 1, 1, 1, 0, 0;");
  unsupported(
      "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%sum0, %sum1, %sum2, %sum3}, %rd20, "
      "%rd21, 1, 1, 1;");
}

}  // namespace
}  // namespace tessera::test
