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

/// Blocks of scripts, without the blanks and signs in them that compilers could take for something
/// else than a letter. In order.
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
  std::string_view name;
  std::string_view hint;
};

constexpr std::string_view kRetypeBlank =
    "it looks like a blank and comes with text that was copied from a PDF or a web page: delete it "
    "and type the blank again";
constexpr std::string_view kDelete = "delete the line and type it again: it cannot be seen";
constexpr std::string_view kTypeQuote = "type a straight quote, ' or \", in its place";

constexpr Known kKnown[] = {
    {{0xA0, 0xA0}, "a no-break space", kRetypeBlank},
    {{0x1680, 0x1680}, "a blank that is not a plain space", kRetypeBlank},
    {{0x2000, 0x200A}, "a blank that is not a plain space", kRetypeBlank},
    {{0x202F, 0x202F}, "a narrow no-break space", kRetypeBlank},
    {{0x205F, 0x205F}, "a blank that is not a plain space", kRetypeBlank},
    {{0x3000, 0x3000}, "a wide blank (ideographic space)", kRetypeBlank},
    {{0x85, 0x85}, "a line separator that is not a plain line end", kDelete},
    {{0x2028, 0x2029}, "a line separator that is not a plain line end", kDelete},
    {{0xAD, 0xAD}, "a soft hyphen, which cannot be seen", kDelete},
    {{0x200B, 0x200F}, "a character that cannot be seen", kDelete},
    {{0x2060, 0x206F}, "a character that cannot be seen", kDelete},
    {{0xFE00, 0xFE0F}, "a character that cannot be seen", kDelete},
    {{0xFEFF, 0xFEFF}, "a character that cannot be seen", kDelete},
    {{0xD7, 0xD7}, "a multiplication sign", "write *"},
    {{0xF7, 0xF7}, "a division sign", "write /"},
    {{0x37E, 0x37E}, "a Greek question mark, which looks like a semicolon", "type ; in its place"},
    {{0x2010, 0x2015}, "a typographic dash", "type - in its place"},
    {{0x2212, 0x2212}, "a typographic minus", "type - in its place"},
    {{0x2018, 0x201F}, "a typographic quote", kTypeQuote},
    {{0x2032, 0x2033}, "a typographic quote", kTypeQuote},
    {{0xAB, 0xAB}, "a typographic quote", kTypeQuote},
    {{0xBB, 0xBB}, "a typographic quote", kTypeQuote},
    {{0x2264, 0x2264}, "a sign that C++ does not know", "write <="},
    {{0x2265, 0x2265}, "a sign that C++ does not know", "write >="},
    {{0x2260, 0x2260}, "a sign that C++ does not know", "write !="},
    {{0xFF01, 0xFF0F}, "a full-width sign", "type the plain sign in its place"},
    {{0xFF1A, 0xFF20}, "a full-width sign", "type the plain sign in its place"},
    {{0xFF3B, 0xFF40}, "a full-width sign", "type the plain sign in its place"},
    {{0xFF5B, 0xFF65}, "a full-width sign", "type the plain sign in its place"},
};

}  // namespace

bool is_letter_beyond_ascii(char32_t c) {
  const auto* after = std::ranges::upper_bound(kLetters, c, {}, &Range::first);
  return after != std::begin(kLetters) && std::prev(after)->has(c);
}

StrangeCharacter strange_character(std::optional<char32_t> c, std::string_view bytes) {
  if (!c) {
    return {fmt::format("the byte 0x{:02X}, which is not UTF-8",
                        static_cast<unsigned char>(bytes.front())),
            "save the file as UTF-8; a kernel needs no letters beyond ASCII"};
  }
  const auto* known =
      std::ranges::find_if(kKnown, [&](const Known& known) { return known.range.has(*c); });
  const auto code = fmt::format("U+{:04X}", static_cast<std::uint32_t>(*c));
  if (known != std::end(kKnown))
    return {fmt::format("{} ({})", known->name, code), std::string(known->hint)};
  if (is_invisible(*c)) {
    return {fmt::format("a character that cannot be seen ({})", code), std::string(kDelete)};
  }
  return {fmt::format("the character '{}' ({})", bytes, code),
          "it has no meaning in C++ outside of comments and strings: delete it"};
}

}  // namespace tessera
