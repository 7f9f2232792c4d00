#include "grader/compile/remedies.h"

#include <algorithm>
#include <string>

#include "common/text.h"

namespace tessera {
namespace {

constexpr std::string_view kLimitsHint =
    "add #include <tessera/limits.cuh>, which defines fixed-width integers and numeric limits";

constexpr std::string_view kUnsignedHint =
    "these short names come with some systems' headers alone: write unsigned int, or unsigned "
    "short";

constexpr std::string_view kExtentMessage = "the extent of this array is not a constant";
constexpr std::string_view kExtentHint =
    "the extent of an array must be a constant that the compiler knows, as BLOCK or TILE is; for "
    "one that launch() decides, declare extern __shared__";
constexpr std::string_view kExternHint =
    "write extern before __shared__, and launch() says how many bytes it has; or give it a "
    "constant extent";
constexpr std::string_view kDynamicMessage = "a dynamic shared array is one row without an extent";
constexpr std::string_view kDynamicHint =
    "declare it as in: extern __shared__ float shared[]; and compute the index: "
    "shared[row * width + column]";
constexpr std::string_view kElementHint =
    "an element of a Matrix is written A(row, column), not A[row][column]";
constexpr std::string_view kPointerHint =
    "what a pointer leads to has one index: A[row * width + column]";
constexpr std::string_view kConstHint =
    "its elements are read only, and a view of them is too: declare it as auto, or with const as "
    "in Matrix<const float>";
constexpr std::string_view kStoreHint =
    "this can only be read: inputs are const, and a result is stored in the output";
constexpr std::string_view kCeilMessage = "ceil rounds a float or a double, and this is an int";
constexpr std::string_view kCeilHint =
    "between two ints, / has rounded down before ceil is called: ceil_div(total, piece) rounds up";
constexpr std::string_view kCeilDivHint =
    "ceil_div(total, piece) needs two arguments of one type: two ints";
constexpr std::string_view kStartHint =
    "give it a value where it is declared, as in: float sum = 0.0f;";
constexpr std::string_view kCommaHint =
    "a comma inside [ ] drops what stands before it: A[row * width + column], or A(row, column) of "
    "a Matrix";

constexpr std::string_view kMixedHint =
    "there is one of these functions for each type: give all arguments the same type, as in "
    "max(x, 0.0f) or sqrt(static_cast<float>(n))";

constexpr Remedy kRemedies[] = {
    {"A function without execution space annotations",
     "this is a host function, and a kernel file is compiled for the device alone",
     "write __device__ before it; allocation, launches and timing are the grader's"},
    {"explicitly marked as a __host__ function",
     "this is a host function, and a kernel file is compiled for the device alone",
     "write __host__ __device__ or __device__; allocation, launches and timing are the grader's"},
    {"A namespace scope variable without memory space annotations",
     "this variable would live in host memory, which a kernel file has not",
     "write __device__ or __constant__ before it, or make it constexpr"},
    {"lambda closure class members was inferred to be __host__",
     "this lambda would run on the host, and a kernel file is compiled for the device alone",
     "define it inside the kernel that uses it"},
    {"device-side kernel launch", "a kernel cannot be launched from this file",
     "the grader launches the kernel with what launch() returns"},
    {"call to __host__ function", "", "write __device__ before the function that is called"},
    {"reference to __host__ variable", "", "write __device__ or __constant__ before the variable"},
    {"reference to __host__ function", "", "write __device__ before the function"},
    {"uses too much shared data", "",
     "variables in shared memory may hold 48 KiB together; beyond that, declare extern __shared__ "
     "and ask for the bytes in launch()"},
    {"Unresolved extern function", "", "define the function in this file"},
    {"INT_MAX", "", kLimitsHint},
    {"INT_MIN", "", kLimitsHint},
    {"UINT_MAX", "", kLimitsHint},
    {"FLT_MAX", "", kLimitsHint},
    {"FLT_MIN", "", kLimitsHint},
    {"FLT_EPSILON", "", kLimitsHint},
    {"DBL_MAX", "", kLimitsHint},
    {"INFINITY", "", kLimitsHint},
    {"\"NAN\"", "", kLimitsHint},
    {"'NAN'", "", kLimitsHint},
    {"int8_t", "", kLimitsHint},
    {"int16_t", "", kLimitsHint},
    {"int32_t", "", kLimitsHint},
    {"int64_t", "", kLimitsHint},
    {"\"uint\"", "", kUnsignedHint},
    {"'uint'", "", kUnsignedHint},
    {"\"ushort\"", "", kUnsignedHint},
    {"'ushort'", "", kUnsignedHint},
    {"file not found", "", kClangHasNoToolkit, "#"},
    // An array's extent.
    {"variable-length arrays", kExtentMessage, kExtentHint},
    {"variable length array", kExtentMessage, kExtentHint},
    {"expression must have a constant value", "", kExtentHint, "["},
    {"needs an explicit size", "", kExternHint, "__shared__"},
    {"incomplete type", "", kExternHint, "__shared__"},
    {"incomplete element type", kDynamicMessage, kDynamicHint, "__shared__"},
    {"an array may not have elements of this type", kDynamicMessage, kDynamicHint, "__shared__"},
    {"cannot be 'extern'", kDynamicMessage, kDynamicHint},
    {"expected ';' at end of declaration", "",
     "Clang takes alignas at the beginning alone: alignas(16) __shared__ float tile[64];",
     "alignas"},
    // Matrix.
    {"does not provide a subscript operator", "", kElementHint},
    {"no operator \"[]\" matches", "", kElementHint},
    {"subscripted value is not an array", "", kPointerHint},
    {"must have pointer-to-object type", "", kPointerHint},
    {"conversion from 'Matrix<const", "", kConstHint},
    {"conversion from \"Matrix<const", "", kConstHint},
    {"cannot assign to return value", "", kStoreHint},
    {"read-only variable is not assignable", "", kStoreHint},
    {"must be a modifiable lvalue", "", kStoreHint},
    {"no setter defined for property", "this variable is built in and cannot be changed",
     "with Clang, a copy that is to be changed needs its type: uint3 copy = blockIdx;"},
    // Rounding up.
    {"call to 'ceil' is ambiguous", kCeilMessage, kCeilHint},
    {"overloaded function \"ceil\"", kCeilMessage, kCeilHint},
    {"matching function for call to 'ceil_div'", "", kCeilDivHint},
    {"function template \"ceil_div\"", "", kCeilDivHint},
    {"invalid narrowing conversion", "",
     "NVRTC, which compiles here, takes no such conversion between braces, nvcc and Clang do: "
     "write it out, as in static_cast<unsigned int>(value)"},
    // Functions of several types.
    {"call to 'max' is ambiguous", "", kMixedHint},
    {"overloaded function \"max\"", "", kMixedHint},
    {"call to 'min' is ambiguous", "", kMixedHint},
    {"overloaded function \"min\"", "", kMixedHint},
    {"call to 'pow' is ambiguous", "", kMixedHint},
    {"overloaded function \"pow\"", "", kMixedHint},
    {"call to 'sqrt' is ambiguous", "", kMixedHint},
    {"overloaded function \"sqrt\"", "", kMixedHint},
    // Warnings.
    {"loop not unrolled", "this loop is not unrolled",
     "#pragma unroll does nothing for a loop whose number of rounds only the running kernel knows, "
     "and Clang leaves a loop as it is whose copies would be too many instructions"},
    {"is uninitialized when", "", kStartHint},
    {"is used before its value is set", "", kStartHint},
    {"used uninitialized whenever", "", kStartHint},
    {"set but not used", "", "is the line missing that stores it, or reads it?"},
    {"left operand of comma operator", "", kCommaHint},
    {"expression has no effect", "", kCommaHint, ","},
    {"expression has no effect", "", "a call needs its (), and storing a value needs ="},
};

constexpr std::string_view kLabNames[] = {"Matrix", "Launch", "ceil_div"};
constexpr std::string_view kUnknown[] = {"no template named", "undeclared identifier",
                                         "unknown type name", "is undefined"};

}  // namespace

const Remedy* find_remedy(std::string_view message, std::string_view note,
                          std::string_view source_line) {
  const auto fits = [&](const Remedy& remedy) {
    return (holds(message, remedy.symptom) || holds(note, remedy.symptom)) &&
           holds(source_line, remedy.source_line);
  };
  const auto found = std::ranges::find_if(kRemedies, fits);
  return found == std::end(kRemedies) ? nullptr : found;
}

bool says_more(std::string_view note) {
  return !note.starts_with("candidate ") && !note.starts_with("expanded from") &&
         !note.starts_with("to match this") && !note.ends_with(" here");
}

std::string_view unknown_lab_name(std::string_view message) {
  const bool unknown =
      std::ranges::any_of(kUnknown, [&](std::string_view words) { return holds(message, words); });
  if (!unknown) return "";
  for (const std::string_view name : kLabNames) {
    for (const char quote : {'\'', '"'}) {
      if (holds(message, quote + std::string(name) + quote)) return name;
    }
  }
  return "";
}

}  // namespace tessera
