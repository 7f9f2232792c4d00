#include "grader/authoring/release/leaks.h"

#include <algorithm>
#include <map>
#include <optional>

#include "common/text.h"
#include "grader/authoring/release/handout_files.h"
#include "grader/compile/cuda_words.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// About three statements, so long that two people do not write them alike by chance. What the
/// kit's own sources share with a simple kernel is shorter: an index, a bound and the head of a
/// loop.
constexpr std::size_t kSpelt = 30;
/// The same if names do not count.
constexpr std::size_t kRenamed = 45;

struct Piece {
  std::string_view text;
  int line = 0;
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Splits code into words and single characters, without marks of comments and without pragmas. The
/// words of comments are kept if `with_comments`.
class Splitter {
 public:
  Splitter(std::string_view text, bool with_comments)
      : rest_(text), with_comments_(with_comments) {}

  std::vector<Piece> pieces() {
    while (!rest_.empty()) step();
    return std::move(pieces_);
  }

 private:
  void step() {
    if (is_space(rest_.front())) return skip(1);
    if (rest_.starts_with("//")) return skip(with_comments_ ? 2 : rest_.find('\n'));
    if (rest_.starts_with("/*")) return skip(with_comments_ ? 2 : end_of_comment());
    if (rest_.starts_with("*/")) return skip(2);
    if (rest_.starts_with("#pragma")) return skip(rest_.find('\n'));
    const auto end = std::ranges::find_if_not(rest_, is_word);
    const auto length = std::max<std::size_t>(1, static_cast<std::size_t>(end - rest_.begin()));
    pieces_.push_back({rest_.substr(0, length), line_});
    rest_.remove_prefix(length);
  }

  std::size_t end_of_comment() const {
    const std::size_t end = rest_.find("*/", 2);
    return end == std::string_view::npos ? end : end + 2;
  }

  void skip(std::size_t length) {
    const std::string_view skipped = rest_.substr(0, length);
    line_ += static_cast<int>(std::ranges::count(skipped, '\n'));
    rest_.remove_prefix(skipped.size());
  }

  std::string_view rest_;
  bool with_comments_;
  int line_ = 1;
  std::vector<Piece> pieces_;
};

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15;
  hash = (hash ^ value) * kPrime;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size();
  for (const char c : text) hash = mixed(hash, static_cast<unsigned char>(c));
  return hash;
}

/// Hashes of runs of the pieces.
class Runs {
 public:
  explicit Runs(const std::vector<Piece>& pieces) {
    std::map<std::string_view, std::size_t> last;
    for (const Piece& piece : pieces) {
      const bool name = is_word(piece.text.front()) && piece.text.front() > '9' &&
                        !is_cuda_word(std::string(piece.text));
      const auto [seen, fresh] = last.try_emplace(piece.text, places_.size());
      const std::size_t distance = fresh ? 0 : places_.size() - seen->second;
      seen->second = places_.size();
      places_.push_back({hash_of(piece.text), name, distance});
    }
  }

  /// The hash of the run from `begin` as spelt; nothing if fewer than kSpelt pieces follow.
  std::optional<std::uint64_t> spelt(std::size_t begin) const {
    if (begin + kSpelt > places_.size()) return std::nullopt;
    std::uint64_t hash = kSpelt;
    for (std::size_t i = begin; i < begin + kSpelt; ++i) hash = mixed(hash, places_[i].text);
    return hash;
  }

  /// The hash in which the distance to its last use in the run stands for a name; nothing if fewer
  /// than kRenamed pieces follow.
  std::optional<std::uint64_t> renamed(std::size_t begin) const {
    if (begin + kRenamed > places_.size()) return std::nullopt;
    std::uint64_t hash = kRenamed;
    for (std::size_t i = begin; i < begin + kRenamed; ++i) {
      const Place& place = places_[i];
      const std::size_t distance = place.distance <= i - begin ? place.distance : 0;
      hash = mixed(hash, place.name ? distance : place.text);
    }
    return hash;
  }

  void add_to(std::unordered_set<std::uint64_t>& hashes) const {
    for (std::size_t begin = 0; begin < places_.size(); ++begin) {
      if (const auto hash = spelt(begin)) hashes.insert(*hash);
      if (const auto hash = renamed(begin)) hashes.insert(*hash);
    }
  }

 private:
  struct Place {
    std::uint64_t text = 0;
    bool name = false;         // a name that the author chose
    std::size_t distance = 0;  // to the same piece before; 0 if there is none
  };
  std::vector<Place> places_;
};

}  // namespace

void SolutionText::add_solution(std::string_view code) {
  Runs(Splitter(code, false).pieces()).add_to(solutions_);
}

void SolutionText::add_skeleton(std::string_view code) {
  Runs(Splitter(code, false).pieces()).add_to(given_);
}

std::vector<Leak> SolutionText::found_in(std::string_view text, const fs::path& file) const {
  const auto leaks = [&](const std::optional<std::uint64_t>& hash) {
    return hash && solutions_.contains(*hash) && !given_.contains(*hash);
  };
  for (const bool with_comments : {false, true}) {
    const std::vector<Piece> pieces = Splitter(text, with_comments).pieces();
    const Runs runs(pieces);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (!leaks(runs.spelt(i)) && !leaks(runs.renamed(i))) continue;
      const int line = pieces[i].line;
      return {{file, line, split_lines(text).at(static_cast<std::size_t>(line - 1))}};
    }
  }
  return {};
}

Expected<std::vector<Leak>> SolutionText::found_below(const fs::path& folder) const {
  std::vector<Leak> leaks;
  for (const fs::path& file : files_below(folder)) {
    const Expected<std::string> text = read_file(folder / file);
    if (!text) return text.error();
    std::ranges::move(found_in(*text, folder / file), std::back_inserter(leaks));
  }
  return leaks;
}

}  // namespace tessera
