#include "grader/lab/case_parser.h"

#include <fmt/format.h>

#include "common/npy.h"
#include "common/recipe.h"
#include "common/yaml_mapping.h"
#include "grader/lab/lab_keys.h"
#include "grader/lab/yaml_words.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxExtent = 1 << 20;
constexpr int kMaxTimedExtent = 1 << 28;  // enough for a vector to take a measurable time
constexpr std::int64_t kMaxElements = std::int64_t{1} << 31;
constexpr const char* kDefaultData = "uniform";

std::vector<std::string> shape_keys(const Lab& lab) {
  std::vector<std::string> keys = lab.operation->extents();
  keys.insert(keys.end(), lab.parameters.begin(), lab.parameters.end());
  return keys;
}

int required_whole(YamlMapping& map, const std::string& key, std::int64_t least,
                   std::int64_t most) {
  map.require(key);
  return static_cast<int>(map.whole(key, least, most).value_or(least));
}

Shape read_numbers(YamlMapping& map, const Lab& lab, int most) {
  Shape shape;
  for (const std::string& extent : lab.operation->extents()) {
    shape.extents[extent] = required_whole(map, extent, 1, most);
  }
  for (const std::string& parameter : lab.parameters) {
    shape.parameters[parameter] = required_whole(map, parameter, INT32_MIN, INT32_MAX);
  }
  return shape;
}

/// The mistake if an operand would be larger than a matrix may be.
std::optional<std::string> too_large(const Lab& lab, const Extents& extents,
                                     const std::map<std::string, int>& padding) {
  for (const Operand& operand : lab.operation->operands(extents)) {
    const auto padded = padding.find(operand.name);
    const std::int64_t width = operand.width + (padded == padding.end() ? 0 : padded->second);
    const std::int64_t elements = operand.height * width;
    if (elements > kMaxElements) {
      return fmt::format("{} would have {} elements; at most {} (2^31) fit", operand.name, elements,
                         kMaxElements);
    }
  }
  return std::nullopt;
}

class CaseParser {
 public:
  CaseParser(const fs::path& file, const Lab& lab, const fs::path& datasets)
      : file_(file), lab_(lab), datasets_(datasets) {}

  Expected<Case> read(const YAML::Node& node) {
    std::vector<std::string> keys = shape_keys(lab_);
    keys.insert(keys.end(), kCaseKeys.keys.begin(), kCaseKeys.keys.end());
    YamlMapping map(file_, node, kCaseKeys.what, keys);
    const Shape shape = read_numbers(map, lab_, kMaxExtent);
    Case result;
    result.extents = shape.extents;
    result.parameters = shape.parameters;
    if (map.error()) return *map.error();
    if (auto error = read_padding(map, result)) return *error;
    if (const auto mistake = too_large(lab_, result.extents, result.padding)) {
      return yaml_error(file_, node, *mistake);
    }
    if (const auto counted = map.find("counted")) {
      if (auto error = read_counted(*counted, result)) return *error;
    }
    if (auto error = read_data(map.find("data"), node, result)) return *error;
    return result;
  }

 private:
  /// Reads `padding: 3`, for every operand, or `padding: {B: 3, C: 5}`, for these.
  std::optional<Error> read_padding(YamlMapping& map, Case& result) const {
    const auto given = map.find("padding");
    if (!given) return std::nullopt;
    std::vector<std::string> names;
    for (const Operand& operand : lab_.operation->operands(result.extents))
      names.push_back(operand.name);
    std::optional<YamlMapping> some;
    if (given->IsMap()) some.emplace(file_, *given, "mapping from operand to padding", names);
    for (const std::string& name : names) {
      const auto padding =
          some ? some->whole(name, 0, kMaxExtent) : map.whole("padding", 0, kMaxExtent);
      if (padding.value_or(0) > 0) result.padding[name] = static_cast<int>(*padding);
    }
    return some ? some->error() : map.error();
  }

  std::optional<Error> read_counted(const YAML::Node& node, Case& result) const {
    std::vector<Metric> metrics;
    for (const TechniqueItem& item : lab_.technique) metrics.push_back(item.metric);
    if (node.IsSequence()) {
      const auto some = read_metrics(file_, node, "counted", metrics);
      if (!some) return some.error();
      result.counted = *some;
      return std::nullopt;
    }
    const Expected<bool> all = read_flag(file_, node, "counted");
    if (!all) return all.error();
    if (*all) result.counted = metrics;
    return std::nullopt;
  }

