#include "grader/cli/complete.h"

#include <CLI/Option.hpp>
#include <algorithm>
#include <iostream>
#include <sstream>

#include "common/device_profile.h"
#include "grader/cli/locations.h"
#include "grader/lab/lab.h"

namespace tessera {
namespace {

using Values = std::map<std::string, std::vector<std::string>>;

/// Whether a shell reads the character as itself.
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

bool is_any(const CLI::App*) {
  return true;
}

const CLI::Option* option_called(const CLI::App& command, const std::string& word) {
  return word.starts_with("-") ? command.get_option_no_throw(word) : nullptr;
}

bool takes_value(const CLI::Option* option) {
  return option != nullptr && option->get_items_expected_max() > 0;
}

/// The values of an option, which CLI11 shows in braces: "TEXT:{auto,nvrtc,clang}".
std::vector<std::string> values_of(const CLI::Option& option, const Values& values) {
  if (const auto known = values.find(option.get_name()); known != values.end())
    return known->second;
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{'), end = type.find('}');
  std::vector<std::string> words;
  if (begin == std::string::npos || end == std::string::npos) return words;
  std::istringstream list(type.substr(begin + 1, end - begin - 1));
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

std::vector<Completion> with_no_help(const std::vector<std::string>& words) {
  std::vector<Completion> found;
  for (const std::string& word : words) found.push_back({word, ""});
  return found;
}

std::vector<Completion> options_of(const CLI::App& command) {
  std::vector<Completion> found;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      found.push_back({"--" + name, option->get_description()});
  }
  return found;
}

std::vector<Completion> arguments_of(const CLI::App& command, const Values& values) {
  std::vector<Completion> found;
  for (const CLI::App* sub : command.get_subcommands(is_any))
    found.push_back({sub->get_name(), sub->get_description()});
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional())
      std::ranges::move(with_no_help(values_of(*option, values)), std::back_inserter(found));
  }
  return found;
}

}  // namespace

std::vector<Completion> completions(const CLI::App& app, const std::vector<std::string>& words,
                                    const Values& values) {
  if (words.empty()) return {};
  const CLI::App* command = &app;
  const CLI::Option* option = nullptr;  // the option whose value comes next
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "=" && option != nullptr) continue;  // bash splits --option=value
    const bool is_value = option != nullptr;
    option = is_value ? nullptr : option_called(*command, words[i]);
    if (!takes_value(option)) option = nullptr;
    const auto subs = command->get_subcommands(is_any);
    const auto sub = std::ranges::find(subs, words[i], &CLI::App::get_name);
    if (!is_value && sub != subs.end()) command = *sub;
  }
  const std::string start = words.back() == "=" ? "" : words.back();
  std::vector<Completion> found = option != nullptr ? with_no_help(values_of(*option, values))
                                  : start.starts_with("-") ? options_of(*command)
                                                           : arguments_of(*command, values);
  // A shell inserts the word into the command line unquoted.
  std::erase_if(found, [&](const Completion& completion) {
    return !completion.word.starts_with(start) || !std::ranges::all_of(completion.word, is_plain);
  });
  return found;
}

ExitStatus print_completions(const CLI::App& app, const std::vector<std::string>& words) {
  Values values;
  if (const Expected<Locations> here = find_kit()) {
    for (const auto& lab : find_labs(here->kit.labs))
      values["LAB"].push_back(lab.filename().string());
    values["--lab"] = values["LAB"];
    values["--device"] = device_profile_names(here->kit.devices());
  }
  for (const Completion& completion : completions(app, words, values))
    std::cout << completion.word << "\t" << completion.help << "\n";
  return kSuccess;
}

}  // namespace tessera
