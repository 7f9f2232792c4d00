// Small changes in a YAML text that a person wrote: comments, order, layout and line ends stay.
#pragma once

#include <string>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// Keys and, of lists, indices from 0: {"performance", "thresholds", "1", "full"}.
using YamlPath = std::vector<std::string>;

/// `text` with the plain scalar at `path` written as `value`. Errors, with line and column: nothing
/// there, no plain scalar, one that an alias (`*name`) shares with another place.
Expected<std::string> replace_scalar(const std::string& text, const YamlPath& path,
                                     const std::string& value);

/// `text` with the entry `key: value` behind the last one of the mapping at `path`, in the style of
/// the mapping: behind a comma, on a new line where the line gets longer than 100 columns, or on a
/// line of its own. `value` is YAML that fits on one line; the key is quoted where it must be.
/// Errors: nothing there, no mapping, an empty one, a key that is there.
Expected<std::string> append_entry(const std::string& text, const YamlPath& path,
                                   const std::string& key, const std::string& value);

}  // namespace tessera
