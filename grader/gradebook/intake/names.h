// Names that students choose, of files and of themselves: compared, ordered, shown.
#pragma once

#include <locale.h>

#include <string>
#include <string_view>

namespace tessera {

/// `bytes` where they are UTF-8; else the bytes that are not stand as "%FF".
std::string utf8_name(std::string_view bytes);

/// UTF-8 in which control characters and direction overrides are '?'.
std::string visible_name(std::string_view name);

/// The same, but tabs and line feeds stay.
std::string visible_text(std::string_view text);

/// The same as visible_name() for messages: the middle of a long name is "...".
std::string printable_name(std::string_view name);

inline constexpr std::string_view kDigits = "0123456789";

/// Digits alone, at least one.
bool is_number(std::string_view text);

bool has_control_character(std::string_view name);

/// Lower case, of all letters in UTF-8; two names that differ in letter case alone become equal.
std::string folded(std::string_view name);

/// Whether the name ends as a kernel's does: .cu, in any letter case, behind something.
bool is_kernel_name(std::string_view name);

/// "03-tiled" of "03-tiled.cu", where is_kernel_name() holds.
std::string_view without_kernel_ending(std::string_view name);

/// Order of names in which numbers count as numbers: "a_2" < "a_10". Total: equal are only equals.
bool natural_less(std::string_view a, std::string_view b);

/// What systems and editors leave behind: __MACOSX, .DS_Store, ._x, Thumbs.db, desktop.ini, .git,
/// .ipynb_checkpoints.
bool is_system_name(std::string_view name);

/// A locale whose characters are UTF-8, whatever the user's environment says; 0 where the C library
/// has none.
locale_t utf8_locale();

}  // namespace tessera
