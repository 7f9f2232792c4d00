#include "grader/lab/operation_parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "grader/lab/declared_operation.h"
#include "grader/lab/lab_keys.h"
#include "grader/lab/yaml_reader.h"
#include "grader/lab/yaml_words.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxSide = 1 << 20;

bool is_side_number(const std::string& word) {
  int number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, failure] = std::from_chars(word.data(), end, number);
  return failure == std::errc() && stop == end && number >= 1 && number <= kMaxSide;
}

class OperationParser : private YamlReader {
 public:
  explicit OperationParser(const fs::path& file) : YamlReader(file) {}

  Expected<std::shared_ptr<const Operation>> parse(const YAML::Node& node) {
    YamlMapping map(file_, node, kOperationKeys.what, kOperationKeys.keys);
    for (const std::string& key : kOperationKeys.keys) map.require(key);
    if (keep(map)) return *error_;
    const std::string name = value_or_empty(read_identifier(file_, *map.find("name"), "name"));
    read_extents(*map.find("extents"));
    std::vector<DeclaredOperand> inputs = read_operands(*map.find("inputs"), "inputs");
    std::vector<DeclaredOperand> outputs = read_operands(*map.find("output"), "output");
    if (!error_ && outputs.size() != 1) fail(*map.find("output"), "expected exactly one output");
    std::vector<std::string> work = read_sides(*map.find("work"), "work");
    if (error_) return *error_;
    return std::shared_ptr<const Operation>(std::make_shared<DeclaredOperation>(
        name, extents_, std::move(inputs), std::move(outputs.front()), std::move(work)));
  }

 private:
  /// Reads a name that must be unused so far.
  std::string new_name(const YAML::Node& node, const std::string& key) {
    std::string name = value_or_empty(read_identifier(file_, node, key));
    if (std::ranges::count(names_, name) > 0 || name == "data" || name == "padding")
      fail(node, fmt::format("'{}': the name is taken; choose another", name));
    names_.push_back(name);
    return name;
  }

  void read_extents(const YAML::Node& node) {
    for (const YAML::Node& entry : value_or_empty(read_list(file_, node, "extents"))) {
      extents_.push_back(new_name(entry, "extents"));
      if (error_) return;
    }
  }

  /// Reads {A: [m, n], B: [n, 1]}.
  std::vector<DeclaredOperand> read_operands(const YAML::Node& node, const std::string& key) {
    std::vector<DeclaredOperand> operands;
    if (error_) return operands;
    if (!node.IsMap() || node.size() == 0) {
      fail(node, fmt::format("'{}' maps a matrix's name to [height, width]", key));
      return operands;
    }
    for (const auto& entry : node) {
      const std::string name = new_name(entry.first, key);
      const std::vector<std::string> sides = read_sides(entry.second, name);
      if (error_) return operands;
      if (sides.size() != 2) {
        fail(entry.second, fmt::format("'{}' needs two sides: [height, width]", name));
        return operands;
      }
      operands.push_back({name, sides[0], sides[1]});
    }
    return operands;
  }

  std::vector<std::string> read_sides(const YAML::Node& node, const std::string& key) {
    std::vector<std::string> sides;
    if (error_) return sides;
    for (const YAML::Node& entry : value_or_empty(read_list(file_, node, key))) {
      const std::string word = entry.IsScalar() ? entry.Scalar() : "";
      if (std::ranges::count(extents_, word) == 0 && !is_side_number(word)) {
        fail(entry, fmt::format("'{}': expected an extent ({}) or a whole number from 1 to {}",
                                word, fmt::join(extents_, ", "), kMaxSide));
      }
      sides.push_back(word);
    }
    return sides;
  }

  std::vector<std::string> extents_;
  std::vector<std::string> names_;
};

}  // namespace

Expected<std::shared_ptr<const Operation>> read_operation_declaration(const fs::path& file,
                                                                      const YAML::Node& node) {
  return OperationParser(file).parse(node);
}

}  // namespace tessera
