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

  /// Makes the operands and places them in memory. Errors: a dataset that does not fit.
  std::optional<Error> make(const Lab& lab, const Case& test_case);

  /// The request to launch the submission's kernel on them. The seed decides its poison, its order
  /// of threads and what the kernel reads as the clock. The request points at this object's memory.
  RunRequest launch(const CaseContext& context, const LaunchShape& shape);

  /// An element that a launch wrote, by its row-major index.
  struct Written {
    std::int32_t element;
    double value;
  };
  /// The elements of the output that are no longer poison after a launch of some blocks, in the
  /// order of their indices.
  std::vector<Written> written() const;

  const Operand& output() const { return buffers_.back().data.operand; }

  /// The inputs as they were made; this object does not have them afterwards.
  std::vector<HostMatrix> take_inputs();

  /// The operands as they were made, and their contents as a launch left them; this object has none
  /// of them afterwards.
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
