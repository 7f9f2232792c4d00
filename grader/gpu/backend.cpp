#include "grader/gpu/backend.h"

namespace tessera {

void EndReport::set(GpuStatus end, std::string_view text, std::string_view advice) {
  status = end;
  message.set(text);
  hint.set(advice);
}

void EndReport::set(GpuStatus end, const Finding& finding) {
  set(end, finding.message, finding.hint);
  told = true;
  kind = finding.kind;
}

}  // namespace tessera
