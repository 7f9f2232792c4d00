#include <fmt/format.h>

#include <array>

#include "grader/report/pictures/inked_text.h"
#include "grader/report/pictures/map_layout.h"
#include "grader/report/pictures/pictures.h"

namespace tessera {
namespace {

constexpr std::size_t kIndent = 4;

MapMedium screen(bool ascii) {
  constexpr int kEdges = 3;  // a blank and a character before the cells, a character behind them
  return {.lines = 16,
          .lines_and_borders = 19,
          .vector_cells = 256,
          .halves = !ascii,
          .width = kPictureWidth - static_cast<int>(kIndent) - kEdges};
}

class MapPage {
 public:
  MapPage(const ResultMap& map, const TextOptions& options)
      : ascii_(options.ascii),
        layout_(map_layout(map, screen(ascii_))),
        out_(options.color),
        start_(kIndent + layout_.number_width + 2) {}

  std::string text() {
    const char* cell = layout_.rows_in_line == 2 ? "half a character"
                       : layout_.cell_width == 2 ? "two characters"
                                                 : "a character";
    put_wrapped(layout_.heading(cell), kIndent);
    if (!layout_.vector) column_numbers();
    for (std::size_t line = 0; line < layout_.down(); ++line) {
      if (layout_.row_borders && layout_.is_border(line)) border();
      cells(line);
    }
    legend();
    return out_.str();
  }

 private:
  const char* either(const char* utf8, const char* ascii) const { return ascii_ ? ascii : utf8; }

  const char* glyph(const MapCell& cell) const {
    const bool partly = cell.sign().partly;
    if (cell.state == ElementState::right) return either("\u00b7", ".");
    if (cell.state == ElementState::not_finite) return partly ? "n" : "N";
    if (cell.state == ElementState::unwritten) return partly ? "u" : "U";
    if (cell.half == MapCell::Half::upper) return "\u2580";
    if (cell.half == MapCell::Half::lower) return "\u2584";
    if (!partly) return either("\u2588", "X");
    return either(cell.share < 0.375 ? "\u2591" : cell.share < 0.625 ? "\u2592" : "\u2593", "x");
  }

  /// Numbers columns as far as there is room.
  void column_numbers() {
    std::string line;
    std::size_t at = start_;
    for (std::size_t cell = 0; cell < layout_.across(0); ++cell) {
      if (layout_.is_border(0, cell)) ++at;
      const std::string number = layout_.columns.number_of(layout_.column_of(0, cell));
      if (!number.empty() && (line.empty() || line.size() + 2 <= at))
        line += std::string(at - line.size(), ' ') + number;
      at += layout_.cell_width;
    }
    put_dim(line);
    out_.end_line();
  }

  void begin(const std::string& number, const char* edge) {
    put_dim(fmt::format("{:>{}} {}", number, start_ - 2, edge));
  }

  void cells(std::size_t line) {
    const bool tick = layout_.is_border(line) && !layout_.row_borders;
    begin(layout_.number_of(line), tick ? either("\u251c", "+") : either("\u2502", "|"));
    for (std::size_t cell = 0; cell < layout_.across(line); ++cell) {
      if (layout_.is_border(line, cell)) put_dim(either("\u2502", "|"));
      put(layout_.lines[line][cell]);
    }
    put_dim(either("\u2502", "|"));
    out_.end_line();
  }

  /// Blocks fill the cell; letters and dots stand as near its middle as they can.
  void put(const MapCell& cell) {
    constexpr std::array kColors = {Color::dim, Color::red, Color::magenta, Color::yellow};
    std::string text = glyph(cell);
    if (layout_.cell_width == 2) text = (cell.state == ElementState::wrong ? text : " ") + text;
    out_.put(text, kColors[static_cast<std::size_t>(cell.state)]);
  }

  /// A border between rows of tiles.
  void border() {
    begin("", either("\u251c", "+"));
    for (std::size_t cell = 0; cell < layout_.across(0); ++cell) {
      if (layout_.is_border(0, cell)) put_dim(either("\u253c", "+"));
      for (std::size_t i = 0; i < layout_.cell_width; ++i) put_dim(either("\u2500", "-"));
    }
    put_dim(either("\u2524", "+"));
    out_.end_line();
  }

  void legend() {
    std::string text;
    for (const MapSign& sign : layout_.signs) {
      const bool shades = !ascii_ && sign == MapSign{ElementState::wrong, true};
      const char* glyphs =
          shades ? "\u2591\u2592\u2593" : glyph({sign.state, sign.partly ? 0.5 : 1});
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", glyphs, name_of(sign));
    }
    put_wrapped(text, start_);
  }

  void put_dim(std::string_view text) { out_.put(text, Color::dim); }

  void put_wrapped(const std::string& text, std::size_t indent) {
    out_.put_lines(wrapped(text, std::string(indent, ' '), kPictureWidth));
  }

  bool ascii_;
  MapLayout layout_;
  InkedText out_;
  std::size_t start_;  // column of the first cell
};

}  // namespace

std::string map_text(const ResultMap& map, const TextOptions& options) {
  return MapPage(map, options).text();
}

}  // namespace tessera
