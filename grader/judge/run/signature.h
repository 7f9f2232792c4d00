// Finds a lab's kernel in a module and checks its parameter list.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/finding.h"
#include "grader/compile/source.h"
#include "grader/lab/lab.h"
#include "grader/simulator/simulator.h"

namespace tessera {

/// A parameter that a lab's kernel must have.
struct Parameter {
  std::string name;                // "A"
  std::string type;                // as a student writes it: "Matrix<const float>"
  std::vector<std::string> types;  // all that are accepted
  std::uint32_t bytes = 0;
};

/// The parameters that lab.yaml's `arguments` ask for, in order.
std::vector<Parameter> expected_parameters(const Lab& lab);

/// "__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C)"
std::string expected_declaration(const Lab& lab);

/// "__host__ __device__ Launch launch(int m, int n, int k)"
std::string expected_launch(const Lab& lab);

/// "the file's first line says Lab 07: is it another lab's kernel?" if a comment at the top of
/// `source` names another lab; else nothing. Every skeleton begins with a line that names its lab.
Text other_lab_remark(const Lab& lab, const Source& source);

/// The same in parentheses, to follow a message: " (...)".
Text other_lab_in_parentheses(const Lab& lab, const Source& source);

/// The types in a demangled signature, as a student writes them; nothing if it has no parameter
/// list (extern "C").
std::optional<std::vector<std::string>> parameter_types(const std::string& signature);

/// The lab's kernel among `kernels`, or a does-not-compile finding that says what is missing or
/// which parameter differs. The kernel's line is looked up in `source`.
std::variant<KernelInfo, Finding> find_kernel(const std::vector<KernelInfo>& kernels,
                                              const Lab& lab, const Source& source);

}  // namespace tessera
