// An output that is not what it must be, with all that can explain it: the inputs, the reference,
// and the launch.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/host_matrix.h"
#include "common/launch.h"
#include "common/operation.h"
#include "common/wording.h"

namespace tessera {

/// What the comparison says of one element.
enum class Verdict { right, unwritten, not_finite, wrong };

/// Rows x columns.
struct TileShape {
  int height = 1;
  int width = 1;
  bool operator==(const TileShape&) const = default;
};

/// What an element is under a hypothesis; NaN if it is not a number.
struct Prediction {
  double value = 0;
  double tolerance = 0;
};

/// Returns the operation's reference for other inputs of the same shapes: that of `elements`
/// (row-major indices), or of all if there are none. Nothing if it cannot be computed.
using ReferenceFor = std::function<std::optional<Reference>(
    const std::vector<HostMatrix>& inputs, std::span<const std::int32_t> elements)>;

class WrongOutput {
 public:
  struct Parts {
    const Operation* operation = nullptr;
    Extents extents;
    std::vector<Operand> operands;   // the output last
    std::vector<HostMatrix> inputs;  // as the kernel got them
    HostMatrix got;
    Reference reference;
    LaunchShape shape;
    std::uint64_t shared_bytes = 0;  // of a block, static and dynamic
    ReferenceFor reference_for;
  };

  explicit WrongOutput(Parts parts);

  const Operation& operation() const { return *parts_.operation; }
  const Extents& extents() const { return parts_.extents; }
  const std::string& name() const { return parts_.operands.back().name; }
  const std::string& input_name(std::size_t i) const { return parts_.operands[i].name; }
  const std::vector<HostMatrix>& inputs() const { return parts_.inputs; }
  const HostMatrix& got() const { return parts_.got; }
  const LaunchShape& shape() const { return parts_.shape; }
  int height() const { return parts_.got.height(); }
  int width() const { return parts_.got.width(); }
  bool has(int row, int column) const {
    return row >= 0 && row < height() && column >= 0 && column < width();
  }

  Verdict verdict(int row, int column) const { return verdicts_[index(row, column)]; }
  double value(int row, int column) const { return parts_.got.value(row, column); }
  Prediction right(int row, int column) const {
    return {parts_.reference.value[index(row, column)], parts_.reference.bound[index(row, column)]};
  }

  /// Whether the element is what is predicted. A prediction that is not finite holds for every
  /// element that is not finite.
  bool holds(int row, int column, const Prediction& prediction) const;

  std::optional<Reference> reference_for(const std::vector<HostMatrix>& inputs,
                                         std::span<const std::int32_t> elements) const {
    return parts_.reference_for(inputs, elements);
  }

  /// Explains where an element of an operand (the output is the last) lies in memory, as a hint for
  /// a kernel that takes its rows to be another length apart.
  Text place_text(std::size_t operand) const;

  /// How far apart the rows of each operand but `operand` are: {"the pitch of B", 40}.
  std::vector<std::pair<Text, int>> other_pitches(std::size_t operand) const;

  /// Sizes that a tile of the kernel may have along an inner extent, from the block's extents and
  /// its shared memory; each at least 2.
  std::vector<int> tile_sizes() const;

  /// Parts of the output that one block may compute, the likeliest first.
  std::vector<TileShape> tile_shapes() const;

 private:
  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width()) +
           static_cast<std::size_t>(column);
  }
  Verdict verdict_of(int row, int column) const;
  /// The name of the operation's extent that is the width of an operand, if there is one.
  std::optional<std::string> width_extent(std::size_t operand) const;

  Parts parts_;
  std::vector<Verdict> verdicts_;
};

/// The element at `index` in memory, of a matrix or its padding. Outside of the matrix it is
/// poison, as the simulator's loads give there.
double element_at(const HostMatrix& matrix, std::int64_t index);

}  // namespace tessera
