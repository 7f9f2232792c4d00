// Small pieces of which every part of a page is made.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "grader/judge/points/record.h"
#include "grader/report/html/markup.h"

namespace tessera {

/// The ids in a lab's section; made of numbers alone.
class Anchors {
 public:
  /// `number` counts the labs of the page, from 1.
  explicit Anchors(std::size_t number) : lab_("lab" + std::to_string(number)) {}

  const std::string& lab() const { return lab_; }
  std::string part(std::string_view name) const { return lab_ + "-" + std::string(name); }
  std::string line(int line) const { return part("line" + std::to_string(line)); }
  std::string cause(std::size_t index) const { return part("cause" + std::to_string(index + 1)); }
  std::string item(std::size_t index) const { return part("item" + std::to_string(index + 1)); }

 private:
  std::string lab_;
};

/// A link to an id of this page.
Html link_to(const std::string& id, const Html& text);

/// The status as a word, coloured.
Html status_word(Status status);

/// "16.7": points of a page.
std::string points_text(double points);

/// A message of any origin, cut if it is too long to read.
Html message_text(const std::string& message);

/// A label that may be broken after an underscore, since names of metrics are long.
Html name_text(std::string_view label);

/// "1 point", "2.5 points"
std::string counted_points(double points);

}  // namespace tessera
