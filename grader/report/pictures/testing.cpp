#include "grader/report/pictures/testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "common/text.h"
#include "grader/lab/test_folder.h"
#include "grader/report/terminal.h"

namespace tessera {

TextOptions ascii_options() {
  TextOptions options;
  options.ascii = true;
  return options;
}

std::string without_colors(const std::string& text) {
  static const std::regex escape("\x1b\\[[0-9]+m");
  return std::regex_replace(text, escape, "");
}

void expect_fits_a_screen(const std::string& text) {
  const std::vector<std::string> lines = split_lines(text);
  EXPECT_LE(lines.size(), 24u) << text;
  for (const std::string& line : lines) {
    EXPECT_LE(display_width(line), 80) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

void expect_no_odd_numbers(const std::string& svg) {
  // No repetition over a path: std::regex recurses for each character, and a path has 100,000.
  static const std::regex odd("nan|inf|[0-9]e[-+]");
  for (std::size_t at = svg.find("=\""); at != std::string::npos; at = svg.find("=\"", at)) {
    const std::size_t end = svg.find('"', at + 2);
    const std::string value = svg.substr(at + 2, end - at - 2);
    EXPECT_FALSE(std::regex_search(value, odd)) << value;
    at = end;
  }
}

void expect_svgs(const std::vector<std::string>& svgs) {
  if (std::system("xmllint --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "xmllint is not installed (./setup.sh installs it)";
  std::string page = "<page>";
  for (const std::string& svg : svgs) page += svg;
  const TestFolder folder;
  ASSERT_FALSE(write_file(folder.path() / "page.xml", page + "</page>"));
  const std::string count = std::to_string(svgs.size());
  const std::string with_texts =
      "[*[local-name() = 'title' and string-length() > 3]]"
      "[*[local-name() = 'desc' and string-length() > 3]]";
  const std::string holds =
      "count(/page/*) = " + count + " and count(/page/*[local-name() = 'svg']" + with_texts +
      ") = " + count + " and count(//@id | //@href | //@*[contains(., 'url(')]) = 0";
  const std::string command = "cd '" + folder.path().string() + "' && xmllint --nonet --xpath \"" +
                              holds + "\" page.xml > out 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  const Expected<std::string> out = read_file(folder.path() / "out");
  ASSERT_TRUE(out);
  EXPECT_EQ(*out, "true\n");
}

}  // namespace tessera
