// The catalogue in English.
#include <cstddef>

#include "common/wording.h"

namespace tessera {
namespace {

constexpr std::string_view kSentences[] = {
#define TESSERA_PHRASE(name, text) text,
#include "common/wording/catalogue.def"
};

}  // namespace

std::string_view sentence(Phrase phrase) {
  return kSentences[static_cast<std::size_t>(phrase)];
}

}  // namespace tessera
