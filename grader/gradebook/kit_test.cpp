// What a worker of a batch sees of the kit.
#include "grader/gradebook/kit.h"

#include <gmock/gmock.h>

#include "common/temporary_directory.h"
#include "grader/gradebook/intake/test_file_size_limit.h"
#include "grader/lab/course_labs.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using ::testing::UnorderedElementsAre;

class StageKit : public ::testing::Test {
 protected:
  StageKit() {
    for (const std::string id : {"01-naive", "02-coalesced", "03-tiled"}) {
      write("labs/" + id + "/lab.yaml", id);
      write("labs/" + id + "/reference.cu", id);
      write("labs/" + id + "/kernel.cu", id);
      write("solutions/" + id + "/kernel.cu", id);
      write("solutions/" + id + "/hidden.yaml", id);
      Lab lab;
      lab.id = id;
      lab.directory = kit("labs") / id;
      labs_.push_back(lab);
    }
    Threshold faster;
    faster.over = "01-naive";
    labs_[2].thresholds = {faster};
    write("datasets/small.yaml", "x");
    write("common/include/tessera/lab.cuh", "x");
    write("common/devices/a.yaml", "x");
    fs::create_directories(stage());
  }

  fs::path kit(const std::string& part) const { return folder_.path() / "kit" / part; }
  fs::path stage() const { return folder_.path() / "stage"; }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(kit(name).parent_path());
    folder_.write("kit/" + name, text);
  }

  std::optional<Error> staged() const {
    GradeOptions options;
    options.kit = {.root = folder_.path() / "kit",
                   .labs = kit("labs"),
                   .solutions = kit("solutions"),
                   .datasets = kit("datasets")};
    return stage_kit(labs_, options, stage());
  }

  std::vector<std::string> files(const std::string& id) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(stage() / id)) {
      if (entry.is_regular_file())
        names.push_back(fs::relative(entry.path(), stage() / id).string());
    }
    return names;
  }

  TemporaryDirectory folder_;
  std::vector<Lab> labs_;
};

TEST_F(StageKit, AWorkerSeesTheLabThatItGradesAlone) {
  const auto error = staged();
  ASSERT_FALSE(error) << error->str();
  EXPECT_THAT(files("02-coalesced"),
              UnorderedElementsAre("labs/02-coalesced/lab.yaml", "labs/02-coalesced/reference.cu",
                                   "solutions/02-coalesced/hidden.yaml", "datasets/small.yaml",
                                   "common/include/tessera/lab.cuh", "common/devices/a.yaml"));
}

TEST_F(StageKit, AWorkerSeesOnlyTheDeclarationOfALabToMeasureAgainst) {
  ASSERT_FALSE(staged());
  EXPECT_THAT(files("03-tiled"),
              UnorderedElementsAre("labs/01-naive/lab.yaml", "labs/01-naive/reference.cu",
                                   "labs/03-tiled/lab.yaml", "labs/03-tiled/reference.cu",
                                   "solutions/03-tiled/hidden.yaml", "datasets/small.yaml",
                                   "common/include/tessera/lab.cuh", "common/devices/a.yaml"));
}

TEST_F(StageKit, WithoutRoomTheErrorNamesNoFileOfTheKit) {
  write("datasets/large.npy", std::string(100'000, 'x'));
  std::optional<Error> error;
  {
    const FileSizeLimit limit(4096);
    error = staged();
  }
  ASSERT_TRUE(error);
  EXPECT_THAT(error->str(),
              testing::MatchesRegex("what gradings need of the kit cannot be copied "
                                    "for them: .*; is there room where TMPDIR points."));
  EXPECT_THAT(error->str(), testing::Not(testing::HasSubstr("large.npy")));
  EXPECT_THAT(error->str(), testing::Not(testing::HasSubstr("/tmp")));
}

TEST_F(StageKit, TheCourseNamesTheLabsThatAreThere) {
  write("labs/course.yaml", "title: Course\nlabs:\n  - {lab: 01-naive}\n  - {lab: 02-coalesced}\n");
  ASSERT_FALSE(staged());
  const auto course = course_of(stage() / "02-coalesced" / "labs");
  ASSERT_TRUE(course) << course.error().str();
  ASSERT_EQ(course->labs.size(), 1u);
  EXPECT_EQ(course->labs[0].id, "02-coalesced");
}

}  // namespace
}  // namespace tessera
