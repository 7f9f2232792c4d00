#include "grader/authoring/proof/proof_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/numbers.h"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

std::ptrdiff_t count(const MutationResult& mutation, MutantFate fate) {
  return std::ranges::count(mutation.mutants, fate, &MutantResult::fate);
}

std::string part_line(const std::string& name, const ProofPart& part, const std::string& what) {
  return fmt::format("  {:<14} {} of {} {}\n", name, part.passed, part.total, what);
}

std::string mutation_line(const LabProof& proof) {
  if (!proof.mutation_fault.empty())
    return fmt::format("  mutants        {}\n", proof.mutation_fault);
  if (!proof.mutation) return "  mutants        not made (--no-mutants)\n";
  const MutationResult& mutation = *proof.mutation;
  const std::string uncompiled =
      mutation.uncompiled == 0 ? "" : fmt::format(" ({} more do not compile)", mutation.uncompiled);
  const auto some = [&](MutantFate fate) {
    const auto number = count(mutation, fate);
    return number == 0 ? "" : fmt::format(", {} {}", number, to_string(fate));
  };
  return fmt::format(
      "  mutants        {} {}{}, {} caught, {} equivalent, {} accepted, {} survivors{}{}{}\n",
      mutation.mutants.size(), proof.unfinished ? "tried" : "made", uncompiled,
      count(mutation, MutantFate::caught), count(mutation, MutantFate::equivalent),
      count(mutation, MutantFate::accepted), count(mutation, MutantFate::survivor),
      some(MutantFate::ended), some(MutantFate::undecided),
      proof.unfinished ? "" : fmt::format(" ({:.0f} s)", mutation.seconds));
}

std::string wrong_line(const ProofPart& wrong) {
  if (wrong.total > 0) return part_line("wrong kernels", wrong, "runs lose what they say");
  return "  wrong kernels  none yet: write mistakes that the lab must catch into wrong/\n";
}

std::string ignoring_line(const ProofPart& ignoring) {
  if (ignoring.total > 0)
    return part_line("no lesson", ignoring, "runs win at most half, and nothing of technique");
  return "  no lesson      nothing to try yet: write a right kernel that ignores the lesson into "
         "ignores/\n";
}

std::string winning_line(const ProofPart& winning) {
  return winning.total > 0 ? part_line("other shapes", winning, "runs win everything") : "";
}

/// The lines after the reference for an interrupted proof: the parts that were begun.
std::string lines_so_far(const LabProof& proof) {
  std::string text;
  if (proof.skeleton.total > 0)
    text += part_line("skeleton", proof.skeleton, "runs win no correctness points");
  if (proof.wrong.total > 0) text += wrong_line(proof.wrong);
  if (proof.ignoring.total > 0) text += ignoring_line(proof.ignoring);
  text += winning_line(proof.winning);
  if (proof.mutation) text += mutation_line(proof);
  return text;
}

/// How much was not tried again; "" if there is nothing.
std::string kept_line(const LabProof& proof) {
  const std::size_t mutants = proof.mutation ? proof.mutation->kept : 0;
  if (proof.kept_kernels + mutants == 0) return "";
  return fmt::format(
      "  kept           {} and {} are known from earlier runs (--fresh tries them)\n",
      counted(proof.kept_kernels, "run"), counted(mutants, "mutant"));
}

/// Where a proof was interrupted, or "".
std::string unfinished_line(const LabProof& proof) {
  if (!proof.unfinished) return "";
  return fmt::format("  interrupted    at {}: {} of {}; the same command goes on from there\n",
                     proof.unfinished->part, proof.unfinished->done, proof.unfinished->total);
}

std::string state_of(const LabProof& proof) {
  if (proof.unfinished) return "NOT FINISHED";
  return proof.proved() ? "proved" : "NOT PROVED";
}

/// The lines after the reference.
std::string later_lines(const LabProof& proof) {
  if (proof.stopped) return "  the rest       not looked at: a lab is proved from its reference\n";
  if (proof.unfinished) return lines_so_far(proof);
  return part_line("skeleton", proof.skeleton, "runs win no correctness points") +
         wrong_line(proof.wrong) + ignoring_line(proof.ignoring) + winning_line(proof.winning) +
         mutation_line(proof);
}

