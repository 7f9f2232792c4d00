// Straight-line programs drawn from fixed seeds, compared bit by bit with an evaluation on the
// host.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

constexpr std::size_t kRegisters = 8;
constexpr std::size_t kProgramThreads = 64;
constexpr int kSteps = 80;

/// An instruction on D, A, B and C, and what it computes.
template <class Word>
struct Operation {
  const char* text;
  Word (*evaluate)(Word a, Word b, Word c);
};

using U32 = std::uint32_t;
using U64 = std::uint64_t;
using S32 = std::int32_t;
using S64 = std::int64_t;

S32 s(U32 v) {
  return static_cast<S32>(v);
}
S64 s(U64 v) {
  return static_cast<S64>(v);
}
U32 u(S32 v) {
  return static_cast<U32>(v);
}
U64 u(S64 v) {
  return static_cast<U64>(v);
}

const std::vector<Operation<U32>> kInteger32 = {
    {"add.u32 D, A, B;", [](U32 a, U32 b, U32) { return a + b; }},
    {"sub.s32 D, A, B;", [](U32 a, U32 b, U32) { return a - b; }},
    {"mul.lo.s32 D, A, B;", [](U32 a, U32 b, U32) { return a * b; }},
    {"mul.hi.u32 D, A, B;", [](U32 a, U32 b, U32) { return static_cast<U32>((U64{a} * b) >> 32); }},
    {"mul.hi.s32 D, A, B;",
     [](U32 a, U32 b, U32) { return static_cast<U32>((S64{s(a)} * s(b)) >> 32); }},
    {"mad.lo.u32 D, A, B, C;", [](U32 a, U32 b, U32 c) { return a * b + c; }},
    {"and.b32 D, A, B;", [](U32 a, U32 b, U32) { return a & b; }},
    {"or.b32 D, A, B;", [](U32 a, U32 b, U32) { return a | b; }},
    {"xor.b32 D, A, B;", [](U32 a, U32 b, U32) { return a ^ b; }},
    {"not.b32 D, A;", [](U32 a, U32, U32) { return ~a; }},
    {"lop3.b32 D, A, B, C, 0xE2;", [](U32 a, U32 b, U32 c) { return (b & a) | (~b & c); }},
    {"and.b32 %r0, B, 63; shl.b32 D, A, %r0;",
     [](U32 a, U32 b, U32) { return (b & 63) > 31 ? 0 : a << (b & 63); }},
    {"and.b32 %r0, B, 63; shr.u32 D, A, %r0;",
     [](U32 a, U32 b, U32) { return (b & 63) > 31 ? 0 : a >> (b & 63); }},
    {"and.b32 %r0, B, 63; shr.s32 D, A, %r0;",
     [](U32 a, U32 b, U32) { return u(s(a) >> std::min(b & 63, 31u)); }},
    {"shf.l.wrap.b32 D, A, B, C;",
     [](U32 a, U32 b, U32 c) {
       return static_cast<U32>((((U64{b} << 32) | a) << (c & 31)) >> 32);
     }},
    {"min.s32 D, A, B;", [](U32 a, U32 b, U32) { return u(std::min(s(a), s(b))); }},
    {"max.u32 D, A, B;", [](U32 a, U32 b, U32) { return std::max(a, b); }},
    {"abs.s32 D, A;", [](U32 a, U32, U32) { return s(a) < 0 ? 0 - a : a; }},
    {"neg.s32 D, A;", [](U32 a, U32, U32) { return 0 - a; }},
    {"sad.u32 D, A, B, C;", [](U32 a, U32 b, U32 c) { return c + (a < b ? b - a : a - b); }},
    {"popc.b32 D, A;", [](U32 a, U32, U32) { return u(std::popcount(a)); }},
    {"clz.b32 D, A;", [](U32 a, U32, U32) { return u(std::countl_zero(a)); }},
    {"or.b32 %r0, B, 1; div.u32 D, A, %r0;", [](U32 a, U32 b, U32) { return a / (b | 1); }},
    {"or.b32 %r0, B, 1; rem.u32 D, A, %r0;", [](U32 a, U32 b, U32) { return a % (b | 1); }},
    {"setp.lt.s32 %p1, A, B; selp.b32 D, A, C, %p1;",
     [](U32 a, U32 b, U32 c) { return s(a) < s(b) ? a : c; }},
    {"slct.u32.s32 D, A, B, C;", [](U32 a, U32 b, U32 c) { return s(c) >= 0 ? a : b; }},
    {"set.hi.u32.u32 D, A, B;", [](U32 a, U32 b, U32) { return a > b ? ~0u : 0u; }},
    {"cvt.s32.s8 D, A;", [](U32 a, U32, U32) { return u(S32{static_cast<std::int8_t>(a)}); }},
    {"cvt.u32.u16 D, A;", [](U32 a, U32, U32) { return a & 0xffff; }},
    {"add.cc.u32 %r0, A, B; addc.u32 D, C, 0;",
     [](U32 a, U32 b, U32 c) { return c + (a + b < a ? 1 : 0); }},
    {"bfe.u32 D, A, 5, 9;", [](U32 a, U32, U32) { return (a >> 5) & 511; }},
    {"prmt.b32 D, A, B, 0x2541;",
     [](U32 a, U32 b, U32) {
       return ((a >> 8) & 0xff) | ((b & 0xff) << 8) | (((b >> 8) & 0xff) << 16) |
              (((a >> 16) & 0xff) << 24);
     }},
};

