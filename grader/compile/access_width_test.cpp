// The accesses that compilers make of those in the source: vectors stay whole, and nothing is
// loaded before its guard.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text.h"
#include "grader/compile/testing/kit_compiler.h"
#include "grader/compile/vector_copies.h"

namespace tessera {
namespace {

class AccessTest : public ::testing::TestWithParam<CompilerKind> {
 protected:
  void SetUp() override {
    for (const CompilerInfo& info : available_compilers()) {
      if (info.kind == GetParam() && !info.available) GTEST_SKIP() << info.reason;
    }
  }

  static std::string ptx_of(const std::string& source) {
    CompileRequest request;
    request.source = Source(source);
    request.compiler = kit_compiler(GetParam());
    const auto result = compile(request);
    EXPECT_TRUE(result) << source;
    if (!result) return "";
    EXPECT_TRUE(result->ok) << source
                            << (result->findings.empty() ? "" : result->findings[0].message);
    return result->ptx;
  }
};

INSTANTIATE_TEST_SUITE_P(Compilers, AccessTest,
                         ::testing::Values(CompilerKind::nvrtc, CompilerKind::clang),
                         [](const auto& info) {
                           return info.param == CompilerKind::nvrtc ? "Nvrtc" : "Clang";
                         });

/// How many instructions of the PTX begin with `name` ("ld.global") and contain `word`.
int count(const std::string& ptx, const std::string& name, const std::string& word = "") {
  int found = 0;
  for (const std::string& line : split_lines(ptx)) {
    const std::size_t at = line.find(name);
    if (at == std::string::npos || line.find("//") < at) continue;
    found += line.find(word, at) != std::string::npos;
  }
  return found;
}

struct Vector {
  const char* type;
  const char* element;
  int components;
  int bytes;
};

constexpr Vector kVectors[] = {{"float4", "float", 4, 16},
                               {"float2", "float", 2, 8},
                               {"int4", "int", 4, 16},
                               {"uint2", "unsigned int", 2, 8},
                               {"uint4", "unsigned int", 4, 16},
                               {"double2", "double", 2, 16},
                               {"longlong2", "long long", 2, 16},
                               {"ulonglong2", "unsigned long long", 2, 16}};

/// Expects one access of `name`; an access of 16 bytes must be a vector's (8 bytes may be a
/// number).
void expect_one(const std::string& ptx, const std::string& name, const Vector& vector) {
  EXPECT_EQ(count(ptx, name), 1) << vector.type << "\n" << ptx;
  if (vector.bytes == 16) {
    EXPECT_EQ(count(ptx, name, ".v"), 1) << vector.type << "\n" << ptx;
  }
}

/// A file with a kernel for each vector: `text` with VECTOR, ELEMENT and COUNT replaced.
std::string for_each_vector(const std::string& text) {
  std::string source;
  for (const Vector& vector : kVectors) {
    source += fmt::format(
                  "#define VECTOR {}\n#define ELEMENT {}\n#define COUNT {}\n#define KERNEL "
                  "k_{}\n",
                  vector.type, vector.element, vector.components, vector.type) +
              text + "#undef VECTOR\n#undef ELEMENT\n#undef COUNT\n#undef KERNEL\n";
  }
  return source;
}

/// The text of the vector's kernel.
std::string kernel_of(const std::string& ptx, const Vector& vector) {
  const std::size_t begin = ptx.find(fmt::format(".visible .entry k_{}(", vector.type));
  EXPECT_NE(begin, std::string::npos) << vector.type;
  if (begin == std::string::npos) return "";
  return ptx.substr(begin, ptx.find("\n}", begin) - begin);
}

TEST(NamesVectors, OnlyInCodeAndMacros) {
  EXPECT_TRUE(names_vectors("float4 v;"));
  EXPECT_TRUE(names_vectors("#define V int2\n"));
  EXPECT_TRUE(names_vectors("v = make_float4(1, 2, 3, 4);"));
  EXPECT_FALSE(names_vectors("// float4\nfloat v;  /* int2 */"));
}

TEST_P(AccessTest, AVectorThatIsAssignedIntoASharedArrayIsOneAccess) {
  const std::string ptx = ptx_of(for_each_vector(R"(
extern "C" __global__ void KERNEL(const VECTOR* from, VECTOR* to) {
  __shared__ ELEMENT tile[1024];
  reinterpret_cast<VECTOR*>(tile)[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = reinterpret_cast<VECTOR*>(tile)[threadIdx.x ^ 1];
}
)"));
  for (const Vector& vector : kVectors) {
    for (const char* access : {"ld.global", "st.shared", "ld.shared", "st.global"})
      expect_one(kernel_of(ptx, vector), access, vector);
  }
}

TEST_P(AccessTest, AVectorInATwoDimensionalArrayIsOneAccess) {
  const std::string ptx = ptx_of(for_each_vector(R"(
extern "C" __global__ void KERNEL(const ELEMENT* from, ELEMENT* to, int pitch) {
  __shared__ ELEMENT tile[16][64];
  const int row = threadIdx.y, column = COUNT * threadIdx.x;
  *reinterpret_cast<VECTOR*>(&tile[row][column]) =
      *reinterpret_cast<const VECTOR*>(&from[row * pitch + column]);
  __syncthreads();
  *reinterpret_cast<VECTOR*>(&to[row * pitch + column]) =
      *reinterpret_cast<const VECTOR*>(&tile[row ^ 1][column]);
}
)"));
  for (const Vector& vector : kVectors) {
    for (const char* access : {"ld.global", "st.shared", "ld.shared", "st.global"})
      expect_one(kernel_of(ptx, vector), access, vector);
  }
}

TEST_P(AccessTest, AVectorThatIsMadeOrNamedIsOneAccess) {
  const std::string ptx = ptx_of(R"(
__global__ void k(const float4* from, float4* to) {
  __shared__ float tile[1024];
  float4 mine = from[threadIdx.x];
  mine.x += mine.w;
  reinterpret_cast<float4*>(tile)[threadIdx.x] = mine;
  __syncthreads();
  float4 other;
  other = reinterpret_cast<const float4*>(tile)[threadIdx.x ^ 1];
  to[threadIdx.x] = make_float4(other.w, other.z, other.y, other.x);
}
)");
  const Vector vector = {"float4", "float", 4, 16};
  for (const char* name : {"ld.global", "st.shared", "ld.shared", "st.global"})
    expect_one(ptx, name, vector);
}

TEST_P(AccessTest, AVectorThatIsMadeOfASharedArrayIsOneAccess) {
  for (const std::string from :
       {"*reinterpret_cast<const VECTOR*>(&tile[row][column])",
        "reinterpret_cast<const VECTOR*>(tile[row])[column]",
        "reinterpret_cast<VECTOR*>(tile)[row]", "reinterpret_cast<VECTOR&>(tile[row][column])"}) {
    SCOPED_TRACE(from);
    const std::string ptx = ptx_of(for_each_vector(R"(
extern "C" __global__ void KERNEL(ELEMENT* p, int row, int column) {
  __shared__ ELEMENT tile[16][64];
  tile[threadIdx.y][threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  const VECTOR made = )" + from + R"(;
  const ELEMENT scale = p[100];
  p[threadIdx.x] += scale * made.x;
  p[threadIdx.x] += scale * made.y;
}
)"));
    for (const Vector& vector : kVectors) {
      if (vector.components == 2) expect_one(kernel_of(ptx, vector), "ld.shared", vector);
    }
  }
}

/// The bodies of functions `VECTOR get(const ELEMENT* p, int i, int n)` that load a vector once.
constexpr const char* kLoads[] = {
    "return *(const VECTOR*)&p[COUNT * i];",
    "return reinterpret_cast<const VECTOR*>(p)[i];",
    "const VECTOR* __restrict__ q = (const VECTOR*)p; VECTOR v = q[i]; return v;",
    "return n > i ? *(const VECTOR*)&p[COUNT * i] : VECTOR{};",
    "VECTOR v = {}; if (n > i) v = ((const VECTOR*)p)[i]; return v;",
    "if (n % COUNT == 0) return *(const VECTOR*)&p[COUNT * i]; return VECTOR{1, 2};",
};

TEST_P(AccessTest, AVectorThatAFunctionReturnsIsOneAccess) {
  for (const std::string load : kLoads) {
    SCOPED_TRACE(load);
    const std::string ptx = ptx_of(for_each_vector(
        "__device__ VECTOR get(VECTOR, const ELEMENT* p, int i, int n) { " + load + R"( }
extern "C" __global__ void KERNEL(const ELEMENT* p, ELEMENT* to, int n) {
  const VECTOR v = get(VECTOR(), p, threadIdx.x, n);
  if (n > 5) to[threadIdx.x] = v.x;
  if (n > 6) to[threadIdx.x + 100] = v.y;
}
)"));
    for (const Vector& vector : kVectors) {
      if (vector.components == 2) expect_one(kernel_of(ptx, vector), "ld.global", vector);
    }
  }
}

TEST_P(AccessTest, AVectorBesideItsElementsOneByOneIsOneAccess) {
  // Returned, assigned and taken apart: next to the same elements in the other branch.
  for (const std::string body :
       {"if (pitch % 4 == 0) return *(const float4*)p;\n"
        "  float4 v;\n  v.x = p[0]; v.y = p[1]; v.z = p[2]; v.w = p[3];\n  return v;",
        "if (pitch % 4 == 0) return *(const float4*)p;\n"
        "  return make_float4(p[0], p[1], p[2], p[3]);",
        "float4 v;\n  if (pitch % 4 == 0) v = *(const float4*)p;\n"
        "  else v = make_float4(p[0], p[1], p[2], p[3]);\n  return v;",
        "float e[4];\n  if (pitch % 4 == 0) {\n    const float4 v = *(const float4*)p;\n"
        "    e[0] = v.x; e[1] = v.y; e[2] = v.z; e[3] = v.w;\n"
        "  } else for (int q = 0; q < 4; ++q) e[q] = p[q];\n"
        "  return make_float4(e[0], e[1], e[2], e[3]);"}) {
    SCOPED_TRACE(body);
    const std::string ptx =
        ptx_of("__device__ float4 get(const float* p, int pitch) {\n  " + body + R"(
}
extern "C" __global__ void k(const float* from, float4* to, int pitch) {
  to[threadIdx.x] = get(&from[4 * threadIdx.x], pitch);
}
)");
    const std::string kernel = ptx.substr(ptx.find(".entry k"));
    EXPECT_EQ(count(kernel, "ld.global", ".v4"), 1) << ptx;
    EXPECT_EQ(count(kernel, "ld.global"), 5) << ptx;
  }
}

TEST_P(AccessTest, AVectorWhoseComponentsHaveGuardsIsOneAccess) {
  const std::string ptx = ptx_of(R"(
extern "C" __global__ void k_float4(const float* from, float* to, int n) {
  const int i = 4 * threadIdx.x;
  const float4 v = *(const float4*)&from[i];
  if (i < n) to[i] = v.x;
  if (i + 1 < n) to[i + 1] = v.y;
  if (i + 2 < n) to[i + 2] = v.z;
  if (i + 3 < n) to[i + 3] = v.w;
}
)");
  expect_one(ptx, "ld.global", kVectors[0]);
  EXPECT_EQ(count(ptx, "st.global"), 4) << ptx;
}

TEST_P(AccessTest, AVectorMadeOfASharedArrayByACastOfCIsOneAccess) {
  for (const std::string from : {"*(const VECTOR*)&tile[row][COUNT * column]",
                                 "((const VECTOR*)tile[row])[column]", "*(VECTOR*)&tile[3][8]"}) {
    SCOPED_TRACE(from);
    const std::string ptx = ptx_of(for_each_vector(R"(
extern "C" __global__ void KERNEL(ELEMENT* p, int row, int column) {
  __shared__ ELEMENT tile[16][64];
  tile[threadIdx.y][threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  const VECTOR made = )" + from + R"(;
  if (row < 3) p[threadIdx.x] += made.x;
  if (column < 3) p[threadIdx.x] += made.y;
}
)"));
    for (const Vector& vector : kVectors) {
      if (vector.components == 2) expect_one(kernel_of(ptx, vector), "ld.shared", vector);
    }
  }
}

TEST_P(AccessTest, AVectorOfAnUnrolledLoopIsOneAccessPerIteration) {
  const std::string ptx = ptx_of(R"(
__global__ void k(const float4* p, float* out, int n) {
  float sum = 0;
#pragma unroll
  for (int q = 0; q < 4; ++q) {
    const int i = threadIdx.x + 256 * q;
    if (i < n) {
      const float4 v = p[i];
      sum += v.x + 2 * v.y;
      if (i + 1 < n) sum += 3 * v.z + 4 * v.w;
    }
  }
  out[threadIdx.x] = sum;
}
)");
  EXPECT_EQ(count(ptx, "ld.global"), 4) << ptx;
  EXPECT_EQ(count(ptx, "ld.global", ".v4"), 4) << ptx;
}

TEST_P(AccessTest, AVectorIsStoredOnceBesideItsElementsOneByOne) {
  const std::string ptx = ptx_of(R"(
__global__ void k(const float4* from, float* to, int n) {
  const int i = 4 * threadIdx.x;
  const float4 v = from[threadIdx.x];
  if (n % 4 == 0 && i + 3 < n) {
    *(float4*)&to[i] = v;
  } else {
    if (i < n) to[i] = v.x;
    if (i + 1 < n) to[i + 1] = v.y;
    if (i + 2 < n) to[i + 2] = v.z;
    if (i + 3 < n) to[i + 3] = v.w;
  }
}
)");
  expect_one(ptx, "ld.global", kVectors[0]);
  EXPECT_EQ(count(ptx, "st.global", ".v4"), 1) << ptx;
  EXPECT_EQ(count(ptx, "st.global"), 5) << ptx;
}

// A struct of four floats may have any alignment.
TEST_P(AccessTest, AStructIsNotTakenForAVector) {
  const std::string ptx = ptx_of(R"(
struct Four { float a, b, c, d; };
__global__ void k(const Four* p, float4* to, float* out) {
  float4 v;
  *(Four*)&v = p[threadIdx.x];
  to[threadIdx.x] = v;
  const Four four = p[threadIdx.x + 32];
  out[threadIdx.x] = four.a + four.b * four.c + four.d;
}
)");
  EXPECT_EQ(count(ptx, "ld.global", ".v"), 0) << ptx;
}

TEST_P(AccessTest, AVectorMayBeCopiedWithItsUnion) {
  ptx_of(R"(
union Quad { float4 vector; float element[4]; };
__device__ Quad get(const Quad* p) { Quad quad = p[threadIdx.x]; return quad; }
__global__ void k(const Quad* p, float* out) {
  const Quad quad = get(p);
  float4 array[2] = {quad.vector, p[1].vector};
  auto [x, y, z, w] = array[threadIdx.x & 1];
  out[threadIdx.x] = x + y + z + w;
}
)");
}

TEST_P(AccessTest, CastsOfAllKindsCompile) {
  ptx_of(R"(
__device__ float buffer[64];
__device__ float4* vectors = reinterpret_cast<float4*>(buffer);
__device__ int twice(int x) { return 2 * x; }
template <class T> __device__ T* as(void* p) { return reinterpret_cast<T*>(p); }
__global__ void k(float* p, const float* q, int* n) {
  __shared__ float tile[1024];
  const size_t address = reinterpret_cast<size_t>(p);
  float* next = reinterpret_cast<float*>(address + 16);
  auto rows = reinterpret_cast<float(*)[32]>(tile);
  float(&square)[32][32] = reinterpret_cast<float(&)[32][32]>(tile);
  const int& bits = reinterpret_cast<const int&>(q[3]);
  volatile int* flag = reinterpret_cast<volatile int*>(n);
  auto function = reinterpret_cast<int (*)(int)>(twice);
  unsigned char* bytes = reinterpret_cast<unsigned char*>(tile) + 16;
  tile[threadIdx.x] = q[0];
  __syncthreads();
  vectors[1] = make_float4(rows[1][2], square[2][1], *next, bytes[3]);
  *n = bits + *flag + function(3) + *as<int>(p);
}
)");
}

TEST_P(AccessTest, AVectorThroughAFunctionOfACacheIsOneAccess) {
  for (const std::string load : {"__ldg", "__ldcg", "__ldcs"}) {
    SCOPED_TRACE(load);
    const std::string ptx =
        ptx_of(for_each_vector("extern \"C\" __global__ void KERNEL(const VECTOR* from, VECTOR* "
                               "to) {\n  __stcg(&to[threadIdx.x], " +
                               load + "(&from[threadIdx.x]));\n}\n"));
    for (const Vector& vector : kVectors) {
      expect_one(kernel_of(ptx, vector), "ld.global", vector);
      expect_one(kernel_of(ptx, vector), "st.global", vector);
    }
  }
}

TEST_P(AccessTest, AnAssignedVectorIsItsLeftSide) {
  ptx_of(R"(
__global__ void k(float4* p) {
  float4 a, b;
  a = b = p[0];
  (a = p[1]).x = 3;
  p[2] = p[3] = a;
  p[4] = b;
  float4 array[2] = {a, {1, 2, 3, 4}};
  p[5] = array[1];
  a = a;
  p[6] = {a.x, b.y};
}
)");
}

// Uses that CUDA's own headers allow, where vectors are plain structs.

TEST_P(AccessTest, VectorsMayBeMembersOfStructs) {
  ptx_of(R"(
struct Pair { float4 a; int2 b; };
__global__ void k(Pair* pairs) {
  __shared__ Pair tile[32];
  const Pair pair = pairs[threadIdx.x];
  tile[threadIdx.x] = pair;
  __syncthreads();
  pairs[threadIdx.x] = tile[31 - threadIdx.x];
}
)");
}

TEST_P(AccessTest, VectorsMayBeMembersOfUnions) {
  ptx_of(R"(
union Quad { float4 vector; float element[4]; };
__global__ void k(Quad* p) {
  Quad quad, other;
  quad.vector = p[0].vector;
  quad.element[2] += 1;
  other.vector = quad.vector;
  p[1].vector = other.vector;
}
)");
}

TEST_P(AccessTest, CopiesBetweenWordsAreMadeOfWords) {
  const std::string ptx = ptx_of(R"(
__global__ void k(float* to, const int* from, float4* vectors, int n) {
  memcpy(to, from, n * sizeof(float));
  memset(vectors, n, n * sizeof(float));
}
)");
  if (GetParam() == CompilerKind::nvrtc) return;  // makes bytes of them
  EXPECT_GE(count(ptx, "ld.global", ".u32"), 1) << ptx;
  EXPECT_GE(count(ptx, "st.global", ".u32"), 2) << ptx;
}

TEST_P(AccessTest, ACopyIntoAVectorStaysInRegisters) {
  const std::string ptx = ptx_of(R"(
__global__ void k(float4* to, const float* from) {
  float4 v;
  memcpy(&v, from, sizeof v);
  to[0] = v;
}
)");
  EXPECT_EQ(count(ptx, "ld.local"), 0) << ptx;
  EXPECT_EQ(count(ptx, "st.local"), 0) << ptx;
}

TEST_P(AccessTest, SumsThatAFunctionAddsToStayInRegisters) {
  const std::string ptx = ptx_of(R"(
struct Tile {
  float values[16][64];
  __device__ void multiply(const float (&factors)[8][64], float (&sums)[8][8]) const {
    for (int k = 0; k < 16; ++k) {
      for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j)
          sums[i][j] += values[k][threadIdx.y * 8 + i] * factors[k % 8][threadIdx.x * 8 + j];
      }
    }
  }
};
__global__ void k(const float* from, float* to) {
  __shared__ Tile tile;
  __shared__ float factors[8][64];
  float sums[8][8] = {};
  for (int phase = 0; phase < 2; ++phase) {
    tile.values[threadIdx.y][threadIdx.x] = from[phase];
    factors[threadIdx.y][threadIdx.x] = from[phase + 2];
    __syncthreads();
    tile.multiply(factors, sums);
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) to[(threadIdx.y * 8 + i) * 64 + threadIdx.x * 8 + j] = sums[i][j];
  }
}
)");
  EXPECT_EQ(count(ptx, "ld.local"), 0) << ptx;
  EXPECT_EQ(count(ptx, "st.local"), 0) << ptx;
}

TEST_P(AccessTest, WhatConvertsToAPointerIsCopied) {
  ptx_of(R"(
struct Place {
  int* first;
  __device__ operator void*() const { return first; }
};
struct Unknown;
__global__ void k(Place place, Unknown* unknown, char* bytes, int* words) {
  int four[4] = {1, 2, 3, 4};
  char seven[7] = {};
  memcpy(place, four, sizeof four);
  memcpy(four, place, sizeof four);
  memcpy(bytes, seven, sizeof seven);
  memcpy(words, bytes + 1, 4);
  memcpy(unknown, four, 4);
  memcpy(words, nullptr, 0);
  memset(place, 0, 4);
  memset(unknown, 0, 4);
  memset(seven, 1, sizeof seven);
  void* (*copy)(void*, const void*, size_t) = memcpy;
  copy(words, four, 4);
}
)");
}

TEST_P(AccessTest, VectorsHaveTheirSizeAndAlignment) {
  ptx_of(R"(
static_assert(sizeof(float4) == 16 && alignof(float4) == 16 && sizeof(float2) == 8);
)");
}

TEST_P(AccessTest, VectorsMayBeConstants) {
  ptx_of(R"(
__host__ __device__ constexpr int sum(int4 v) { return v.x + v.y + v.z + v.w; }
static_assert(sum(int4{1, 2, 3, 4}) == 10);
__host__ __device__ constexpr int2 twice(int2 v) {
  int2 result = v;
  result = int2{2 * v.x, 2 * v.y};
  return result;
}
static_assert(twice(int2{1, 2}).y == 4);
__constant__ float4 weights[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
__global__ void k(float4* p) { p[0] = weights[threadIdx.x]; }
)");
}

TEST_P(AccessTest, AWarningOfTheOptimizerHasItsLineBesideVectors) {
  if (GetParam() != CompilerKind::clang) GTEST_SKIP() << "a pragma of Clang's";
  CompileRequest request;
  request.source = R"(__global__ void k(const float4* p, float* out, int n) {
  float sum = 0;
#pragma clang loop vectorize(enable)
  for (int i = 0; i < n; ++i) {
    const float4 v = p[i];
    sum += v.x * sum;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
)";
  request.compiler = kit_compiler(GetParam());
  const auto result = compile(request);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->findings.size(), 1u);
  EXPECT_EQ(result->findings[0].line, 4);
  EXPECT_EQ(result->findings[0].severity, Severity::warning);
  EXPECT_NE(result->ptx.find("ld.global.v4"), std::string::npos) << result->ptx;
}

/// Whether the first access of `name` in the kernel's text is predicated or behind a branch.
bool guarded(const std::string& ptx, const std::string& name) {
  bool branched = false;
  for (const std::string& line : split_lines(ptx)) {
    const std::size_t bra = line.find("bra");
    branched |= line.find('@') != std::string::npos && bra != std::string::npos;
    if (line.find(name) == std::string::npos) continue;
    return branched || line.find('@') != std::string::npos;
  }
  ADD_FAILURE() << "no " << name << " in\n" << ptx;
  return false;
}

TEST_P(AccessTest, NothingIsLoadedBeforeItsGuard) {
  const char* bodies[] = {
      // The address as a pointer, and as a reference.
      "const float* p = &M(row, column);\n  float v = 0;\n"
      "  if (row < M.height && column < M.width) v = *p;\n",
      "const float& element = M(row, column);\n  float v = 0;\n"
      "  if (row < M.height && column < M.width) v = element;\n",
      "const float* p = &M(row, column);\n"
      "  const float v = row < M.height && column < M.width ? *p : 0.0f;\n",
      "float v = 0;\n  if (row < M.height && column < M.width) v = M(row, column);\n",
      "const float v = row < M.height && column < M.width ? M(row, column) : 0.0f;\n",
  };
  for (const char* body : bodies) {
    const std::string ptx =
        ptx_of(std::string("#include <tessera/lab.cuh>\n"
                           "__global__ void k(Matrix<const float> M, float* out) {\n"
                           "  const int row = blockIdx.y * 16 + threadIdx.y;\n"
                           "  const int column = blockIdx.x * 16 + threadIdx.x;\n  ") +
               body + "  out[threadIdx.y * 16 + threadIdx.x] = v;\n}\n");
    EXPECT_TRUE(guarded(ptx, "ld.global")) << body << "\n" << ptx;
  }
}

}  // namespace
}  // namespace tessera
