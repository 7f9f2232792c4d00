#include "grader/report/html/markup.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "common/utf8.h"

namespace tessera {
namespace {

/// Whether a page shows nothing for the character, or something that the file does not say. Adds
/// to is_invisible() joiners of letters and all that selects a variation or is a tag.
bool is_unseen(char32_t c) {
  if (c == '\t' || c == '\n') return false;
  return is_invisible(c) || c == 0x200c || c == 0x200d || (c >= 0xe0000 && c <= 0xe0fff);
}

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return "";
  }
}

/// `text` escaped; `unseen` turns the name of an unseen character into markup.
template <class Unseen>
std::string escaped(std::string_view text, const Unseen& unseen) {
  std::string markup;
  markup.reserve(text.size() + text.size() / 8);
  for_each_character(text, [&](const std::optional<Utf8Character>& c, std::string_view bytes) {
    if (!c) {
      markup += unseen(fmt::format("byte {:02X}", static_cast<unsigned char>(bytes.front())));
    } else if (is_unseen(c->value)) {
      markup += unseen(fmt::format("U+{:04X}", static_cast<std::uint32_t>(c->value)));
    } else if (const std::string_view named = entity(bytes.front()); !named.empty()) {
      markup += named;
    } else {
      markup += bytes;
    }
  });
  return markup;
}

}  // namespace

Html::Html(std::string_view text)
    : markup_(escaped(
          text, [](const std::string& name) { return "<b class=\"unseen\">" + name + "</b>"; })) {
}

Html& Html::operator+=(const Html& more) {
  markup_ += more.markup_;
  return *this;
}

Html Html::made(std::string markup) {
  Html html;
  html.markup_ = std::move(markup);
  return html;
}

Html attribute_text(std::string_view text) {
  return Html::made(escaped(text, [](const std::string& name) { return name; }));
}

Html opened(MarkupName tag, const std::vector<Attribute>& attributes) {
  std::string markup = "<" + std::string(tag.text);
  for (const auto& [name, value] : attributes) {
    markup += fmt::format(" {}=\"{}\"", name.text, attribute_text(value).str());
  }
  return Html::made(markup + ">");
}

}  // namespace tessera
