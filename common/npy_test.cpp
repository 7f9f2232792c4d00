#include "common/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>

#include "common/temporary_directory.h"
#include "common/text.h"

namespace tessera {
namespace {

using testing::HasSubstr;

/// A file of format 1.0 with `dictionary` as its header, followed by `data`.
std::string npy(const std::string& dictionary, std::string_view data) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>((dictionary.size() + 1) & 0xff);
  file += static_cast<char>((dictionary.size() + 1) >> 8);
  return file + dictionary + "\n" + std::string(data);
}

std::string dictionary(const std::string& descr, const std::string& shape,
                       const std::string& fortran_order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran_order + ", 'shape': " + shape +
         ", }";
}

template <class T>
std::string bytes_of(std::initializer_list<T> values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.begin(), bytes.size());
  return bytes;
}

std::string npy_mistake(const std::string& content, Element element = Element::float32) {
  const TemporaryDirectory directory;
  const auto file = directory.write("data.npy", content);
  const Expected<HostMatrix> matrix = read_npy(file, element);
  if (matrix) return "";
  EXPECT_EQ(matrix.error().file, file.string());
  return matrix.error().message;
}

TEST(Npy, AWrittenMatrixIsReadBack) {
  const TemporaryDirectory directory;
  const auto file = directory.path() / "m.npy";
  for (const Element element : {Element::float32, Element::int32}) {
    HostMatrix matrix(element, 3, 5, 8);
    for (int i = 0; i < 15; ++i) matrix.set(i / 5, i % 5, 7 - i);
    ASSERT_EQ(write_npy(file, matrix), std::nullopt);
    const Expected<HostMatrix> back = read_npy(file, element);
    ASSERT_TRUE(back) << back.error().str();
    EXPECT_EQ(back->height(), 3);
    EXPECT_EQ(back->width(), 5);
    EXPECT_EQ(back->pitch(), 5);
    for (int i = 0; i < 15; ++i) EXPECT_EQ(back->value(i / 5, i % 5), 7 - i);
  }
}

TEST(Npy, WritesWhatNumpySaves) {
  const TemporaryDirectory directory;
  const auto file = directory.path() / "m.npy";
  HostMatrix matrix(Element::float32, 1, 2);
  matrix.set(0, 1, 1.0);
  ASSERT_EQ(write_npy(file, matrix), std::nullopt);
  const std::string content = *read_file(file);
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
  header.append(117 - header.size(), ' ');
  EXPECT_EQ(content, std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" +
                         bytes_of<float>({0.0f, 1.0f}));
}

TEST(Npy, KeepsTheBitsOfSpecialFloats) {
  const TemporaryDirectory directory;
  const auto file = directory.path() / "m.npy";
  HostMatrix matrix(Element::float32, 1, 3);
  matrix.set(0, 0, std::numeric_limits<double>::infinity());
  matrix.set(0, 1, std::numeric_limits<float>::denorm_min());
  matrix.set(0, 2, -0.0);
  ASSERT_EQ(write_npy(file, matrix), std::nullopt);
  const Expected<HostMatrix> back = read_npy(file, Element::float32);
  ASSERT_TRUE(back);
  EXPECT_EQ(std::memcmp(back->bytes().data(), matrix.bytes().data(), 12), 0);
}

TEST(Npy, AnArrayOfOneDimensionIsOneRow) {
  const TemporaryDirectory directory;
  const auto file =
      directory.write("v.npy", npy(dictionary("<i4", "(3,)"), bytes_of<std::int32_t>({4, 5, 6})));
  const Expected<HostMatrix> row = read_npy(file, Element::int32);
  ASSERT_TRUE(row) << row.error().str();
  EXPECT_EQ(row->height(), 1);
  EXPECT_EQ(row->width(), 3);
  EXPECT_EQ(row->value(0, 2), 6);
}

TEST(Npy, ReadsFormatTwo) {
  std::string file = npy(dictionary("<f4", "(1, 1)"), bytes_of<float>({2.5f}));
  file[6] = '\x02';
  file.insert(10, 2, '\0');
  const TemporaryDirectory directory;
  const Expected<HostMatrix> matrix = read_npy(directory.write("m.npy", file), Element::float32);
  ASSERT_TRUE(matrix) << matrix.error().str();
  EXPECT_EQ(matrix->value(0, 0), 2.5);
}

TEST(Npy, ConvertsWideElements) {
  const TemporaryDirectory directory;
  const auto wide =
      directory.write("d.npy", npy(dictionary("<f8", "(1, 2)"), bytes_of<double>({0.1, -3.0})));
  EXPECT_EQ(read_npy(wide, Element::float32)->value(0, 0), static_cast<double>(0.1f));
  const auto whole = directory.write(
      "q.npy", npy(dictionary("<i8", "(2, 1)"), bytes_of<std::int64_t>({2147483647, -2147483648})));
  EXPECT_EQ(read_npy(whole, Element::int32)->value(1, 0), -2147483648.0);
}

TEST(Npy, AcceptsKeysInAnyOrderAndBothQuotes) {
  const std::string header = "{\"shape\":(1,1),'fortran_order':False,\"descr\":\"<i4\"}";
  EXPECT_EQ(npy_mistake(npy(header, bytes_of<std::int32_t>({1}))), "");
}

