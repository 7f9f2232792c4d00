#include "common/operation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Operations, AreFoundByName) {
  for (const std::string& name : operation_names()) {
    const Operation* operation = find_operation(name);
    ASSERT_NE(operation, nullptr) << name;
    EXPECT_EQ(operation->name(), name);
    EXPECT_EQ(find_operation(name), operation) << "the same object every time";
  }
  EXPECT_EQ(find_operation("matmult"), nullptr);
  EXPECT_THAT(operation_names(), testing::ElementsAre("adjacent_difference", "matmul"));
}

TEST(Operations, HaveTheirOutputLast) {
  for (const std::string& name : operation_names()) {
    const Operation& operation = *find_operation(name);
    Extents extents;
    for (const std::string& extent : operation.extents()) extents[extent] = 3;
    const std::vector<Operand> operands = operation.operands(extents);
    ASSERT_GE(operands.size(), 2u);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      EXPECT_EQ(operands[i].output, i + 1 == operands.size()) << name << " " << operands[i].name;
    }
    EXPECT_GT(operation.work(extents), 0.0);
  }
}

}  // namespace
}  // namespace tessera
