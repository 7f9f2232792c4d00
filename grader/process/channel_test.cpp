#include "grader/process/channel.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace tessera {
namespace {

TEST(Channel, WaitsAsLongAsItIsAllowed) {
  auto [mine, its] = Channel::make_pair();
  int asked = 0;
  const auto patience = [&] { return ++asked < 3; };
  EXPECT_EQ(mine.receive(100, nullptr, patience), std::nullopt);
  EXPECT_EQ(asked, 3);
}

TEST(Channel, HalfAMessageIsNone) {
  auto [mine, its] = Channel::make_pair();
  const std::uint64_t size = 4096;
  ASSERT_EQ(write(its.descriptor(), &size, sizeof size), 8);
  ASSERT_EQ(write(its.descriptor(), "half", 4), 4);
  EXPECT_EQ(mine.receive(1 << 20, nullptr, [] { return false; }), std::nullopt);
}

TEST(Channel, SendsNothingToAnEndThatDoesNotRead) {
  auto [mine, its] = Channel::make_pair();
  const std::string long_message(std::size_t{16} << 20, 'x');
  EXPECT_FALSE(mine.send(long_message, {}, [] { return false; }));
}

TEST(Channel, AMessageThatComesNeedsNoPatience) {
  auto [mine, its] = Channel::make_pair();
  ASSERT_TRUE(its.send("hello", {}, [] { return false; }));
  EXPECT_EQ(mine.receive(100, nullptr, [] { return false; }), "hello");
}

}  // namespace
}  // namespace tessera
