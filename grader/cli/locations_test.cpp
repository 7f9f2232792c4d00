#include "grader/cli/locations.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace tessera {
namespace {

/// terminal_options().width if standard output is a terminal of `columns`; -1 without one.
int width_on_terminal(unsigned short columns) {
  const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    const std::string width = std::to_string(terminal_options().width) + "\n";
    _exit(write(STDOUT_FILENO, width.data(), width.size()) < 0 ? 1 : 0);
  }
  if (child < 0) return -1;
  char text[16] = {};
  const ssize_t bytes = read(terminal, text, sizeof text - 1);
  waitpid(child, nullptr, 0);
  close(terminal);
  return bytes > 0 ? std::atoi(text) : -1;
}

TEST(TerminalOptions, LinesFitANarrowTerminalAndStayReadableOnAWideOne) {
  EXPECT_EQ(width_on_terminal(80), 80);
  EXPECT_EQ(width_on_terminal(200), 100);
  EXPECT_EQ(width_on_terminal(20), 72);
  EXPECT_EQ(width_on_terminal(0), 100) << "a terminal that does not know";
}

TEST(FreshKey, Has128BitsAndIsNeverTheSame) {
  const std::string key = fresh_key();
  EXPECT_EQ(key.size(), 32u);
  EXPECT_EQ(key.find_first_not_of("0123456789abcdef"), std::string::npos) << key;
  EXPECT_NE(fresh_key(), key);
}

}  // namespace
}  // namespace tessera
