// Everything that the marks come from, for programs.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/utf8.h"
#include "grader/gradebook/export/exporters.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/report/points.h"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Identity& person) {
  return {
      {"name", person.name},     {"email", person.email},         {"login", person.login},
      {"sis_id", person.sis_id}, {"canvas_id", person.canvas_id}, {"moodle_id", person.moodle_id},
      {"github", person.github}, {"section", person.section},     {"group", person.group}};
}

Json to_json(const BookAttempt& attempt) {
  return {{"origin", attempt.origin},
          {"sha256", attempt.sha256},
          {"submitted_at", attempt.submitted_at},
          {"late", attempt.late},
          {"number", attempt.number},
          {"problem", attempt.problem}};
}

Json record_json(const Book& book, const Mark& mark) {
  const std::optional<BookResult> result = result_of(book, mark);
  if (!result) return nullptr;
  Json record = Json::parse(result->record, nullptr, false);
  return record.is_discarded() ? Json(nullptr) : record;
}

Json to_json(const Mark& mark) {
  const std::optional<double> score = exported_score(mark);
  Json json;
  json["student"] = to_json(mark.student.identity);
  json["lab"] = mark.lab;
  json["state"] = to_string(mark.state);
  json["score"] = score ? Json(rounded_points(*score)) : Json(nullptr);
  json["max_points"] = rounded_points(mark.max_points);
  json["raw"] = rounded_points(mark.raw);
  json["deferred"] = rounded_points(mark.deferred);
  json["review"] = rounded_points(mark.review);
  json["penalty"] = rounded_points(mark.penalty);
  json["adjustment"] = rounded_points(mark.adjustment);
  json["bonus"] = rounded_points(mark.bonus);
  json["late"] = mark.late;
  json["late_days"] = mark.late_days ? Json(*mark.late_days) : Json(nullptr);
  json["penalty_unknown"] = mark.penalty_unknown;
  json["stale"] = mark.stale;
  json["note"] = mark.note;
  json["attempts"] = mark.attempts;
  json["attempt"] = mark.attempt ? to_json(*mark.attempt) : Json(nullptr);
  return json;
}

}  // namespace

Expected<Exported> export_json(const ExportContext& context) {
  Json json;
  json["schema"] = "tessera.marks/1";
  json["course"] = context.course.title;
  json["marks"] = Json::array();
  for (const Mark& mark : context.marks) {
    json["marks"].push_back(to_json(mark));
    json["marks"].back()["record"] = record_json(context.book, mark);
  }
  return Exported{visible_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n",
                  {}};
}

}  // namespace tessera
