// Texts as JSON and back: a finding's key "said" in tessera.result/2.
#pragma once

#include <optional>

#include "common/json_node.h"
#include "common/wording.h"

namespace tessera {

/// A list with each statement's phrase name and values.
nlohmann::ordered_json to_json(const Text& text);

/// Nothing if the catalogue lacks a phrase, or has it with other values: another version wrote the
/// document. Anything but such a list is a mistake in the document.
std::optional<Text> text_from_json(const JsonNode& node);

}  // namespace tessera
