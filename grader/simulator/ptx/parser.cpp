// Statements outside of functions.
#include "grader/simulator/ptx/parser.h"

#include <charconv>
#include <limits>

namespace tessera::ptx {

Module Parser::run() {
  while (skip_space(), !at_end()) statement();
  return std::move(module_);
}

void Parser::statement() {
  const std::string word = try_directive();
  if (word.empty()) fail("expected a directive, found " + found());
  if (word == "target") {
    target();
  } else if (word == "version") {
    number();
  } else if (word == "address_size") {
    if (integer() != 64) fail("addresses have 64 bits");
  } else if (word == "file") {
    const int index = static_cast<int>(integer_to(std::numeric_limits<int>::max()));
    count_name();
    module_.files[index] = quoted();
    if (accept(',')) {  // time stamp and size
      integer();
      expect(',');
      integer();
    }
  } else if (word == "section") {
    skip_until('{');
    skip_until('}');
  } else if (word == "pragma") {
    pragma();
  } else if (word == "alias") {
    alias();
  } else {
    declaration(word);
  }
}

void Parser::target() {
  const std::string name = try_name();
  constexpr std::string_view kBefore = "sm_";
  if (name.starts_with(kBefore))
    std::from_chars(name.data() + kBefore.size(), name.data() + name.size(), architecture_);
  while (accept(',')) this->name();
}

void Parser::pragma() {
  do {
    quoted();
  } while (accept(','));
  expect(';');
}

void Parser::declaration(std::string word) {
  bool external = false;
  for (;; word = try_directive()) {
    if (word == "visible" || word == "weak" || word == "common") continue;
    if (word == "extern") {
      external = true;
    } else if (word == "entry" || word == "func") {
      function(word == "entry");
      return;
    } else if (word == "global" || word == "const" || word == "shared") {
      for (Variable& variable : variables(space_of(word), external)) {
        module_.variables.push_back(std::move(variable));
      }
      return;
    } else {
      fail_directive(word);
    }
  }
}

void Parser::fail_directive(const std::string& word) const {
  const std::string text = "the directive '." + word + "'";
  if (is_directive(word)) fail_unknown("the simulator does not know " + text);
  fail("PTX has no " + text.substr(4));
}

void Parser::alias() {
  const int first_line = line();
  const std::string text = name();
  expect(',');
  Module::Alias alias{.of = name(), .ptx_line = first_line};
  if (!module_.aliases.try_emplace(text, std::move(alias)).second)
    fail("'" + text + "' is declared as an alias twice");
  expect(';');
  count_name();
}

void Parser::count(std::size_t& number, std::size_t most, std::string_view what) {
  if (++number > most)
    fail_over_limit("more than " + std::to_string(most) + " " + std::string(what) +
                    " in one module");
}

void Parser::count_name() {
  count(names_, kMaxNames, "names");
}

Space Parser::space_of(std::string_view word) {
  if (word == "global") return Space::global;
  if (word == "const") return Space::constant;
  if (word == "shared") return Space::shared;
  if (word == "local") return Space::local;
  return Space::param;
}

Expected<Module, LoadError> parse(std::string_view text) {
  if (text.size() > kMaxTextBytes) {
    return LoadError{.fault = LoadFault::over_limit,
                     .line = 0,
                     .name = "",
                     .message = "the PTX is larger than 64 MiB"};
  }
  try {
    return Parser(text).run();
  } catch (const SyntaxError& error) {
    return LoadError{
        .fault = error.fault, .line = error.line, .name = error.symbol, .message = error.message};
  }
}

}  // namespace tessera::ptx
