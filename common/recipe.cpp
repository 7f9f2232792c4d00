#include "common/recipe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/text.h"
#include "common/yaml_mapping.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr double kMaxMagnitude = std::numeric_limits<float>::max();

bool has_range(const std::string& generator) {
  return generator == "uniform" || generator == "integers";
}

bool is_generator(const std::string& word) {
  return std::ranges::count(recipe_generators(), word) > 0;
}

void check_generator(YamlMapping& yaml, const std::string& generator) {
  if (generator == "file") {
    if (!yaml.has("file")) yaml.fail("generator", "generator 'file' needs the key 'file'");
  } else if (!is_generator(generator)) {
    yaml.fail("generator", "unknown generator '" + generator + "'" +
                               did_you_mean(generator, recipe_generators()) + "; known are " +
                               joined(recipe_generators()));
  } else if (yaml.has("file")) {
    yaml.fail("file", "'file' and the generator '" + generator +
                          "' exclude each other; remove one of the two");
  }
}

/// Reports keys that have no meaning for the generator, and impossible ranges.
void check_range(YamlMapping& yaml, const Recipe& recipe) {
  if (recipe.low && !has_range(recipe.generator) && recipe.generator != "constant") {
    yaml.fail("low", "'low' has no meaning for '" + recipe.generator + "'; remove it");
  }
  if (recipe.high && !has_range(recipe.generator)) {
    yaml.fail("high", "'high' has no meaning for '" + recipe.generator + "'; remove it");
  }
  if (has_range(recipe.generator) && recipe.low.has_value() != recipe.high.has_value()) {
    yaml.fail(recipe.low ? "low" : "high", "a range needs both 'low' and 'high'; add the other");
  }
  for (const auto& [key, value] : {std::pair("low", recipe.low), std::pair("high", recipe.high)}) {
    if (recipe.generator == "integers" && value && *value != std::trunc(*value)) {
      yaml.fail(key, "'" + std::string(key) + "' of 'integers' must be a whole number");
    }
  }
  if (recipe.low && recipe.high && *recipe.low > *recipe.high) {
    yaml.fail("low", "'low' is above 'high'; exchange them");
  }
}

/// Reads one recipe; mistakes are reported to `yaml`.
Recipe read_recipe(YamlMapping& yaml, const fs::path& datasets) {
  Recipe recipe;
  yaml.text("description");
  const std::optional<std::string> file = yaml.text("file");
  if (file) recipe.file = datasets / *file;
  if (!file) yaml.require("generator");
  recipe.generator = yaml.text("generator").value_or("file");
  recipe.low = yaml.number("low", -kMaxMagnitude, kMaxMagnitude);
  recipe.high = yaml.number("high", -kMaxMagnitude, kMaxMagnitude);
  check_generator(yaml, recipe.generator);
  check_range(yaml, recipe);
  return recipe;
}

Expected<Recipe> read_recipe_file(const fs::path& path, const std::string& operand,
                                  const fs::path& datasets) {
  const Expected<YAML::Node> document = read_yaml(path);
  if (!document) return document.error();
  const std::vector<std::string> keys = {"generator", "low", "high", "file", "description"};
  if (!document->IsMap() || !(*document)["operands"]) {
    YamlMapping yaml(path, *document, "recipe", keys);
    Recipe recipe = read_recipe(yaml, datasets);
    if (yaml.error()) return *yaml.error();
    return recipe;
  }

  YamlMapping yaml(path, *document, "recipe with operands", {"operands", "description"});
  yaml.text("description");
  const std::optional<YAML::Node> operands = yaml.find("operands");
  if (yaml.error()) return *yaml.error();
  if (!operands->IsMap()) {
    return yaml_error(path, *operands, "'operands' is a mapping of operands to recipes");
  }
  std::optional<Recipe> found;
  std::vector<std::string> known;
  for (const auto& entry : *operands) {
    YamlMapping part(path, entry.second, "recipe", keys);
    const Recipe recipe = read_recipe(part, datasets);
    if (part.error()) return *part.error();
    known.push_back(entry.first.Scalar());
    if (known.back() == operand) found = recipe;
  }
  if (found) return *found;
  return yaml_error(path, *operands,
                    "there is no recipe for the operand '" + operand + "'; there is one for " +
                        joined(known) + ": add it, or use another dataset");
}

/// Every name that find_recipe() accepts.
std::vector<std::string> known_names(const fs::path& datasets) {
  std::vector<std::string> names = recipe_generators();
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(datasets, failure)) {
    const fs::path& path = entry.path();
    if (path.extension() == ".yaml") names.push_back(path.stem().string());
    if (path.extension() == ".npy") names.push_back(path.filename().string());
  }
  std::sort(names.begin() + static_cast<std::ptrdiff_t>(recipe_generators().size()), names.end());
  return names;
}

}  // namespace

const std::vector<std::string>& recipe_generators() {
  static const std::vector<std::string> generators = {"identity",    "integers", "uniform",
                                                      "permutation", "hilbert",  "constant",
                                                      "zeros",       "ones",     "index"};
  return generators;
}

Expected<Recipe> find_recipe(const std::string& name, const std::string& operand,
                             const fs::path& datasets) {
  if (is_generator(name)) return Recipe{.generator = name};

  std::error_code failure;
  const fs::path yaml = datasets / (name + ".yaml");
  if (fs::exists(yaml, failure)) return read_recipe_file(yaml, operand, datasets);

  const fs::path file = datasets / name;
  if (file.extension() == ".npy" && fs::exists(file, failure)) {
    return Recipe{.generator = "file", .file = file};
  }

  const std::vector<std::string> known = known_names(datasets);
  return Error{.file = datasets.string(),
               .message = "no data recipe is called '" + name + "'" + did_you_mean(name, known) +
                          "; known are " + joined(known)};
}

}  // namespace tessera