const std::vector<Operation<U64>> kInteger64 = {
    {"add.u64 D, A, B;", [](U64 a, U64 b, U64) { return a + b; }},
    {"sub.s64 D, A, B;", [](U64 a, U64 b, U64) { return a - b; }},
    {"mul.lo.s64 D, A, B;", [](U64 a, U64 b, U64) { return a * b; }},
    {"mad.lo.s64 D, A, B, C;", [](U64 a, U64 b, U64 c) { return a * b + c; }},
    {"xor.b64 D, A, B;", [](U64 a, U64 b, U64) { return a ^ b; }},
    {"and.b64 D, A, B;", [](U64 a, U64 b, U64) { return a & b; }},
    {"not.b64 D, A;", [](U64 a, U64, U64) { return ~a; }},
    {"cvt.u32.u64 %r0, B; and.b32 %r0, %r0, 127; shl.b64 D, A, %r0;",
     [](U64 a, U64 b, U64) { return (b & 127) > 63 ? 0 : a << (b & 127); }},
    {"cvt.u32.u64 %r0, B; and.b32 %r0, %r0, 127; shr.s64 D, A, %r0;",
     [](U64 a, U64 b, U64) { return u(s(a) >> std::min<U64>(b & 127, 63)); }},
    {"min.u64 D, A, B;", [](U64 a, U64 b, U64) { return std::min(a, b); }},
    {"max.s64 D, A, B;", [](U64 a, U64 b, U64) { return u(std::max(s(a), s(b))); }},
    {"or.b64 %rd0, B, 1; div.u64 D, A, %rd0;", [](U64 a, U64 b, U64) { return a / (b | 1); }},
    {"or.b64 %rd0, B, 1; rem.u64 D, A, %rd0;", [](U64 a, U64 b, U64) { return a % (b | 1); }},
    {"cvt.u32.u64 %r0, A; cvt.u32.u64 %r1, B; mul.wide.u32 D, %r0, %r1;",
     [](U64 a, U64 b, U64) { return U64{static_cast<U32>(a)} * static_cast<U32>(b); }},
    {"cvt.u32.u64 %r0, A; cvt.u32.u64 %r1, B; mad.wide.s32 D, %r0, %r1, C;",
     [](U64 a, U64 b, U64 c) {
       return u(S64{s(static_cast<U32>(a))} * s(static_cast<U32>(b))) + c;
     }},
    {"popc.b64 %r0, A; cvt.u64.u32 D, %r0;",
     [](U64 a, U64, U64) { return static_cast<U64>(std::popcount(a)); }},
    {"mov.b64 {%r0, %r1}, A; mov.b64 D, {%r1, %r0};",
     [](U64 a, U64, U64) { return std::rotl(a, 32); }},
    {"setp.ge.s64 %p1, A, B; selp.b64 D, B, C, %p1;",
     [](U64 a, U64 b, U64 c) { return s(a) >= s(b) ? b : c; }},
};

