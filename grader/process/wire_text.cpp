#include "grader/process/wire_text.h"

#include <algorithm>
#include <variant>

namespace tessera {
namespace wire {

void require(bool holds, const char* otherwise) {
  if (!holds) throw WireError(otherwise);
}

}  // namespace wire

namespace {

using wire::require;

/// An assertion may quote 4 KiB of the source, and a message may say a name of 8 KiB four times.
constexpr std::size_t kMostWordBytes = 36u << 10;
constexpr std::size_t kMostStatements = 64;

/// The names and numbers of a sentence; its words are the catalogue's.
struct PlainValue {
  void operator()(Detail& detail) const { make_plain(detail.text); }
  void operator()(Name& name) const { make_plain(name.text); }
  void operator()(ArrayElement& element) const {
    make_plain(element.array);
    make_plain(element.index);
  }
  void operator()(Thread& thread) const {
    make_plain(thread.index);
    make_plain(thread.block);
  }
  void operator()(SourceLine& line) const {
    require(line.number >= 0 && line.number <= kMostLine, "a line that no source has");
  }
  void operator()(Count&) const {}
  void operator()(Phrase&) const {}
};

/// What a value holds beside itself.
struct WordBytes {
  std::size_t operator()(const Detail& detail) const { return detail.text.size(); }
  std::size_t operator()(const Name& name) const { return name.text.size(); }
  std::size_t operator()(const ArrayElement& element) const {
    return element.array.size() + element.index.size();
  }
  std::size_t operator()(const Thread& thread) const {
    return thread.index.size() + thread.block.size();
  }
  std::size_t operator()(const auto&) const { return 0; }
};

}  // namespace

std::size_t bytes_of(const Text& text) {
  std::size_t bytes = 0;
  for (const Statement& statement : text.statements()) {
    bytes += sizeof statement;
    for (const Statement::Value& value : statement.values)
      bytes += sizeof value + std::visit(WordBytes{}, value);
  }
  return bytes;
}

void make_plain(std::string& words) {
  require(words.size() <= kMostWordBytes, "a text that is too long");
  std::ranges::replace_if(
      words, [](unsigned char c) { return (c < ' ' && c != '\n' && c != '\t') || c == 127; }, '?');
}

void make_plain(Text& text) {
  require(text.statements().size() <= kMostStatements, "a text of too many sentences");
  for (Statement& statement : text.statements()) {
    require(is_complete(statement), "a sentence with other values than it takes");
    for (Statement::Value& value : statement.values) std::visit(PlainValue{}, value);
  }
}

std::string encode(const Text& text) {
  return wire::Writer().put(text).take();
}

Text decode_text(std::string_view bytes) {
  Text text = wire::Reader(bytes).get_last<Text>();
  make_plain(text);
  return text;
}

}  // namespace tessera
