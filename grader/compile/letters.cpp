#include "grader/compile/letters.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "common/utf8.h"

namespace tessera {
namespace {

struct Range {
  char32_t first;
  char32_t last;

  bool has(char32_t c) const { return first <= c && c <= last; }
};

/// Blocks of scripts, in order, without the blanks and signs in them that a compiler could take for
/// anything but a letter.
constexpr Range kLetters[] = {
    {0xAA, 0xAA},       {0xB5, 0xB5},       {0xBA, 0xBA},       {0xC0, 0xD6},
    {0xD8, 0xF6},       {0xF8, 0x2C1},      {0x300, 0x374},     {0x376, 0x37D},
    {0x37F, 0x37F},     {0x386, 0x386},     {0x388, 0x559},     {0x561, 0x587},
    {0x591, 0x5BD},     {0x5D0, 0x5F2},     {0x610, 0x61A},     {0x620, 0x669},
    {0x66E, 0x6D3},     {0x6D5, 0x6DC},     {0x6DF, 0x6FC},     {0x710, 0x74A},
    {0x74D, 0x7F5},     {0x800, 0x82D},     {0x840, 0x85B},     {0x860, 0x86A},
    {0x8A0, 0x8E1},     {0x8E3, 0x963},     {0x966, 0x96F},     {0x971, 0xDF3},
    {0xE01, 0xE3A},     {0xE40, 0xE4E},     {0xE50, 0xE59},     {0xE81, 0xF00},
    {0xF18, 0xF19},     {0xF20, 0xF39},     {0xF3E, 0xF84},     {0xF86, 0xFBC},
    {0x1000, 0x1049},   {0x1050, 0x10FA},   {0x10FC, 0x135F},   {0x1380, 0x138F},
    {0x13A0, 0x13FD},   {0x1401, 0x166C},   {0x166F, 0x167F},   {0x1681, 0x169A},
    {0x16A0, 0x16EA},   {0x1700, 0x1734},   {0x1740, 0x17B3},   {0x17B6, 0x17D3},
    {0x17E0, 0x17E9},   {0x1810, 0x1FBC},   {0x2C00, 0x2CE4},   {0x2D00, 0x2DFF},
    {0x3005, 0x3007},   {0x3021, 0x302F},   {0x3031, 0x3035},   {0x3041, 0x309A},
    {0x309D, 0x309F},   {0x30A1, 0x30FA},   {0x30FC, 0x3163},   {0x3165, 0x318E},
    {0x31A0, 0x31BF},   {0x31F0, 0x31FF},   {0x3400, 0x4DBF},   {0x4E00, 0xA48C},
    {0xA4D0, 0xA4FD},   {0xA500, 0xA60C},   {0xA610, 0xA672},   {0xA722, 0xA788},
    {0xA78B, 0xA827},   {0xA840, 0xA873},   {0xA880, 0xA8C5},   {0xA8D0, 0xA8F7},
    {0xA900, 0xA92D},   {0xA930, 0xA953},   {0xA960, 0xA9C0},   {0xA9CF, 0xAA59},
    {0xAA60, 0xAADD},   {0xAAE0, 0xAAEF},   {0xAAF2, 0xABEA},   {0xABEC, 0xD7FB},
    {0xF900, 0xFB28},   {0xFB2A, 0xFD3D},   {0xFD50, 0xFDFB},   {0xFE70, 0xFEFC},
    {0xFF10, 0xFF19},   {0xFF21, 0xFF3A},   {0xFF41, 0xFF5A},   {0xFF66, 0xFF9F},
    {0xFFA1, 0xFFDC},   {0x10000, 0x100FA}, {0x10280, 0x10FFF}, {0x11000, 0x1BCFF},
    {0x1D400, 0x1D7FF}, {0x1E000, 0x1E95F}, {0x20000, 0x3FFFD},
};

struct Known {
  Range range;
  Phrase name;
  Phrase hint;
};

constexpr Known kKnown[] = {
    {{0xA0, 0xA0}, Phrase::no_break_space, Phrase::retype_blank_hint},
    {{0x1680, 0x1680}, Phrase::other_blank, Phrase::retype_blank_hint},
    {{0x2000, 0x200A}, Phrase::other_blank, Phrase::retype_blank_hint},
    {{0x202F, 0x202F}, Phrase::narrow_no_break_space, Phrase::retype_blank_hint},
    {{0x205F, 0x205F}, Phrase::other_blank, Phrase::retype_blank_hint},
    {{0x3000, 0x3000}, Phrase::wide_blank, Phrase::retype_blank_hint},
    {{0x85, 0x85}, Phrase::line_separator, Phrase::retype_line_hint},
    {{0x2028, 0x2029}, Phrase::line_separator, Phrase::retype_line_hint},
    {{0xAD, 0xAD}, Phrase::soft_hyphen, Phrase::retype_line_hint},
    {{0x200B, 0x200F}, Phrase::invisible_character, Phrase::retype_line_hint},
    {{0x2060, 0x206F}, Phrase::invisible_character, Phrase::retype_line_hint},
    {{0xFE00, 0xFE0F}, Phrase::invisible_character, Phrase::retype_line_hint},
    {{0xFEFF, 0xFEFF}, Phrase::invisible_character, Phrase::retype_line_hint},
    {{0xD7, 0xD7}, Phrase::multiplication_sign, Phrase::write_times_hint},
    {{0xF7, 0xF7}, Phrase::division_sign, Phrase::write_divide_hint},
    {{0x37E, 0x37E}, Phrase::greek_question_mark, Phrase::type_semicolon_hint},
    {{0x2010, 0x2015}, Phrase::typographic_dash, Phrase::type_minus_hint},
    {{0x2212, 0x2212}, Phrase::typographic_minus, Phrase::type_minus_hint},
    {{0x2018, 0x201F}, Phrase::typographic_quote, Phrase::type_quote_hint},
    {{0x2032, 0x2033}, Phrase::typographic_quote, Phrase::type_quote_hint},
    {{0xAB, 0xAB}, Phrase::typographic_quote, Phrase::type_quote_hint},
    {{0xBB, 0xBB}, Phrase::typographic_quote, Phrase::type_quote_hint},
    {{0x2264, 0x2264}, Phrase::unknown_sign, Phrase::write_less_equal_hint},
    {{0x2265, 0x2265}, Phrase::unknown_sign, Phrase::write_greater_equal_hint},
    {{0x2260, 0x2260}, Phrase::unknown_sign, Phrase::write_not_equal_hint},
    {{0xFF01, 0xFF0F}, Phrase::full_width_sign, Phrase::type_plain_sign_hint},
    {{0xFF1A, 0xFF20}, Phrase::full_width_sign, Phrase::type_plain_sign_hint},
    {{0xFF3B, 0xFF40}, Phrase::full_width_sign, Phrase::type_plain_sign_hint},
    {{0xFF5B, 0xFF65}, Phrase::full_width_sign, Phrase::type_plain_sign_hint},
};

}  // namespace

bool is_letter_beyond_ascii(char32_t c) {
  const auto* after = std::ranges::upper_bound(kLetters, c, {}, &Range::first);
  return after != std::begin(kLetters) && std::prev(after)->has(c);
}

StrangeCharacter strange_character(std::optional<char32_t> c, std::string_view bytes) {
  if (!c) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    return {say(Phrase::no_utf8, fmt::format("{:02X}", byte)), Phrase::no_utf8_hint};
  }
  const auto* known =
      std::ranges::find_if(kKnown, [&](const Known& known) { return known.range.has(*c); });
  const auto code = fmt::format("U+{:04X}", static_cast<std::uint32_t>(*c));
  if (known != std::end(kKnown))
    return {say(Phrase::strange_character, known->name, code), known->hint};
  if (is_invisible(*c)) {
    return {say(Phrase::strange_character, Phrase::invisible_character, code),
            Phrase::retype_line_hint};
  }
  return {say(Phrase::other_character, Name{std::string(bytes)}, code),
          Phrase::other_character_hint};
}

}  // namespace tessera
