// HTML that is safe by construction: text becomes markup only by being escaped.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// The name of an element or attribute: a literal of this program, never text that was read.
struct MarkupName {
  consteval MarkupName(const char* literal) : text(literal) {}
  std::string_view text;
};

/// A piece of a page. Text converts to it implicitly and is escaped; what cannot be seen (control
/// characters, direction overrides, bytes that are not UTF-8) is shown as its code in an element
/// of the class "unseen": "U+202E", "byte FF". Tabs and line feeds stay.
class Html {
 public:
  Html() = default;
  Html(std::string_view text);
  Html(const std::string& text) : Html(std::string_view(text)) {}
  Html(const char* text) : Html(std::string_view(text)) {}

  Html& operator+=(const Html& more);

  const std::string& str() const { return markup_; }
  bool empty() const { return markup_.empty(); }

  /// Markup as it is: a style sheet or a picture that this program made, whose texts are escaped
  /// already.
  static Html made(std::string markup);

 private:
  std::string markup_;
};

/// Escaped text for an attribute or a title, which cannot hold elements; what cannot be seen
/// becomes its code.
Html attribute_text(std::string_view text);

struct Attribute {
  MarkupName name;
  std::string value;
};

/// `<tag name="value">`
Html opened(MarkupName tag, const std::vector<Attribute>& attributes = {});

/// `<tag name="value">content...</tag>`
template <std::convertible_to<Html>... Content>
Html element(MarkupName tag, const std::vector<Attribute>& attributes, const Content&... content) {
  Html all = opened(tag, attributes);
  (all.operator+=(Html(content)), ...);
  all += Html::made("</" + std::string(tag.text) + ">");
  return all;
}

}  // namespace tessera
