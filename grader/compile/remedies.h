// What a student should do about a compiler's message.
#pragma once

#include <string>
#include <string_view>

#include "common/wording.h"

namespace tessera {

/// Replaces a compiler's message and says what to do.
struct Remedy {
  std::string_view symptom;  // a part of the compiler's message
  Phrase message;            // the replacement; verbatim: the compiler's words are kept
  Phrase hint;
  std::string_view source_line = "";  // a part of the line that the message is about, "" for any
};

/// The first remedy for a message of either compiler, its note and the source line that they are
/// about ("" if unknown); nullptr if there is none.
const Remedy* find_remedy(std::string_view message, std::string_view note,
                          std::string_view source_line);

/// The compiler's own words in a finding's message.
std::string compilers_words(const Text& message);

/// Whether a note is useful without its place, unlike "candidate function" and "declared here".
bool says_more(std::string_view note);

/// The name of <tessera/lab.cuh> that the message calls unknown; "" if there is none.
std::string_view unknown_lab_name(std::string_view message);

}  // namespace tessera
