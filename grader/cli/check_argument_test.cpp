#include "grader/cli/check_argument.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(const std::string& text) {
  const auto spec = parse_argument(text);
  if (!spec) return spec.error().str();
  DeviceMemory memory;
  ArgumentPlace place{.datasets = ".", .memory = memory, .arrays = {}};
  const auto argument = make_argument(*spec, "arg1", 1, place);
  return argument ? "no error" : argument.error().str();
}

Argument bytes_of(const std::string& text, DeviceMemory& memory) {
  ArgumentPlace place{.datasets = ".", .memory = memory, .arrays = {}};
  return *make_argument(*parse_argument(text), "arg1", 1, place);
}

/// The value at `offset` in the bytes of an argument.
template <class T>
T value_at(const Argument& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string instead(std::string_view type, const std::string& text) {
  return argument_instead(type, *parse_argument(text)).value_or("fits");
}

template <class T>
T scalar(const std::string& text) {
  DeviceMemory memory;
  const Argument bytes = bytes_of(text, memory);
  EXPECT_EQ(bytes.size(), sizeof(T));
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

TEST(ParseArgument, KnowsScalarsArraysAndMatrices) {
  const auto array = parse_argument("float32[64,48]=a=b.npy");
  ASSERT_TRUE(array) << array.error().str();
  EXPECT_EQ(array->type.name, "float32");
  EXPECT_THAT(array->shape, ElementsAre(64, 48));
  EXPECT_EQ(array->value, "a=b.npy");
  using Kind = ArgumentSpec::Kind;
  EXPECT_EQ(array->kind, Kind::array);
  EXPECT_EQ(parse_argument("matrix:int32[2,3]=zeros")->kind, Kind::matrix);
  EXPECT_EQ(parse_argument("uint8=7")->kind, Kind::number);
}

TEST(ParseArgument, SaysWhatIsWrong) {
  EXPECT_THAT(error_of("int32"), HasSubstr("--arg int32: there is no value"));
  EXPECT_THAT(error_of("int32="), HasSubstr("there is no value"));
  EXPECT_THAT(error_of("int23=1"), HasSubstr("unknown type 'int23' (did you mean 'int32'?)"));
  EXPECT_THAT(error_of("float32[]=ones"), HasSubstr("'[]' is no shape"));
  EXPECT_THAT(error_of("float32[0]=ones"), HasSubstr("is no shape"));
  EXPECT_THAT(error_of("float32[1,2,3]=ones"), HasSubstr("is no shape"));
  EXPECT_THAT(error_of("float32[3=ones"), HasSubstr("is no shape"));
  EXPECT_THAT(error_of("matrix:float32[3]=ones"), HasSubstr("a matrix has rows and columns"));
  EXPECT_THAT(error_of("float32[4]=onse"), HasSubstr("'ones'"));
  EXPECT_THAT(error_of("float64[2000000000,2]=ones"), HasSubstr("more than"));
  EXPECT_THAT(error_of("float32[4]=ones@5"), HasSubstr("the array has only 4 elements"));
  EXPECT_THAT(error_of("float32[4]+5=ones"), HasSubstr("the array has only 4 elements"));
  EXPECT_THAT(error_of("&"), HasSubstr("there is no name after &"));
  EXPECT_THAT(error_of("&x[i]"), HasSubstr("'[i]' is no index"));
  EXPECT_THAT(error_of("&x"), HasSubstr("no array called x comes before it"));
  EXPECT_THAT(error_of("bytes:0"), HasSubstr("bytes are pairs of hexadecimal digits"));
  EXPECT_THAT(error_of("bytes:0x"), HasSubstr("bytes are pairs of hexadecimal digits"));
  EXPECT_THAT(error_of("struct:int32=1,int23=2"), HasSubstr("(did you mean 'int32'?)"));
  EXPECT_THAT(error_of("struct:"), HasSubstr("there is no value"));
}

TEST(MakeArgument, ScalarsHaveTheirTypesBytes) {
  EXPECT_EQ(scalar<std::int32_t>("int32=-64"), -64);
  EXPECT_EQ(scalar<std::uint8_t>("uint8=255"), 255);
  EXPECT_EQ(scalar<std::int64_t>("int64=-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(scalar<std::uint64_t>("uint64=18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(scalar<float>("float32=1.5"), 1.5f);
  EXPECT_EQ(scalar<double>("float64=-1e300"), -1e300);
  EXPECT_EQ(scalar<std::uint16_t>("bfloat16=-2.5"), 0xc020);
  EXPECT_EQ(scalar<std::uint16_t>("float16=-2.5"), 0xc100);
}

TEST(MakeArgument, ScalarsMustFit) {
  EXPECT_THAT(error_of("int8=128"), HasSubstr("'128' is no int8"));
  EXPECT_THAT(error_of("uint32=-1"), HasSubstr("'-1' is no uint32"));
  EXPECT_THAT(error_of("int32=1.5"), HasSubstr("'1.5' is no int32"));
  EXPECT_THAT(error_of("float32=1e39"), HasSubstr("'1e39' is no float32"));
  EXPECT_THAT(error_of("float16=65520"), HasSubstr("'65520' is no float16"));
  EXPECT_THAT(error_of("bfloat16=1e39"), HasSubstr("'1e39' is no bfloat16"));
  EXPECT_THAT(error_of("float32=x"), HasSubstr("'x' is no float32"));
}

TEST(MakeArgument, ArraysArePointersToFilledMemory) {
  DeviceMemory memory;
  const Argument argument = bytes_of("uint16[5]=index", memory);
  ASSERT_EQ(argument.size(), 8u);
  std::uint64_t address = 0;
  std::memcpy(&address, argument.data(), 8);
  const auto bytes = memory.bytes(address);
  ASSERT_EQ(bytes.size(), 10u);
  std::uint16_t values[5];
  std::memcpy(values, bytes.data(), sizeof values);
  EXPECT_THAT(values, ElementsAre(0, 1, 2, 3, 4));
}

TEST(MakeArgument, NumbersOfSixteenBitsAreRounded) {
  DeviceMemory memory;
  const Argument argument = bytes_of("bfloat16[1,260]=index", memory);
  std::uint64_t address = 0;
  std::memcpy(&address, argument.data(), 8);
  const auto bytes = memory.bytes(address);
  ASSERT_EQ(bytes.size(), 520u);
  std::uint16_t last = 0;
  std::memcpy(&last, bytes.data() + 2 * 259, sizeof last);
  EXPECT_EQ(last, 0x4382);  // 259 becomes 260
}

TEST(MakeArgument, AMatrixIsTwentyFourBytes) {
  DeviceMemory memory;
  const Argument argument = bytes_of("matrix:float32[3,5]=ones", memory);
  ASSERT_EQ(argument.size(), 24u);
  std::int32_t shape[3];
  std::memcpy(shape, argument.data() + 8, sizeof shape);
  EXPECT_THAT(shape, ElementsAre(3, 5, 5));
}

TEST(MakeArgument, AStructureHasTheLayoutOfCpp) {
  DeviceMemory memory;
  // struct { char; struct { int; char; }; double; float*; short; }
  const Argument bytes =
      bytes_of("struct:int8=1,bytes:0203,float64=4.5,float32[2,3]=index,int16=6", memory);
  ASSERT_EQ(bytes.size(), 32u);
  EXPECT_EQ(value_at<std::int8_t>(bytes, 0), 1);
  EXPECT_EQ(value_at<std::uint16_t>(bytes, 1), 0x0302);
  EXPECT_EQ(value_at<double>(bytes, 8), 4.5);
  EXPECT_EQ(memory.bytes(value_at<std::uint64_t>(bytes, 16)).size(), 24u);
  EXPECT_EQ(value_at<std::int16_t>(bytes, 24), 6);
  EXPECT_EQ(bytes_of("struct:int32=1,int8=2", memory).size(), 8u);
  EXPECT_EQ(bytes_of("struct:int8=1,int8=2,int8=3", memory).size(), 3u);
}

TEST(MakeArgument, APointerLeadsIntoAnArrayBeforeIt) {
  DeviceMemory memory;
  ArgumentPlace place{.datasets = ".", .memory = memory, .arrays = {}};
  const auto made = [&](const std::string& text, const std::string& name) {
    return value_at<std::uint64_t>(*make_argument(*parse_argument(text), name, 1, place), 0);
  };
  const std::uint64_t x = made("float64[10]=index", "x");
  EXPECT_EQ(made("&x", "y"), x);
  EXPECT_EQ(made("&x[3]", "y"), x + 24);
  const std::uint64_t middle = made("int16[10]+4=index", "z");
  EXPECT_EQ(made("&z", "y"), middle - 8);
}

TEST(MakeArgument, AnArrayMayBeWrittenInPart) {
  DeviceMemory memory;
  const auto address = value_at<std::uint64_t>(bytes_of("int32[5]=index@3", memory), 0);
  EXPECT_FALSE(memory.starting_at(address)->info.initialized);
  EXPECT_TRUE(memory.starting_at(address)->info.partly_written);
  std::uint32_t values[5];
  std::memcpy(values, memory.bytes(address).data(), sizeof values);
  EXPECT_THAT(values, ElementsAre(0, 1, 2, kPoison, kPoison));
  const auto all = value_at<std::uint64_t>(bytes_of("int32[5]=index@5", memory), 0);
  EXPECT_TRUE(memory.starting_at(all)->info.initialized);
}

TEST(MakeArgument, APermutationOfAnArrayHasEachIndexOnce) {
  DeviceMemory memory;
  const auto address = value_at<std::uint64_t>(bytes_of("int32[100]=permutation", memory), 0);
  std::vector<std::int32_t> values(100);
  std::memcpy(values.data(), memory.bytes(address).data(), 400);
  EXPECT_FALSE(std::ranges::is_sorted(values));
  std::ranges::sort(values);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i);
}

TEST(ArgumentInstead, ComparesTheArgumentWithTheParameter) {
  EXPECT_EQ(instead("int", "int32=3"), "fits");
  EXPECT_EQ(instead("int", "uint32=3"), "fits");
  EXPECT_EQ(instead("int", "float32=3"), "int32=NUMBER");
  EXPECT_EQ(instead("float", "int32=3"), "float32=NUMBER");
  EXPECT_EQ(instead("const float", "float64=3"), "float32=NUMBER");
  EXPECT_EQ(instead("unsigned long", "float32[4]=ones"), "uint64=NUMBER");
  EXPECT_EQ(instead("const float*", "float32[4]=ones"), "fits");
  EXPECT_EQ(instead("float*", "int32[4]=ones"), "float32[N]=RECIPE");
  EXPECT_EQ(instead("unsigned char const*", "int8[4]=ones"), "fits");
  EXPECT_EQ(instead("bool*", "uint8[4]=ones"), "fits");
  EXPECT_EQ(instead("__half*", "bfloat16[4]=ones"), "float16[N]=RECIPE");
  EXPECT_EQ(instead("float*", "uint64=0"), "fits");
  EXPECT_EQ(instead("float*", "uint64=1"), "float32[N]=RECIPE, or uint64=0 for none");
  EXPECT_EQ(instead("float*", "&x[4]"), "fits");
  EXPECT_EQ(instead("int", "&x"), "int32=NUMBER");
  // Of these, the type does not say how they are made.
  EXPECT_EQ(instead("float4*", "float32[16]=ones"), "fits");
  EXPECT_EQ(instead("void*", "int32[16]=ones"), "fits");
  EXPECT_EQ(instead("Pair", "struct:int32=1,int32=2"), "fits");
  EXPECT_EQ(instead("Matrix<float>", "matrix:float32[2,2]=ones"), "fits");
  EXPECT_EQ(instead("float**", "uint64[2]=zeros"), "fits");
}

}  // namespace
}  // namespace tessera
