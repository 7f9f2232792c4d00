#include "grader/report/html/words.h"

#include <fmt/format.h>

#include <cmath>

#include "common/numbers.h"
#include "common/utf8.h"

namespace tessera {
namespace {

constexpr std::size_t kMaxMessageBytes = 2'000;

}  // namespace

Html link_to(const std::string& id, const Html& text) {
  return element("a", {{"href", "#" + id}}, text);
}

Html status_word(Status status) {
  const std::string word(to_string(status));
  return element("span", {{"class", "status " + word}}, word);
}

std::string points_text(double points) {
  return short_number(std::round(points * 100) / 100);
}

Html message_text(const std::string& message) {
  const std::string_view shown = prefix_of_bytes(message, kMaxMessageBytes);
  Html text = shown;
  if (shown.size() < message.size()) {
    text += element("i", {},
                    fmt::format(" ... and {} bytes more", grouped(message.size() - shown.size())));
  }
  return text;
}

Html name_text(std::string_view label) {
  Html text;
  for (std::size_t end; (end = label.find('_')) != label.npos; label.remove_prefix(end + 1)) {
    text += label.substr(0, end + 1);
    text += opened("wbr");
  }
  text += label;
  return text;
}

std::string counted_points(double points) {
  const std::string text = points_text(points);
  return text + (text == "1" ? " point" : " points");
}

}  // namespace tessera
