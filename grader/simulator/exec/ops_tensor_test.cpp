// mma.sync, ldmatrix and wmma (PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions").
#include <bit>
#include <cmath>

#include "grader/simulator/testing/race_program.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;

using Matrix = std::vector<std::vector<int>>;

/// A rows x columns matrix of small integers, of which no two rows and no two columns are equal.
Matrix numbers(std::size_t rows, std::size_t columns, int seed) {
  Matrix matrix(rows, std::vector<int>(columns));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j)
      matrix[i][j] =
          static_cast<int>((i * 13 + j * 29 + i * j * 3 + static_cast<std::size_t>(seed)) % 31) -
          15;
  }
  return matrix;
}

Matrix product(const Matrix& a, const Matrix& b, const Matrix& c) {
  Matrix d = c;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < c[0].size(); ++j) {
      for (std::size_t k = 0; k < b.size(); ++k) d[i][j] += a[i][k] * b[k][j];
    }
  }
  return d;
}

std::uint32_t float_bits(int value) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

enum class Element { bf16, f16, tf32 };

/// The bits of a small integer.
std::uint32_t bits_of(Element type, int value) {
  const std::uint32_t whole = float_bits(value);
  if (type == Element::tf32) return whole;
  if (type == Element::bf16) return whole >> 16;
  if (value == 0) return 0;
  const std::uint32_t exponent = (whole >> 23 & 0xff) - 127 + 15;
  return (whole >> 16 & 0x8000) | exponent << 10 | (whole >> 13 & 0x3ff);
}

/// The registers of fragments, `count` a lane, in a buffer of 32 rows.
struct Fragments {
  std::uint32_t count;
  std::vector<std::uint32_t> words;

  explicit Fragments(std::uint32_t registers) : count(registers), words(32 * registers) {}
  std::uint32_t& at(std::size_t lane, std::size_t reg) { return words[lane * count + reg]; }
};

// Where an element of a fragment lies, as the PTX ISA gives it for m16n8k16 with .bf16 and .f16:
// the i-th of a lane's elements.
std::pair<std::size_t, std::size_t> place_in_a(std::size_t lane, std::size_t i) {
  const std::size_t row = i < 2 || (i >= 4 && i < 6) ? lane / 4 : lane / 4 + 8;
  const std::size_t column = i < 4 ? lane % 4 * 2 + (i & 1) : lane % 4 * 2 + (i & 1) + 8;
  return {row, column};
}
std::pair<std::size_t, std::size_t> place_in_b(std::size_t lane, std::size_t i) {
  return {i < 2 ? lane % 4 * 2 + (i & 1) : lane % 4 * 2 + (i & 1) + 8, lane / 4};
}
std::pair<std::size_t, std::size_t> place_in_c(std::size_t lane, std::size_t i) {
  return {i < 2 ? lane / 4 : lane / 4 + 8, lane % 4 * 2 + (i & 1)};
}

/// A warp that loads fragments of A, B and C (`of_a`, `of_b` and 4 registers) from the input,
/// executes `instruction` with {%d0...}, {%a0...}, {%b0...}, {%c0...}, and stores D.
std::string mma_body(const std::string& instruction, int of_a, int of_b) {
  std::string body =
      ".reg .b32 %a<4>, %b<2>, %lane; .reg .f32 %c<4>, %d<4>; .reg .b64 %from, %to;"
      "mov.u32 %lane, %laneid; mov.u64 %from, %in;"
      "mul.wide.u32 %to, %lane, " +
      std::to_string(4 * (of_a + of_b + 4)) + "; add.s64 %from, %from, %to;";
  int at = 0;
  std::string a, b;
  for (int i = 0; i < of_a; ++i, at += 4) {
    body += "ld.global.b32 %a" + std::to_string(i) + ", [%from+" + std::to_string(at) + "];";
    a += (i ? ", %a" : "%a") + std::to_string(i);
  }
  for (int i = 0; i < of_b; ++i, at += 4) {
    body += "ld.global.b32 %b" + std::to_string(i) + ", [%from+" + std::to_string(at) + "];";
    b += (i ? ", %b" : "%b") + std::to_string(i);
  }
  for (int i = 0; i < 4; ++i, at += 4)
    body += "ld.global.f32 %c" + std::to_string(i) + ", [%from+" + std::to_string(at) + "];";
  body += instruction + " {%d0, %d1, %d2, %d3}, {" + a + "}, {" + b + "}, {%c0, %c1, %c2, %c3};";
  body += "mov.u64 %from, %out; mul.wide.u32 %to, %lane, 16; add.s64 %to, %to, %from;";
  for (int i = 0; i < 4; ++i)
    body += "st.global.f32 [%to+" + std::to_string(4 * i) + "], %d" + std::to_string(i) + ";";
  return body;
}

