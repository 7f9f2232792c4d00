#include "grader/gradebook/export/exporters.h"
#include "grader/gradebook/export/output_folder.h"

namespace tessera {

namespace fs = std::filesystem;

fs::path feedback_place(const Mark& mark, const std::string& student,
                        const std::string& extension) {
  const fs::path file = safe_name(mark.lab, "lab") + extension;
  const std::string wanted = mark.attempt ? safe_name(mark.attempt->feedback_name, "") : "";
  if (wanted.empty()) return fs::path(student) / file;
  if (wanted.find("_assignsubmission_") != wanted.npos) return fs::path(wanted) / file;
  return extension == ".html" ? fs::path(wanted).replace_extension(extension) : fs::path(wanted);
}

}  // namespace tessera
