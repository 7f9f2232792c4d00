// Submissions -> attempts in the gradebook. Nothing is graded here.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/gradebook/book.h"
#include "grader/gradebook/intake/intake.h"

namespace tessera {

struct TakeInRequest {
  std::filesystem::path submissions;    // folder or archive
  std::optional<SourceFormat> format;   // nothing: recognised by its layout
  std::filesystem::path roster;         // CSV; "" if there is none
  std::vector<std::string> labs;        // ids of all labs
  std::optional<std::string> only_lab;  // what is handed in is for this one
};

struct TakenIn {
  SourceFormat format = SourceFormat::plain;
  int submissions = 0;
  int people = 0;  // who handed it in; work without an owner adds none
  std::string
      only_person;  // whose all of the download is, by its own name; "" if the names are inside
  int kernels = 0;  // that can be graded
  int copies = 0;   // of these, the same bytes for the same lab as another
  int new_attempts = 0;               // that the book did not have, with a problem or without
  std::vector<BookAttempt> problems;  // what cannot be graded, and why
  std::vector<std::string> unknown;   // people who are not on the roster, each once
  /// What this machine could not read, and why: "jdoe: no room ...". None of it is in the book, so
  /// that the next call takes it in.
  std::vector<std::string> failures;
};

/// Takes in all of it in one transaction: a process that is killed leaves the book as it was. With
/// a roster, everyone on it is a student of the book, whether they handed in anything or not.
/// Errors: what cannot be read; a download named after a student of the roster that holds the work
/// of others, unless the request names its format.
Expected<TakenIn> take_in(Book& book, const TakeInRequest& request);

}  // namespace tessera
