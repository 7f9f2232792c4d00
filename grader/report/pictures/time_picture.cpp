#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/report/pictures/inked_text.h"
#include "grader/report/pictures/pictures.h"
#include "grader/report/pictures/svg.h"
#include "grader/report/pictures/time_bars.h"

namespace tessera {
namespace {

using Kind = TimeBar::Kind;

constexpr const char* kTimeIndent = "    ";
constexpr int kMostLabel = 24;  // columns: a lab's name may be longer

constexpr double kBarLeft = 150;
constexpr double kBarWidth = 330;
constexpr double kValueWidth = 90;
constexpr double kRow = 24;
constexpr double kBarHeight = 14;
constexpr double kTop = 24;

std::string cut(const std::string& label) {
  return std::string(prefix_of_width(label, kMostLabel));
}

/// A bar's character and, if there is one, that for half of it; each kind of bar has its own.
struct BarLook {
  const char* full;
  const char* half;
  Color ink;
};

BarLook look_of(Kind kind, bool ascii) {
  switch (kind) {
    case Kind::yours:
      return ascii ? BarLook{"#", nullptr, Color::cyan} : BarLook{"\u2588", "\u258c", Color::cyan};
    case Kind::baseline:
      return {ascii ? "=" : "\u2593", nullptr, Color::bold};
    case Kind::threshold:
      return {ascii ? "-" : "\u2591", nullptr, Color::yellow};
    case Kind::roof:
      return {ascii ? ":" : "\u2592", nullptr, Color::dim};
  }
  return {"", nullptr, Color::dim};
}

/// "your kernel 5.3 ms, 01-naive 6 ms"
std::string times_text(const std::vector<TimeBar>& bars) {
  std::string text;
  for (const TimeBar& bar : bars)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", bar.label, time_label(bar.ms));
  return text + ".";
}

Paint paint_of(Kind kind) {
  return kind == Kind::yours ? Paint::yours : kind == Kind::roof ? Paint::faint : Paint::others;
}

}  // namespace

std::string time_text(const Item& item, const TextOptions& options) {
  const std::vector<TimeBar> bars = time_bars(item);
  if (bars.size() < 2) return "";
  int labels = 0, values = 0;
  for (const TimeBar& bar : bars) {
    labels = std::max(labels, display_width(cut(printable(bar.label))));
    values = std::max(values, display_width(time_label(bar.ms)));
  }
  const int room = kPictureWidth - 4 - labels - values - 4;
  const double longest = longest_ms(bars);
  InkedText out(options.color);
  out.put_lines(fmt::format("{}time, shorter is better\n", kTimeIndent));
  for (const TimeBar& bar : bars) {
    const BarLook look = look_of(bar.kind, options.ascii);
    // At least one: the roof may be a thousandth of a slow kernel's time.
    const int halves =
        std::max(1, static_cast<int>(std::lround(2 * std::max(room, 1) * (bar.ms / longest))));
    out.put(kTimeIndent + padded(cut(printable(bar.label)), labels) + "  ");
    for (int i = 0; i < halves / 2; ++i) out.put(look.full, look.ink);
    const bool rest = look.half != nullptr ? halves % 2 != 0 : halves == 1;
    if (rest) out.put(look.half != nullptr ? look.half : look.full, look.ink);
    out.put("  " + time_label(bar.ms));
    out.end_line();
  }
  return out.str();
}

std::string time_svg(const Item& item) {
  const std::vector<TimeBar> bars = time_bars(item);
  if (bars.size() < 2) return "";
  const double bottom = kTop + kRow * static_cast<double>(bars.size());
  Svg svg("times", kBarLeft + kBarWidth + kValueWidth, bottom + 4, "Time of your kernel",
          times_text(bars));
  svg.text(0, 13, "time in milliseconds, shorter is better");
  const double longest = longest_ms(bars);
  std::string limits;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const TimeBar& bar = bars[i];
    const double y = kTop + kRow * static_cast<double>(i);
    const double width = std::max(1.0, kBarWidth * (bar.ms / longest));
    if (bar.kind == Kind::threshold) {
      limits += line_path(kBarLeft + width, kTop - 4, kBarLeft + width, bottom);
      svg.stroke(rect_path(kBarLeft, y + 1, width, kBarHeight), Paint::others);
    } else {
      svg.rect(kBarLeft, y + 1, width, kBarHeight, paint_of(bar.kind));
    }
    svg.text(kBarLeft - 8, y + 12, cut(bar.label), Anchor::end);
    svg.text(kBarLeft + kBarWidth + kValueWidth, y + 12, time_label(bar.ms), Anchor::end);
  }
  svg.stroke(limits, Paint::ink, 1, true);
  return svg.str();
}

}  // namespace tessera
