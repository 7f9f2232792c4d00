// The operands of one case in the simulator's memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/run/case_data.h"
#include "grader/simulator/check/memory.h"
#include "grader/simulator/simulator.h"

namespace tessera {

class SimulatedOperands {
 public:
  explicit SimulatedOperands(DataSeed seed) : seed_(seed) {}

  /// Makes and places them. Errors: a dataset that does not fit.
  std::optional<Error> make(const Lab& lab, const Case& test_case);

  /// The launch of the submission's kernel on them, with what the seed decides. The request points
  /// at this object's memory.
  RunRequest launch(const CaseContext& context, const LaunchShape& shape);

  /// After a launch of some blocks alone: the elements of the output that are no longer poison, by
  /// rising row-major index.
  struct Written {
    std::int32_t element;
    double value;
  };
  std::vector<Written> written() const;

  /// The output, and the inputs as they were made, which this object has no more afterwards.
  const Operand& output() const { return buffers_.back().data.operand; }
  std::vector<HostMatrix> take_inputs();

  /// As they were made, and as a launch left them; this object has none of them afterwards.
  std::pair<std::vector<OperandData>, std::vector<HostMatrix>> take();

 private:
  struct Buffer {
    OperandData data;
    std::uint64_t address = 0;
  };

  Argument argument_called(const std::string& name, const Case& test_case) const;

  DataSeed seed_;
  DeviceMemory memory_{DeviceMemory::Storage::shared};
  std::vector<Buffer> buffers_;  // inputs first
};

}  // namespace tessera
