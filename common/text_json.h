// Sentences as JSON and back: "said" of a finding in tessera.result/2.
#pragma once

#include <optional>

#include "common/json_node.h"
#include "common/wording.h"

namespace tessera {

/// A list: for each sentence its phrase's name and its values.
nlohmann::ordered_json to_json(const Text& text);

/// Nothing where the catalogue has no such phrase, or one with other values: another version wrote
/// it. What is no such list is a mistake in the document.
std::optional<Text> text_from_json(const JsonNode& node);

}  // namespace tessera