  std::optional<Error> read_data(const std::optional<YAML::Node>& data, const YAML::Node& place,
                                 Case& result) const {
    if (data && data->IsMap()) return read_data_map(*data, result);
    if (data && !data->IsScalar()) {
      return yaml_error(file_, *data,
                        "'data' names a recipe, or is a mapping from operand to recipe");
    }
    result.data_name = data ? data->Scalar() : kDefaultData;
    for (const Operand& operand : inputs(result)) {
      if (auto error = add_recipe(operand, data ? *data : place, result.data_name, result)) {
        return error;
      }
    }
    return std::nullopt;
  }

  std::optional<Error> read_data_map(const YAML::Node& data, Case& result) const {
    std::vector<std::string> names;
    for (const Operand& operand : inputs(result)) names.push_back(operand.name);
    YamlMapping map(file_, data, "mapping from operand to recipe", names);
    for (const Operand& operand : inputs(result)) {
      map.require(operand.name);
      const std::optional<std::string> name = map.text(operand.name);
      if (map.error()) return map.error();
      result.data_name += (result.data_name.empty() ? "" : " ") + operand.name + "=" + *name;
      if (auto error = add_recipe(operand, *map.find(operand.name), *name, result)) return error;
    }
    return std::nullopt;
  }

  std::optional<Error> add_recipe(const Operand& operand, const YAML::Node& place,
                                  const std::string& name, Case& result) const {
    const Expected<Recipe> recipe = find_recipe(name, operand.name, datasets_);
    if (!recipe) {
      const Error& error = recipe.error();
      const bool unknown_name = error.file == datasets_.string();
      return yaml_error(file_, place, unknown_name ? error.message : error.str());
    }
    if (const auto mistake = wrong_file(*recipe, operand)) {
      return yaml_error(file_, place, *mistake);
    }
    result.data[operand.name] = *recipe;
    return std::nullopt;
  }

  /// What is wrong with a file of data: if it does not fit, reading the lab must fail, and not a
  /// student's grading.
  std::optional<std::string> wrong_file(const Recipe& recipe, const Operand& operand) const {
    if (recipe.generator != "file") return std::nullopt;
    const Expected<HostMatrix> matrix = read_npy(recipe.file, lab_.element);
    if (!matrix) return matrix.error().str();
    if (matrix->height() == operand.height && matrix->width() == operand.width) {
      return std::nullopt;
    }
    return fmt::format("{} holds a {} x {} matrix; {} is {} x {} here", recipe.file.string(),
                       matrix->height(), matrix->width(), operand.name, operand.height,
                       operand.width);
  }

  std::vector<Operand> inputs(const Case& test_case) const {
    std::vector<Operand> operands = lab_.operation->operands(test_case.extents);
    std::erase_if(operands, [](const Operand& operand) { return operand.output; });
    return operands;
  }

  const fs::path& file_;
  const Lab& lab_;
  const fs::path& datasets_;
};

}  // namespace

Expected<Shape> read_shape(const fs::path& file, const YAML::Node& node, const Lab& lab) {
  YamlMapping map(file, node, "shape", shape_keys(lab));
  Shape shape = read_numbers(map, lab, kMaxTimedExtent);
  if (map.error()) return *map.error();
  if (const auto mistake = too_large(lab, shape.extents, {})) {
    return yaml_error(file, node, *mistake);
  }
  return shape;
}

Expected<std::vector<Case>> read_cases(const fs::path& file, const YAML::Node& node, const Lab& lab,
                                       const fs::path& datasets) {
  const auto entries = read_list(file, node, "cases");
  if (!entries) return entries.error();
  std::vector<Case> cases;
  for (const YAML::Node& entry : *entries) {
    Expected<Case> test_case = CaseParser(file, lab, datasets).read(entry);
    if (!test_case) return test_case.error();
    cases.push_back(std::move(*test_case));
  }
  return cases;
}

}  // namespace tessera
