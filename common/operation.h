// What a lab computes: shapes, cost and the host's reference, behind one interface. A new operation
// is one file.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/host_matrix.h"

namespace tessera {

/// The extents of a case by name: {"m": 64, "n": 48, "k": 32}.
using Extents = std::map<std::string, int>;

struct Operand {
  std::string name;  // "A"
  int height = 0;
  int width = 0;
  bool output = false;
};

/// The correct output, per element in row-major order without padding. Element i is right if |got -
/// value[i]| <= bound[i], so NaN on either side is wrong.
struct Reference {
  std::vector<double> value;
  std::vector<double> bound;
};

class Operation {
 public:
  virtual ~Operation() = default;

  virtual std::string_view name() const = 0;

  /// Names of the extents, in the order in which `launch` takes them: m, n, k.
  virtual const std::vector<std::string>& extents() const = 0;

  /// The inputs, then the only output.
  virtual std::vector<Operand> operands(const Extents& extents) const = 0;

  /// Inner steps (multiply-adds for matmul, differences for adjacent_difference).
  virtual double work(const Extents& extents) const = 0;

  /// Whether the output is the matrix product of the two inputs, which can be verified faster than
  /// it can be computed.
  virtual bool is_product() const { return false; }

  /// Whether reference() computes it on the host. The reference of an operation that a lab declares
  /// is a kernel.
  virtual bool has_host_reference() const { return true; }

  /// The reference, and a bound on its distance from the result of any order of evaluation in the
  /// element type's precision. float32: the reference is computed in float64; if every input is a
  /// whole number and every sum of magnitudes is at most 2^24, float32 is exact in any order, and
  /// the bound is 0. int32: wraps modulo 2^32, bound 0. matmul: bound = gamma_k (|A||B|)_ij,
  /// gamma_k = k u / (1 - k u), u = 2^-24 (Higham, Accuracy and Stability, 3.1), or 2^-23 if the
  /// inputs have 16 bits, plus k times the smallest subnormal for underflow. Throws
  /// std::invalid_argument if the inputs do not fit each other.
  virtual Reference reference(std::span<const HostMatrix> inputs) const = 0;

  /// The same for the elements with these row-major indices only: value[i] and bound[i] belong to
  /// elements[i].
  virtual Reference reference_at(std::span<const HostMatrix> inputs,
                                 std::span<const std::int32_t> elements) const;
};

/// The operation named `name`; nullptr if there is none. The object lives as long as the program.
const Operation* find_operation(std::string_view name);

/// Names of all operations, sorted.
std::vector<std::string> operation_names();

}  // namespace tessera
