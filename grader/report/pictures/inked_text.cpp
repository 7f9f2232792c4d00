#include "grader/report/pictures/inked_text.h"

namespace tessera {

void InkedText::put(std::string_view text, std::optional<Color> ink) {
  if (line_.empty() || line_.back().ink != ink) line_.push_back({"", ink});
  line_.back().text += text;
}

void InkedText::end_line() {
  while (!line_.empty()) {
    std::string& last = line_.back().text;
    while (last.ends_with(' ')) last.pop_back();
    if (!last.empty()) break;
    line_.pop_back();
  }
  for (const Run& run : line_) text_ += run.ink ? painted(run.text, *run.ink, color_) : run.text;
  text_ += '\n';
  line_.clear();
}

}  // namespace tessera
