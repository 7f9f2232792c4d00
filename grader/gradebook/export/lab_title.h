// Finds the lab that the title of a course system's assignment names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// How surely a title names a lab.
enum class TitleMatch {
  none,
  perhaps,  // it starts with the number ("03: on the GPU") or holds the id's words ("GPU: tiled")
  inside,   // it holds the id, the lab's title or "Lab 3" among other words
  alone     // it is the id, the lab's title, the number, or these together, perhaps after "Lab"
};

/// A lab as titles name it. Letter case, punctuation and leading zeros do not count: "03-tiled",
/// "03 Tiled", "Lab 3: tiled" and "lab3" are the same.
class LabTitle {
 public:
  LabTitle(std::string_view lab, std::string_view title);

  TitleMatch match(std::string_view assignment) const;

 private:
  using Words = std::vector<std::string>;

  bool is_alone(const Words& words) const;
  bool is_inside(const Words& words) const;
  bool starts_with_number(std::string_view assignment) const;
  bool names_another_number(const Words& words) const;

  std::string number_;  // "3"; "" if the id has none
  Words id_;            // "3", "tiled"
  Words slug_;          // "tiled"
  Words title_;
};

}  // namespace tessera