float f(U32 v) {
  return std::bit_cast<float>(v);
}
double f(U64 v) {
  return std::bit_cast<double>(v);
}
U32 canonical(float v) {
  return std::isnan(v) ? kNan32 : std::bit_cast<U32>(v);
}
U64 canonical(double v) {
  return std::isnan(v) ? 0x7ff8000000000000u : std::bit_cast<U64>(v);
}

template <class Word>
Word least(Word a, Word b, bool want_greater) {
  if (std::isnan(f(a))) return std::isnan(f(b)) ? canonical(f(b)) : b;
  if (std::isnan(f(b))) return a;
  const bool a_is_less = f(a) < f(b) || (f(a) == f(b) && std::signbit(f(a)));
  return a_is_less != want_greater ? a : b;
}

template <class T>
T flushed(T v) {
  return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(T{0}, v) : v;
}

float saturated(float v) {
  return v > 0 ? std::min(v, 1.0f) : 0.0f;
}

const std::vector<Operation<U32>> kFloat32 = {
    {"add.rn.f32 D, A, B;", [](U32 a, U32 b, U32) { return canonical(f(a) + f(b)); }},
    {"sub.rn.f32 D, A, B;", [](U32 a, U32 b, U32) { return canonical(f(a) - f(b)); }},
    {"mul.rn.f32 D, A, B;", [](U32 a, U32 b, U32) { return canonical(f(a) * f(b)); }},
    {"fma.rn.f32 D, A, B, C;",
     [](U32 a, U32 b, U32 c) { return canonical(std::fma(f(a), f(b), f(c))); }},
    {"mad.rn.f32 D, A, B, A;",
     [](U32 a, U32 b, U32) { return canonical(std::fma(f(a), f(b), f(a))); }},
    {"div.rn.f32 D, A, B;", [](U32 a, U32 b, U32) { return canonical(f(a) / f(b)); }},
    {"sqrt.rn.f32 D, A;", [](U32 a, U32, U32) { return canonical(std::sqrt(f(a))); }},
    {"rcp.rn.f32 D, A;", [](U32 a, U32, U32) { return canonical(1.0f / f(a)); }},
    {"min.f32 D, A, B;", [](U32 a, U32 b, U32) { return least(a, b, false); }},
    {"max.f32 D, A, B;", [](U32 a, U32 b, U32) { return least(a, b, true); }},
    {"add.ftz.f32 D, A, B;",
     [](U32 a, U32 b, U32) { return canonical(flushed(flushed(f(a)) + flushed(f(b)))); }},
    {"mul.ftz.f32 D, A, B;",
     [](U32 a, U32 b, U32) { return canonical(flushed(flushed(f(a)) * flushed(f(b)))); }},
    {"add.sat.f32 D, A, B;", [](U32 a, U32 b, U32) { return canonical(saturated(f(a) + f(b))); }},
    {"cvt.rn.f32.s32 D, A;", [](U32 a, U32, U32) { return canonical(static_cast<float>(s(a))); }},
    {"cvt.rn.f32.u32 D, A;", [](U32 a, U32, U32) { return canonical(static_cast<float>(a)); }},
    {"cvt.rzi.s32.f32 %r0, A; cvt.rn.f32.s32 D, %r0;",
     [](U32 a, U32, U32) {
       if (std::isnan(f(a))) return 0u;
       const double clamped =
           std::clamp(std::trunc(static_cast<double>(f(a))), -2147483648.0, 2147483647.0);
       return canonical(static_cast<float>(static_cast<S32>(clamped)));
     }},
    {"cvt.f64.f32 %fd0, A; cvt.f64.f32 %fd1, B; add.rn.f64 %fd0, %fd0, %fd1; cvt.rn.f32.f64 D, "
     "%fd0;",
     [](U32 a, U32 b, U32) {
       return canonical(static_cast<float>(static_cast<double>(f(a)) + static_cast<double>(f(b))));
     }},
    {"setp.ltu.f32 %p1, A, B; selp.b32 D, B, C, %p1;",
     [](U32 a, U32 b, U32 c) { return !(f(a) >= f(b)) ? b : c; }},
    {"setp.ge.f32 %p1, A, B; selp.f32 D, A, C, %p1;",
     [](U32 a, U32 b, U32 c) { return f(a) >= f(b) ? a : c; }},
    {"xor.b32 D, A, 0x80000000;", [](U32 a, U32, U32) { return a ^ 0x80000000u; }},
    {"cvt.rni.f32.f32 D, A;", [](U32 a, U32, U32) { return canonical(std::nearbyint(f(a))); }},
};

