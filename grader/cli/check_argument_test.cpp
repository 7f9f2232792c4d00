#include "grader/cli/check_argument.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(const std::string& text) {
  const auto spec = parse_argument(text);
  if (!spec) return spec.error().str();
  DeviceMemory memory;
  const auto argument = make_argument(*spec, "arg1", 1, ".", memory);
  return argument ? "no error" : argument.error().str();
}

Argument bytes_of(const std::string& text, DeviceMemory& memory) {
  return *make_argument(*parse_argument(text), "arg1", 1, ".", memory);
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
  EXPECT_FALSE(array->matrix);
  EXPECT_TRUE(parse_argument("matrix:int32[2,3]=zeros")->matrix);
  EXPECT_TRUE(parse_argument("uint8=7")->shape.empty());
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

}  // namespace
}  // namespace tessera