void expect_sums(const std::vector<std::uint32_t>& out, const Matrix& d) {
  for (std::size_t lane = 0; lane < 32; ++lane) {
    for (std::size_t i = 0; i < 4; ++i) {
      const auto [row, column] = place_in_c(lane, i);
      EXPECT_EQ(out[lane * 4 + i], float_bits(d[row][column])) << lane << ' ' << i;
    }
  }
}

TEST(Mma, MultipliesFragmentsOfHalves) {
  for (const Element type : {Element::bf16, Element::f16}) {
    for (const std::size_t depth : {16, 8}) {
      const Matrix a = numbers(16, depth, 1);
      const Matrix b = numbers(depth, 8, 2);
      const Matrix c = numbers(16, 8, 3);
      const std::size_t of_a = depth / 4;
      const std::size_t of_b = depth / 8;
      Fragments in(static_cast<std::uint32_t>(of_a + of_b + 4));
      for (std::size_t lane = 0; lane < 32; ++lane) {
        for (std::size_t i = 0; i < 2 * of_a; ++i) {
          const auto [row, k] = place_in_a(lane, i);
          in.at(lane, i / 2) |= bits_of(type, a[row][k]) << 16 * (i % 2);
        }
        for (std::size_t i = 0; i < 2 * of_b; ++i) {
          const auto [k, column] = place_in_b(lane, i);
          in.at(lane, of_a + i / 2) |= bits_of(type, b[k][column]) << 16 * (i % 2);
        }
        for (std::size_t i = 0; i < 4; ++i) {
          const auto [row, column] = place_in_c(lane, i);
          in.at(lane, of_a + of_b + i) = float_bits(c[row][column]);
        }
      }
      const std::string name = type == Element::bf16 ? "bf16" : "f16";
      PtxProgram program(mma_body("mma.sync.aligned.m16n8k" + std::to_string(depth) +
                                      ".row.col.f32." + name + "." + name + ".f32",
                                  static_cast<int>(of_a), static_cast<int>(of_b)));
      program.buffer("in", in.words).buffer("out", std::vector<std::uint32_t>(128));
      program.shape.block = {32, 1, 1};
      expect_clean(program.run());
      expect_sums(program.contents<std::uint32_t>("out"), product(a, b, c));
    }
  }
}

TEST(Mma, MultipliesFragmentsOfTf32) {
  for (const std::size_t depth : {8, 4}) {
    const Matrix a = numbers(16, depth, 4);
    const Matrix b = numbers(depth, 8, 5);
    const Matrix c = numbers(16, 8, 6);
    const std::size_t of_a = depth / 2;
    const std::size_t of_b = depth / 4;
    Fragments in(static_cast<std::uint32_t>(of_a + of_b + 4));
    for (std::size_t lane = 0; lane < 32; ++lane) {
      for (std::size_t i = 0; i < of_a; ++i)
        in.at(lane, i) =
            float_bits(a[lane / 4 + (i % 2 == 1 ? 8 : 0)][lane % 4 + (i >= 2 ? 4 : 0)]);
      // The 13 lowest bits do not count.
      for (std::size_t i = 0; i < of_b; ++i)
        in.at(lane, of_a + i) = float_bits(b[lane % 4 + 4 * i][lane / 4]) | 0x1fff;
      for (std::size_t i = 0; i < 4; ++i) {
        const auto [row, column] = place_in_c(lane, i);
        in.at(lane, of_a + of_b + i) = float_bits(c[row][column]);
      }
    }
    PtxProgram program(
        mma_body("mma.sync.aligned.m16n8k" + std::to_string(depth) + ".row.col.f32.tf32.tf32.f32",
                 static_cast<int>(of_a), static_cast<int>(of_b)));
    program.buffer("in", in.words).buffer("out", std::vector<std::uint32_t>(128));
    program.shape.block = {32, 1, 1};
    expect_clean(program.run());
    expect_sums(program.contents<std::uint32_t>("out"), product(a, b, c));
  }
}

const std::string kMma = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";

