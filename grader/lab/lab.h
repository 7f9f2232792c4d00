// A lab as data: what labs/NN-name/lab.yaml and solutions/NN-name/hidden.yaml declare.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"
#include "common/finding.h"
#include "common/host_matrix.h"
#include "common/metric.h"
#include "common/operation.h"
#include "common/recipe.h"

namespace tessera {

/// An input on which the kernel is run and its output compared.
struct Case {
  Extents extents;                        // every extent of the operation, each at least 1
  std::map<std::string, int> parameters;  // every name in Lab::parameters
  std::map<std::string, Recipe> data;     // by input operand: "A"
  std::string data_name;                  // as written: "uniform"
  std::map<std::string, int> padding;     // elements after each row, by operand; 0 if not named
  bool hidden = false;                    // from hidden.yaml
  std::vector<Metric> counted;            // metrics whose requirements hold in this case as well
};

/// The padding as in a lab's `padding`: "3" if every operand has it, else "{B: 3, C: 5}"; "" if
/// there is none.
std::string padding_yaml(const Operation& operation, const Case& test_case);

/// An extent or a parameter by which a requirement is multiplied or divided.
struct Factor {
  std::string name;
  bool divides = false;
};

/// A requirement on a counter, with all points or none.
struct TechniqueItem {
  Metric metric{};
  std::optional<double> at_least;
  std::optional<double> at_most;
  std::optional<double> naive;  // what the naive kernel has, shown to the student
  std::optional<double> good;   // what a good kernel has, shown to the student
  std::string hint;             // what to do if it is not met; "": the grader's hint
  double points = 0;
  /// The requirement is the lab's lesson: if it is missed, no technique item is won.
  bool lesson = false;
  /// For results_through_shared: how many threads must load a word of shared memory for it to count
  /// as shared.
  std::uint32_t readers = 1;
  /// at_least and at_most are those of the largest visible case; in other cases they change as the
  /// product of these does.
  std::vector<Factor> scales_with;
};

/// Points that grow linearly from `zero` to `full`, the better end, which is the smaller for times
/// and the larger for all else.
struct Threshold {
  Metric metric{};
  std::string over;  // speedup: the baseline lab's id
  struct Range {
    double zero = 0;
    double full = 0;

    bool operator==(const Range&) const = default;
  };
  std::optional<Range> range;            // for every GPU
  std::map<std::string, Range> devices;  // by the device's name
  double points = 0;

  /// Whether it is on a modelled time, and not on a measured one.
  bool is_modelled() const { return about(metric).origin == Origin::modelled; }

  bool operator==(const Threshold&) const = default;
};

struct Lab {
  std::string id;  // "03-tiled", the folder's name
  std::string title;
  const Operation* operation = nullptr;
  std::shared_ptr<const Operation> declared;  // if the lab declares its operation itself
  std::filesystem::path reference_kernel;     // reference.cu of such a lab; else ""
  Element element = Element::float32;         // of the output, and of inputs on the host
  Storage inputs = Storage::same;             // of inputs on the device
  int compute_capability = 0;  // 10 * major + minor: the only one with the instructions that the
                               // lab is about; 0: any
  std::string kernel;          // name of the __global__ function
  std::vector<std::string> arguments;  // in the kernel's order: "A", "A.data", "m", a parameter
  std::vector<std::string>
      parameters;  // extra int32 values that every case gives; `launch` gets them after the extents
  double correctness_points = 0;
  std::vector<Case> cases;  // at least one; hidden cases last
  double checks_points = 0;
  std::vector<FindingKind> forbid;
  std::vector<TechniqueItem> technique;
  Extents performance_shape;  // empty if there are no thresholds
  std::map<std::string, int> performance_parameters;
  std::vector<Threshold> thresholds;
  std::vector<std::string> devices;  // cards whose thresholds the course counts; empty: all
  std::filesystem::path directory;   // labs/NN-name

  double max_points() const;

  /// Whether such an error loses the checks: `forbid` names it, or names races and it is one with
  /// an asynchronous copy or product.
  bool forbids(FindingKind kind) const;

  /// "bfloat16", as `element` in lab.yaml.
  std::string_view element_word() const;

  /// The largest visible case, the last of equals; its counters are reported.
  std::size_t largest_case() const;

  /// The cases in which requirements on counters hold: the largest visible case, in which all hold,
  /// then the cases that are `counted`.
  std::vector<std::size_t> counted_cases() const;

  /// The requirement as it is in `test_case`.
  TechniqueItem scaled(const TechniqueItem& item, const Case& test_case) const;

  /// "m=128 n=96 k=160 uniform", with the extents in the operation's order, and with parameters and
  /// pitch if there are any.
  std::string case_title(const Case& test_case) const;
};

/// Reads labs/NN-name/lab.yaml and, if `hidden` names an existing file, its `cases`, which come
/// last. `datasets` is the folder of the recipes; `cards` are the names of devices that have a
/// profile, and if it is empty every name is accepted. Errors name file, line, column, the value,
/// what was expected, and for an unknown word the nearest known word: unknown or repeated keys,
/// unknown metrics, checks, operations and recipes, a missing key, an extent below 1 or above 2^20
/// (2^28 in the performance shape), more than 2^31 elements, a negative pitch or negative points,
/// equal or swapped zero and full, at_least above at_most, a `good` value that misses the
/// requirement, an argument that is neither operand, extent nor parameter, a parameter that a case
/// lacks, a baseline that computes something else or is the lab itself, a card that is unknown (for
/// modelled_time_ms) or is a misspelt known card.
Expected<Lab> load_lab(const std::filesystem::path& directory, const std::filesystem::path& hidden,
                       const std::filesystem::path& datasets,
                       const std::vector<std::string>& cards = {});

/// The folders in `labs` that hold a lab.yaml, sorted by name.
std::vector<std::filesystem::path> find_labs(const std::filesystem::path& labs);

/// Whether `word` names the lab `id`, "03-tiled": "03", "3", "tiled", "03-tiled", "3-tiled".
bool names_lab(std::string_view word, std::string_view id);

/// The lab in `labs` that `word` names. Errors: it names none (with the nearest name), or several.
Expected<std::filesystem::path> find_lab(const std::filesystem::path& labs,
                                         const std::string& word);

}  // namespace tessera