const std::vector<Operation<U64>> kFloat64 = {
    {"add.rn.f64 D, A, B;", [](U64 a, U64 b, U64) { return canonical(f(a) + f(b)); }},
    {"sub.rn.f64 D, A, B;", [](U64 a, U64 b, U64) { return canonical(f(a) - f(b)); }},
    {"mul.rn.f64 D, A, B;", [](U64 a, U64 b, U64) { return canonical(f(a) * f(b)); }},
    {"fma.rn.f64 D, A, B, C;",
     [](U64 a, U64 b, U64 c) { return canonical(std::fma(f(a), f(b), f(c))); }},
    {"div.rn.f64 D, A, B;", [](U64 a, U64 b, U64) { return canonical(f(a) / f(b)); }},
    {"sqrt.rn.f64 D, A;", [](U64 a, U64, U64) { return canonical(std::sqrt(f(a))); }},
    {"rcp.rn.f64 D, A;", [](U64 a, U64, U64) { return canonical(1.0 / f(a)); }},
    {"min.f64 D, A, B;", [](U64 a, U64 b, U64) { return least(a, b, false); }},
    {"max.f64 D, A, B;", [](U64 a, U64 b, U64) { return least(a, b, true); }},
    {"cvt.rn.f32.f64 %f0, A; cvt.f64.f32 D, %f0;",
     [](U64 a, U64, U64) { return canonical(static_cast<double>(static_cast<float>(f(a)))); }},
    {"cvt.rni.f64.f64 D, A;", [](U64 a, U64, U64) { return canonical(std::nearbyint(f(a))); }},
    {"setp.ltu.f64 %p1, A, B; selp.f64 D, B, C, %p1;",
     [](U64 a, U64 b, U64 c) { return !(f(a) >= f(b)) ? b : c; }},
};

template <class Word>
struct Step {
  const Operation<Word>* operation;
  std::size_t d, a, b, c;
  int guard;  // 0: none, 1: @%p0, 2: @!%p0
};

template <class Word>
std::string named(const Step<Word>& step) {
  std::string text;
  for (const char letter : std::string_view(step.operation->text)) {
    const std::size_t index = letter == 'D'   ? step.d
                              : letter == 'A' ? step.a
                              : letter == 'B' ? step.b
                              : letter == 'C' ? step.c
                                              : kRegisters;
    if (index == kRegisters) {
      text += letter;
    } else {
      text += fmt::format("%v{}", index);
    }
  }
  return text;
}

