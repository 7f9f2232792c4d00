#include "grader/compile/vector_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include "common/text.h"

namespace tessera {
namespace {

struct VectorType {
  std::string_view name;
  std::string_view element;  // LLVM's name
  int components;
  int element_bytes;

  int bytes() const { return components * element_bytes; }
};

constexpr VectorType kVectorTypes[] = {
    {"float2", "float", 2, 4},   {"float4", "float", 4, 4},  {"int2", "i32", 2, 4},
    {"int4", "i32", 4, 4},       {"uint2", "i32", 2, 4},     {"uint4", "i32", 4, 4},
    {"double2", "double", 2, 8}, {"long2", "i64", 2, 8},     {"ulong2", "i64", 2, 8},
    {"longlong2", "i64", 2, 8},  {"ulonglong2", "i64", 2, 8}};

/// Removes `start` from the beginning of `text`. Returns whether it was there.
bool skip(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

/// Removes and returns what precedes the first of `ends`.
std::string_view cut_until(std::string_view& text, std::string_view ends) {
  const std::string_view word = text.substr(0, text.find_first_of(ends));
  text.remove_prefix(word.size());
  return word;
}

/// The parts between the commas of `text` up to the parenthesis that ends them. Removes them and
/// the parenthesis from `text`.
std::vector<std::string_view> cut_list(std::string_view& text) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ')';
    if (depth == 0 && (c == ',' || c == ')')) {
      std::string_view part = text.substr(start, at - start);
      while (skip(part, " ")) continue;
      parts.push_back(part);
      start = at + 1;
      if (c == ')') break;
    } else {
      depth += (c == '(' || c == '[' || c == '{' || c == '<');
      depth -= (c == ')' || c == ']' || c == '}' || c == '>');
    }
  }
  text.remove_prefix(std::min(start, text.size()));
  return parts;
}

/// The type that a pointer points to, according to the text.
struct Pointee {
  const VectorType* vector = nullptr;
  bool in_array = false;  // an element of a declared array, whose alignment Clang uses
  bool local = false;     // in a variable of the function, whose alignment Clang knows
};

/// The pointee of `type`, which is inside `arrays` arrays: "[4 x [8 x %struct.float4]]".
Pointee pointee(std::string_view type, int& arrays) {
  for (arrays = 0; skip(type, "["); ++arrays) {
    cut_until(type, "x");
    skip(type, "x ");
  }
  if (!skip(type, "%")) return {.in_array = arrays > 0};
  if (!skip(type, "struct.")) return {};
  const std::string_view name = cut_until(type, "]* ,");
  const auto* const found = std::ranges::find(kVectorTypes, name, &VectorType::name);
  return {.vector = found == std::end(kVectorTypes) ? nullptr : found};
}

/// One side of a copy: "i8* align 16 %7" or "ptr noundef align 4 @tile".
struct Side {
  std::string_view pointer_type;
  std::string_view operand;
  int alignment = 1;
};

Side side(std::string_view argument) {
  Side result;
  result.pointer_type = cut_until(argument, " ");
  while (skip(argument, " ")) {
    if (skip(argument, "align ")) {
      const std::string_view digits = cut_until(argument, " ");
      std::from_chars(digits.data(), digits.data() + digits.size(), result.alignment);
    } else if (argument.starts_with("noundef ") || argument.starts_with("nonnull ") ||
               argument.starts_with("dereferenceable")) {
      cut_until(argument, " ");
    } else {
      result.operand = argument;
      break;
    }
  }
  return result;
}

/// The "!12" behind `name` in the metadata of an instruction.
std::string_view metadata(std::string_view rest, std::string_view name) {
  const auto at = rest.find(name);
  if (at == std::string_view::npos) return "";
  rest.remove_prefix(at + name.size());
  return cut_until(rest, ", ");
}

class Rewriter {
 public:
  explicit Rewriter(std::string_view text) : lines_(split_lines(text)) {}

  std::optional<std::string> rewritten() {
    std::string result;
    for (const std::string& line : lines_) {
      if (line.starts_with("define ")) pointees_.clear();
      note_pointee(line);
      const std::string copy = whole_copy(line);
      result += copy.empty() ? line + "\n" : copy;
    }
    if (copies_ == 0) return std::nullopt;
    return result;
  }

