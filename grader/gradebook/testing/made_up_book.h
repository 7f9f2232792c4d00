// A gradebook of a class that does not exist: records are made up, nothing is graded. For tests and
// for measuring what is written from a gradebook.
#pragma once

#include <cstdint>
#include <filesystem>

#include "grader/gradebook/book.h"

namespace tessera {

struct BookRequest {
  std::filesystem::path kit;  // holds labs/ and solutions/
  int students = 300;
  std::uint64_t seed = 1;
  bool gpu = true;  // points for time were measured; else they are deferred
};

/// Fills the book with the kit's labs, students (some with names that attack the program that
/// prints them), one to six attempts each, results and a few changes by hand; the same for the same
/// seed.
void write_made_up_book(const BookRequest& request, Book& book);

}  // namespace tessera
