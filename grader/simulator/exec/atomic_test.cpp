// atom and red (PTX ISA, 9.7.13).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "grader/simulator/testing/odd_values.h"
#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

/// Before, operands, after.
struct Change {
  Bits before;
  std::vector<Bits> operands;
  Bits after;
};

/// Expects `atom.SPACE.operation` to return the old value and leave the new one, and `red` to leave
/// it too, in shared and in global memory.
void check_atomic(const std::string& operation, const std::string& holder,
                  const std::vector<Change>& changes, bool has_red = true) {
  const std::size_t bytes = static_cast<std::size_t>(std::stoi(holder.substr(1))) / 8;
  Types types{holder, {holder}};
  std::string operands = "%b";
  if (changes.front().operands.size() == 2) operands += ", %c";
  for (std::size_t i = 0; i < changes.front().operands.size(); ++i)
    types.operands.push_back(holder);
  std::vector<Row> old_rows;
  std::vector<Row> new_rows;
  for (const Change& change : changes) {
    std::vector<Bits> row = {change.before};
    row.insert(row.end(), change.operands.begin(), change.operands.end());
    old_rows.push_back({row, change.before});
    new_rows.push_back({row, change.after});
  }
  const std::string shared = fmt::format(
      ".shared .align 8 .b8 cells[1024]; .reg .b32 %at; mov.u32 %at, cells; mad.lo.u32 %at, "
      "%index, {}, %at; st.shared.{} [%at], %a;",
      bytes, holder);
  const std::string global =
      fmt::format(".reg .b64 %at; mov.u64 %at, %a_buffer_at; .reg .{} %old;", holder);
  check(types, fmt::format("{} atom.shared.{} %x, [%at], {};", shared, operation, operands),
        old_rows);
  check(types,
        fmt::format("{} atom.shared.{} %x, [%at], {}; ld.shared.{} %x, [%at];", shared, operation,
                    operands, holder),
        new_rows);
  check(types, fmt::format("{} atom.global.{} %x, [%at], {};", global, operation, operands),
        old_rows);
  check(types,
        fmt::format("{} atom.global.{} %old, [%at], {}; ld.global.{} %x, [%at];", global, operation,
                    operands, holder),
        new_rows);
  if (!has_red) return;
  check(types,
        fmt::format("{} red.shared.{} [%at], {}; ld.shared.{} %x, [%at];", shared, operation,
                    operands, holder),
        new_rows);
  check(types,
        fmt::format("{} red.global.{} [%at], {}; ld.global.{} %x, [%at];", global, operation,
                    operands, holder),
        new_rows);
}

TEST(Atomic, AddsIntegers) {
  check_atomic("add.u32", "b32", {{5, {7}, 12}, {-1, {1}, 0}});
  check_atomic("add.s32", "b32", {{5, {-7}, -2}});
  check_atomic("add.u64", "b64", {{5, {1LL << 40}, (1LL << 40) + 5}, {-1, {1}, 0}});
}

TEST(Atomic, FindsMinimaAndMaxima) {
  check_atomic("min.s32", "b32", {{5, {-7}, -7}, {-7, {5}, -7}, {kMin32, {0}, kMin32}});
  check_atomic("min.u32", "b32", {{5, {-7}, 5}, {-7, {5}, 5}});
  check_atomic("max.s32", "b32", {{5, {-7}, 5}, {-7, {5}, 5}});
  check_atomic("max.u32", "b32", {{5, {-7}, -7}, {-7, {5}, -7}});
  check_atomic("min.s64", "b64", {{5, {-7}, -7}, {kMin64, {5}, kMin64}});
  check_atomic("min.u64", "b64", {{5, {-7}, 5}, {1LL << 40, {1LL << 33}, 1LL << 33}});
  check_atomic("max.s64", "b64", {{5, {-7}, 5}, {1LL << 40, {1LL << 33}, 1LL << 40}});
  check_atomic("max.u64", "b64", {{5, {-7}, -7}});
}