TEST(Mma, NeedsTheWholeWarp) {
  const auto run = [](const std::string& guard, std::uint32_t threads) {
    std::string body = mma_body(kMma, 4, 2);
    body.insert(body.find(kMma), "setp.lt.u32 %p0, %lane, 30; " + guard);
    PtxProgram program(body);
    program.buffer("in", std::vector<std::uint32_t>(320))
        .buffer("out", std::vector<std::uint32_t>(128));
    program.shape.block = {threads, 1, 1};
    return program.run();
  };
  expect_clean(run("", 32));
  const Finding guarded = only_finding(run("@%p0 ", 32));
  EXPECT_EQ(guarded.kind, FindingKind::divergent_barrier);
  EXPECT_THAT(guarded.message, HasSubstr("30 of the 32 threads of a warp"));
  const Finding small = only_finding(run("", 20));
  EXPECT_THAT(small.message, HasSubstr("20 of the 32 threads of a warp"));
}

TEST(Wmma, ChecksWhereTheMatrixBegins) {
  const auto finding_of = [](const std::string& address, const std::string& stride) {
    PtxProgram program(".reg .b32 %a<4>; add.u64 %rd1, %data, " + address +
                       "; wmma.load.a.sync.aligned.row.m16n16k16.global.bf16 {%a0, %a1, %a2, %a3}, "
                       "[%rd1], " +
                       stride + ";");
    program.buffer("data", std::vector<std::uint32_t>(1024));
    const RunResult result = program.run();
    return result.findings.empty() ? std::string("none") : result.findings[0].message.str();
  };
  EXPECT_EQ(finding_of("32", "24"), "none");
  EXPECT_THAT(finding_of("16", "24"), HasSubstr("begins at address"));
  EXPECT_THAT(finding_of("16", "24"), HasSubstr("which is not a multiple of 32"));
  EXPECT_THAT(finding_of("0", "20"), HasSubstr("are 40 bytes apart"));
}

TEST(Mma, RefusesFragmentsOfAnotherSize) {
  const auto refused = [](const std::string& instruction) {
    return !load_module(PtxProgram(".reg .b32 %a<4>; .reg .f32 %d<4>;" + instruction + ";").text());
  };
  EXPECT_FALSE(refused(kMma + " {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%a0, %a1}, "
                              "{%d0, %d1, %d2, %d3}"));
  EXPECT_TRUE(refused(kMma + " {%d0, %d1, %d2}, {%a0, %a1, %a2, %a3}, {%a0, %a1}, "
                             "{%d0, %d1, %d2, %d3}"));
  EXPECT_TRUE(refused(kMma + " {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2}, {%a0, %a1}, "
                             "{%d0, %d1, %d2, %d3}"));
  EXPECT_TRUE(refused(kMma + " {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%a0, %a1, %a2}, "
                             "{%d0, %d1, %d2, %d3}"));
  EXPECT_TRUE(refused("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1}, [%a2]"));
  EXPECT_TRUE(refused("wmma.load.a.sync.aligned.row.m16n16k16.shared.bf16 {%a0, %a1}, [%a2], 16"));
  const std::string rest = ".m16n16k16.shared.bf16 {%a0, %a1, %a2, %a3}, [%a2], 16";
  EXPECT_FALSE(refused("wmma.load.b.sync.aligned.col" + rest));
  for (const std::string form :
       {"wmma.load.b.sync.aligned", "wmma.load.sync.aligned.row", "wmma.load.a.b.sync.aligned.row",
        "wmma.store.a.sync.aligned.row", "wmma.load.a.sync.aligned.row.col"})
    EXPECT_TRUE(refused(form + rest)) << form;
}

