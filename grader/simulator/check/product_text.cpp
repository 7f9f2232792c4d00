#include "grader/simulator/check/product_text.h"

namespace tessera::sim {

Text product_message(const ProductMeeting& meeting, SourceLine line) {
  switch (meeting.mistake) {
    case ProductMistake::sum_read:
      return say(Phrase::sum_read_early, line);
    case ProductMistake::sum_written:
      return say(Phrase::sum_written_early, line);
    case ProductMistake::factor_written:
      return say(Phrase::factor_written_early, line);
    case ProductMistake::overwritten:
      return say(Phrase::factor_overwritten, meeting.verb, meeting.element, line);
    case ProductMistake::unfenced_store:
      break;
  }
  return say(Phrase::unfenced_store, meeting.element, line, Thread{meeting.thread, ""});
}

Text product_hint(const ProductMeeting& meeting, SourceLine line, SourceLine wait) {
  switch (meeting.mistake) {
    case ProductMistake::overwritten:
      return say(Phrase::factor_overwritten_hint, line, wait);
    case ProductMistake::unfenced_store:
      return say(Phrase::unfenced_store_hint, line);
    case ProductMistake::factor_written:
      return Phrase::factor_written_early_hint;
    case ProductMistake::sum_read:
    case ProductMistake::sum_written:
      break;
  }
  if (meeting.in_local_memory) return Phrase::sums_in_local_memory_hint;
  return meeting.in_group ? Phrase::sum_used_early_hint
                          : say(Phrase::product_without_group_hint, line);
}

}  // namespace tessera::sim
