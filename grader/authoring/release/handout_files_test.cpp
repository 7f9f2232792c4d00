#include "grader/authoring/release/handout_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

/// A kit with a library, and a lab.
class Listed : public testing::Test {
 protected:
  Listed() {
    folder_.write("grader/authoring/handout_files.txt",
                  "# What is handed out\nMakefile\ngrader/*/CMakeLists.txt\ndatasets/*.yaml\n"
                  "labs/*/lab.yaml\n");
    folder_.write("Makefile", "");
    folder_.write("secret.txt", "");
    folder_.write("grader/room/CMakeLists.txt",
                  "tessera_library(room\n  SOURCES a.cpp  # comment.cpp\n  DEPENDS x)\n"
                  "file(READ page.css PAGE)\n"
                  "add_executable(tool testing/tool.cpp)\n"
                  "tessera_test(room_test SOURCES a_test.cpp)\n");
    folder_.write("grader/room/a.cpp", "#include \"grader/room/a.h\"\n#include <vector>\n");
    folder_.write("grader/room/a.h", "#pragma once\n#include \"grader/room/b.h\"\n");
    for (const char* name : {"b.h", "page.css", "a_test.cpp", "test_kit.h", "comment.cpp",
                             "model.cu", "README.md", "testing/tool.cpp"}) {
      folder_.write(std::string("grader/room/") + name, "");
    }
    folder_.write("labs/01-a/lab.yaml", "");
    folder_.write("labs/01-a/old.cu", "");
    folder_.write("datasets/r.yaml", "");
    folder_.write("datasets/notes.txt", "");
  }

  HandoutFiles files() const {
    return HandoutFiles::read({.root = folder_.path(),
                               .labs = folder_.path() / "labs",
                               .solutions = {},
                               .datasets = folder_.path() / "datasets"})
        .value();
  }

  TestFolder folder_;
};

TEST_F(Listed, AreTheProgramsSourcesAndWhatTheyInclude) {
  EXPECT_THAT(files().of_kit(),
              ElementsAre("Makefile", "grader/room/CMakeLists.txt", "grader/room/a.cpp",
                          "grader/room/a.h", "grader/room/b.h", "grader/room/page.css"));
}

TEST_F(Listed, OfALabAreItsOwnFiles) {
  EXPECT_THAT(files().of_lab("01-a"), ElementsAre("lab.yaml"));
  EXPECT_THAT(files().kept_of_lab("01-a"), ElementsAre("old.cu"));
}

TEST_F(Listed, OfDatasetsAreTheCoursesOwn) {
  EXPECT_THAT(files().of_datasets(), ElementsAre("r.yaml"));
}

TEST(ListedFiles, OfTheKitHaveNoTestsAndNoPages) {
  const fs::path root = TESSERA_SOURCE_DIR;
  const HandoutFiles files =
      HandoutFiles::read(
          {.root = root, .labs = root / "labs", .solutions = {}, .datasets = root / "datasets"})
          .value();
  EXPECT_THAT(files.of_kit(), Contains("grader/cli/main.cpp"));
  EXPECT_THAT(files.of_kit(), Contains("grader/gpu/worker/main.cpp"));
  EXPECT_THAT(files.of_kit(), Contains("common/run/run.sh"));
  EXPECT_THAT(files.of_kit(), Contains("grader/gradebook/report/class_page.js"));
  EXPECT_THAT(files.of_kit(), Not(Contains("common/run/run_lab.h")));
  EXPECT_THAT(files.of_kit(), Not(Contains("grader/simulator/model_kernels/products.cu")));
  EXPECT_THAT(files.of_kit(), Not(Contains("grader/authoring/proof/test_lab.h")));
  EXPECT_THAT(files.of_kit(), Not(Contains("grader/judge/README.md")));
}

}  // namespace
}  // namespace tessera
