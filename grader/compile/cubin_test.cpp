#include "grader/compile/cubin.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <span>

#include "grader/compile/testing/kit_compiler.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

constexpr const char* kKernels =
    "extern \"C\" __global__ void copy(const float* from, float* to) {\n"
    "  to[threadIdx.x] = from[threadIdx.x];\n"
    "}\n"
    "extern \"C\" __global__ void gather(const float* from, float* to) {\n"
    "  float kept[48];\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < 48; ++i) kept[i] = from[threadIdx.x + 1024 * i];\n"
    "  __syncthreads();\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < 48; ++i) to[threadIdx.x + 1024 * i] = kept[i];\n"
    "}\n";

class Cubin : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const CompilerInfo& info : available_compilers()) {
      if (info.kind == CompilerKind::nvrtc && !info.available) GTEST_SKIP() << info.reason;
    }
    request_.source = kKernels;
    request_.compiler = kit_compiler();
    request_.compute_capability = 90;
    request_.cubin = true;
  }

  CompileRequest request_;
};

TEST_F(Cubin, IsMadeWithItsPtxAndContainsItsRegisters) {
  const auto result = compile(request_);
  ASSERT_TRUE(result);
  ASSERT_TRUE(result->ok);
  EXPECT_THAT(result->ptx, HasSubstr(".target sm_90"));
  ASSERT_TRUE(is_cubin(result->cubin));
  EXPECT_THAT(result->cubin, HasSubstr(".debug_line"));
  const auto copy = cubin_registers(result->cubin, "copy");
  const auto gather = cubin_registers(result->cubin, "gather");
  ASSERT_TRUE(copy);
  ASSERT_TRUE(gather);
  EXPECT_GE(*copy, 4);
  EXPECT_LE(*copy, 16);
  EXPECT_GE(*gather, 48);
  EXPECT_LE(*gather, 255);
  EXPECT_FALSE(cubin_registers(result->cubin, "scatter"));
}

TEST_F(Cubin, ErrorsAreReportedAsThoseOfPtx) {
  request_.source = "__global__ void k(int* p) {\n  p[0] = nothing;\n}\n";
  const auto result = compile(request_);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->ok);
  ASSERT_FALSE(result->findings.empty());
  EXPECT_EQ(result->findings[0].line, 2);
  EXPECT_THAT(result->findings[0].message, HasSubstr("nothing"));
}

TEST_F(Cubin, CodeThatTheAssemblerRefusesIsAFinding) {
  request_.source =
      "__global__ void k(int* p) {\n  __shared__ int a[65536];\n"
      "  a[threadIdx.x] = p[0];\n  __syncthreads();\n  p[1] = a[p[2]];\n}\n";
  const auto result = compile(request_);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->ok);
  ASSERT_FALSE(result->findings.empty());
  EXPECT_THAT(result->findings[0].message, HasSubstr("shared"));
}

TEST_F(Cubin, CutAnywhereItIsReadWithoutHarm) {
  const auto result = compile(request_);
  ASSERT_TRUE(result);
  for (std::size_t size = 0; size < result->cubin.size(); size += 37) {
    const std::string cut = result->cubin.substr(0, size);
    EXPECT_FALSE(is_cubin(cut) && cubin_registers(cut, "copy") == 0);
  }
}

TEST(IsCubin, OtherTextIsNone) {
  EXPECT_FALSE(is_cubin(""));
  EXPECT_FALSE(is_cubin(".version 8.0\n"));
  EXPECT_FALSE(cubin_registers(".version 8.0\n", "copy"));
}

/// An image with that many sections, whose names and symbols are one text that never ends; each
/// record of registers names a symbol.
std::string forged_cubin(std::size_t sections, std::size_t records, std::size_t text) {
  std::string image;
  const auto append = [&image](const auto& value) {
    for (const std::byte byte : std::as_bytes(std::span{&value, 1}))
      image += static_cast<char>(byte);
  };
  const std::string names =
      std::string(".symtab\0.strtab\0.nv.info\0", 26) + std::string(text, 'x');
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_machine = EM_CUDA;
  header.e_shoff = sizeof header;
  header.e_shnum = static_cast<Elf64_Half>(sections);
  append(header);
  std::uint64_t at = sizeof header + sections * sizeof(Elf64_Shdr);
  const auto section = [&](std::size_t name, std::size_t size, std::uint64_t offset) {
    Elf64_Shdr shown{};
    shown.sh_name = static_cast<Elf64_Word>(name);
    shown.sh_offset = offset;
    shown.sh_size = size;
    append(shown);
  };
  section(26, names.size(), at);  // the sections' names
  for (std::size_t i = 4; i < sections; ++i) section(26, 0, at);
  section(8, text, at + 26);
  at += names.size();
  section(0, sizeof(Elf64_Sym), at);
  section(16, records * 12, at + sizeof(Elf64_Sym));
  image += names;
  append(Elf64_Sym{});
  for (std::size_t i = 0; i < records; ++i) {
    for (const std::uint32_t word : {0x00082f04u, 0u, 40u}) append(word);
  }
  return image;
}

TEST(ForgedCubin, IsReadInProportionToItsSize) {
  const std::string image = forged_cubin(65'000, 100'000, 4 << 20);
  ASSERT_TRUE(is_cubin(image));
  const std::clock_t start = std::clock();
  EXPECT_FALSE(cubin_registers(image, "kernel"));
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 1);
  EXPECT_EQ(cubin_registers(image, std::string(4 << 20, 'x')), 40);
}

}  // namespace
}  // namespace tessera
