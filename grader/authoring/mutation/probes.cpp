#include "grader/authoring/mutation/probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace tessera {
namespace {

constexpr std::size_t kMostProbes = 48;
constexpr double kMostWork = 4e6;  // about a second of a core in the simulator
/// A step of a lab's reference.cu may take any time (softmax of 64 x 1,024 takes half a minute). So
/// the cases limit the probes of such a lab: a probe has at most the work of the largest case, and
/// all probes together have at most this many times the work of all cases.
constexpr double kTimesTheCases = 4;
/// The limits for a probe and for all probes of a lab whose cases are smaller.
constexpr double kSmallProbe = 2e4;
constexpr double kSmallProbes = 2e5;

/// Uniform random numbers, the same on every machine.
class Draw {
 public:
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(engine_() % end); }

 private:
  std::mt19937 engine_{20261121};
};

bool is_from_file(const Case& test_case) {
  return std::ranges::any_of(test_case.data,
                             [](const auto& entry) { return entry.second.generator == "file"; });
}

/// The largest number that divides every value of the extent: a tile's extent, in a lab without
/// ragged edges.
int granularity(const Lab& lab, const std::string& extent) {
  int divisor = 0;
  for (const Case& test_case : lab.cases) divisor = std::gcd(divisor, test_case.extents.at(extent));
  return std::max(divisor, 1);
}

/// Multiples of `step` to try for an extent, sorted.
std::vector<int> values(const Lab& lab, const std::string& extent, int step) {
  std::set<int> wanted = {1, 2, 3, 7, 13, 16, 31, 32, 37, 64, 67, 131};
  for (const Case& test_case : lab.cases) {
    const int value = test_case.extents.at(extent);
    for (const int near : {value - 1, value, value + 1, 2 * value}) wanted.insert(near);
  }
  std::set<int> rounded;
  for (const int value : wanted) {
    if (value > 0 && value <= 4096) rounded.insert((value + step - 1) / step * step);
  }
  return {rounded.begin(), rounded.end()};
}

class Prober {
 public:
  explicit Prober(const Lab& lab) : lab_(lab) {
    for (const std::string& extent : lab.operation->extents()) {
      whole_[extent] = values(lab, extent, granularity(lab, extent));
      ragged_[extent] = values(lab, extent, 1);
    }
    std::ranges::copy_if(lab.cases, std::back_inserter(bases_),
                         [](const Case& test_case) { return !is_from_file(test_case); });
    for (const Case& test_case : lab.cases) titles_.insert(lab.case_title(test_case));
    if (!lab.operation->has_host_reference()) set_limits();
  }

  std::vector<Case> probes() {
    if (bases_.empty()) return {};
    add_rotations();
    // Most drawn shapes are new and small enough, but a lab with few values runs out of them.
    // Ragged shapes are drawn even if the lab has only multiples: they may be what its cases lack.
    for (int tries = 0; tries < 200 && probes_.size() < kMostProbes; ++tries) {
      add_drawn(whole_);
      add_drawn(ragged_);
    }
    return std::move(probes_);
  }

 private:
  void set_limits() {
    double largest = 0;
    double all = 0;
    for (const Case& test_case : lab_.cases) {
      const double work = lab_.operation->work(test_case.extents);
      largest = std::max(largest, work);
      all += work;
    }
    most_work_ = std::clamp(largest, kSmallProbe, kMostWork);
    work_left_ = std::max(kTimesTheCases * all, kSmallProbes);
  }

  /// Adds the cases with their extents rotated.
  void add_rotations() {
    const std::vector<std::string>& names = lab_.operation->extents();
    for (const Case& base : bases_) {
      for (std::size_t by = 1; by < names.size(); ++by) {
        Case probe = base;
        for (std::size_t i = 0; i < names.size(); ++i)
          probe.extents[names[i]] = base.extents.at(names[(i + by) % names.size()]);
        add(probe);
      }
    }
  }

  void add_drawn(const std::map<std::string, std::vector<int>>& values) {
    Case probe = bases_[draw_.below(bases_.size())];
    const Case& data = bases_[draw_.below(bases_.size())];
    probe.data = data.data;
    probe.data_name = data.data_name;
    probe.padding = bases_[draw_.below(bases_.size())].padding;
    for (auto& [name, value] : probe.extents) {
      const std::vector<int>& choice = values.at(name);
      value = choice[draw_.below(choice.size())];
    }
    add(probe);
  }

  void add(Case probe) {
    probe.hidden = false;
    const double work = lab_.operation->work(probe.extents);
    if (probes_.size() >= kMostProbes || work > std::min(most_work_, work_left_)) return;
    if (!titles_.insert(lab_.case_title(probe)).second) return;
    work_left_ -= work;
    probes_.push_back(std::move(probe));
  }

  const Lab& lab_;
  std::map<std::string, std::vector<int>> whole_;  // by extent
  std::map<std::string, std::vector<int>> ragged_;
  std::vector<Case> bases_;
  double most_work_ = kMostWork;                // of a probe
  double work_left_ = kMostProbes * kMostWork;  // for all further probes
  std::set<std::string> titles_;
  std::vector<Case> probes_;
  Draw draw_;
};

/// "uniform"; for "A=hilbert B=identity" the mapping in YAML.
std::string data_yaml(const std::string& name) {
  if (name.find('=') == std::string::npos) return name;
  std::string text = "{";
  for (const char c : name) {
    if (c == '=') {
      text += ": ";
    } else if (c == ' ') {
      text += ", ";
    } else {
      text += c;
    }
  }
  return text + "}";
}

}  // namespace

std::vector<Case> further_cases(const Lab& lab) {
  return Prober(lab).probes();
}

std::string case_yaml(const Lab& lab, const Case& test_case) {
  std::string text = "{";
  for (const std::string& name : lab.operation->extents())
    text += fmt::format("{}: {}, ", name, test_case.extents.at(name));
  for (const std::string& name : lab.parameters)
    text += fmt::format("{}: {}, ", name, test_case.parameters.at(name));
  text += "data: " + data_yaml(test_case.data_name);
  if (!test_case.padding.empty()) text += ", padding: " + padding_yaml(*lab.operation, test_case);
  return text + "}";
}

}  // namespace tessera