/// Runs one drawn program for 64 threads; %p0 is drawn for each thread, and guards what is guarded
/// by a branch around it.
template <class Word>
void run_random_program(std::uint64_t seed, const std::vector<Operation<Word>>& operations,
                        Word (*draw)(std::mt19937_64&)) {
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  std::vector<Step<Word>> steps;
  while (steps.size() < kSteps) {
    const Operation<Word>& operation = operations[random() % operations.size()];
    const auto pick = [&] { return static_cast<std::size_t>(random() % kRegisters); };
    const std::size_t d = pick(), a = pick(), b = pick(), c = pick();
    steps.push_back({&operation, d, a, b, c, static_cast<int>(random() % 4)});
  }
  std::vector<Word> inputs(kRegisters * kProgramThreads);
  for (Word& input : inputs) input = draw(random);
  std::vector<U32> masks(kProgramThreads);
  for (U32& mask : masks) mask = static_cast<U32>(random() & 1);

  const std::string type = sizeof(Word) == 4 ? "b32" : "b64";
  std::string body =
      fmt::format(".reg .{} %v<{}>; mul.wide.u32 %rd20, %index, {}; add.u64 %rd21, %in, %rd20;\n",
                  type, kRegisters, kRegisters * sizeof(Word));
  body += "add.u64 %rd22, %out, %rd20; ld.global.u32 %r20, [%mask_at]; setp.ne.u32 %p0, %r20, 0;\n";
  for (std::size_t i = 0; i < kRegisters; ++i)
    body += fmt::format("ld.global.{} %v{}, [%rd21+{}];\n", type, i, i * sizeof(Word));
  int label = 0;
  for (const Step<Word>& step : steps) {
    if (step.guard != 1 && step.guard != 2) {
      body += named(step) + "\n";
    } else {
      body += fmt::format("@{}%p0 bra L{};\n{}\nL{}:\n", step.guard == 1 ? "!" : "", label,
                          named(step), label);
      ++label;
    }
  }
  for (std::size_t i = 0; i < kRegisters; ++i)
    body += fmt::format("st.global.{} [%rd22+{}], %v{};\n", type, i * sizeof(Word), i);

  PtxProgram program(body);
  program.shape.block = {kProgramThreads, 1, 1};
  program.buffer("in", inputs);
  program.buffer("out", std::vector<Word>(kRegisters * kProgramThreads, 0));
  program.buffer("mask", masks);
  expect_clean(program.run());
  const std::vector<Word> outputs = program.contents<Word>("out");

  for (std::size_t thread = 0; thread < kProgramThreads; ++thread) {
    std::array<Word, kRegisters> v{};
    std::copy_n(inputs.begin() + static_cast<std::ptrdiff_t>(thread * kRegisters), kRegisters,
                v.begin());
    for (const Step<Word>& step : steps) {
      if (step.guard == 1 && masks[thread] == 0) continue;
      if (step.guard == 2 && masks[thread] != 0) continue;
      v[step.d] = step.operation->evaluate(v[step.a], v[step.b], v[step.c]);
    }
    for (std::size_t i = 0; i < kRegisters; ++i) {
      const Word got = outputs[thread * kRegisters + i];
      if (sizeof(Word) == 8 && std::isnan(f(got)) && std::isnan(f(v[i])))
        continue;  // payloads are free
      ASSERT_EQ(fmt::format("{:#x}", got), fmt::format("{:#x}", v[i]))
          << "thread " << thread << " register " << i << "\n"
          << body;
    }
  }
}

U32 any_word(std::mt19937_64& random) {
  const U32 value = static_cast<U32>(random());
  return random() % 4 == 0 ? value & 0xff : value;
}

U64 any_long(std::mt19937_64& random) {
  return random() >> (random() % 3 * 20);
}

/// Numbers near one, and now and then zeros, infinities, NaNs, subnormals and huge numbers.
U32 any_float(std::mt19937_64& random) {
  const U32 mantissa = static_cast<U32>(random()) & 0x807fffffu;
  switch (random() % 12) {
    case 0:
      return mantissa & 0x80000000u;
    case 1:
      return (mantissa & 0x80000000u) | 0x7f800000u;
    case 2:
      return mantissa | 0x7f800000u;
    case 3:
      return mantissa;
    case 4:
      return static_cast<U32>(random());
    default:
      return mantissa | static_cast<U32>((110 + random() % 34) << 23);
  }
}

U64 any_double(std::mt19937_64& random) {
  const U64 mantissa = random() & 0x800fffffffffffffu;
  switch (random() % 12) {
    case 0:
      return mantissa & (U64{1} << 63);
    case 1:
      return (mantissa & (U64{1} << 63)) | 0x7ff0000000000000u;
    case 2:
      return mantissa;
    case 3:
      return random();
    default:
      return mantissa | (U64{1000 + random() % 46} << 52);
  }
}

class RandomPrograms : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, ::testing::Range<std::uint64_t>(1, 13));

TEST_P(RandomPrograms, OfInt32AgreeWithTheHost) {
  run_random_program<U32>(GetParam(), kInteger32, any_word);
}
TEST_P(RandomPrograms, OfInt64AgreeWithTheHost) {
  run_random_program<U64>(GetParam(), kInteger64, any_long);
}
TEST_P(RandomPrograms, OfFp32AgreeWithTheHost) {
  run_random_program<U32>(GetParam(), kFloat32, any_float);
}
TEST_P(RandomPrograms, OfFp64AgreeWithTheHost) {
  run_random_program<U64>(GetParam(), kFloat64, any_double);
}

}  // namespace
}  // namespace tessera::test
