// An operation that a lab declares in its lab.yaml, with a kernel in the lab's folder as its
// reference.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/operation.h"

namespace tessera {

/// An operand of a declared operation; each side is an extent's name or a number.
struct DeclaredOperand {
  std::string name;
  std::string height;
  std::string width;
};

class DeclaredOperation final : public Operation {
 public:
  /// `work` lists extents whose product is the number of inner steps.
  DeclaredOperation(std::string name, std::vector<std::string> extents,
                    std::vector<DeclaredOperand> inputs, DeclaredOperand output,
                    std::vector<std::string> work)
      : name_(std::move(name)),
        extents_(std::move(extents)),
        inputs_(std::move(inputs)),
        output_(std::move(output)),
        work_(std::move(work)) {}

  std::string_view name() const override { return name_; }
  const std::vector<std::string>& extents() const override { return extents_; }
  std::vector<Operand> operands(const Extents& extents) const override;
  double work(const Extents& extents) const override;
  bool has_host_reference() const override { return false; }

  /// Throws std::logic_error: only the lab's reference.cu can compute it.
  Reference reference(std::span<const HostMatrix> inputs) const override;

 private:
  std::string name_;
  std::vector<std::string> extents_;
  std::vector<DeclaredOperand> inputs_;
  DeclaredOperand output_;
  std::vector<std::string> work_;
};

}  // namespace tessera
