#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/host_product.h"
#include "common/text.h"
#include "grader/experiment/experiment_keys.h"
#include "grader/experiment/instruction_count.h"
#include "grader/gpu/transfer.h"

namespace tessera {
namespace {

using testing::HasSubstr;

std::string page() {
  const auto content = read_file(std::string(TESSERA_SOURCE_DIR) + "/grader/experiment/README.md");
  return content ? *content : content.error().str();
}

TEST(ExperimentReadme, MentionsEveryKey) {
  for (const KeyList& list : experiment_key_lists()) {
    for (const std::string& key : list.keys) EXPECT_THAT(page(), HasSubstr("`" + key + "`"));
  }
}

TEST(ExperimentReadme, MentionsEveryMetricOfItsOwn) {
  for (const Metric metric : metrics_asked_by(kExperiment)) {
    if (about(metric).origin == Origin::simulated || is_of_sass(metric)) continue;
    EXPECT_THAT(page(), HasSubstr("`" + std::string(to_string(metric)) + "`"));
  }
}

TEST(ExperimentReadme, MentionsEveryKindOfMemoryAndEveryProduct) {
  for (const std::string& name : memory_kind_names())
    EXPECT_THAT(page(), HasSubstr("`" + name + "`"));
  for (const HostProduct& product : host_products())
    EXPECT_THAT(page(), HasSubstr("`" + std::string(product.name) + "`"));
}

}  // namespace
}  // namespace tessera
