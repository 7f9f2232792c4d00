// Shared by the commands on a gradebook: opens it with the course that its marks follow.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grader/cli/locations.h"
#include "grader/gradebook/book.h"
#include "grader/gradebook/marks.h"
#include "grader/lab/course.h"

namespace tessera {

struct BookArguments {
  std::string gradebook;
  std::string labs_folder;
  std::string course;
};

/// --gradebook, --labs, --course.
void add_book_options(CLI::App& command, BookArguments& arguments);

struct OpenBook {
  Book book;
  Locations locations;
  Course course;
  std::vector<Mark> marks;
};

Expected<OpenBook> open_book(const BookArguments& arguments, Book::Mode mode);

/// The lab that a word of --lab means; nothing if it is "".
Expected<std::optional<std::string>> lab_called(const std::string& word, const OpenBook& open);

}  // namespace tessera
