#include "grader/simulator/check/copy_text.h"

namespace tessera::sim {

Text unfinished_message(const UnfinishedCopy& access, SourceLine copy) {
  if (access.source_changed) return say(Phrase::copy_source_changed, copy, access.element);
  const Thread thread{access.thread, ""};
  if (access.thread == access.copier)
    return say(Phrase::own_copy_on_its_way, access.verb, access.element, thread, copy);
  return say(Phrase::copy_on_its_way, access.verb, access.element, thread, copy,
             Thread{access.copier, ""});
}

Text unfinished_hint(const UnfinishedCopy& access, SourceLine copy, SourceLine wait) {
  if (access.source_changed) return Phrase::copy_source_changed_hint;
  if (access.verb == Phrase::copies_into) return Phrase::copied_again_hint;
  if (access.at_mbarrier) return Phrase::copy_until_phase_hint;
  if (access.begun_after_wait) return say(Phrase::copy_begun_after_wait_hint, copy, wait);
  if (!access.in_group) return say(Phrase::copy_without_group_hint, copy);
  const bool other = access.thread != access.copier;
  if (wait.number == 0)
    return other ? Phrase::copy_not_waited_for_hint : Phrase::own_copy_not_waited_for_hint;
  // A copy whose group was closed after the wait counts as one of no group there.
  Text hint = access.behind == 0 ? say(Phrase::group_closed_after_wait_hint, copy, wait)
                                 : say(Phrase::wait_lets_too_many_travel_hint, wait,
                                       Count{access.waited_for, Phrase::group}, access.behind - 1);
  if (other) hint += Phrase::barrier_after_wait_hint;
  return hint;
}

}  // namespace tessera::sim
