// Mutations that keep most of a text valid PTX: they copy, remove and exchange lines, replace words
// by words of the same text or by odd values, and add, drop and repeat modifiers of opcodes. Now
// and then they change single bytes.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

constexpr std::string_view kOdd[] = {"0",
                                     "1",
                                     "-1",
                                     "2",
                                     "3",
                                     "4",
                                     "7",
                                     "8",
                                     "16",
                                     "31",
                                     "32",
                                     "33",
                                     "63",
                                     "64",
                                     "65",
                                     "127",
                                     "255",
                                     "256",
                                     "1024",
                                     "4096",
                                     "65535",
                                     "65536",
                                     "2147483647",
                                     "-2147483648",
                                     "4294967295",
                                     "9223372036854775807",
                                     "0x8000000000000000",
                                     "0x10000000400",
                                     "0x20000000000",
                                     "0x600000000000",
                                     "0f7FC00000",
                                     "0d7FF0000000000000",
                                     "1.5",
                                     "%p1",
                                     "%rs1",
                                     "%r1",
                                     "%r2",
                                     "%rd1",
                                     "%rd2",
                                     "%f1",
                                     "%fd1",
                                     "_",
                                     "%tid.x",
                                     "%laneid",
                                     "[%rd1]",
                                     "[%r1+4]",
                                     "{%r1, %r2}",
                                     "{%rd1, %rd2}",
                                     "{%r1, %r2, %r3, %r4}",
                                     "(%rd1)",
                                     "{}",
                                     "!%p1",
                                     "%p1|%p2",
                                     ".v2",
                                     ".v4",
                                     ".v8",
                                     ".b8",
                                     ".u8",
                                     ".b16",
                                     ".u16",
                                     ".s16",
                                     ".b32",
                                     ".u32",
                                     ".s32",
                                     ".b64",
                                     ".u64",
                                     ".s64",
                                     ".f16",
                                     ".f16x2",
                                     ".f32",
                                     ".f64",
                                     ".pred",
                                     ".b128",
                                     ".global",
                                     ".shared",
                                     ".local",
                                     ".param",
                                     ".const",
                                     ".sat",
                                     ".wide",
                                     ".hi",
                                     ".lo",
                                     ".cc",
                                     ".volatile",
                                     ".sync",
                                     ".align 1",
                                     ".align 8",
                                     "@%p1",
                                     "@!%p2",
                                     "bra",
                                     "ret",
                                     "exit",
                                     "call",
                                     "bar.sync 0;",
                                     "brx.idx",
                                     "atom.add.u32",
                                     "ld",
                                     "st",
                                     "mov",
                                     "cvt",
                                     "setp.lt.s32",
                                     "selp.b32",
                                     "shfl.sync.idx.b32",
                                     "vote.sync.ballot.b32",
                                     "[1073741824]",
                                     "<1>",
                                     "<16777216>",
                                     ";",
                                     ",",
                                     "{",
                                     "}",
                                     "(",
                                     ")"};

/// Groups of modifiers, separated by blanks, of which a valid opcode has at most one. A mutation
/// replaces a modifier by another one of its group, or adds a second one.
constexpr std::string_view kModifierGroups[] = {
    "all any uni ballot",
    "up down bfly idx",
    "add sub min max inc dec and or xor exch cas popc",
    "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan",
    "rn rz rm rp rna rni rzi rmi rpi approx full",
    "lo hi wide",
    "l r clamp wrap shiftamt",
    "global shared local param const",
    "sync arrive red warp aligned",
    "relaxed acquire release acq_rel sc weak volatile",
    "cta cluster gpu sys gl",
    "v2 v4 v8",
    "f4e b4e rc8 ecl ecr rc16",
    "to uni idx",
    "pred b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64",
};

std::vector<std::string> words_of(std::string_view text, char separator) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == separator) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

struct Text {
  std::vector<std::string> lines;

  explicit Text(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      lines.emplace_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (lines.empty()) lines.emplace_back();
  }

