// One self-contained HTML page: what a student gets. It loads nothing and runs nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/judge/points/record.h"

namespace tessera {

struct PageLab {
  std::string lab;                 // "03-tiled"
  std::string title;               // "Tiled multiplication"
  std::string mark;                // "35 of 90", from the gradebook; "" if there is none
  std::vector<std::string> notes;  // how the mark came about, a sentence each
  std::optional<Record> record;    // nothing if nothing was graded
};

struct Page {
  std::string student;  // whom it is for; "" names no student
  std::vector<PageLab> labs;
};

/// The whole document: a summary, and a section for each lab. Whatever the strings of the page
/// hold is shown as text.
std::string html_page(const Page& page);

}  // namespace tessera
