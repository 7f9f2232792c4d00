#include "grader/judge/run/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/judge/run/epilogue.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Lab lab_called_with(std::vector<std::string> arguments) {
  Lab lab;
  lab.operation = find_operation("matmul");
  lab.kernel = "matmul";
  lab.arguments = std::move(arguments);
  return lab;
}

/// The bytes of a parameter of type `type`.
std::uint32_t bytes_of(const std::string& type) {
  return type.starts_with("Matrix") ? 24 : type.ends_with("*") ? 8 : 4;
}

KernelInfo kernel_called(const std::string& name, const std::string& signature,
                         std::vector<std::uint32_t> bytes = {}) {
  const auto types = parameter_types(signature);
  if (types && bytes.empty()) {
    for (const std::string& type : *types) bytes.push_back(bytes_of(type));
  }
  KernelInfo kernel;
  kernel.entry = name;
  kernel.name = name;
  kernel.signature = signature;
  kernel.parameter_bytes = std::move(bytes);
  return kernel;
}

/// The message about one kernel called matmul with `signature`, or "found".
std::string message(const Lab& lab, const std::string& signature) {
  const auto result = find_kernel({kernel_called("matmul", signature)}, lab, {});
  return result.index() == 0 ? "found" : std::get<Finding>(result).message;
}

TEST(ParameterTypes, AreSplitAtTheTopLevel) {
  EXPECT_THAT(*parameter_types("matmul(Matrix<float const>, Pair<int, float>, int)"),
              ElementsAre("Matrix<const float>", "Pair<int, float>", "int"));
  EXPECT_THAT(*parameter_types("void matmul<16>(float const*, float *, void (*)(int, int))"),
              ElementsAre("const float*", "float*", "void (*)(int, int)"));
  EXPECT_THAT(*parameter_types("matmul()"), ElementsAre());
  EXPECT_FALSE(parameter_types("matmul"));
}

TEST(FindKernel, AcceptsTheDeclaredParameters) {
  const Lab lab = lab_called_with({"A", "B", "C"});
  EXPECT_EQ(message(lab, "matmul(Matrix<float const>, Matrix<float const>, Matrix<float>)"),
            "found");
  EXPECT_EQ(message(lab, "matmul(Matrix<float>, Matrix<float const>, Matrix<float>)"), "found");
  const Lab pointers = lab_called_with({"A.data", "B.data", "C.data", "m", "n", "k"});
  EXPECT_EQ(message(pointers, "matmul(float const*, float const*, float*, int, int, int)"),
            "found");
  EXPECT_EQ(message(pointers, "matmul(float*, float*, float*, int, int, int)"), "found");
}

TEST(FindKernel, InputsOfSixteenBitsHaveTheirOwnType) {
  Lab lab = lab_called_with({"A", "B.data", "C"});
  lab.inputs = Storage::bfloat16;
  EXPECT_EQ(
      message(lab, "matmul(Matrix<__nv_bfloat16 const>, __nv_bfloat16 const*, Matrix<float>)"),
      "found");
  EXPECT_EQ(message(lab, "matmul(Matrix<float const>, __nv_bfloat16 const*, Matrix<float>)"),
            "parameter 1 of matmul (A) is Matrix<const float>, expected "
            "Matrix<const __nv_bfloat16>");
  lab.inputs = Storage::float16;
  EXPECT_EQ(message(lab, "matmul(Matrix<__half const>, __half const*, Matrix<float>)"), "found");
}

TEST(FindKernel, SaysWhichParameterDiffers) {
  const Lab lab = lab_called_with({"A", "B", "C"});
  EXPECT_EQ(message(lab, "matmul(Matrix<float const>, float const*, Matrix<float>)"),
            "parameter 2 of matmul (B) is const float*, expected Matrix<const float>");
  EXPECT_EQ(message(lab, "matmul(Matrix<float const>, Matrix<float const>, Matrix<float const>)"),
            "parameter 3 of matmul (C) is Matrix<const float>, expected Matrix<float>");
  EXPECT_EQ(message(lab, "matmul(Matrix<float const>, Matrix<float const>)"),
            "matmul has 2 parameters, expected 3");
  EXPECT_EQ(message(lab, "matmul(Matrix<int const>, Matrix<float const>, Matrix<float>)"),
            "parameter 1 of matmul (A) is Matrix<const int>, expected Matrix<const float>");
}

TEST(FindKernel, ShowsTheWholeDeclarationAndItsLine) {
  const auto result =
      find_kernel({kernel_called("matmul", "matmul(int)")}, lab_called_with({"A", "B", "C"}),
                  "// __global__ void matmul(\n__global__ void\nmatmul(int x) {\n}");
  const Finding& finding = std::get<Finding>(result);
  EXPECT_EQ(finding.kind, FindingKind::does_not_compile);
  EXPECT_EQ(finding.line, 3);
  EXPECT_EQ(finding.hint.str(),
            "write: __global__ void matmul(Matrix<const float> A, Matrix<const float> B, "
            "Matrix<float> C)");
}

