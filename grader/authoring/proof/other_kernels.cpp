#include "grader/authoring/proof/other_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "common/text.h"
#include "grader/authoring/proof/lab_faults.h"
#include "grader/authoring/proof/made_kernels.h"
#include "grader/authoring/proof/wrong_kernels.h"
#include "grader/compile/source.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

using Kernels = std::vector<OtherKernel>;

bool same_signature(const Lab& lab, const Lab& other) {
  return lab.operation->name() == other.operation->name() &&
         lab.operation->extents() == other.operation->extents() && lab.element == other.element &&
         lab.inputs == other.inputs && lab.kernel == other.kernel &&
         lab.arguments == other.arguments && lab.parameters == other.parameters;
}

/// Whether the other lab's kernels have only instructions that this lab's cards have.
bool runs_here(const Lab& lab, const Lab& other) {
  return other.compute_capability == 0 || other.compute_capability == lab.compute_capability;
}

bool same_tokens(const std::string& first, const std::string& second) {
  return std::ranges::equal(Source(first).code(), Source(second).code(), {}, &Token::text,
                            &Token::text);
}

/// The references of the other labs in the course that a student could hand in here.
class References {
 public:
  References(const Lab& lab, const OtherKernelPlaces& places) : lab_(lab), places_(places) {}

  Kernels earlier() const {
    return chosen([&](const std::string& id) { return id < lab_.id; });
  }
  Kernels later() const {
    return chosen([&](const std::string& id) { return id > lab_.id; });
  }

 private:
  template <class Wanted>
  Kernels chosen(Wanted wanted) const {
    const Expected<std::string> own = read_file(places_.solution / "kernel.cu");
    Kernels kernels;
    for (const fs::path& folder : find_labs(lab_.directory.parent_path())) {
      const std::string id = folder.filename().string();
      if (!wanted(id) || places_.accepted.contains(id)) continue;
      const auto other = load_lab(folder, "", places_.datasets);
      const auto source = read_file(places_.solution.parent_path() / id / "kernel.cu");
      if (!other || !source || !same_signature(lab_, *other) || !runs_here(lab_, *other)) continue;
      // A lab that was copied from another has the other's reference until it is edited.
      if (own && same_tokens(*own, *source)) continue;
      kernels.push_back({"the reference of " + id, *source, {}, false});
    }
    return kernels;
  }

  const Lab& lab_;
  const OtherKernelPlaces& places_;
};

void add(const std::string& name, const std::optional<std::string>& source, Kernels& kernels) {
  if (source) kernels.push_back({name, *source, {}, false});
}

/// Adds what can be made from the first kernel without shared memory, or else from the reference.
void add_made(const Lab& lab, const std::string& reference, Kernels& kernels) {
  const auto plain = std::ranges::find_if(kernels, [](const OtherKernel& kernel) {
    return kernel.source.find("__shared__") == std::string::npos;
  });
  const bool found = plain != kernels.end();
  const std::string name = found ? plain->name : "kernel.cu";
  const std::string source = found ? plain->source : reference;
  add("one thread that does the work of " + name, by_one_thread(lab, source), kernels);
  if (!found) return;
  add(name + " with shared memory for nothing", with_useless_shared_memory(lab, source), kernels);
  add(name + " with atomics for stores", with_atomic_stores(lab, source), kernels);
  add("kernel.cu in visible counted cases, else " + name,
      only_where_counted(lab, reference, source), kernels);
}

double measurable(const Record& record) {
  return record.max_score - record.deferred;
}

std::string not_right(const Record& record) {
  for (const Item& item : record.items) {
    // If threads communicate by flags in memory, the checks of a right kernel are `review` too.
    const bool right =
        item.status == Status::pass || (item.id == "checks" && item.status == Status::review);
    if (!right && (item.id.starts_with("correctness/") || item.id == "checks"))
      return fmt::format("{} ({}): {}", item.id, item.title, item.message.str());
  }
  return "";
}

}  // namespace

Expected<Kernels> ignoring_kernels(const Lab& lab, const OtherKernelPlaces& places) {
  const Expected<std::string> reference = read_file(places.solution / "kernel.cu");
  if (!reference) return reference.error();
  Kernels kernels = References(lab, places).earlier();
  if (const auto skeleton = read_file(lab.directory / "kernel.cu")) {
    for (const std::string& given : given_kernels(lab, *skeleton))
      add("the given " + given, given_kernel(lab, *skeleton, given), kernels);
  }
  Expected<std::vector<WrongKernel>> own = read_wrong_kernels(lab, places.solution, "ignores");
  if (!own) return own.error();
  for (WrongKernel& kernel : *own) {
    std::string name = kernel.name();
    kernels.push_back(
        {std::move(name), std::move(kernel.source), std::move(kernel.expectation), true});
  }
  add_made(lab, *reference, kernels);
  return kernels;
}

Expected<Kernels> winning_kernels(const Lab& lab, const OtherKernelPlaces& places) {
  Kernels kernels;
  for (const fs::path& file : kernel_files(places.solution / "right")) {
    Expected<std::string> source = read_file(file);
    if (!source) return source.error();
    kernels.push_back({"right/" + file.filename().string(), std::move(*source), {}, true});
  }
  for (OtherKernel& kernel : References(lab, places).later()) kernels.push_back(std::move(kernel));
  return kernels;
}

std::string ignoring_fault(const OtherKernel& kernel, const Record& record) {
  if (const std::string wrong = not_right(record); kernel.of_this_lab && !wrong.empty())
    return "is not right, so it proves nothing: " + wrong;
  const std::vector<std::string> missing = missing_words(kernel.expectation, record);
  if (!missing.empty()) return fmt::format("does not get {}", missing.front());
  for (const Item& item : record.items) {
    const bool technique = item.id.starts_with("technique/");
    const bool expected =
        std::ranges::count(kernel.expectation.words,
                           fmt::format("{}={}", item.id, to_string(item.status))) > 0;
    if (technique && item.points > 0 && !expected)
      return fmt::format("wins {} ({}): {:g} points", item.id, item.title, item.points);
  }
  if (record.score > measurable(record) / 2 + 1e-9)
    return fmt::format("wins {:g} of the {:g} points that can be measured here: more than half",
                       record.score, measurable(record));
  return "";
}

std::string winning_fault(const OtherKernel& kernel, const Record& record) {
  if (!kernel.of_this_lab && !not_right(record).empty()) return "";
  return reference_fault(record);
}

}  // namespace tessera