/// Loads matrices of 8 x 8 elements with `instruction` from shared memory, where the halfword at
/// index i is i; lane l names the row at byte 16 * l. Returns register r of lane l at 4 * l + r.
std::vector<std::uint32_t> loaded(const std::string& instruction, int registers) {
  std::string body = R"(
    .shared .align 16 .b8 tile[512];
    .reg .b32 %m<4>, %lane, %at; .reg .b64 %to, %o;
    mov.u32 %lane, %laneid; mov.u32 %at, tile; mad.lo.u32 %at, %lane, 16, %at;
    mul.lo.u32 %r0, %lane, 0x80008; add.u32 %r0, %r0, 0x10000;
    st.shared.u32 [%at], %r0; add.u32 %r0, %r0, 0x20002; st.shared.u32 [%at+4], %r0;
    add.u32 %r0, %r0, 0x20002; st.shared.u32 [%at+8], %r0; add.u32 %r0, %r0, 0x20002;
    st.shared.u32 [%at+12], %r0; bar.warp.sync -1;
    mov.u32 %m0, 0; mov.u32 %m1, 0; mov.u32 %m2, 0; mov.u32 %m3, 0;)";
  std::string list;
  for (int i = 0; i < registers; ++i) list += (i ? ", %m" : "%m") + std::to_string(i);
  body += instruction + " {" + list + "}, [%at];" + R"(
    mov.u64 %o, %out; mul.wide.u32 %to, %lane, 16; add.s64 %to, %to, %o;
    st.global.v4.u32 [%to], {%m0, %m1, %m2, %m3};)";
  PtxProgram program(body);
  program.buffer("in", std::vector<std::uint32_t>(1))
      .buffer("out", std::vector<std::uint32_t>(128));
  program.shape.block = {32, 1, 1};
  const RunResult result = program.run();
  expect_clean(result);
  EXPECT_EQ(result.metrics.at(Metric::shared_load_requests), 1);
  EXPECT_EQ(result.metrics.at(Metric::shared_load_wavefronts), registers);
  return program.contents<std::uint32_t>("out");
}

TEST(Ldmatrix, HandsOutRows) {
  for (const int matrices : {1, 2, 4}) {
    const auto out =
        loaded("ldmatrix.sync.aligned.m8n8.x" + std::to_string(matrices) + ".shared.b16", matrices);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      for (std::uint32_t m = 0; m < 4; ++m) {
        const std::uint32_t first = 64 * m + lane / 4 * 8 + lane % 4 * 2;
        const std::uint32_t want =
            m < static_cast<std::uint32_t>(matrices) ? first | (first + 1) << 16 : 0;
        EXPECT_EQ(out[4 * lane + m], want) << lane << ' ' << m;
      }
    }
  }
}

TEST(Ldmatrix, HandsOutColumnsIfTransposed) {
  const auto out = loaded("ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16", 4);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    for (std::uint32_t m = 0; m < 4; ++m) {
      const std::uint32_t first = 64 * m + lane % 4 * 2 * 8 + lane / 4;
      EXPECT_EQ(out[4 * lane + m], first | (first + 8) << 16) << lane << ' ' << m;
    }
  }
}

TEST(Movmatrix, Transposes) {
  PtxProgram program(R"(.reg .b32 %lane; mov.u32 %lane, %laneid; mul.lo.u32 %r0, %lane, 0x20002;
    add.u32 %r0, %r0, 0x10000; movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;
    st.global.u32 [%out_at], %r1;)");
  program.buffer("out", std::vector<std::uint32_t>(32));
  program.shape.block = {32, 1, 1};
  expect_clean(program.run());
  const auto out = program.contents<std::uint32_t>("out");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t first = lane % 4 * 2 * 8 + lane / 4;
    EXPECT_EQ(out[lane], first | (first + 8) << 16) << lane;
  }
}

TEST(Ldmatrix, ChecksTheRowsThatItLoads) {
  const auto run = [](const std::string& address) {
    PtxProgram program(
        ".shared .align 16 .b8 tile[256]; .reg .b32 %m<2>, %lane, %at;"
        "mov.u32 %lane, %laneid; mov.u32 %at, tile; mad.lo.u32 %r0, %lane, 8, %at;"
        "st.shared.v2.u32 [%r0], {%lane, %lane}; bar.warp.sync -1;" +
        address + "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%m0, %m1}, [%at];");
    program.buffer("in", std::vector<std::uint32_t>(1))
        .buffer("out", std::vector<std::uint32_t>(1));
    program.shape.block = {32, 1, 1};
    return program.run();
  };
  // The upper lanes' addresses do not matter.
  expect_clean(run("mad.lo.u32 %at, %lane, 16, %at;"));
  EXPECT_EQ(only_finding(run("mad.lo.u32 %at, %lane, 17, %at;")).kind, FindingKind::misaligned);
  EXPECT_EQ(only_finding(run("mad.lo.u32 %at, %lane, 32, %at;")).kind, FindingKind::out_of_bounds);
}

