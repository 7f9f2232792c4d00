// made-up-class: writes a class for measuring a batch, as Canvas' download of one assignment.
//
//   made-up-class FOLDER [STUDENTS] [--hostile]
#include <cstring>
#include <filesystem>
#include <iostream>

#include "grader/gradebook/testing/made_up_class.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: made-up-class FOLDER [STUDENTS] [--hostile]\n";
    return 2;
  }
  tessera::ClassRequest request;
  request.kit = TESSERA_SOURCE_DIR;
  for (int i = 2; i < argc; ++i) {
    if (std::strcmp(argv[i], "--hostile") == 0) {
      request.hostile = true;
    } else {
      request.students = std::atoi(argv[i]);
    }
  }
  std::filesystem::create_directories(argv[1]);
  std::cout << tessera::write_class(request, argv[1]) << " students in " << argv[1] << "\n";
}
