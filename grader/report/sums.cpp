#include "grader/report/sums.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace tessera {
namespace {

void add(const std::vector<Item>& items, Sums& sums) {
  for (const Item& item : items) {
    sums.won += item.points;
    if (item.status == Status::deferred) sums.deferred += item.max_points;
    if (item.status == Status::review) sums.review += item.max_points;
    if (item.status == Status::infra) sums.infra += item.max_points;
    if (!not_measured(item)) sums.measured += item.max_points;
  }
}

/// What a message says an item counts only with: its statements from "it counts only with" on.
Text missed_by(const Text& message) {
  const std::vector<Statement>& all = message.statements();
  const auto begin = std::ranges::find(all, Phrase::counts_only_with, &Statement::phrase);
  return Text(std::vector<Statement>(begin, all.end()));
}

/// Items that count only with the same others.
struct HeldBack {
  Text missed;
  std::uint64_t items = 0;
};

/// "10 items not counted without A and B".
Text text_of(const HeldBack& some) {
  std::vector<Statement> statements = some.missed.statements();
  Statement& first = statements.front();
  first.phrase = Phrase::not_counted_without;
  first.values.insert(first.values.begin(), Count{some.items, Phrase::item});
  return Text(std::move(statements));
}

}  // namespace

Sums sums_of(const std::vector<Item>& items) {
  Sums sums;
  add(items, sums);
  return sums;
}

Sums sums_of(const std::vector<Record>& records) {
  Sums sums;
  for (const Record& record : records) add(record.items, sums);
  return sums;
}

std::string reasons(const Record& record, Status status) {
  std::vector<Text> texts;
  std::vector<HeldBack> held_back;
  for (const Item& item : record.items) {
    if (item.status != status || item.message.empty()) continue;
    if (const Text missed = missed_by(item.message); !missed.empty()) {
      const auto known = std::ranges::find(held_back, missed, &HeldBack::missed);
      if (known == held_back.end()) {
        held_back.push_back({missed, 1});
      } else {
        ++known->items;
      }
    } else if (std::ranges::count(texts, item.message) == 0) {
      texts.push_back(item.message);
    }
  }
  for (const HeldBack& some : held_back) texts.push_back(text_of(some));
  std::vector<std::string> words;
  for (const Text& text : texts) words.push_back(text.str());
  return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace tessera
