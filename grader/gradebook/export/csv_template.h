// A table that the teacher downloaded, fills in with marks and uploads again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"
#include "grader/gradebook/intake/csv.h"

namespace tessera {

class CsvTemplate {
 public:
  static Expected<CsvTemplate> load(const std::filesystem::path& file);

  const std::vector<CsvRow>& rows() const { return rows_; }

  /// The heading's column of this name, or nothing.
  std::optional<std::size_t> column(std::string_view name) const;

  /// The cell, or "" if the row is shorter or there is no column.
  std::string cell(std::size_t row, std::optional<std::size_t> column) const;

  void set(std::size_t row, std::size_t column, const std::string& value);

  /// The table; rows in which nothing was set are unchanged byte by byte; in the others a cell may
  /// be quoted in another way.
  std::string text() const;

  Error error(std::size_t row, std::size_t column, std::string message) const;

 private:
  std::string original(std::size_t row) const;

  std::string file_;
  std::string text_;
  std::vector<std::size_t> line_starts_;
  std::vector<CsvRow> rows_;
  std::vector<bool> changed_;
};

/// What is known of a person, the strongest key first; "" if unknown.
using PersonKeys = std::vector<std::string>;

/// The index in `people` of the person that `wanted` means: by the first key that is known of both
/// and equal. Nothing if several people have that key, or none has. People who differ in one of the
/// first `decisive` keys are different people. The last key is the name, which people choose:
/// if two have it, it means neither, even if another key rules one of them out.
std::optional<std::size_t> find_person(const PersonKeys& wanted,
                                       const std::vector<PersonKeys>& people, std::size_t decisive);

/// A name for comparing: equal for "Doe, Jane" and "jane doe", and for a name and what
/// visible_name() makes of it.
std::string name_key(std::string_view name);

/// Notes on the people who are only in the table, and on those who have marks and are not in it.
std::vector<std::string> template_notes(const std::vector<std::string>& in_table_alone,
                                        const std::vector<std::string>& not_in_table);

}  // namespace tessera