  std::string joined() const {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  }
};

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }

  void change(Text& text, const Text& donor) {
    auto& lines = text.lines;
    const std::size_t at = below(lines.size());
    const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(13)) {
      case 0:
        lines.insert(place, std::string(lines[below(lines.size())]));
        break;
      case 1:
        if (lines.size() > 1) lines.erase(place);
        break;
      case 2:
        std::swap(lines[at], lines[below(lines.size())]);
        break;
      case 3:
        lines.insert(place, donor.lines[below(donor.lines.size())]);
        break;
      case 4:
      case 5:
        replace_word(lines[at], std::string(kOdd[below(std::size(kOdd))]));
        break;
      case 6:
        remove_word(lines[at]);
        break;
      case 7:
      case 8:
      case 9:
        change_modifiers(lines[at]);
        break;
      default:
        replace_word(lines[at], word_of(text, lines[at]));
    }
  }

 private:
  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '%' || c == '_' || c == '$' ||
           c == '.' || c == '-' || c == '#';
  }

  /// Returns where a random word of the line begins and ends; zeros if the line has none.
  std::pair<std::size_t, std::size_t> word_in(const std::string& line) {
    std::vector<std::pair<std::size_t, std::size_t>> words;
    for (std::size_t i = 0; i < line.size();) {
      std::size_t end = i;
      // Modifiers of an opcode are words of their own.
      while (end < line.size() && is_word(line[end]) && (end == i || line[end] != '.')) ++end;
      if (end > i) words.emplace_back(i, end);
      i = std::max(end, i + 1);
    }
    return words.empty() ? std::pair<std::size_t, std::size_t>{} : words[below(words.size())];
  }

  std::string word_of(const Text& text, const std::string& otherwise) {
    // The same line offers words of the same function; other lines need not.
    const std::string& line = below(3) == 0 ? otherwise : text.lines[below(text.lines.size())];
    const auto [begin, end] = word_in(line);
    return line.substr(begin, end - begin);
  }

  /// Returns where the line's opcode begins and ends, after a guard and blanks.
  static std::pair<std::size_t, std::size_t> opcode_in(const std::string& line) {
    std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) return {0, 0};
    if (line[begin] == '@') begin = line.find_first_not_of(" \t", line.find_first_of(" \t", begin));
    if (begin == std::string::npos) return {0, 0};
    std::size_t end = begin;
    while (end < line.size() && is_word(line[end])) ++end;
    return {begin, end};
  }

  /// Returns a modifier from the groups of the opcode's own modifiers; from any group if there are
  /// none.
  std::string relative_of(const std::vector<std::string>& opcode) {
    std::vector<std::string> candidates;
    for (const std::string_view group : kModifierGroups) {
      const std::vector<std::string> members = words_of(group, ' ');
      const bool meant = std::any_of(opcode.begin() + 1, opcode.end(), [&](const auto& word) {
        return std::count(members.begin(), members.end(), word) > 0;
      });
      if (meant) candidates.insert(candidates.end(), members.begin(), members.end());
    }
    if (candidates.empty())
      candidates = words_of(kModifierGroups[below(std::size(kModifierGroups))], ' ');
    return candidates[below(candidates.size())];
  }

  /// Adds a modifier of the same group, replaces a modifier by it, or drops or repeats a modifier.
  void change_modifiers(std::string& line) {
    const auto [begin, end] = opcode_in(line);
    std::vector<std::string> words = words_of(line.substr(begin, end - begin), '.');
    const std::size_t at = 1 + below(words.size());
    const auto place = words.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t action = below(6);
    if (action < 3 || at == words.size()) {
      words.insert(place, relative_of(words));
    } else if (action == 3) {
      *place = relative_of(words);
    } else if (action == 4) {
      words.erase(place);
    } else {
      words.insert(place, std::string(*place));
    }
    std::string opcode = words.front();
    for (std::size_t i = 1; i < words.size(); ++i) opcode += "." + words[i];
    line.replace(begin, end - begin, opcode);
  }

  void replace_word(std::string& line, const std::string& word) {
    const auto [begin, end] = word_in(line);
    line.replace(begin, end - begin, word);
  }

  void remove_word(std::string& line) {
    const auto [begin, end] = word_in(line);
    line.erase(begin, end - begin);
  }

  std::minstd_rand random_;
};

std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

std::size_t store(const std::string& text, std::uint8_t* data, std::size_t most) {
  const std::size_t size = std::min(text.size(), most);
  std::memcpy(data, text.data(), size);
  return size;
}

std::size_t mutated(std::string_view first, std::string_view second, unsigned seed,
                    std::uint8_t* data, std::size_t most) {
  Mutator mutator(seed);
  Text text(first);
  const Text other(second);
  const std::size_t changes = 1 + mutator.below(4);
  for (std::size_t i = 0; i < changes; ++i) mutator.change(text, other);
  return store(text.joined(), data, most);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (seed % 16 == 0) return LLVMFuzzerMutate(data, size, most);
  return mutated(view(data, size), view(data, size), seed, data, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second,
                                                 std::size_t second_size, std::uint8_t* data,
                                                 std::size_t most, unsigned seed) {
  return mutated(view(first, first_size), view(second, second_size), seed, data, most);
}