TEST(Atomic, CombinesBits) {
  check_atomic("and.b32", "b32", {{0xff00ff00, {0x0ff00ff0}, 0x0f000f00}});
  check_atomic("or.b32", "b32", {{0xff00ff00, {0x0ff00ff0}, 0xfff0fff0}});
  check_atomic("xor.b32", "b32", {{0xff00ff00, {0x0ff00ff0}, 0xf0f0f0f0}});
  check_atomic("and.b64", "b64", {{-1, {1LL << 40}, 1LL << 40}});
  check_atomic("or.b64", "b64", {{1, {1LL << 40}, (1LL << 40) + 1}});
  check_atomic("xor.b64", "b64", {{-1, {1}, -2}});
}

TEST(Atomic, CountsUpAndDownWithWrap) {
  // inc: old >= b ? 0 : old + 1; dec: old == 0 || old > b ? b : old - 1.
  check_atomic("inc.u32", "b32",
               {{5, {7}, 6}, {7, {7}, 0}, {9, {7}, 0}, {-1, {-1}, 0}, {0, {0}, 0}});
  check_atomic("dec.u32", "b32", {{5, {7}, 4}, {0, {7}, 7}, {8, {7}, 7}, {7, {7}, 6}, {0, {0}, 0}});
}

TEST(Atomic, ExchangesAndCompares) {
  check_atomic("exch.b32", "b32", {{5, {7}, 7}}, false);
  check_atomic("exch.b64", "b64", {{5, {1LL << 40}, 1LL << 40}}, false);
  check_atomic("cas.b32", "b32", {{5, {5, 9}, 9}, {5, {6, 9}, 5}}, false);
  check_atomic("cas.b64", "b64", {{1LL << 40, {1LL << 40, 9}, 9}, {1LL << 40, {0, 9}, 1LL << 40}},
               false);
  check_atomic("cas.b16", "b16", {{5, {5, 9}, 9}, {5, {6, 9}, 5}}, false);
}

TEST(Atomic, AddsFloats) {
  check_atomic("add.f32", "b32",
               {{1.5f, {2.25f}, 3.75f}, {1.0f, {0x1p-24f}, 1.0f}, {1.0f, {-1.0f}, 0.0f}});
  check_atomic("add.f64", "b64", {{1.5, {2.25}, 3.75}, {0.1, {0.2}, 0.1 + 0.2}});
  check_atomic("add.noftz.f16x2", "b32", {{0x3c004000, {0x3c003c00}, 0x40004200}});
  check_atomic("add.noftz.f16", "b16", {{0x3c00, {0x4000}, 0x4200}});
  check_atomic("add.noftz.bf16x2", "b32", {{0x3f804000, {0x3f803f80}, 0x40004040}});
}

TEST(Atomic, GlobalFloatAddFlushesSubnormals) {
  for (const char* space : {".global", ""}) {
    PtxProgram program(fmt::format("red{}.add.f32 [%out_at], 0f00000001;", space));
    program.buffer("out", std::vector<std::uint32_t>(32, 2));  // two of the smallest
    expect_clean(program.run());
    EXPECT_EQ(program.contents<std::uint32_t>("out"), std::vector<std::uint32_t>(32, 0)) << space;
  }
}

TEST(Atomic, NoneReachesAThreadsOwnMemory) {
  PtxProgram program(
      ".local .align 4 .b32 own; st.local.u32 [own], 1; mov.u64 %rd0, own; cvta.local.u64 %rd0, "
      "%rd0; red.add.u32 [%rd0], 1;");
  EXPECT_EQ(only_finding(program.run()).kind, FindingKind::out_of_bounds);
}

