#include "common/link_out_of.h"

#include <gtest/gtest.h>

#include <fstream>

#include "common/temporary_directory.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// A folder "in" with a kernel, and a file outside the folder.
class LinkOutOf : public testing::Test {
 protected:
  LinkOutOf() {
    fs::create_directories(in() / "03");
    fs::create_directories(root_.path() / "inner");
    for (const fs::path& file : {in() / "03/kernel.cu", root_.path() / "inner/kernel.cu"})
      std::ofstream(file) << "text";
  }

  fs::path in() const { return root_.path() / "in"; }
  bool leads_out(const std::string& file) const {
    return link_out_of(in(), in() / file).has_value();
  }

  TemporaryDirectory root_;
};

TEST_F(LinkOutOf, AFileOrALinkToAFileInsideIsAllowed) {
  fs::create_symlink("../03/kernel.cu", in() / "03/link.cu");
  EXPECT_FALSE(leads_out("03/kernel.cu"));
  EXPECT_FALSE(leads_out("03/link.cu"));
  EXPECT_FALSE(leads_out("04/kernel.cu")) << "there is no such file";
}

TEST_F(LinkOutOf, ALinkToAFileOrFolderOutsideLeadsOut) {
  fs::create_symlink("../../inner/kernel.cu", in() / "03/link.cu");
  fs::create_directory_symlink(root_.path() / "inner", in() / "04");
  EXPECT_TRUE(leads_out("03/link.cu")) << "`inner` only begins with the folder's name";
  EXPECT_TRUE(leads_out("04/kernel.cu"));
  EXPECT_TRUE(leads_out("../inner/kernel.cu"));
}

TEST_F(LinkOutOf, TheFolderItselfMayBeALink) {
  fs::create_directory_symlink(in(), root_.path() / "mine");
  const fs::path mine = root_.path() / "mine";
  EXPECT_FALSE(link_out_of(mine, mine / "03/kernel.cu"));
}

TEST_F(LinkOutOf, NoFolderMeansTheCurrentFolder) {
  EXPECT_TRUE(link_out_of("", in() / "03/kernel.cu"));
}

}  // namespace
}  // namespace tessera
