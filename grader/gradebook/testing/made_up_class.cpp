#include "grader/gradebook/testing/made_up_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/gradebook/intake/test_download.h"
#include "grader/lab/lab.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  const auto text = read_file(file);
  if (!text) throw std::runtime_error(text.error().str());
  return *text;
}

/// What students of one lab may have written.
struct Kernels {
  std::string lab;
  std::string skeleton;
  std::string reference;
  std::vector<std::string> wrong;
};

std::vector<Kernels> kernels_of(const fs::path& kit) {
  std::vector<Kernels> all;
  for (const fs::path& lab : find_labs(kit / "labs")) {
    const std::string id = lab.filename().string();
    Kernels kernels{
        id, content(lab / "kernel.cu"), content(kit / "solutions" / id / "kernel.cu"), {}};
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(kit / "solutions" / id / "wrong"))
      files.push_back(entry.path());
    std::ranges::sort(files);
    for (const fs::path& file : files) kernels.wrong.push_back(content(file));
    all.push_back(std::move(kernels));
  }
  return all;
}

class ClassWriter {
 public:
  ClassWriter(const ClassRequest& request, const fs::path& into)
      : request_(request), into_(into), kernels_(kernels_of(request.kit)), random_(request.seed) {}

  void write_student(int number) {
    const std::string login = fmt::format("student{:03}", number);
    const TemporaryDirectory folder;
    const fs::path file = folder.path() / "labs.zip";
    {
      TestArchive archive(file);
      for (const Kernels& kernels : kernels_) {
        const std::string kernel = kernel_of(kernels, number);
        if (!kernel.empty()) archive.file(kernels.lab + "/kernel.cu", kernel);
      }
    }
    put(fmt::format("{}{}_{}_{}_labs.zip", login, draw(20) == 0 ? "_LATE" : "", 1000 + number,
                    50000 + number),
        content(file));
  }

  void put(const std::string& name, const std::string& bytes) {
    if (const auto error = write_file(into_ / name, bytes)) throw std::runtime_error(error->str());
  }

 private:
  std::size_t draw(std::size_t below) { return random_() % below; }

  /// The kernel of the student, or "" if they handed in nothing for the lab.
  std::string kernel_of(const Kernels& kernels, int number) {
    const std::size_t kind = draw(100);
    std::string kernel = kernels.reference;
    if (kind >= 60) kernel = kernels.wrong[draw(kernels.wrong.size())];
    if (kind >= 86) kernel = kernels.skeleton;
    if (kind >= 90) kernel = broken(kernels.reference);
    if (kind >= 97) return "";
    kernel = fmt::format("// Handed in by student {}.\n\n", number) + kernel;
    const bool own = static_cast<double>(draw(1000)) < 1000 * request_.own_share;
    return own ? kernel + fmt::format("\nconstexpr int student_{} = {};\n", number, number)
               : kernel;
  }

  /// With one character lost.
  std::string broken(std::string kernel) {
    const std::size_t last = kernel.rfind(';');
    std::size_t at = kernel.find(';', draw(std::max<std::size_t>(1, last)));
    kernel.erase(at == kernel.npos ? last : at, 1);
    return kernel;
  }

  const ClassRequest& request_;
  const fs::path& into_;
  std::vector<Kernels> kernels_;
  std::mt19937_64 random_;
};

}  // namespace

int write_class(const ClassRequest& request, const fs::path& into) {
  ClassWriter writer(request, into);
  for (int number = 1; number <= request.students; ++number) writer.write_student(number);
  if (!request.hostile) return request.students;
  int number = request.students;
  for (const HostileSubmission& hostile : hostile_submissions()) {
    ++number;
    std::string name = hostile.name;
    std::ranges::replace(name, '/', '|');
    writer.put(fmt::format("{}_{}_{}_{}", name, 1000 + number, 50000 + number, hostile.file),
               hostile.content);
  }
  return number;
}

}  // namespace tessera
