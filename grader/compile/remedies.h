// What a student should do about what a compiler says.
#pragma once

#include <string>
#include <string_view>

#include "common/wording.h"

namespace tessera {

/// Stands for a compiler's message, and says what to do.
struct Remedy {
  std::string_view symptom;  // a part of the compiler's message
  Phrase message;            // said instead; verbatim: the compiler's words are kept
  Phrase hint;
  std::string_view source_line = "";  // a part of the line that it complains of, "" for any
};

/// The first remedy for a message of either compiler, its note and the source line that they are
/// about ("" where unknown); nullptr where there is none.
const Remedy* find_remedy(std::string_view message, std::string_view note,
                          std::string_view source_line);

/// Those words of a finding's message that are a compiler's.
std::string compilers_words(const Text& message);

/// Whether a note says something without its place, as "candidate function" and "declared here" do
/// not.
bool says_more(std::string_view note);

/// Whether the message says that the compiler does not know a name of <tessera/lab.cuh>; then that
/// name, else "".
std::string_view unknown_lab_name(std::string_view message);

}  // namespace tessera
