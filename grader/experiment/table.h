// Values -> tables: a table for each kind of value and device, so that what was measured never
// stands beside what was modelled, and a document's values stand beside ours only as ratios.
#pragma once

#include <string>
#include <vector>

#include "grader/experiment/experiment.h"
#include "grader/experiment/value.h"

namespace tessera {

struct Table {
  std::string title;
  std::vector<std::string> columns;            // headings; the first is that of the rows' names
  std::vector<std::vector<std::string>> rows;  // as many cells as there are columns
  std::vector<std::string> notes;              // why a cell has no value
};

/// Tables in this order: measured, modelled, simulated, calculated, compiled, and for each document
/// its values and our ratios beside its own. If a table's values are of several shapes, each
/// metric has a table of its own, with a column for each shape.
std::vector<Table> tables_of(const Experiment& experiment, const Results& results);

/// The tables under a heading with date, seed, driver and compiler, for a terminal.
std::string text_tables(const Experiment& experiment, const Results& results);

/// The same as GitHub's Markdown, without the experiment's title; long tables after the first are
/// folded.
std::string markdown_tables(const Experiment& experiment, const Results& results);

}  // namespace tessera
