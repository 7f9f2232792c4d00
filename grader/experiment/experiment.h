// An experiment as data: what labs/experiments/NAME/experiment.yaml declares.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/expected.h"
#include "common/host_matrix.h"
#include "common/host_product.h"
#include "common/operation.h"
#include "grader/gpu/transfer.h"
#include "grader/lab/lab.h"

namespace tessera {

/// What a row of the table runs.
enum class Runner {
  kernel,     // a kernel of the experiment
  reference,  // a lab's reference solution
  cublas,
  host,  // a product on the host
};

/// Values by name, in the order of the file: {"BLOCK", "16"}.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// "BLOCK=16 memory=pinned", or "" for none.
std::string to_string(const Settings& settings);

struct Row {
  std::string name;  // "RR"
  Runner runner = Runner::kernel;
  std::string what;  // kernel: its name; reference: the lab's id; host: the product's name
  std::filesystem::path file;          // kernel: its source
  std::vector<std::string> arguments;  // kernel: as in lab.yaml
  std::optional<int> max_shape;        // larger shapes would take too long and are left out
  /// Values by name; every combination is a variant. The names are those of parameters, `threads`,
  /// `memory` and `carveout`.
  std::vector<std::pair<std::string, std::vector<std::string>>> lists;
};

/// Whether the row runs a kernel of the kit: the experiment's own or a reference.
bool runs_kernel(const Row& row);

/// A row with one value for each of its lists.
struct Variant {
  const Row* row = nullptr;
  Settings settings;

  /// "RR BLOCK=16"
  std::string label() const;
  /// The value of the setting, or nothing.
  std::optional<std::string> setting(const std::string& name) const;
};

struct Ratio {
  std::string to;               // name of a row; "" if there are no ratios
  Metric of = Metric::time_ms;  // the time that is compared
  bool interleaved = false;     // both are measured in turn, and the ratio has an interval

  /// The meaning of a ratio: "times as fast as slow"; a name with blanks stands in quotes.
  std::string words() const;
};

struct Plot {
  std::string name;  // of its file without ".svg": "time"
  std::string x;     // "shape", "row", or the name of a setting
  Metric y{};
  std::vector<std::string> rows;  // to draw; empty: all
  Settings only;                  // settings that a variant must have
  std::optional<int> shape;       // to draw if x is a setting; nothing: a curve for each shape
  bool log_x = false;
  bool log_y = false;
};

/// Figures that a document reports, as it prints them.
struct Reported {
  struct Figure {
    std::string row;
    Settings settings;
    std::map<int, double> values;  // by shape
  };
  std::string source;  // "S5"
  std::string device;  // "GeForce RTX 3080"
  Metric metric{};
  std::vector<Figure> figures;
};

struct Experiment {
  std::string id;  // "storage", the folder's name
  std::string title;
  std::string question;
  const Operation* operation = nullptr;
  Element element = Element::float32;
  int multiple_of = 1;                // divides every shape
  std::vector<int> shapes;            // to time; every extent of the operation is that long
  std::vector<int> simulated_shapes;  // to run in the simulator
  std::vector<std::string> devices;   // further profiles for which occupancy is calculated
  std::vector<Row> rows;
  std::vector<Metric> measure;  // in the order of columns
  Ratio ratio;
  std::vector<Plot> plots;
  std::vector<Reported> reported;
  std::filesystem::path directory;

  bool measures(Metric metric) const;
  const Row* row_called(const std::string& name) const;

  /// The operation's extents, each `shape` long.
  Extents extents_of(int shape) const;

  /// The number of the operation's inner steps at `shape`.
  double work(int shape) const;
};

/// Reads DIRECTORY/experiment.yaml. `labs` is the folder of the references' labs. Errors name file,
/// line, column, the value and the nearest known word.
Expected<Experiment> load_experiment(const std::filesystem::path& directory,
                                     const std::filesystem::path& labs);

/// The folders in labs/experiments that hold an experiment.yaml, sorted.
std::vector<std::filesystem::path> find_experiments(const std::filesystem::path& labs);

/// The folder of the experiment `name`. Errors: there is none of that name (the nearest name is
/// suggested), or there are no experiments at all.
Expected<std::filesystem::path> find_experiment(const std::filesystem::path& labs,
                                                const std::string& name);

/// The folders of `names`, each once; of all experiments if there are no names.
Expected<std::vector<std::filesystem::path>> chosen_experiments(
    const std::vector<std::string>& names, const std::filesystem::path& labs);

/// All variants, row by row; the last of a row's lists changes fastest. They point into
/// `experiment`.
std::vector<Variant> variants_of(const Experiment& experiment);

/// The variant of row `name` that agrees with `settings` on all names that both have; nullptr if
/// there is none or several.
const Variant* matching_variant(const std::vector<Variant>& variants, const std::string& name,
                                const Settings& settings);

}  // namespace tessera