TEST(Npy, NamesTheValueThatInt32CannotHold) {
  const std::string half = npy_mistake(
      npy(dictionary("<f4", "(2, 2)"), bytes_of<float>({1, 2, 3, 0.5})), Element::int32);
  EXPECT_THAT(half, HasSubstr("the value 0.5 at row 1, column 1 is not a value of int32"));
  const std::string large = npy_mistake(
      npy(dictionary("<i8", "(1, 1)"), bytes_of<std::int64_t>({2147483648})), Element::int32);
  EXPECT_THAT(large, HasSubstr("2147483648"));
  const std::string nan = npy_mistake(
      npy(dictionary("<f8", "(1, 1)"), bytes_of<double>({std::nan("")})), Element::int32);
  EXPECT_THAT(nan, HasSubstr("nan"));
}

TEST(Npy, NamesTheFloat64ThatOverflowsFloat32) {
  EXPECT_THAT(npy_mistake(npy(dictionary("<f8", "(1, 1)"), bytes_of<double>({1e300}))),
              HasSubstr("1e+300 at row 0, column 0 is not a value of float32"));
}

TEST(Npy, TruncatedFileNamesTheMissingBytes) {
  const std::string mistake =
      npy_mistake(npy(dictionary("<f4", "(2, 3)"), bytes_of<float>({1, 2, 3, 4})));
  EXPECT_THAT(mistake, HasSubstr("its shape (2, 3) of '<f4' takes 24 bytes"));
  EXPECT_THAT(mistake, HasSubstr("8 of them are missing"));
}

TEST(Npy, NamesTheBytesThatAreTooMany) {
  EXPECT_THAT(npy_mistake(npy(dictionary("<f4", "(1, 1)"), bytes_of<float>({1, 2}))),
              HasSubstr("4 more follow"));
}

TEST(Npy, EveryPlaceToCutAFileOffIsAnError) {
  const std::string whole = npy(dictionary("<f4", "(1, 2)"), bytes_of<float>({1, 2}));
  ASSERT_EQ(npy_mistake(whole), "");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(npy_mistake(whole.substr(0, length)), "") << length << " bytes";
  }
}

TEST(Npy, SaysThatAFileIsNotNpy) {
  EXPECT_THAT(npy_mistake("1,2,3\n"), HasSubstr("is not a .npy file"));
  EXPECT_THAT(npy_mistake(""), HasSubstr("is not a .npy file"));
}

TEST(Npy, RefusesAnUnknownFormatVersion) {
  std::string file = npy(dictionary("<f4", "(1, 1)"), bytes_of<float>({1}));
  file[6] = '\x03';
  EXPECT_THAT(npy_mistake(file), HasSubstr("version 3.0; expected 1.0 or 2.0"));
}

TEST(Npy, RefusesAHugeHeader) {
  EXPECT_THAT(npy_mistake(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)),
              HasSubstr("announces a header of 4294967295 bytes"));
}

TEST(Npy, RefusesFortranOrderAndSaysHowToSave) {
  const std::string mistake =
      npy_mistake(npy(dictionary("<f4", "(2, 2)", "True"), bytes_of<float>({1, 2, 3, 4})));
  EXPECT_THAT(mistake, HasSubstr("Fortran order; expected C order"));
  EXPECT_THAT(mistake, HasSubstr("numpy.ascontiguousarray"));
}

TEST(Npy, RefusesOtherElementTypes) {
  for (const std::string descr : {"<f2", ">f4", "<c8", "|b1", "<u4", ""}) {
    const std::string mistake = npy_mistake(npy(dictionary(descr, "(1, 1)"), "abcd"));
    EXPECT_THAT(mistake, HasSubstr("elements of type '" + descr + "'; expected"));
  }
}

TEST(Npy, RefusesOtherDimensions) {
  for (const std::string shape : {"()", "(1, 1, 1)"}) {
    const std::string mistake = npy_mistake(npy(dictionary("<f4", shape), bytes_of<float>({1})));
    EXPECT_THAT(mistake, HasSubstr("has shape " + shape + "; expected one or two dimensions"));
  }
  EXPECT_THAT(npy_mistake(npy(dictionary("<f4", "(0, 4)"), "")), HasSubstr("at least one element"));
  EXPECT_THAT(npy_mistake(npy(dictionary("<f4", "(4294967296, 4294967296)"), "")),
              HasSubstr("has shape (4294967296, 4294967296)"));
}

TEST(Npy, SaysWhatIsWrongWithAHeader) {
  const auto mistake = [](const std::string& header) {
    return npy_mistake(npy(header, bytes_of<float>({1})));
  };
  EXPECT_THAT(mistake("no dictionary"), HasSubstr("expected '{'"));
  EXPECT_THAT(mistake("{'descr': '<f4'}"), HasSubstr("expected all of the keys"));
  EXPECT_THAT(mistake("{'order': 'C'}"), HasSubstr("not 'order'"));
  EXPECT_THAT(mistake("{'descr': '<f4', 'descr': '<f4'}"), HasSubstr("'descr' only once"));
  EXPECT_THAT(mistake("{'descr': [('x', '<f4')]}"), HasSubstr("a quoted word"));
  EXPECT_THAT(mistake(dictionary("<f4", "(1, -1)")), HasSubstr("whole numbers in 'shape'"));
  EXPECT_THAT(mistake(dictionary("<f4", "(99999999999999999999999,)")),
              HasSubstr("whole numbers in 'shape'"));
  EXPECT_THAT(mistake(dictionary("<f4", "(1, 1)", "Maybe")), HasSubstr("True or False"));
  EXPECT_THAT(mistake(dictionary("<f4", "(1, 1)") + "x"), HasSubstr("nothing after"));
}

}  // namespace
}  // namespace tessera
