// A folder for a test, removed at its end.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "common/host_matrix.h"
#include "common/npy.h"

namespace tessera {

class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tessera-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    path_ = name;
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file and the folders above it.
  void write(const std::filesystem::path& name, const std::string& content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
  }

  void write_npy(const std::filesystem::path& name, int height, int width) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    const auto error =
        tessera::write_npy(path_ / name, HostMatrix(Element::float32, height, width));
    if (error) throw std::runtime_error(error->str());
  }

 private:
  std::filesystem::path path_;
};

}  // namespace tessera
