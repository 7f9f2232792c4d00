// Names that students choose, of files and of themselves: compared, ordered, shown.
#pragma once

#include <locale.h>

#include <string>
#include <string_view>

namespace tessera {

/// `bytes` as UTF-8: bytes that are none are written as "%FF". Different bytes give different
/// names: the '%' of what looks like such a byte becomes "%25".
std::string utf8_name(std::string_view bytes);

/// UTF-8 in which control characters and direction overrides are '?'.
std::string visible_name(std::string_view name);

/// The same, but tabs and line feeds stay.
std::string visible_text(std::string_view text);

/// visible_name() for messages: the middle of a long name is "...".
std::string printable_name(std::string_view name);

inline constexpr std::string_view kDigits = "0123456789";

/// Whether `text` is digits alone, at least one.
bool is_number(std::string_view text);

bool has_control_character(std::string_view name);

/// The name in lower case, all letters of Unicode included; names that differ only in letter case
/// become equal.
std::string folded(std::string_view name);

/// Whether the name ends as a kernel's does: .cu, in any letter case, after at least one character.
bool is_kernel_name(std::string_view name);

/// "03-tiled" of "03-tiled.cu", for which is_kernel_name() holds.
std::string_view without_kernel_ending(std::string_view name);

/// Order of names in which numbers count as numbers: "a_2" < "a_10". A total order: only identical
/// names are equal.
bool natural_less(std::string_view a, std::string_view b);

/// Whether the name is of a file that systems and editors leave behind: __MACOSX, .DS_Store, ._x,
/// Thumbs.db, desktop.ini, .git, .ipynb_checkpoints.
bool is_system_name(std::string_view name);

/// A locale whose characters are UTF-8, whatever the user's environment says; 0 if the C library
/// has none.
locale_t utf8_locale();

}  // namespace tessera
