#include "grader/simulator/decode/prove.h"

#include <stdexcept>

#include "grader/simulator/exec/control.h"

namespace tessera::sim {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

class Proof {
 public:
  Proof(const Function& function, std::size_t sites) : function_(function), sites_(sites) {}

  void check(const Inst& inst) const {
    require(inst.run != nullptr, "an instruction without a handler");
    require(inst.guard < function_.predicates, "a guard that does not exist");
    for (const Ref ref : {inst.dst, inst.dst2, inst.a, inst.b, inst.c, inst.d}) check(ref);
    require(inst.source < function_.locations.size(), "an instruction without a location");
    require(inst.pattern < kPatternSlots, "a pattern slot that does not exist");
    require(inst.site == 0 || inst.site < sites_, "a memory instruction without its site");
    require(inst.run != branch || inst.target < function_.code.size(), "a branch to nowhere");
    require(inst.run != collective || inst.collective != nullptr, "a collective without its kind");
    require(inst.reconverge == kNoReconvergence || inst.reconverge < function_.code.size(),
            "a meeting place that does not exist");
  }

  void check(const List& list) const {
    require(list.returns <= list.refs.size(), "more results than slots");
    for (std::size_t i = 0; i < list.refs.size(); ++i) {
      if (list.refs[i].bank == kParameterBank) {
        require(std::uint64_t{list.refs[i].offset} + list.sizes.at(i) <= function_.parameter_bytes,
                "a slot outside of the parameters");
      } else {
        check(list.refs[i]);
      }
    }
    for (const std::uint32_t target : list.targets)
      require(target < function_.code.size(), "a table of branches that leads nowhere");
  }

 private:
  void check(Ref ref) const {
    if (ref.bank == kPredicateBank) {
      require(ref.offset < function_.predicates, "a predicate that does not exist");
      return;
    }
    require(ref.bank <= 1, "an operand in no bank");
    const std::uint64_t size =
        ref.bank == 0 ? function_.register_bytes : function_.constants.size();
    require(std::uint64_t{ref.offset} + kWidestOperand <= size, "an operand outside of its bank");
  }

  const Function& function_;
  std::size_t sites_;
};

/// The slots of a call are in the parameters, not in the bank of another operand.
void check_slots(const List& list) {
  for (const Ref slot : list.refs)
    require(slot.bank == kParameterBank, "a slot that is no parameter");
}

void check_slots(const Function& callee, const std::vector<ParamSlot>& slots) {
  for (const ParamSlot& slot : slots) {
    require(std::uint64_t{slot.offset} + slot.size <= callee.parameter_bytes,
            "a parameter outside of the parameters");
  }
}

}  // namespace

void prove(const Function& function, const Surroundings& surroundings) {
  const Proof proof(function, surroundings.sites);
  for (const Inst& inst : function.code) proof.check(inst);
  for (const List& list : function.lists) proof.check(list);
  for (const ListRead& read : surroundings.lists_read) {
    const std::uint32_t list = function.code.at(read.first).extra;
    require(list < function.lists.size(), "a list that does not exist");
    require(function.lists[list].refs.size() >= read.elements &&
                function.lists[list].sizes.size() >= read.elements,
            "a list that is too short");
  }
  require(!function.code.empty() && function.code.back().run == return_from &&
              function.code.back().guard == 0,
          "a function without an end");
}

void prove_calls(const std::vector<Function>& functions) {
  for (const Function& function : functions) {
    if (!function.defined) continue;
    check_slots(function, function.parameters);
    check_slots(function, function.returns);
    for (const Inst& inst : function.code) {
      if (inst.run == call_indirect || inst.run == call_function)
        check_slots(function.lists.at(inst.extra));
      if (inst.run != call_function) continue;
      require(inst.target < functions.size() && functions[inst.target].defined,
              "a call of nothing");
      require(slots_fit(function.lists.at(inst.extra), functions[inst.target]),
              "a call whose slots do not fit");
    }
  }
}

}  // namespace tessera::sim
