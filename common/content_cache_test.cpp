#include "common/content_cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "common/temporary_directory.h"
#include "common/text.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

class ContentCache : public testing::Test {
 protected:
  void make_older(const std::string& key, int hours) const {
    fs::last_write_time(path() / key, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  }
  fs::path path() const { return folder_.path(); }

  TemporaryDirectory folder_;
  std::string first_ = entry_key({"first"});
  std::string second_ = entry_key({"second"});
};

TEST_F(ContentCache, PartsThatJoinToTheSameTextHaveDifferentKeys) {
  EXPECT_EQ(entry_key({"ab", "c"}), entry_key({"ab", "c"}));
  EXPECT_NE(entry_key({"ab", "c"}), entry_key({"a", "bc"}));
  EXPECT_NE(entry_key({"ab"}), entry_key({"ab", ""}));
}

TEST_F(ContentCache, AnEntryIsReadBackWhole) {
  const std::string contents("a\0b", 3);
  store_entry(path() / "deep/folder", first_, contents);
  EXPECT_EQ(load_entry(path() / "deep/folder", first_), contents);
  EXPECT_FALSE(load_entry(path() / "deep/folder", second_));
}

TEST_F(ContentCache, ADamagedEntryIsAMiss) {
  store_entry(path(), first_, "contents");
  const std::string whole = *read_file(path() / first_);
  for (const std::string& damaged : {std::string(), whole.substr(0, 10), whole + "x"}) {
    std::ofstream(path() / first_, std::ios::binary) << damaged;
    EXPECT_FALSE(load_entry(path(), first_));
  }
}

TEST_F(ContentCache, TheLongestUnusedEntryIsRemovedFirst) {
  for (const std::string& key : {first_, second_}) store_entry(path(), key, std::string(1000, 'x'));
  make_older(first_, 2);
  make_older(second_, 1);
  EXPECT_TRUE(load_entry(path(), first_)) << "which counts as a use";
  std::ofstream(path() / "notes.txt") << std::string(5000, 'x');
  trim_entries(path(), 1500);
  EXPECT_TRUE(load_entry(path(), first_));
  EXPECT_FALSE(load_entry(path(), second_));
  EXPECT_TRUE(fs::exists(path() / "notes.txt")) << "it is not an entry";
}

TEST_F(ContentCache, ACacheWithRoomLosesNothing) {
  store_entry(path(), first_, "contents");
  trim_entries(path(), 1000);
  trim_entries(path() / "missing", 1000);
  EXPECT_TRUE(load_entry(path(), first_));
}

}  // namespace
}  // namespace tessera