/// D = A B + C by wmma, with matrices in that kind of memory and these layouts.
void expect_wmma(Element type, const std::string& space, bool a_rows, bool b_rows, bool c_rows) {
  const Matrix a = numbers(16, 16, 7);
  const Matrix b = numbers(16, 16, 8);
  const Matrix c = numbers(16, 16, 9);
  // A, B and C one behind the other, with rows of 24, 32 and 20 elements.
  std::vector<std::uint32_t> words(16 * 12 + 16 * 16 + 16 * 20);
  const auto put_half = [&](std::size_t first, std::size_t pitch, std::size_t major,
                            std::size_t minor, int value) {
    const std::size_t at = major * pitch + minor;
    words[first + at / 2] |= bits_of(type, value) << 16 * (at % 2);
  };
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 16; ++j) {
      put_half(0, 24, a_rows ? i : j, a_rows ? j : i, a[i][j]);
      put_half(16 * 12, 32, b_rows ? i : j, b_rows ? j : i, b[i][j]);
      words[16 * 28 + (c_rows ? i : j) * 20 + (c_rows ? j : i)] = float_bits(c[i][j]);
    }
  }
  const std::string half = type == Element::bf16 ? "bf16" : "f16";
  const int registers = type == Element::bf16 ? 4 : 8;
  const auto list = [](const std::string& name, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i ? ", %" : "%") + name + std::to_string(i);
    return "{" + text + "}";
  };
  const auto layout = [](bool rows) { return std::string(rows ? ".row" : ".col"); };
  const std::string kind = space.empty() ? "" : "." + space;
  const bool shared = space == "shared";
  std::string body = R"(
    .shared .align 32 .b8 tile[3072];
    .reg .b32 %a<8>, %b<8>, %t, %s; .reg .f32 %c<8>, %d<8>; .reg .b64 %base, %o, %g;
    mov.u32 %t, %tid.x; mov.u64 %g, %in; mov.u32 %s, tile; mov.u32 %r1, 0;
    mad.lo.u32 %s, %t, 4, %s; mul.wide.u32 %o, %t, 4; add.s64 %g, %g, %o;
    COPY: ld.global.u32 %r0, [%g]; st.shared.u32 [%s], %r0; add.s64 %g, %g, 128;
    add.u32 %s, %s, 128; add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 24; @%p0 bra COPY;
    bar.sync 0; mov.u64 %o, %out;)";
  if (shared) {
    body += "mov.u64 %base, tile;";
  } else if (space == "global") {
    body += "mov.u64 %base, %in;";
  } else if (space == "generic shared") {
    body += "mov.u64 %base, tile; cvta.shared.u64 %base, %base;";
  } else {
    body += "mov.u64 %base, %in;";
  }
  const std::string where = shared || space == "global" ? kind : "";
  const std::string shape = ".m16n16k16";
  // An element comes into the register of the stride.
  body += "mov.u32 %a0, 24; wmma.load.a.sync.aligned" + layout(a_rows) + shape + where + "." +
          half + " " + list("a", registers) + ", [%base], %a0;";
  body += "wmma.load.b.sync.aligned" + layout(b_rows) + shape + where + "." + half + " " +
          list("b", registers) + ", [%base+768], 32;";
  body += "mov.u32 %r2, 20; wmma.load.c.sync.aligned" + layout(c_rows) + shape + where + ".f32 " +
          list("c", 8) + ", [%base+1792], %r2;";
  body += "wmma.mma.sync.aligned" + layout(a_rows) + layout(b_rows) + shape +
          (type == Element::bf16 ? ".f32.bf16.bf16.f32 " : ".f32.f32 ") + list("d", 8) + ", " +
          list("a", registers) + ", " + list("b", registers) + ", " + list("c", 8) + ";";
  body += "wmma.store.d.sync.aligned" + layout(c_rows) + shape + ".global.f32 [%o], " +
          list("d", 8) + ", 20;";
  PtxProgram program(body);
  words.resize(768);
  program.buffer("in", words).buffer("out", std::vector<std::uint32_t>(320));
  program.shape.block = {32, 1, 1};
  expect_clean(program.run());
  const auto out = program.contents<std::uint32_t>("out");
  const Matrix d = product(a, b, c);
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 16; ++j)
      ASSERT_EQ(out[(c_rows ? i : j) * 20 + (c_rows ? j : i)], float_bits(d[i][j]))
          << space << ' ' << half << ' ' << a_rows << b_rows << c_rows << ' ' << i << ' ' << j;
  }
}

TEST(Wmma, MultipliesMatricesInEveryLayoutAndMemory) {
  for (const Element type : {Element::bf16, Element::f16}) {
    for (const std::string space : {"shared", "global", "generic shared", "generic global"}) {
      for (const int layouts : {0, 1, 2, 3, 4, 5, 6, 7})
        expect_wmma(type, space, (layouts & 1) != 0, (layouts & 2) != 0, (layouts & 4) != 0);
    }
  }
}

}  // namespace
}  // namespace tessera::test
