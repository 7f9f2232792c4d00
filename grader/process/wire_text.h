// Texts as bytes and back: phrases of the catalogue with their values. A text from another process
// is checked against the catalogue, and against the longest text that a person would read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "common/wording.h"
#include "grader/process/wire.h"

namespace tessera::wire {

template <>
struct Largest<Phrase> {
  static constexpr Phrase value = static_cast<Phrase>(kPhrases - 1);
};

TESSERA_FIELDS(SourceLine, it.number);
TESSERA_FIELDS(Name, it.text);
TESSERA_FIELDS(Detail, it.text);
TESSERA_FIELDS(ArrayElement, it.array, it.index);
TESSERA_FIELDS(Thread, it.index, it.block);
TESSERA_FIELDS(Count, it.number, it.noun);
TESSERA_FIELDS(Statement, it.phrase, it.values);
TESSERA_FIELDS(Text, it.statements());

/// Throws WireError with `otherwise` unless the condition holds.
void require(bool holds, const char* otherwise);

}  // namespace tessera::wire

namespace tessera {

inline constexpr int kMostLine = 1 << 22;  // more than a source of at most 1 MiB has

/// The bytes of all statements and values of the text, in memory.
std::size_t bytes_of(const Text& text);

/// Replaces control characters. Throws wire::WireError for words that are longer than anything that
/// the grader says.
void make_plain(std::string& words);

/// The same of each value. Throws wire::WireError also where a statement has other values than it
/// takes, a line is in no source, or there are too many statements.
void make_plain(Text& text);

/// The text as bytes.
std::string encode(const Text& text);

/// The plain text of these bytes. Throws wire::WireError.
Text decode_text(std::string_view bytes);

}  // namespace tessera
