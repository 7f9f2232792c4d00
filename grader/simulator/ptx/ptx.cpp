#include "grader/simulator/ptx/ptx.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace tessera::ptx {
namespace {

struct TypeRow {
  std::string_view word;
  Type type;
  unsigned bits;
};

constexpr std::array<TypeRow, 22> kTypes{{
    {"pred", Type::pred, 1},    {"b8", Type::b8, 8},          {"b16", Type::b16, 16},
    {"b32", Type::b32, 32},     {"b64", Type::b64, 64},       {"b128", Type::b128, 128},
    {"u8", Type::u8, 8},        {"u16", Type::u16, 16},       {"u32", Type::u32, 32},
    {"u64", Type::u64, 64},     {"s8", Type::s8, 8},          {"s16", Type::s16, 16},
    {"s32", Type::s32, 32},     {"s64", Type::s64, 64},       {"u16x2", Type::u16x2, 32},
    {"s16x2", Type::s16x2, 32}, {"f16", Type::f16, 16},       {"f16x2", Type::f16x2, 32},
    {"bf16", Type::bf16, 16},   {"bf16x2", Type::bf16x2, 32}, {"f32", Type::f32, 32},
    {"f64", Type::f64, 64},
}};

// PTX ISA, "Directives".
constexpr std::string_view kDirectives[] = {
    "abi_preserve",
    "abi_preserve_control",
    "address_size",
    "alias",
    "align",
    "attribute",
    "blocksareclusters",
    "branchtargets",
    "callprototype",
    "calltargets",
    "common",
    "const",
    "entry",
    "explicitcluster",
    "extern",
    "file",
    "func",
    "global",
    "loc",
    "local",
    "managed",
    "maxclusterrank",
    "maxnctapersm",
    "maxnreg",
    "maxntid",
    "minnctapersm",
    "noreturn",
    "param",
    "pragma",
    "reg",
    "reqnctapercluster",
    "reqntid",
    "section",
    "shared",
    "sreg",
    "surf",
    "target",
    "tex",
    "unified",
    "version",
    "visible",
    "weak",
};
static_assert(std::ranges::is_sorted(kDirectives));

}  // namespace

unsigned bits(Type type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return row.bits;
  }
  return 0;
}

bool is_float(Type type) {
  return type >= Type::f16;
}

bool is_signed(Type type) {
  return type >= Type::s8 && type <= Type::s64;
}

std::optional<Type> type_from(std::string_view word) {
  for (const TypeRow& row : kTypes) {
    if (row.word == word) return row.type;
  }
  return std::nullopt;
}

bool is_directive(std::string_view word) {
  return std::ranges::binary_search(kDirectives, word);
}

std::optional<RangedName> ranged_name(const std::string& name) {
  constexpr std::size_t kMostDigits = 8;
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  const std::size_t count = name.size() - digits;
  if (count == 0 || count > kMostDigits || (count > 1 && name[digits] == '0')) return std::nullopt;
  return RangedName{name.substr(0, digits),
                    static_cast<std::uint32_t>(std::stoul(name.substr(digits)))};
}

std::optional<Type> Function::register_type(const std::string& called) const {
  if (const auto found = registers.find(called); found != registers.end()) return found->second;
  const auto ranged = ranged_name(called);
  if (!ranged) return std::nullopt;
  const auto found = ranges.find(ranged->prefix);
  if (found == ranges.end() || ranged->number >= found->second.count) return std::nullopt;
  return found->second.type;
}

std::string declared_elsewhere(const std::string& name) {
  return "'" + declared_name(name) + "' is declared outside of the function too";
}

bool is_reserved_register(std::string_view name) {
  static constexpr std::string_view kPrefixes[] = {
      "%envreg", "%pm", "%reserved_smem", "%aggr_smem", "%current_graph_exec", "%max_cluster"};
  return std::ranges::any_of(kPrefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string declared_name(const std::string& name) {
  return name.substr(0, name.find('#'));
}

bool is_builtin(std::string_view name) {
  static constexpr std::string_view kNames[] = {
#define RUNTIME_FUNCTION(name, ...) name,
#include "grader/simulator/ptx/runtime_functions.def"
#undef RUNTIME_FUNCTION
  };
  return std::ranges::find(kNames, name) != std::end(kNames);
}

}  // namespace tessera::ptx
