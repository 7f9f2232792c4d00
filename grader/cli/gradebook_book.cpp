#include "grader/cli/gradebook_book.h"

#include <fmt/format.h>

#include <CLI/Option.hpp>
#include <iostream>
#include <utility>

#include "grader/lab/course_labs.h"
#include "grader/lab/lab.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

Expected<Course> read_course(const BookArguments& arguments, const Locations& locations) {
  return arguments.course.empty() ? course_of(locations.kit.labs)
                                  : load_course(arguments.course, lab_ids(locations.kit.labs));
}

}  // namespace

void add_book_options(CLI::App& command, BookArguments& arguments) {
  command.add_option("--gradebook", arguments.gradebook, "The gradebook (SQLite)")->required();
  command.add_option("--labs", arguments.labs_folder, "Folder of the labs");
  command.add_option("--course", arguments.course,
                     "Due dates, weights, late policy (default: labs/course.yaml)");
}

Expected<OpenBook> open_book(const BookArguments& arguments, Book::Mode mode) {
  Expected<Book> book = Book::open(arguments.gradebook, mode);
  if (!book) return book.error();
  Expected<Locations> locations = find_locations(arguments.labs_folder);
  if (!locations) return locations.error();
  Expected<Course> course = read_course(arguments, *locations);
  if (!course) return course.error();
  if (const auto unclear = unclear_extensions(*book, *course); !unclear.empty())
    return Error{.file = "course.yaml", .message = printable(unclear.front())};
  for (const std::string& student : unknown_extensions(*book, *course)) {
    std::cerr << printable(fmt::format(
        "note: course.yaml has an extension for '{}', whom the gradebook does not have\n",
        student));
  }
  std::vector<Mark> all = marks(*book, *course);
  return OpenBook{std::move(*book), std::move(*locations), std::move(*course), std::move(all)};
}

Expected<std::optional<std::string>> lab_called(const std::string& word, const OpenBook& open) {
  if (word.empty()) return std::optional<std::string>();
  const Expected<std::filesystem::path> lab = find_lab(open.locations.kit.labs, word);
  if (!lab) return lab.error();
  return std::optional(lab->filename().string());
}

}  // namespace tessera
