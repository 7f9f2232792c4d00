// Helpers for text and files that every part needs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// `text` with A to Z as a to z; other bytes are not changed.
std::string lower_case(std::string_view text);

/// "a, b, c"
std::string joined(const std::vector<std::string>& words, std::string_view between = ", ");

/// `text` without blanks, tabs and line ends at its start and end.
std::string_view trimmed(std::string_view text);

/// Whether `part` occurs in `text`.
bool holds(std::string_view text, std::string_view part);

/// The message of an error number of the system.
std::string system_message(int code);

/// The candidate nearest to `word` by edit distance (letter case aside, a swap of neighbours counts
/// once); "" if none is within a third of its length (at least 2).
std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

/// " (did you mean 'x'?)" for the nearest candidate; "" if none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// The file's bytes. Errors: no such file, a directory, unreadable, larger than `max_bytes`.
Expected<std::string> read_file(const std::filesystem::path& path,
                                std::size_t max_bytes = 64u << 20);

/// Whether write_file() writes to what is there in place of replacing it: a pipe, a device, and any
/// file in /dev itself, as /dev/stdout, which may lead to a file.
bool is_written_in_place(const std::filesystem::path& path);

/// Writes a temporary file beside `path` and renames it, so that a reader never sees half a file.
/// Returns the error, if any.
std::optional<Error> write_file(const std::filesystem::path& path, std::string_view content);

/// Lines of `text` without their line ends; "\r\n" counts as one line end.
std::vector<std::string> split_lines(std::string_view text);

}  // namespace tessera
