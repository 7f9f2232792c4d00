// The folders of a kit, from which gradings and releases read.
#pragma once

#include <filesystem>

namespace tessera {

struct KitFolders {
  std::filesystem::path root;  // holds common/; the staff's also grader/ and the files of the build
  std::filesystem::path labs;
  std::filesystem::path solutions;  // may not exist
  std::filesystem::path datasets;

  std::filesystem::path include_dir() const { return root / "common" / "include"; }
  std::filesystem::path devices() const { return root / "common" / "devices"; }
};

}  // namespace tessera
