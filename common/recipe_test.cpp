#include "common/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/operation.h"
#include "common/temporary_directory.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kDatasets = fs::path(TESSERA_SOURCE_DIR) / "datasets";

/// The error of reading `yaml` as a recipe for operand A.
Error recipe_mistake(const std::string& yaml) {
  const TemporaryDirectory directory;
  directory.write("mine.yaml", yaml);
  const Expected<Recipe> recipe = find_recipe("mine", "A", directory.path());
  if (recipe) return {};
  EXPECT_EQ(recipe.error().file, (directory.path() / "mine.yaml").string());
  return recipe.error();
}

TEST(FindRecipe, EveryGeneratorIsItsOwnRecipe) {
  for (const std::string& name : recipe_generators()) {
    const Expected<Recipe> recipe = find_recipe(name, "A", "/nowhere");
    ASSERT_TRUE(recipe) << recipe.error().str();
    EXPECT_EQ(recipe->generator, name);
    EXPECT_FALSE(recipe->low);
    EXPECT_FALSE(recipe->high);
  }
}

TEST(FindRecipe, ReadsARangeFromYaml) {
  const TemporaryDirectory directory;
  directory.write("small.yaml", "description: Small.\ngenerator: integers\nlow: -2\nhigh: 3\n");
  const Expected<Recipe> recipe = find_recipe("small", "B", directory.path());
  ASSERT_TRUE(recipe) << recipe.error().str();
  EXPECT_EQ(recipe->generator, "integers");
  EXPECT_EQ(recipe->low, -2.0);
  EXPECT_EQ(recipe->high, 3.0);
}

TEST(FindRecipe, PicksTheOperandsEntry) {
  const TemporaryDirectory directory;
  directory.write("pair.yaml", "operands:\n  A: {generator: identity}\n  B: {file: data/b.npy}\n");
  EXPECT_EQ(find_recipe("pair", "A", directory.path())->generator, "identity");
  const Expected<Recipe> b = find_recipe("pair", "B", directory.path());
  ASSERT_TRUE(b);
  EXPECT_EQ(b->generator, "file");
  EXPECT_EQ(b->file, directory.path() / "data/b.npy");
}

TEST(FindRecipe, TakesANpyByItsPath) {
  const TemporaryDirectory directory;
  const fs::path file = directory.write("m.npy", "");
  EXPECT_EQ(find_recipe("m.npy", "A", directory.path())->file, file);
  EXPECT_EQ(find_recipe(file.string(), "A", "/nowhere")->file, file);
}

TEST(FindRecipe, ForAnUnknownNameTheNearestIsSuggested) {
  const TemporaryDirectory directory;
  directory.write("worked.yaml", "generator: ones\n");
  const Expected<Recipe> typo = find_recipe("wroked", "A", directory.path());
  ASSERT_FALSE(typo);
  EXPECT_THAT(typo.error().message, HasSubstr("no data recipe is called 'wroked'"));
  EXPECT_THAT(typo.error().message, HasSubstr("did you mean 'worked'?"));
  EXPECT_THAT(typo.error().message, HasSubstr("known are identity, integers"));
  EXPECT_FALSE(find_recipe("missing.npy", "A", directory.path()));
}

TEST(RecipeYaml, AnUnknownKeyIsNamedWithItsLine) {
  const Error error = recipe_mistake("generator: uniform\nhihg: 3\n");
  EXPECT_EQ(error.line, 2);
  EXPECT_EQ(error.column, 1);
  EXPECT_THAT(error.message, HasSubstr("unknown key 'hihg'"));
  EXPECT_THAT(error.message, HasSubstr("did you mean 'high'?"));
}

TEST(RecipeYaml, AnUnknownGeneratorIsNamedWithItsLine) {
  const Error error = recipe_mistake("# comment\ngenerator: unifrom\n");
  EXPECT_EQ(error.line, 2);
  EXPECT_THAT(error.message, HasSubstr("unknown generator 'unifrom' (did you mean 'uniform'?)"));
}

TEST(RecipeYaml, AValueOfAnotherTypeIsNamedWithItsLine) {
  const Error word = recipe_mistake("generator: uniform\nlow: small\nhigh: 1\n");
  EXPECT_EQ(word.line, 2);
  EXPECT_THAT(word.message, HasSubstr("'low' is 'small'; expected a number"));
  EXPECT_THAT(recipe_mistake("generator: [uniform]\n").message,
              HasSubstr("'generator' is a list; expected a text"));
  EXPECT_THAT(recipe_mistake("generator: uniform\nlow: .nan\nhigh: 1\n").message,
              HasSubstr("'low' is '.nan'"));
  EXPECT_THAT(recipe_mistake("generator: uniform\nlow: 0\nhigh: 1e300\n").message,
              HasSubstr("'high' is '1e300'"));
}