 private:
  void note_pointee(std::string_view line) {
    if (!skip(line, "  %")) return;
    const std::string name = "%" + std::string(cut_until(line, " "));
    int arrays = 0;
    Pointee found;
    if (skip(line, " = alloca ")) {
      found = pointee(line, arrays);
      found.local = true;
    } else if (skip(line, " = bitcast ")) {
      // From a type to bytes, or from any type to another.
      const auto to = line.find(" to ");
      if (to == std::string_view::npos) return;
      const std::string_view from_type = line.substr(0, line.find("* %"));
      const std::string_view to_type = line.substr(to + 4);
      found = pointee(to_type.starts_with("i8*") ? from_type : to_type, arrays);
      found.local = is_local(line.substr(0, to));
    } else if (skip(line, " = getelementptr inbounds ")) {
      while (skip(line, "nuw ") || skip(line, "nusw ")) continue;
      const auto parts = cut_list(line);
      if (parts.size() < 2) return;
      const auto indices = std::ranges::count_if(parts, [](std::string_view part) {
        return part.starts_with("i64 ") || part.starts_with("i32 ");
      });
      found = pointee(parts[0], arrays);
      if (indices > arrays + 1) found.vector = nullptr;
      found.local = is_local(parts[1]);
    } else {
      return;
    }
    pointees_[name] = found;
  }

  /// Whether `pointer`, "float* %7", is known to point into a variable of the function.
  bool is_local(std::string_view pointer) const {
    const auto known = pointees_.find(std::string(pointer.substr(pointer.rfind(' ') + 1)));
    return known != pointees_.end() && known->second.local;
  }

  int alignment(const Side& side, const VectorType& vector) const {
    // An operand without % is a variable of the program: a declared array.
    Pointee known{.in_array = !side.operand.starts_with("%")};
    if (const auto found = pointees_.find(std::string(side.operand)); found != pointees_.end())
      known = found->second;
    const bool as_vector = !known.local && (known.vector == &vector || known.in_array);
    return as_vector ? vector.bytes() : side.alignment;
  }

  const VectorType* vector_at(const Side& side) const {
    const auto known = pointees_.find(std::string(side.operand));
    return known == pointees_.end() ? nullptr : known->second.vector;
  }

  /// The load and the store, if `line` copies a vector; otherwise "".
  std::string whole_copy(std::string_view line) {
    if (!skip(line, "  call void @llvm.memcpy.p0")) return "";
    if (!skip(line, "i8.p0i8.i64(") && !skip(line, ".p0.i64(")) return "";
    const auto arguments = cut_list(line);
    if (arguments.size() != 4 || arguments[3] != "i1 false") return "";
    const Side to = side(arguments[0]), from = side(arguments[1]);
    const VectorType* vector = vector_at(to);
    if (vector == nullptr) vector = vector_at(from);
    if (vector == nullptr || arguments[2] != fmt::format("i64 {}", vector->bytes())) return "";

    std::string marks;
    if (const auto place = metadata(line, "!dbg "); !place.empty())
      marks += fmt::format(", !dbg {}", place);

    const std::string type = fmt::format("<{} x {}>", vector->components, vector->element);
    const std::string value = fmt::format("%tessera.{}", copies_++);
    std::string code;
    const auto pointer = [&](const Side& side, const char* name) {
      if (side.pointer_type == "ptr") return fmt::format("ptr {}", side.operand);
      code += fmt::format("  {}.{} = bitcast {} {} to {}*{}\n", value, name, side.pointer_type,
                          side.operand, type, marks);
      return fmt::format("{}* {}.{}", type, value, name);
    };
    const std::string source = pointer(from, "from"), target = pointer(to, "to");
    code += fmt::format("  {} = load {}, {}, align {}{}\n", value, type, source,
                        alignment(from, *vector), marks);
    code += fmt::format("  store {} {}, {}, align {}{}\n", type, value, target,
                        alignment(to, *vector), marks);
    return code;
  }

  std::vector<std::string> lines_;
  std::map<std::string, Pointee> pointees_;  // of the function's pointers
  int copies_ = 0;
};

}  // namespace

bool names_vectors(const Source& program) {
  const auto is_vector = [](const Token& token) {
    return std::ranges::any_of(
        kVectorTypes, [&](const VectorType& type) { return holds(token.text, type.name); });
  };
  return std::ranges::any_of(program.code(), is_vector) ||
         std::ranges::any_of(program.directives(), [&](const Directive& directive) {
           return std::ranges::any_of(directive.tokens, is_vector);
         });
}

std::optional<std::string> with_whole_vector_copies(std::string_view text) {
  return Rewriter(text).rewritten();
}

}  // namespace tessera
