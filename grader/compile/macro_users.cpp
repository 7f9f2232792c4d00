#include "grader/compile/macro_users.h"

#include <map>
#include <utility>

namespace tessera {

std::set<std::string> macros_with(const std::vector<Directive>& directives,
                                  std::vector<std::string> words) {
  std::map<std::string, std::vector<std::string>> users;  // of a word: macros with it in the body
  for (const Directive& directive : directives) {
    if (directive.name != "define" || directive.tokens.empty()) continue;
    for (std::size_t i = 1; i < directive.tokens.size(); ++i)
      users[directive.tokens[i].text].push_back(directive.tokens.front().text);
  }
  std::set<std::string> found;
  while (!words.empty()) {
    const auto using_word = users.extract(words.back());
    words.pop_back();
    if (using_word.empty()) continue;
    for (std::string& macro : using_word.mapped()) {
      if (found.insert(macro).second) words.push_back(std::move(macro));
    }
  }
  return found;
}

}  // namespace tessera
