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
  std::string what;            // kernel: its name; reference: the lab's id; host: the product
  std::filesystem::path file;  // kernel: its source
  std::vector<std::string> arguments;  // kernel: as in lab.yaml
  std::optional<int> max_shape;        // larger shapes are left out: they would take too long
  /// Every combination is a variant. Names are parameters, `threads`, `memory` and `carveout`.
  std::vector<std::pair<std::string, std::vector<std::string>>> lists;
};

/// Whether the row runs a kernel of ours: the experiment's own or a reference.
bool runs_kernel(const Row& row);

/// A row with one value for each of its lists.
struct Variant {
  const Row* row = nullptr;
  Settings settings;

  /// "RR BLOCK=16"
  std::string label() const;
  /// What is set, or nothing.
  std::optional<std::string> setting(const std::string& name) const;
};

struct Ratio {
  std::string to;               // name of a row; "": there are no ratios
  Metric of = Metric::time_ms;  // a time
  bool interleaved = false;     // both are measured in turn, and the ratio has an interval

  /// What a ratio says: "times as fast as slow"; a name with blanks stands in quotes.
  std::string words() const;
};

struct Plot {
  std::string name;  // of its file: "time"
  std::string x;     // "shape", "row", or the name of a setting
  Metric y{};
  std::vector<std::string> rows;  // those drawn; empty: all
  Settings only;                  // settings that a variant must have
  std::optional<int> shape;       // the one drawn, where x is a setting; else a curve for each
  bool log_x = false;
  bool log_y = false;
};

/// Figures of a document, as it prints them.
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
  int multiple_of = 1;                // every shape is
  std::vector<int> shapes;            // measured; every extent of the operation is that long
  std::vector<int> simulated_shapes;  // run in the simulator
  std::vector<std::string> devices;   // profiles for which occupancy is calculated besides
  std::vector<Row> rows;
  std::vector<Metric> measure;  // in the order of columns
  Ratio ratio;
  std::vector<Plot> plots;
  std::vector<Reported> reported;
  std::filesystem::path directory;

  bool measures(Metric metric) const;
  const Row* row_called(const std::string& name) const;

  /// Every extent of the operation `shape` long.
  Extents extents_of(int shape) const;

  /// The operation's inner steps at `shape`.
  double work(int shape) const;
};

/// Reads DIRECTORY/experiment.yaml. `labs` is where references are looked up. Errors name file,
/// line, column, the value and the nearest known word.
Expected<Experiment> load_experiment(const std::filesystem::path& directory,
                                     const std::filesystem::path& labs);

/// Folders in labs/experiments that hold an experiment.yaml, sorted.
std::vector<std::filesystem::path> find_experiments(const std::filesystem::path& labs);

/// The folder of the experiment `name`. Errors: none of that name (with the nearest), none at all.
Expected<std::filesystem::path> find_experiment(const std::filesystem::path& labs,
                                                const std::string& name);

/// The folders of `names`, each once; all of them where there are no names.
Expected<std::vector<std::filesystem::path>> chosen_experiments(
    const std::vector<std::string>& names, const std::filesystem::path& labs);

/// All variants, row by row; of a row's lists the last one changes fastest. They point into
/// `experiment`.
std::vector<Variant> variants_of(const Experiment& experiment);

/// The variant of row `name` that has every setting that it shares with `settings`; nullptr where
/// there is none or several.
const Variant* matching_variant(const std::vector<Variant>& variants, const std::string& name,
                                const Settings& settings);

}  // namespace tessera
