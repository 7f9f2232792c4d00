// A table that the teacher downloaded, to be filled in and uploaded again.
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

  /// The cell, "" where the row is shorter or the column is nothing.
  std::string cell(std::size_t row, std::optional<std::size_t> column) const;

  void set(std::size_t row, std::size_t column, const std::string& value);

  /// The table; rows in which nothing was set are byte by byte what they were, in the others a cell
  /// may be quoted in another way.
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

/// What is known of a person, the strongest key first; "" where it is not known.
using PersonKeys = std::vector<std::string>;

/// The one of `people` that `wanted` means: by the first key that is known of both and equal.
/// Nothing where several have it, or nobody. Who differs in one of the first `decisive` keys is
/// somebody else.
std::optional<std::size_t> find_person(const PersonKeys& wanted,
                                       const std::vector<PersonKeys>& people, std::size_t decisive);

/// Equal for "Doe, Jane" and "jane doe", and for a name and what visible_name() makes of it.
std::string name_key(std::string_view name);

/// Notes on who stands in the table alone, and on who has marks and does not stand in it.
std::vector<std::string> template_notes(const std::vector<std::string>& in_table_alone,
                                        const std::vector<std::string>& not_in_table);

}  // namespace tessera
