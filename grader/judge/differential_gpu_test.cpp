// Valid random kernels, drawn from fixed seeds, on the simulator and on the card: every bit of what
// they leave must agree.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "grader/gpu/device.h"
#include "grader/gpu/run.h"
#include "grader/simulator/simulator.h"

namespace tessera {
namespace {

constexpr unsigned kThreads = 96;  // three warps
constexpr unsigned kRegisters = 6;
constexpr unsigned kPrograms = 240;
constexpr int kStatements = 60;

/// Instructions on D, A, B and C (32 bits each), exact on both sides. T is a scratch register, P a
/// scratch predicate, %lane the lane.
constexpr const char* kOperations[] = {
    "add.u32 D, A, B;",
    "sub.s32 D, A, B;",
    "mul.lo.s32 D, A, B;",
    "mul.hi.u32 D, A, B;",
    "mul.hi.s32 D, A, B;",
    "mad.lo.u32 D, A, B, C;",
    "mul24.lo.u32 D, A, B;",
    "and.b32 D, A, B;",
    "xor.b32 D, A, B;",
    "lop3.b32 D, A, B, C, 0x96;",
    "shl.b32 D, A, B;",
    "shr.s32 D, A, B;",
    "shf.r.clamp.b32 D, A, B, C;",
    "shf.l.wrap.b32 D, A, B, C;",
    "min.s32 D, A, B;",
    "max.u32 D, A, B;",
    "abs.s32 D, A;",
    "sad.s32 D, A, B, C;",
    "popc.b32 D, A;",
    "clz.b32 D, A;",
    "brev.b32 D, A;",
    "bfind.u32 D, A;",
    "bfe.s32 D, A, 3, 11;",
    "bfi.b32 D, A, B, 7, 9;",
    "prmt.b32 D, A, B, 0x7351;",
    "dp4a.u32.u32 D, A, B, C;",
    "or.b32 T, B, 1; div.s32 D, A, T;",
    "or.b32 T, B, 1; rem.u32 D, A, T;",
    "add.cc.u32 T, A, B; addc.u32 D, C, 0;",
    "add.cc.u32 T, A, B; subc.u32 D, C, 0;",
    "sub.cc.u32 T, A, B; subc.u32 D, C, 0;",
    "sub.cc.u32 T, A, B; addc.u32 D, C, 0;",
    "cvt.s32.s8 D, A;",
    "cvt.rn.f32.s32 D, A;",
    "cvt.rzi.s32.f32 D, A;",
    "cvt.rni.u32.f32 D, A;",
    "setp.lt.s32 P, A, B; selp.b32 D, A, C, P;",
    "setp.geu.f32 P, A, B; selp.b32 D, B, C, P;",
    "set.gt.u32.f32 D, A, B;",
    "add.rn.f32 D, A, B;",
    "add.rz.f32 D, A, B;",
    "sub.rm.f32 D, A, B;",
    "mul.rp.f32 D, A, B;",
    "mul.ftz.f32 D, A, B;",
    "fma.rn.f32 D, A, B, C;",
    "fma.rn.sat.f32 D, A, B, C;",
    "div.rn.f32 D, A, B;",
    "sqrt.rn.f32 D, A;",
    "rcp.rn.f32 D, A;",
    "min.f32 D, A, B;",
    "max.NaN.f32 D, A, B;",
    "copysign.f32 D, A, B;",
    "fma.rn.f16x2 D, A, B, C;",
    "add.rn.bf16x2 D, A, B;",
    "cvt.rn.f16x2.f32 D, A, B;",
    "shfl.sync.bfly.b32 D, A, 5, 31, -1;",
    "shfl.sync.up.b32 D|P, A, 3, 0, -1; @!P mov.b32 D, B;",
    "shfl.sync.idx.b32 D, A, B, 31, -1;",
    "setp.lt.u32 P, A, B; vote.sync.ballot.b32 D, P, -1;",
    "match.any.sync.b32 D, A, -1;",
    "redux.sync.add.s32 D, A, -1;",
    "st.shared.u32 [%own], A; bar.sync 0; ld.shared.u32 D, [%other]; bar.sync 0;",
    "and.b32 T, A, 63; shl.b32 T, T, 2; add.u32 T, T, %tile; atom.shared.add.u32 T, [T], 1; "
    "bar.sync 0;",
};

/// Whether every lane has to reach the instruction, which must then be outside of branches.
bool meets(std::string_view text) {
  return text.find("sync") != text.npos;
}

/// Replaces any NaN in `result` by the same NaN. Which NaN an instruction gives is open, since
/// ptxas may remove the instruction: min(x, x) is x.
std::string with_one_nan(std::string_view text, const std::string& result) {
  if (text.find(".f32 D") == text.npos) return "";
  return fmt::format("  testp.notanumber.f32 %p, {0}; selp.b32 {0}, 0x7fffffff, {0}, %p;\n",
                     result);
}

using Random = std::mt19937_64;

std::string drawn_operation(Random& random, bool divergent) {
  std::string_view text;
  do {
    text = kOperations[random() % std::size(kOperations)];
  } while (divergent && meets(text));
  std::map<char, std::string> names = {{'T', "%t"}, {'P', "%p"}};
  for (const char letter : {'D', 'A', 'B', 'C'})
    names[letter] = fmt::format("%v{}", random() % kRegisters);
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool alone =
        (i == 0 || !std::isalpha(static_cast<unsigned char>(text[i - 1]))) &&
        (i + 1 == text.size() || !std::isalnum(static_cast<unsigned char>(text[i + 1])));
    const auto name = names.find(text[i]);
    if (alone && name != names.end()) {
      result += name->second;
    } else {
      result += text[i];
    }
  }
  return "  " + result + "\n" + with_one_nan(text, names.at('D'));
}

/// A loop of a few passes, or a branch with both sides, around operations of single lanes.
std::string drawn_control(Random& random, int label) {
  std::string inside, other_side;
  for (int i = 0; i < 4; ++i) inside += drawn_operation(random, true);
  for (int i = 0; i < 3; ++i) other_side += drawn_operation(random, true);
  const auto reg = random() % kRegisters;
  if (random() % 2 == 0) {
    return fmt::format(
        "  and.b32 %n, %v{1}, 7;\nL{0}:\n{2}  sub.u32 %n, %n, 1;\n  setp.gt.s32 %q, %n, 0;\n"
        "  @%q bra L{0};\n",
        label, reg, inside);
  }
  return fmt::format(
      "  setp.lt.s32 %q, %v{1}, %v{2};\n  @%q bra L{0};\n{3}  bra.uni E{0};\nL{0}:\n{4}E{0}:\n",
      label, reg, random() % kRegisters, inside, other_side);
}

/// A kernel of the first `statements` that the seed draws.
std::string drawn_kernel(std::uint64_t seed, int statements) {
  Random random(seed);
  std::string body;
  for (int i = 0; i < statements; ++i) {
    body += random() % 6 == 0 ? drawn_control(random, i) : drawn_operation(random, false);
    if (random() % 9 == 0) body += "  bar.warp.sync -1;\n";
  }
  std::string loads, stores;
  for (unsigned i = 0; i < kRegisters; ++i) {
    loads += fmt::format("  ld.global.u32 %v{}, [%in+{}];\n", i, 4 * i);
    stores += fmt::format("  st.global.u32 [%out+{}], %v{};\n", 4 * i, i);
  }
  return fmt::format(
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 a, .param .u64 b)\n{{\n"
      "  .shared .align 4 .b8 own[{0}];\n  .shared .align 4 .b8 tile[256];\n"
      "  .reg .pred %p, %q;\n  .reg .b32 %v<{1}>, %t, %n, %me, %own, %other, %tile;\n"
      "  .reg .b64 %in, %out, %at;\n"
      "  ld.param.u64 %in, [a];\n  ld.param.u64 %out, [b];\n  mov.u32 %me, %tid.x;\n"
      "  mul.wide.u32 %at, %me, {2};\n  add.u64 %in, %in, %at;\n  add.u64 %out, %out, %at;\n"
      "  mov.u32 %own, own;\n  mad.lo.u32 %own, %me, 4, %own;\n  mov.u32 %n, own;\n"
      "  add.u32 %t, %me, 37;\n  rem.u32 %t, %t, {3};\n  mad.lo.u32 %other, %t, 4, %n;\n"
      "  mov.u32 %tile, tile;\n  and.b32 %t, %me, 63;\n  mad.lo.u32 %t, %t, 4, %tile;\n"
      "  setp.lt.u32 %p, %me, 64;\n  @%p st.shared.u32 [%t], 0;\n  bar.sync 0;\n"
      "{4}{5}{6}  ret;\n}}\n",
      4 * kThreads, kRegisters, 4 * kRegisters, kThreads, loads, body, stores);
}

/// Small numbers, any bits, and floats of all kinds.
std::vector<std::uint32_t> drawn_inputs(std::uint64_t seed) {
  Random random(seed ^ 0x9e3779b97f4a7c15u);
  std::vector<std::uint32_t> values(kThreads * kRegisters);
  for (std::uint32_t& value : values) {
    const auto bits = static_cast<std::uint32_t>(random());
    switch (random() % 4) {
      case 0:
        value = bits & 0xff;
        break;
      case 1:
        value = bits;
        break;
      default:
        value = (bits & 0x807fffffu) | static_cast<std::uint32_t>((112 + random() % 30) << 23);
    }
  }
  return values;
}

std::vector<std::byte> bytes_of(const std::vector<std::uint32_t>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::uint32_t> words_in(std::span<const std::byte> bytes) {
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

GpuRun run_of(std::uint64_t seed, int statements = kStatements) {
  GpuRun run;
  run.kernel = {drawn_kernel(seed, statements),
                "k",
                {{1, 1, 1}, {kThreads, 1, 1}, 0},
                {pointer_to(0), pointer_to(1)}};
  run.buffers = {{"in", bytes_of(drawn_inputs(seed)), true},
                 {"out", std::vector<std::byte>(kThreads * kRegisters * 4), false}};
  return run;
}

std::vector<std::uint32_t> simulated(const GpuRun& run) {
  const auto module = load_module(run.kernel.module);
  if (!module) {
    ADD_FAILURE() << module.error().str();
    return {};
  }
  DeviceMemory memory;
  RunRequest request;
  request.entry = "k";
  request.shape = run.kernel.shape;
  request.memory = &memory;
  std::vector<std::uint64_t> addresses;
  for (const GpuBuffer& buffer : run.buffers) {
    addresses.push_back(memory.allocate({.name = buffer.name}, buffer.contents.size()));
    std::ranges::copy(buffer.contents, memory.bytes(addresses.back()).begin());
    Argument argument(8);
    std::memcpy(argument.data(), &addresses.back(), 8);
    request.arguments.push_back(argument);
  }
  const RunResult result = tessera::run(**module, request);
  EXPECT_EQ(result.status, RunStatus::completed)
      << (result.findings.empty() ? "" : result.findings.front().message);
  return words_in(memory.bytes(addresses.back()));
}

bool same(std::uint32_t a, std::uint32_t b) {
  return a == b || (std::isnan(std::bit_cast<float>(a)) && std::isnan(std::bit_cast<float>(b)));
}

TEST(RandomKernels, RunOnTheSimulator) {
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    EXPECT_EQ(simulated(run_of(seed)).size(), kThreads * kRegisters);
  }
}

/// The first difference between the card and the simulator, or "".
std::string difference(const GpuRun& run, const GpuRunResult& result) {
  if (result.status != GpuStatus::completed) return result.message;
  const auto expected = simulated(run);
  const auto got = words_in(result.contents[1]);
  if (got.size() != expected.size()) return "the outputs have other sizes";
  for (std::size_t at = 0; at < got.size(); ++at) {
    if (same(got[at], expected[at])) continue;
    return fmt::format("thread {}, register {}: {:#x} on the card, {:#x} simulated",
                       at / kRegisters, at % kRegisters, got[at], expected[at]);
  }
  return "";
}

/// The kernel's shortest beginning that differs, for the person who looks for the cause.
std::string shortest_difference(const GpuDevice& device, std::uint64_t seed) {
  std::vector<GpuRun> runs;
  for (int statements = 0; statements <= kStatements; ++statements)
    runs.push_back(run_of(seed, statements));
  const std::vector<GpuRunResult> results = run_on_gpu(device, runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string found = difference(runs[i], results[i]);
    if (!found.empty())
      return fmt::format("after {} statements: {}\n{}", i, found, runs[i].kernel.module);
  }
  return "only with all of them";
}

TEST(RandomKernels, AgreeWithTheCardToTheBit) {
  const auto devices = gpu_devices(TESSERA_GPU_WORKER);
  if (!devices) GTEST_SKIP() << "needs a GPU: " << devices.error().str();
  std::vector<GpuRun> runs;
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) runs.push_back(run_of(seed));
  const std::vector<GpuRunResult> results = run_on_gpu(devices->front(), runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string found = difference(runs[i], results[i]);
    EXPECT_EQ(found, "") << "seed " << i + 1 << ", "
                         << shortest_difference(devices->front(), i + 1);
  }
}

}  // namespace
}  // namespace tessera
