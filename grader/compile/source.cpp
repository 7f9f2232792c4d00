#include "grader/compile/source.h"

#include <utility>

#include "common/text.h"
#include "grader/compile/lexer.h"

namespace tessera {
namespace {

/// `source` without a byte-order mark and with "\n" line ends.
std::string normalized(std::string_view source) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (source.starts_with(kByteOrderMark)) source.remove_prefix(kByteOrderMark.size());
  std::string result;
  result.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') {
      result += source[i];
    } else if (i + 1 == source.size() || source[i + 1] != '\n') {
      result += '\n';
    }
  }
  return result;
}

}  // namespace

Source::Source(std::string as_read) {
  std::string text = normalized(as_read);
  std::vector<std::string> lines = split_lines(text);
  Tokens tokens = tokenize(text);
  content_ = std::make_shared<const Content>(
      Content{std::move(as_read), std::move(text), std::move(lines), std::move(tokens)});
}

}  // namespace tessera