std::string room(const Margin& margin) {
  const MarginValue& worst = margin.worst();
  if (worst.value == margin.limit) return "met exactly";
  if (margin.limit == 0) return "missed";
  if (worst.percent < 0) return fmt::format("missed by {:.0f} %", -worst.percent);
  if (worst.percent > 1000) return "over 1,000 % to spare";
  return fmt::format("{:.0f} % to spare", worst.percent);
}

/// "704 with nvrtc 13.0 and clang 14.0.6", "0.0107 with nvrtc 13.0, 0.013 with clang 14.0.6"
std::string values(const Margin& margin) {
  const auto same = [&](const MarginValue& other) {
    return other.value == margin.values.front().value;
  };
  std::vector<std::string> compilers;
  std::vector<std::string> each;
  for (const MarginValue& value : margin.values) {
    compilers.push_back(value.compiler);
    each.push_back(fmt::format("{} with {}", short_number(value.value), value.compiler));
  }
  if (!std::ranges::all_of(margin.values, same)) return fmt::to_string(fmt::join(each, ", "));
  return fmt::format("{} with {}", short_number(margin.values.front().value),
                     fmt::join(compilers, " and "));
}

std::string margin_lines(const LabProof& proof) {
  std::string text;
  for (const Margin& margin : proof.margins) {
    text += fmt::format("  {:<14} {}: {}, {}\n", margin.item, margin.requirement, values(margin),
                        room(margin));
  }
  return text;
}

std::string step_line(const LabProof& proof) {
  if (!proof.steps) return "";
  const NearestStepLimit& nearest = *proof.steps;
  return fmt::format("  steps          {} of {} in {} ({}) with {}: nearest to the limit\n",
                     grouped(nearest.steps.used), grouped(nearest.steps.limit), nearest.item,
                     nearest.title, nearest.compiler);
}

std::string fault_lines(const std::string& name, const ProofPart& part) {
  std::string text;
  for (const std::string& fault : part.faults) text += fmt::format("  {}: {}\n", name, fault);
  return text;
}

std::string survivor_lines(const MutantResult& result) {
  const Mutant& mutant = result.mutant;
  std::string text = fmt::format("  {} {}, line {}: {}\n", to_string(result.fate), mutant.id,
                                 mutant.line, mutant.change);
  text += fmt::format("    - {}\n    + {}\n", mutant.before, mutant.after);
  if (result.fate == MutantFate::ended) {
    return text + fmt::format(
                      "    {}\n"
                      "    add a smaller case that catches it, or accept it in mutants.yaml\n",
                      result.reason);
  }
  if (result.killer.empty()) {
    return text + fmt::format(
                      "    no case was found that catches it; it differs: {}\n"
                      "    accept it in mutants.yaml if it may lose nothing\n",
                      result.reason);
  }
  return text + fmt::format("    {}; add a case that catches it:\n    - {}\n", result.reason,
                            result.killer);
}

std::string mutation_faults(const MutationResult& mutation) {
  std::string text;
  for (const MutantResult& result : mutation.mutants) {
    if (result.fate == MutantFate::survivor || result.fate == MutantFate::ended)
      text += survivor_lines(result);
  }
  for (const std::string& stale : mutation.stale)
    text += fmt::format("  mutants.yaml accepts {}; take the entry out\n", stale);
  return text;
}

Json part_json(const ProofPart& part) {
  return {{"passed", part.passed}, {"total", part.total}, {"faults", part.faults}};
}

Json margin_json(const Margin& margin) {
  const MarginValue& worst = margin.worst();
  Json json = {{"item", margin.item},      {"requirement", margin.requirement},
               {"limit", margin.limit},    {"value", worst.value},
               {"percent", worst.percent}, {"compiler", worst.compiler},
               {"values", Json::array()}};
  for (const MarginValue& value : margin.values) {
    json["values"].push_back(
        {{"compiler", value.compiler}, {"value", value.value}, {"percent", value.percent}});
  }
  return json;
}

Json steps_json(const NearestStepLimit& nearest) {
  return {{"item", nearest.item},
          {"used", nearest.steps.used},
          {"limit", nearest.steps.limit},
          {"compiler", nearest.compiler}};
}

