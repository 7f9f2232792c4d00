#include "grader/compile/remedies.h"

#include <algorithm>
#include <string>

#include "common/text.h"

namespace tessera {
namespace {

constexpr Phrase kKeep = Phrase::verbatim;  // the compiler's words

constexpr Remedy kRemedies[] = {
    {"A function without execution space annotations", Phrase::host_function_here,
     Phrase::write_device_hint},
    {"explicitly marked as a __host__ function", Phrase::host_function_here,
     Phrase::write_host_device_hint},
    {"A namespace scope variable without memory space annotations", Phrase::host_variable,
     Phrase::host_variable_hint},
    {"lambda closure class members was inferred to be __host__", Phrase::host_lambda,
     Phrase::host_lambda_hint},
    {"device-side kernel launch", Phrase::nested_launch, Phrase::nested_launch_hint},
    {"call to __host__ function", kKeep, Phrase::calls_host_function_hint},
    {"reference to __host__ variable", kKeep, Phrase::names_host_variable_hint},
    {"reference to __host__ function", kKeep, Phrase::names_host_function_hint},
    {"uses too much shared data", kKeep, Phrase::shared_too_large_hint},
    {"Unresolved extern function", kKeep, Phrase::undefined_function_hint},
    {"INT_MAX", kKeep, Phrase::add_limits_hint},
    {"INT_MIN", kKeep, Phrase::add_limits_hint},
    {"UINT_MAX", kKeep, Phrase::add_limits_hint},
    {"FLT_MAX", kKeep, Phrase::add_limits_hint},
    {"FLT_MIN", kKeep, Phrase::add_limits_hint},
    {"FLT_EPSILON", kKeep, Phrase::add_limits_hint},
    {"DBL_MAX", kKeep, Phrase::add_limits_hint},
    {"INFINITY", kKeep, Phrase::add_limits_hint},
    {"\"NAN\"", kKeep, Phrase::add_limits_hint},
    {"'NAN'", kKeep, Phrase::add_limits_hint},
    {"int8_t", kKeep, Phrase::add_limits_hint},
    {"int16_t", kKeep, Phrase::add_limits_hint},
    {"int32_t", kKeep, Phrase::add_limits_hint},
    {"int64_t", kKeep, Phrase::add_limits_hint},
    {"\"uint\"", kKeep, Phrase::short_unsigned_hint},
    {"'uint'", kKeep, Phrase::short_unsigned_hint},
    {"\"ushort\"", kKeep, Phrase::short_unsigned_hint},
    {"'ushort'", kKeep, Phrase::short_unsigned_hint},
    {"file not found", kKeep, Phrase::clang_has_no_toolkit_hint, "#"},
    // An array's extent.
    {"variable-length arrays", Phrase::extent_not_constant, Phrase::extent_not_constant_hint},
    {"variable length array", Phrase::extent_not_constant, Phrase::extent_not_constant_hint},
    {"expression must have a constant value", kKeep, Phrase::extent_not_constant_hint, "["},
    {"needs an explicit size", kKeep, Phrase::extent_missing_hint, "__shared__"},
    {"incomplete type", kKeep, Phrase::extent_missing_hint, "__shared__"},
    {"incomplete element type", Phrase::dynamic_array_shape, Phrase::dynamic_array_shape_hint,
     "__shared__"},
    {"an array may not have elements of this type", Phrase::dynamic_array_shape,
     Phrase::dynamic_array_shape_hint, "__shared__"},
    {"cannot be 'extern'", Phrase::dynamic_array_shape, Phrase::dynamic_array_shape_hint},
    {"expected ';' at end of declaration", kKeep, Phrase::alignas_first_hint, "alignas"},
    {"implicitly deleted because variant field", kKeep, Phrase::union_by_member_hint},
    // Matrix.
    {"does not provide a subscript operator", kKeep, Phrase::matrix_element_hint},
    {"no operator \"[]\" matches", kKeep, Phrase::matrix_element_hint},
    {"subscripted value is not an array", kKeep, Phrase::pointer_element_hint},
    {"must have pointer-to-object type", kKeep, Phrase::pointer_element_hint},
    {"conversion from 'Matrix<const", kKeep, Phrase::const_matrix_hint},
    {"conversion from \"Matrix<const", kKeep, Phrase::const_matrix_hint},
    {"cannot assign to return value", kKeep, Phrase::read_only_hint},
    {"read-only variable is not assignable", kKeep, Phrase::read_only_hint},
    {"must be a modifiable lvalue", kKeep, Phrase::read_only_hint},
    {"no setter defined for property", Phrase::built_in_variable, Phrase::built_in_variable_hint},
    // Rounding up.
    {"call to 'ceil' is ambiguous", Phrase::ceil_of_int, Phrase::ceil_of_int_hint},
    {"overloaded function \"ceil\"", Phrase::ceil_of_int, Phrase::ceil_of_int_hint},
    {"matching function for call to 'ceil_div'", kKeep, Phrase::ceil_div_types_hint},
    {"function template \"ceil_div\"", kKeep, Phrase::ceil_div_types_hint},
    {"invalid narrowing conversion", kKeep, Phrase::narrowing_hint},
    // Functions of several types.
    {"call to 'max' is ambiguous", kKeep, Phrase::mixed_types_hint},
    {"overloaded function \"max\"", kKeep, Phrase::mixed_types_hint},
    {"call to 'min' is ambiguous", kKeep, Phrase::mixed_types_hint},
    {"overloaded function \"min\"", kKeep, Phrase::mixed_types_hint},
    {"call to 'pow' is ambiguous", kKeep, Phrase::mixed_types_hint},
    {"overloaded function \"pow\"", kKeep, Phrase::mixed_types_hint},
    {"call to 'sqrt' is ambiguous", kKeep, Phrase::mixed_types_hint},
    {"overloaded function \"sqrt\"", kKeep, Phrase::mixed_types_hint},
    // Warnings.
    {"loop not unrolled", Phrase::not_unrolled, Phrase::not_unrolled_hint},
    {"is uninitialized when", kKeep, Phrase::start_value_hint},
    {"is used before its value is set", kKeep, Phrase::start_value_hint},
    {"used uninitialized whenever", kKeep, Phrase::start_value_hint},
    {"set but not used", kKeep, Phrase::never_read_hint},
    {"left operand of comma operator", kKeep, Phrase::comma_in_brackets_hint},
    {"expression has no effect", kKeep, Phrase::comma_in_brackets_hint, ","},
    {"expression has no effect", kKeep, Phrase::no_effect_hint},
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

std::string compilers_words(const Text& message) {
  Text words = message;
  std::erase_if(words.statements(),
                [](const Statement& said) { return said.phrase != Phrase::verbatim; });
  return words.str();
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
