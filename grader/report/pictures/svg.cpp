#include "grader/report/pictures/svg.h"

#include <fmt/format.h>

namespace tessera {
namespace {

constexpr int kFontSize = 12;

struct Look {
  const char* name;  // class
  const char* color;
  const char* opacity;
};

Look look_of(Paint paint) {
  switch (paint) {
    case Paint::ink:
      return {"ink", "currentColor", "1"};
    case Paint::faint:
      return {"faint", "currentColor", "0.65"};
    case Paint::right:
      return {"right", "currentColor", "0.13"};
    case Paint::wrong:
      return {"wrong", "#d1453b", "1"};
    case Paint::not_finite:
      return {"not-finite", "#a35bd6", "1"};
    case Paint::unwritten:
      return {"unwritten", "#b7791f", "1"};
    case Paint::used:
      return {"used", "#2f7fd1", "1"};
    case Paint::clash:
      return {"clash", "#d1453b", "0.3"};
    case Paint::yours:
      return {"yours", "#2f7fd1", "1"};
    case Paint::others:
      return {"others", "currentColor", "0.5"};
    case Paint::count:
      return {"count", "#2f7fd1", "1"};
  }
  return {"ink", "currentColor", "1"};
}

const char* word_of(Anchor anchor) {
  return anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
}

std::string filled(std::string_view shape, Paint paint) {
  const Look look = look_of(paint);
  return fmt::format("<{} class=\"{}\" fill=\"{}\" fill-opacity=\"{}\"/>\n", shape, look.name,
                     look.color, look.opacity);
}

}  // namespace

Svg::Svg(std::string_view kind, double width, double height, std::string_view title,
         std::string_view description)
    : head_(fmt::format(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture {}\" role=\"img\" "
          "viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" style=\"max-width:100%;height:auto\" "
          "font-family=\"system-ui, sans-serif\" font-size=\"{}\">\n"
          "<title>{}</title>\n<desc>{}</desc>\n",
          attribute_text(kind).str(), coordinate(width), coordinate(height), coordinate(width),
          coordinate(height), kFontSize, attribute_text(title).str(),
          attribute_text(description).str())) {
}

void Svg::rect(double x, double y, double width, double height, Paint paint) {
  shapes_ += filled(fmt::format(R"(rect x="{}" y="{}" width="{}" height="{}")", coordinate(x),
                                coordinate(y), coordinate(width), coordinate(height)),
                    paint);
}

void Svg::fill(const std::string& d, Paint paint) {
  if (!d.empty()) shapes_ += filled(fmt::format(R"(path d="{}")", d), paint);
}

void Svg::stroke(const std::string& d, Paint paint, double width, bool dashed) {
  if (d.empty()) return;
  const Look look = look_of(paint);
  shapes_ += fmt::format(
      "<path d=\"{}\" class=\"{}-line\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"{}\" "
      "stroke-width=\"{}\"{}/>\n",
      d, look.name, look.color, look.opacity, coordinate(width),
      dashed ? " stroke-dasharray=\"4 3\"" : "");
}

void Svg::text(double x, double y, std::string_view text, Anchor anchor, Paint paint, double size) {
  const Look look = look_of(paint);
  std::string attributes = fmt::format(R"(x="{}" y="{}" class="{}-text" fill="{}")", coordinate(x),
                                       coordinate(y), look.name, look.color);
  if (look.opacity != std::string_view("1"))
    attributes += fmt::format(" fill-opacity=\"{}\"", look.opacity);
  if (anchor != Anchor::start) attributes += fmt::format(" text-anchor=\"{}\"", word_of(anchor));
  if (size != kFontSize) attributes += fmt::format(" font-size=\"{}\"", coordinate(size));
  shapes_ += fmt::format("<text {}>{}</text>\n", attributes, attribute_text(text).str());
}

std::string Svg::str() const {
  return head_ + shapes_ + "</svg>\n";
}

std::string rect_path(double x, double y, double width, double height) {
  return fmt::format("M{} {}h{}v{}h{}z", coordinate(x), coordinate(y), coordinate(width),
                     coordinate(height), coordinate(-width));
}

std::string line_path(double x1, double y1, double x2, double y2) {
  return fmt::format("M{} {}L{} {}", coordinate(x1), coordinate(y1), coordinate(x2),
                     coordinate(y2));
}

std::string coordinate(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace tessera
