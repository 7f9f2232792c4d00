// The parts of the page for a class.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/gradebook/report/class_report.h"
#include "grader/report/html/markup.h"

namespace tessera {

/// A section with its heading; `name` is its id and must be valid as one.
Html section(const std::string& name, const Html& heading, const Html& content);

/// A column's head. Numbers are sorted as numbers and stand at the right.
struct Column {
  std::string text;
  bool number = false;
  std::string abbreviated = "";  // what `text` is short for
};

/// A table in a region that scrolls by itself, for the keyboard too. `label` says what is in it,
/// `bodies` are its elements tbody.
Html scrolled_table(const std::string& label, const std::vector<Attribute>& attributes,
                    const std::vector<Column>& columns, const Html& bodies);

Html number_cell(const Html& content);
Html count_cell(int count);

std::string lab_anchor(std::size_t lab);          // id of a lab's section
std::string student_anchor(std::size_t student);  // id of a student's marks

/// All labs in a table: submissions, points, dates.
Html overview_section(const ClassReport& report);

/// The students who are stuck, on which lab and why.
Html trouble_section(const ClassReport& report);

/// All students and labs in a table.
Html students_section(const ClassReport& report);

/// One lab: points, items, mistakes.
Html lab_section(const ClassReport& report, std::size_t lab);

/// Every student with every mark and how it came about.
Html marks_section(const ClassReport& report);

}  // namespace tessera
