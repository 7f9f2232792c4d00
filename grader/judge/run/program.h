// Reads, compiles and loads a submission, all of which must succeed before a case can run.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "common/finding.h"
#include "grader/compile/source.h"
#include "grader/interpreter/interpreter.h"
#include "grader/judge/points/record.h"
#include "grader/judge/run/grade_options.h"
#include "grader/lab/lab.h"
#include "grader/simulator/simulator.h"

namespace tessera {

/// Why a submission cannot run at all. `status` is error, or review if the simulator cannot judge
/// it, or infra if this machine or the lab is to blame.
struct Refusal {
  Status status = Status::error;
  Text message;
  Text hint = {};
  std::vector<Finding> findings = {};
};

/// A lab's compiled reference.cu, with the kernel that calls it.
struct ReferenceProgram {
  std::shared_ptr<const Module> module;  // simulated in this process: it is the teacher's
  std::string ptx;                       // for a GPU
};

/// A submission that is compiled and loaded.
struct Program {
  std::shared_ptr<Interpreter> interpreter;  // has loaded `ptx`
  KernelInfo kernel;                         // the lab's kernel, its parameters checked
  KernelInfo launcher;                       // the grader's kernel that calls `launch`
  std::string ptx;
  std::string module;  // what a GPU loads: a cubin, or PTX, which the driver translates
  std::map<std::string, ArrayShape> arrays;           // as the source declares them
  std::map<int, int> return_lines;                    // of the source
  std::map<std::string, std::set<int>> name_lines;    // of the source
  bool assembly = false;                              // the source may have asm()
  std::vector<Finding> warnings;                      // of the compiler
  std::optional<int> registers;                       // of a thread, if there is machine code
  std::shared_ptr<const ReferenceProgram> reference;  // of a lab that declares its operation
};

/// The submission's source, or why there is none: the file is missing, over 1 MiB, or a link that
/// leads out of `options.submissions`.
std::variant<Source, Refusal> read_submission(const Lab& lab,
                                              const std::filesystem::path& submission,
                                              const GradeOptions& options);

/// The compilation of a submission with the grader's launch kernel behind it.
CompileRequest compile_request(const Lab& lab, const Source& source, const CompilerSetup& compiler);

/// A process that is ready to load a submission's PTX. Throws as Interpreter does.
std::shared_ptr<Interpreter> start_interpreter(const Machine& machine);

/// Loads a compiled submission into `interpreter` and finds its kernels. `is_assembled`: ptxas has
/// accepted the source.
std::variant<Program, Refusal> load_program(const Lab& lab,
                                            std::shared_ptr<Interpreter> interpreter,
                                            const std::string& ptx, const Source& source = {},
                                            bool is_assembled = false);

/// Compiles and loads `source`; sets `compiler` to the one that was used, as soon as it is known.
std::variant<Program, Refusal> build_program(const Lab& lab, const Source& source,
                                             const GradeOptions& options, std::string& compiler);

}  // namespace tessera
