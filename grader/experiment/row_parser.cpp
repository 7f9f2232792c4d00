#include "grader/experiment/row_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/text.h"
#include "grader/experiment/experiment_keys.h"
#include "grader/experiment/number_text.h"
#include "grader/lab/yaml_reader.h"
#include "grader/lab/yaml_words.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultFile = "kernel.cu";
constexpr std::size_t kMostVariants = 200;

/// Whether `text` may be a macro's value or a lab's parameter: a name or a number.
bool is_token(const std::string& text) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, fits);
}

class RowParser : private YamlReader {
 public:
  RowParser(const fs::path& file, const YamlMapping& top, const Experiment& experiment,
            const fs::path& labs)
      : YamlReader(file), top_(top), experiment_(experiment), labs_(labs) {}

  Expected<std::vector<Row>> read(const YAML::Node& node) {
    for (const YAML::Node& entry : value_or_empty(read_list(file_, node, "rows"))) {
      read_row(entry);
      if (error_) return *error_;
    }
    return std::move(rows_);
  }

 private:
  void read_row(const YAML::Node& node) {
    YamlMapping map(file_, node, kRowKeys.what, kRowKeys.keys);
    map.require("name");
    Row row;
    row.name = map.text("name").value_or("");
    if (const auto most = map.whole("max_shape", 1, INT32_MAX))
      row.max_shape = static_cast<int>(*most);
    if (keep(map)) return;
    if (std::ranges::count(rows_, row.name, &Row::name) > 0)
      fail(*map.find("name"),
           fmt::format("there is a row '{}' already; choose another name", row.name));
    read_runner(map, node, row);
    if (error_) return;
    read_lists(map, row);
    if (error_) return;
    check_size(node, row);
    rows_.push_back(std::move(row));
  }

  void read_runner(const YamlMapping& map, const YAML::Node& node, Row& row) {
    int runners = 0;
    for (const char* key : {"kernel", "reference", "host", "library"}) runners += map.has(key);
    if (runners != 1) {
      fail(node,
           "a row has one of 'kernel', 'reference', 'host' and 'library', which says what runs");
      return;
    }
    if (const auto kernel = map.find("kernel")) read_kernel(map, *kernel, row);
    if (const auto reference = map.find("reference")) read_reference(*reference, row);
    if (const auto host = map.find("host")) read_host(*host, row);
    if (const auto library = map.find("library")) {
      row.runner = Runner::cublas;
      row.what = value_or_empty(read_word(file_, *library, "library", {"cublas"}));
      require_product(*library, true);
    }
    for (const char* key : {"file", "arguments"}) {
      if (map.has(key) && row.runner != Runner::kernel)
        fail(*map.find(key), fmt::format("'{}' belongs to a row with 'kernel'", key));
    }
  }

  void require_product(const YAML::Node& node, bool float32) {
    if (!experiment_.operation->is_product() ||
        (float32 && experiment_.element != Element::float32))
      fail(node, fmt::format("'{}' computes only matrix products{}", node.as<std::string>(""),
                             float32 ? " of float32 elements" : ""));
  }

  void read_kernel(const YamlMapping& map, const YAML::Node& kernel, Row& row) {
    row.runner = Runner::kernel;
    row.what = value_or_empty(read_identifier(file_, kernel, "kernel"));
    const auto file = map.has("file") ? map.find("file") : top_.find("file");
    row.file = experiment_.directory / (file ? file->as<std::string>("") : kDefaultFile);
    std::error_code ignored;
    if (!error_ && !fs::is_regular_file(row.file, ignored))
      fail(file.value_or(kernel), fmt::format("there is no {}", row.file.string()));
    const auto arguments = map.has("arguments") ? map.find("arguments") : top_.find("arguments");
    if (!arguments) {
      fail(kernel,
           "a kernel needs 'arguments', here or for all rows: its parameters in order, as "
           "in [A.data, B.data, C.data, n]");
      return;
    }
    row.arguments =
        value_or_empty(read_words(file_, *arguments, "arguments", "argument", known_arguments()));
  }

  std::vector<std::string> known_arguments() const {
    Extents ones;
    for (const std::string& name : experiment_.operation->extents()) ones[name] = 1;
    std::vector<std::string> known;
    for (const Operand& operand : experiment_.operation->operands(ones)) {
      known.push_back(operand.name);
      known.push_back(operand.name + ".data");
    }
    const std::vector<std::string>& extents = experiment_.operation->extents();
    known.insert(known.end(), extents.begin(), extents.end());
    return known;
  }

