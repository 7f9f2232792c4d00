// Small changes to a YAML text that a person wrote, which keep comments, order, layout and line
// ends.
#pragma once

#include <string>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// Keys, and indices from 0 for lists: {"performance", "thresholds", "1", "full"}.
using YamlPath = std::vector<std::string>;

/// `text` with `value` in place of the plain scalar at `path`. Errors, with line and column:
/// nothing is there, it is not a plain scalar, or an alias (`*name`) shares it with another place.
Expected<std::string> replace_scalar(const std::string& text, const YamlPath& path,
                                     const std::string& value);

/// `text` with the entry `key: value` after the last entry of the mapping at `path`, in the style
/// of the mapping: after a comma, on a new line if the line gets longer than 100 columns, or on a
/// line of its own. `value` is YAML that fits on a line; the key is quoted if it must be. Errors:
/// nothing is there, it is not a mapping, it is empty, or it has the key already.
Expected<std::string> append_entry(const std::string& text, const YamlPath& path,
                                   const std::string& key, const std::string& value);

}  // namespace tessera