Json mutant_json(const MutantResult& result) {
  const Mutant& mutant = result.mutant;
  Json json = {{"id", mutant.id},
               {"operator", mutant.kind},
               {"line", mutant.line},
               {"change", mutant.change},
               {"before", mutant.before},
               {"after", mutant.after},
               {"fate", to_string(result.fate)},
               {"reason", result.reason}};
  if (!result.killer.empty()) json["killer"] = result.killer;
  return json;
}

Json mutation_json(const MutationResult& mutation) {
  Json json;
  json["made"] = mutation.mutants.size();
  for (const MutantFate fate : {MutantFate::caught, MutantFate::equivalent, MutantFate::accepted,
                                MutantFate::survivor, MutantFate::ended})
    json[std::string(to_string(fate))] = count(mutation, fate);
  json["uncompiled"] = mutation.uncompiled;
  json["kept"] = mutation.kept;
  json["stale"] = mutation.stale;
  json["seconds"] = mutation.seconds;
  json["mutants"] = Json::array();
  for (const MutantResult& result : mutation.mutants)
    json["mutants"].push_back(mutant_json(result));
  return json;
}

Json proof_json(const LabProof& proof) {
  Json json = {{"lab", proof.lab},
               {"proved", proof.proved()},
               {"compilers", proof.compilers},
               {"reference", part_json(proof.reference)},
               {"stopped", proof.stopped},
               {"skeleton", part_json(proof.skeleton)},
               {"wrong", part_json(proof.wrong)},
               {"ignoring", part_json(proof.ignoring)},
               {"winning", part_json(proof.winning)},
               {"margins", Json::array()},
               {"hidden_cases", proof.hidden_cases},
               {"doubts", proof.doubts},
               {"finished", !proof.unfinished},
               {"kept_kernels", proof.kept_kernels},
               {"seconds", proof.seconds}};
  for (const Margin& margin : proof.margins) json["margins"].push_back(margin_json(margin));
  if (proof.steps) json["steps"] = steps_json(*proof.steps);
  if (!proof.page_fault.empty()) json["page_fault"] = proof.page_fault;
  if (!proof.solution_fault.empty()) json["solution_fault"] = proof.solution_fault;
  if (proof.mutation) json["mutation"] = mutation_json(*proof.mutation);
  if (!proof.mutation_fault.empty()) json["mutation_fault"] = proof.mutation_fault;
  return json;
}

}  // namespace

std::string proof_text(const LabProof& proof) {
  std::string text =
      fmt::format("{}: {} ({})\n", proof.lab, state_of(proof), fmt::join(proof.compilers, ", "));
  text += part_line("reference", proof.reference, "runs win everything");
  text += later_lines(proof) + kept_line(proof) + unfinished_line(proof);
  text += margin_lines(proof) + step_line(proof);
  text += fmt::format("  hidden cases   {}\n", proof.hidden_cases);
  for (const std::string& doubt : proof.doubts) text += fmt::format("  look at        {}\n", doubt);
  if (!proof.page_fault.empty()) text += fmt::format("  task: {}\n", proof.page_fault);
  if (!proof.solution_fault.empty()) text += fmt::format("  solution: {}\n", proof.solution_fault);
  text += fault_lines("reference", proof.reference);
  text += fault_lines("skeleton", proof.skeleton);
  text += fault_lines("wrong kernel", proof.wrong);
  text += fault_lines("no lesson", proof.ignoring);
  text += fault_lines("other shape", proof.winning);
  if (proof.mutation) text += mutation_faults(*proof.mutation);
  return text;
}

std::string mutation_table(const std::vector<LabProof>& proofs) {
  std::string text =
      "| lab | mutants | caught | equivalent | accepted | ended | survivors | seconds |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const LabProof& proof : proofs) {
    if (!proof.mutation) continue;
    const MutationResult& mutation = *proof.mutation;
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {:.0f} |\n", proof.lab,
                        mutation.mutants.size(), count(mutation, MutantFate::caught),
                        count(mutation, MutantFate::equivalent),
                        count(mutation, MutantFate::accepted), count(mutation, MutantFate::ended),
                        count(mutation, MutantFate::survivor), mutation.seconds);
  }
  return text;
}

std::string proof_json(const std::vector<LabProof>& proofs) {
  Json labs = Json::array();
  for (const LabProof& proof : proofs) labs.push_back(proof_json(proof));
  const Json json = {{"schema", "tessera.lab-check/1"}, {"labs", labs}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tessera