TEST(RecipeYaml, KeysThatMeanNothingTogetherAreMistakes) {
  EXPECT_THAT(recipe_mistake("generator: uniform\nlow: 1\n").message, HasSubstr("both 'low' and"));
  EXPECT_THAT(recipe_mistake("generator: uniform\nlow: 2\nhigh: 1\n").message,
              HasSubstr("'low' is above 'high'"));
  EXPECT_THAT(recipe_mistake("generator: integers\nlow: 0.5\nhigh: 1\n").message,
              HasSubstr("'low' of 'integers' must be a whole number"));
  EXPECT_THAT(recipe_mistake("generator: identity\nlow: 1\n").message,
              HasSubstr("'low' has no meaning for 'identity'"));
  EXPECT_THAT(recipe_mistake("generator: constant\nhigh: 1\n").message,
              HasSubstr("'high' has no meaning for 'constant'"));
  EXPECT_THAT(recipe_mistake("generator: ones\nfile: a.npy\n").message,
              HasSubstr("exclude each other"));
  EXPECT_THAT(recipe_mistake("generator: file\n").message, HasSubstr("needs the key 'file'"));
  EXPECT_THAT(recipe_mistake("description: Nothing.\n").message, HasSubstr("has no 'generator'"));
}

TEST(RecipeYaml, TextThatIsNoMappingIsAMistake) {
  EXPECT_THAT(recipe_mistake("").message, HasSubstr("is empty"));
  EXPECT_THAT(recipe_mistake("uniform\n").message, HasSubstr("mapping of keys to values"));
  const Error broken = recipe_mistake("generator: uniform\nlow: [1\n");
  EXPECT_GT(broken.line, 0);
  EXPECT_THAT(broken.message, HasSubstr("is not valid YAML"));
}

TEST(RecipeYaml, AnOperandWithoutAnEntryIsAMistake) {
  EXPECT_THAT(recipe_mistake("operands:\n  B: {generator: ones}\n  X: {generator: ones}\n").message,
              HasSubstr("no recipe for the operand 'A'; there is one for B, X"));
  EXPECT_THAT(recipe_mistake("operands: {A: {generator: ones}}\nlow: 1\n").message,
              HasSubstr("unknown key 'low'"));
  EXPECT_THAT(recipe_mistake("operands: [A]\n").message, HasSubstr("mapping of operands"));
}

TEST(RecipeYaml, AMistakeInAnotherOperandIsFoundToo) {
  const Error error = recipe_mistake("operands:\n  A: {generator: ones}\n  B: {generator: one}\n");
  EXPECT_EQ(error.line, 3);
  EXPECT_THAT(error.message, HasSubstr("unknown generator 'one'"));
}

/// Fills both operands of a product from the dataset `name` and multiplies them.
Reference product_of(const std::string& name, Element element, int m, int n, int k) {
  const Operation& matmul = *find_operation("matmul");
  std::vector<HostMatrix> inputs;
  for (const Operand& operand : matmul.operands({{"m", m}, {"n", n}, {"k", k}})) {
    if (operand.output) continue;
    const Expected<Recipe> recipe = find_recipe(name, operand.name, kDatasets);
    if (!recipe) throw std::runtime_error(recipe.error().str());
    inputs.emplace_back(element, operand.height, operand.width);
    if (const auto error = fill(inputs.back(), *recipe, 1)) throw std::runtime_error(error->str());
  }
  return matmul.reference(inputs);
}

TEST(Datasets, TheWorkedExampleHasTheProductOfItsReadme) {
  const std::vector<double> expected = {20, 4, 12, 6, 16, 1, 9, -1, 9, 7, 3, 1, 8, -5, 5, -7};
  EXPECT_EQ(product_of("worked-4x4", Element::float32, 4, 4, 4).value, expected);
  EXPECT_EQ(product_of("worked-4x4", Element::int32, 4, 4, 4).value, expected);
}

TEST(Datasets, PascalsTriangleTimesItsInverseIsTheIdentity) {
  const Reference product = product_of("pascal-8x8", Element::int32, 8, 8, 8);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(product.value[i], i % 9 == 0 ? 1.0 : 0.0) << i;
}

TEST(Datasets, IdentityTimesIndexIsTheIndex) {
  const Reference product = product_of("identity-times-index", Element::float32, 5, 7, 5);
  for (std::size_t i = 0; i < 35; ++i) EXPECT_EQ(product.value[i], static_cast<double>(i));
}

TEST(Datasets, EveryRecipeCanBeFilled) {
  int recipes = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(kDatasets)) {
    if (entry.path().extension() != ".yaml") continue;
    ++recipes;
    const std::string name = entry.path().stem().string();
    const bool ragged = name == "ragged-5x7";
    const bool worked = name == "worked-4x4";
    const int m = ragged ? 5 : worked ? 4 : 8;
    const int k = ragged ? 7 : m;
    const Element element = name == "wide-integers" ? Element::int32 : Element::float32;
    EXPECT_NO_THROW(product_of(name, element, m, m, k)) << name;
  }
  EXPECT_EQ(recipes, 8);
}

}  // namespace
}  // namespace tessera