  void read_reference(const YAML::Node& node, Row& row) {
    row.runner = Runner::reference;
    std::vector<std::string> known;
    for (const fs::path& lab : find_labs(labs_)) known.push_back(lab.filename().string());
    row.what = value_or_empty(read_word(file_, node, "lab", known));
  }

  void read_host(const YAML::Node& node, Row& row) {
    row.runner = Runner::host;
    std::vector<std::string> known;
    for (const HostProduct& product : host_products()) known.emplace_back(product.name);
    row.what = value_or_empty(read_word(file_, node, "product", known));
    if (!error_) require_product(node, false);
  }

  void read_lists(const YamlMapping& map, Row& row) {
    if (const auto parameters = map.find("parameters")) read_parameters(*parameters, row);
    read_list_of(
        map, "threads", row, row.runner == Runner::host,
        [](const std::string& word) {
          const auto number = whole_in(word);
          return word == "all" || (number && *number >= 1 && *number <= 1024);
        },
        "numbers of threads from 1 to 1024, or all", "'host'");
    read_list_of(
        map, "memory", row, row.runner != Runner::host,
        [](const std::string& word) { return memory_kind_from(word).has_value(); },
        "pageable, pinned, managed, prefetched, advised", "a kernel");
    read_list_of(
        map, "carveout", row, row.runner == Runner::kernel || row.runner == Runner::reference,
        [](const std::string& word) {
          const auto number = whole_in(word);
          return number && *number >= 0 && *number <= 100;
        },
        "percentages from 0 to 100", "a kernel");
    if (row.runner == Runner::host && map.has("threads") && !find_host_product(row.what)->threaded)
      fail(*map.find("threads"), fmt::format("'{}' runs in one thread", row.what));
  }

  void read_parameters(const YAML::Node& node, Row& row) {
    if (row.runner != Runner::kernel && row.runner != Runner::reference) {
      fail(node, "'parameters' belong to a kernel");
      return;
    }
    if (!node.IsMap()) {
      fail(node, "'parameters' maps names to values, as in {BLOCK: [8, 16]}");
      return;
    }
    for (const auto& entry : node) {
      const std::string name = value_or_empty(read_identifier(file_, entry.first, "parameters"));
      const std::vector<std::string> values = words(entry.second, name);
      for (const std::string& value : values) {
        if (!is_token(value))
          fail(entry.second, fmt::format("'{}' of '{}': expected a number or a name", value, name));
      }
      row.lists.emplace_back(name, values);
    }
  }

  /// The values of a key that has a single value or a list.
  std::vector<std::string> words(const YAML::Node& node, const std::string& key) {
    std::vector<std::string> values;
    if (node.IsScalar()) return {node.Scalar()};
    for (const YAML::Node& entry : value_or_empty(read_list(file_, node, key)))
      values.push_back(entry.as<std::string>(""));
    return values;
  }

  template <class Fits>
  void read_list_of(const YamlMapping& map, const std::string& key, Row& row, bool allowed,
                    Fits fits, const std::string& expected, const std::string& belongs_to) {
    const auto node = map.find(key);
    if (!node || error_) return;
    if (!allowed) {
      fail(*node, fmt::format("'{}' belongs to a row with {}", key, belongs_to));
      return;
    }
    const std::vector<std::string> values = words(*node, key);
    for (const std::string& value : values) {
      if (!fits(value)) fail(*node, fmt::format("'{}: {}': expected {}", key, value, expected));
    }
    row.lists.emplace_back(key, values);
  }

  void check_size(const YAML::Node& node, const Row& row) {
    std::size_t count = 1;
    for (const auto& [name, values] : row.lists) count *= values.size();
    if (count > kMostVariants)
      fail(node, fmt::format("'{}' has {} variants; at most {}", row.name, count, kMostVariants));
  }

  const YamlMapping& top_;
  const Experiment& experiment_;
  const fs::path& labs_;
  std::vector<Row> rows_;
};

}  // namespace

Expected<std::vector<Row>> read_rows(const fs::path& file, const YamlMapping& top,
                                     const YAML::Node& node, const Experiment& experiment,
                                     const fs::path& labs) {
  return RowParser(file, top, experiment, labs).read(node);
}

}  // namespace tessera
