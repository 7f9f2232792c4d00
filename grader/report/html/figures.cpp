#include "grader/report/html/figures.h"

#include <fmt/format.h>

#include <string>

#include "grader/report/pictures/pictures.h"

namespace tessera {
namespace {

/// A box that scrolls must be within reach of the keyboard, and then needs a name.
Html scrolling(std::string svg, const std::string& name) {
  if (svg.empty()) return {};
  return element(
      "figure", {},
      element("div",
              {{"class", "wide"}, {"role", "group"}, {"tabindex", "0"}, {"aria-label", name}},
              Html::made(std::move(svg))));
}

}  // namespace

Html map_figure(const ResultMap& map) {
  return element("figure", {}, Html::made(map_svg(map)));
}

Html access_figure(const LineAccess& access) {
  return scrolling(access_svg(access), fmt::format("Lanes of a warp in line {}", access.line));
}

Html time_figure(const Item& item) {
  return scrolling(time_svg(item), "Times");
}

}  // namespace tessera