TEST(Atomic, SharedFloatAddKeepsSubnormals) {
  check32(
      ".shared .align 4 .b8 cells[1024]; .reg .b32 %at; mov.u32 %at, cells; mad.lo.u32 %at, "
      "%index, 4, %at; st.shared.b32 [%at], %a;\n"
      "atom.shared.add.f32 %r0, [%at], %b; ld.shared.b32 %x, [%at];",
      {{{0x1p-149f, 0x1p-149f}, 0x1p-148f}});
}

TEST(Atomic, QualifiersAndGenericAddressesAreAccepted) {
  for (const char* form :
       {"atom.add.u32", "atom.relaxed.gpu.add.u32", "atom.acq_rel.sys.global.add.u32",
        "atom.cta.global.add.u32", "atom.acquire.cta.global.add.u32", "atom.global.gpu.add.u32"}) {
    check32(fmt::format("{} %x, [%a_buffer_at], %b;", form), {{{5, 7}, 5}});
  }
  check32("red.relaxed.gpu.global.add.u32 [%a_buffer_at], %b; ld.global.u32 %x, [%a_buffer_at];",
          {{{5, 7}, 12}});
  check32("atom.global.add.u32 _, [%a_buffer_at], %b; ld.global.u32 %x, [%a_buffer_at];",
          {{{5, 7}, 12}});
}

TEST(AtomicContention, EveryThreadIsCountedOnce) {
  PtxProgram program(
      "atom.global.add.u32 %r0, [%counter], 1; st.global.u32 [%out_at], %r0; red.global.max.u32 "
      "[%counter+4], %index; red.global.add.f32 [%counter+8], 0f3F800000;");
  program.shape = {.grid = {7, 1, 1}, .block = {96, 1, 1}, .shared_bytes = 0};
  program.host_threads = 3;
  program.buffer("counter", std::vector<std::uint32_t>(3, 0));
  program.buffer("out", std::vector<std::uint32_t>(7 * 96, 0));
  expect_clean(program.run());
  EXPECT_EQ(program.contents<std::uint32_t>("counter"),
            (std::vector<std::uint32_t>{672, 671, bits_of(672.0f)}));
  std::vector<std::uint32_t> seen = program.contents<std::uint32_t>("out");
  std::ranges::sort(seen);
  std::vector<std::uint32_t> all(672);
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(seen, all) << "each old value is returned to one thread";
}

TEST(AtomicContention, IncrementWrapsAmongTheLanesOfAWarp) {
  PtxProgram program("atom.global.inc.u32 %r0, [%counter], 6; st.global.u32 [%out_at], %r0;");
  program.buffer("counter", std::vector<std::uint32_t>(1, 0));
  program.buffer("out", std::vector<std::uint32_t>(32, 0));
  expect_clean(program.run());
  EXPECT_EQ(program.contents<std::uint32_t>("counter").front(), 32u % 7);
  std::vector<std::uint32_t> times(7, 0);
  for (const std::uint32_t old : program.contents<std::uint32_t>("out")) ++times.at(old);
  EXPECT_EQ(times, (std::vector<std::uint32_t>{5, 5, 5, 5, 4, 4, 4}));
}

TEST(AtomicContention, CompareAndSwapLoopsMakeNewAtomics) {
  PtxProgram program(R"(
    cvt.rn.f32.u32 %f0, %index; ld.global.u32 %r0, [%cell];
  AGAIN:
    mov.b32 %f1, %r0; mul.f32 %f2, %f0, 0f3F000000; add.f32 %f1, %f1, %f2; mov.b32 %r1, %f1;
    atom.global.cas.b32 %r2, [%cell], %r0, %r1;
    setp.ne.u32 %p0, %r2, %r0; mov.u32 %r0, %r2; @%p0 bra AGAIN;)");
  program.shape.block = {64, 1, 1};
  program.buffer("cell", std::vector<float>(1, 0.0f));
  const RunResult result = program.run();
  EXPECT_EQ(result.status, RunStatus::completed) << describe(result);
  EXPECT_EQ(program.contents<float>("cell").front(), 63.0f * 64 / 4);
}

}  // namespace
}  // namespace tessera::test
