// made-up-book: writes a gradebook with made-up records, for measuring how long
// pages and tables of a large class take.
//
//   made-up-book FILE [STUDENTS] [--no-gpu]
#include <cstring>
#include <filesystem>
#include <iostream>

#include "grader/gradebook/testing/made_up_book.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: made-up-book FILE [STUDENTS] [--no-gpu]\n";
    return 2;
  }
  tessera::BookRequest request;
  request.kit = TESSERA_SOURCE_DIR;
  for (int i = 2; i < argc; ++i) {
    if (std::strcmp(argv[i], "--no-gpu") == 0) {
      request.gpu = false;
    } else {
      request.students = std::atoi(argv[i]);
    }
  }
  if (std::filesystem::exists(argv[1])) {
    std::cerr << argv[1] << " exists; name a new file\n";
    return 2;
  }
  auto book = tessera::Book::open(argv[1], tessera::Book::Mode::create);
  if (!book) {
    std::cerr << book.error().str() << "\n";
    return 2;
  }
  tessera::write_made_up_book(request, *book);
  std::cout << request.students << " students in " << argv[1] << "\n";
}