TEST(FindKernel, ChecksSizesOfExternC) {
  const Lab lab = lab_called_with({"A", "C.data", "m"});
  const auto find = [&](std::vector<std::uint32_t> bytes) {
    return find_kernel({kernel_called("matmul", "matmul", std::move(bytes))}, lab, {});
  };
  EXPECT_EQ(find({24, 8, 4}).index(), 0u);
  EXPECT_EQ(std::get<Finding>(find({8, 8, 4})).message.str(),
            "parameter 1 of matmul (A) has 8 bytes, expected Matrix<const float>, which has 24");
  EXPECT_EQ(std::get<Finding>(find({24, 8})).message.str(), "matmul has 2 parameters, expected 3");
}

TEST(FindKernel, ChecksSizesThoughTheNameHasOtherTypes) {
  const auto result =
      find_kernel({kernel_called("matmul", "matmul(int)", {8})}, lab_called_with({"m"}), {});
  EXPECT_EQ(std::get<Finding>(result).message.str(),
            "parameter 1 of matmul (m) has 8 bytes, expected int, which has 4");
}

TEST(FindKernel, TakesTheOverloadThatFits) {
  const Lab lab = lab_called_with({"C.data"});
  const auto result = find_kernel(
      {kernel_called("matmul", "matmul(int)"), kernel_called("matmul", "matmul(float*)")}, lab, {});
  ASSERT_EQ(result.index(), 0u);
  EXPECT_EQ(std::get<KernelInfo>(result).signature, "matmul(float*)");
}

TEST(FindKernel, NamesWhatIsThereInstead) {
  const Lab lab = lab_called_with({"A", "B", "C"});
  const KernelInfo launcher = kernel_called(kLaunchEntry, kLaunchEntry);
  const auto misspelt = find_kernel({kernel_called("matmull", "matmull()"), launcher}, lab,
                                    "\n__global__ void matmull() {\n}");
  EXPECT_EQ(std::get<Finding>(misspelt).message.str(),
            "kernel.cu has matmull; it must be called matmul");
  EXPECT_EQ(std::get<Finding>(misspelt).line, 2);
  const auto several =
      find_kernel({kernel_called("f", "f()"), kernel_called("g", "g()"), launcher}, lab, {});
  EXPECT_EQ(std::get<Finding>(several).message.str(),
            "no __global__ function called matmul; found: f, g");
  const auto none = find_kernel({launcher}, lab, {});
  EXPECT_EQ(std::get<Finding>(none).message.str(),
            "no __global__ function called matmul; found: none");
}

TEST(Epilogue, CallsLaunchWithExtentsThenParameters) {
  Lab lab = lab_called_with({"A", "B", "C"});
  lab.parameters = {"block"};
  EXPECT_EQ(expected_launch(lab),
            "__host__ __device__ Launch launch(int m, int n, int k, int block)");
  EXPECT_THAT(launch_epilogue(lab), HasSubstr("launch(tessera_argument_0, tessera_argument_1, "
                                              "tessera_argument_2, tessera_argument_3)"));
}

TEST(FindKernel, SaysThatGlobalIsMissing) {
  const auto result = find_kernel({}, lab_called_with({"A", "B", "C"}),
                                  "#include <tessera/lab.cuh>\n__device__ void matmul(int a) {");
  const Finding& finding = std::get<Finding>(result);
  EXPECT_EQ(finding.message.str(), "matmul is no kernel: __global__ is missing before it");
  EXPECT_EQ(finding.line, 2);
}

TEST(FindKernel, SaysWhyAFunctionOfTheRightNameIsNoKernel) {
  const auto message = [](const std::string& source) {
    const auto result = find_kernel({}, lab_called_with({"A"}), Source(source));
    return std::get<Finding>(result).message.str();
  };
  EXPECT_EQ(message("template <int N>\n__global__ void matmul(int a) {}"),
            "matmul is a template, and the grader cannot know its arguments");
  EXPECT_EQ(message("template <int N> struct S {\n  static __global__ void matmul(int a);\n};"),
            "matmul is a template, and the grader cannot know its arguments");
  EXPECT_EQ(
      message("template <int N> struct S {};\nnamespace mine {\n__global__ void matmul() {}}"),
      "matmul must not stand in a namespace or class");
  EXPECT_EQ(message("void f() { matmul(1); }\n__global__ void matmul(int a);"),
            "matmul has no code: it needs a body, and must not be static");
}

TEST(OtherLabRemark, IsForAFileThatBeginsWithAnotherLab) {
  Lab lab = lab_called_with({"A", "B", "C"});
  lab.id = "03-tiled";
  EXPECT_EQ(other_lab_remark(lab, "// Lab 07: B = A transposed.\n#include <tessera/lab.cuh>").str(),
            "the file's first line says Lab 07: is it another lab's kernel?");
  EXPECT_EQ(other_lab_remark(lab, "// Lab 03: C = A B").str(), "");
  EXPECT_EQ(other_lab_remark(lab, "// my kernel\nint x;\n// Lab 07").str(), "");
  EXPECT_EQ(other_lab_remark(lab, {}).str(), "");
  const auto result = find_kernel({}, lab, "// Lab 07: B = A transposed.");
  EXPECT_THAT(std::get<Finding>(result).message, HasSubstr("(the file's first line says Lab 07"));
}

}  // namespace
}  // namespace tessera
