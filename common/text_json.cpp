#include "common/text_json.h"

#include <algorithm>

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

struct ValueToJson {
  Json operator()(const Detail& detail) const { return {{"detail", detail.text}}; }
  Json operator()(const Name& name) const { return {{"name", name.text}}; }
  Json operator()(const ArrayElement& element) const {
    return {{"array", element.array}, {"index", element.index}};
  }
  Json operator()(SourceLine line) const { return {{"line", line.number}}; }
  Json operator()(const Thread& thread) const {
    return {{"thread", thread.index}, {"block", thread.block}};
  }
  Json operator()(Count count) const {
    return {{"count", count.number}, {"of", to_string(count.noun)}};
  }
  Json operator()(Phrase phrase) const { return {{"phrase", to_string(phrase)}}; }
};

Phrase phrase_from(const JsonNode& node, bool& known) {
  const std::optional<Phrase> phrase = phrase_called(node.text());
  known &= phrase.has_value();
  return phrase.value_or(Phrase::verbatim);
}

Statement::Value value_from(const JsonNode& node, bool& known) {
  if (node.has("name")) return Name{node["name"].text()};
  if (node.has("array")) return ArrayElement{node["array"].text(), node["index"].text()};
  if (node.has("line")) return SourceLine{node["line"].whole<int>()};
  if (node.has("thread")) return Thread{node["thread"].text(), node["block"].text()};
  if (node.has("phrase")) return phrase_from(node["phrase"], known);
  if (!node.has("count")) return Detail(node["detail"].text());
  return Count{node["count"].whole<std::uint64_t>(), phrase_from(node["of"], known)};
}

}  // namespace

Json to_json(const Text& text) {
  Json all = Json::array();
  for (const Statement& statement : text.statements()) {
    Json values = Json::array();
    for (const Statement::Value& value : statement.values)
      values.push_back(std::visit(ValueToJson{}, value));
    all.push_back({{"phrase", to_string(statement.phrase)}, {"values", std::move(values)}});
  }
  return all;
}

std::optional<Text> text_from_json(const JsonNode& node) {
  bool known = true;
  std::vector<Statement> statements = node.list([&](const JsonNode& element) {
    Statement statement;
    statement.phrase = phrase_from(element["phrase"], known);
    statement.values =
        element["values"].list([&](const JsonNode& value) { return value_from(value, known); });
    known &= is_complete(statement);
    return statement;
  });
  if (!known) return std::nullopt;
  return Text(std::move(statements));
}

}  // namespace tessera
