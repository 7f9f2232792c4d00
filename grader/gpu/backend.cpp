#include "grader/gpu/backend.h"

namespace tessera {

Text missing_backend() {
#ifdef TESSERA_GPU_BACKEND
  return {};
#else
  return Phrase::no_gpu_backend;
#endif
}

void EndReport::set(GpuStatus end, std::string_view text, std::string_view advice) {
  status = end;
  message.set(text);
  hint.set(advice);
}

void EndReport::set(GpuStatus end, const Finding& finding) {
  set(end, finding.message.str(), finding.hint.str());
  told = true;
  kind = finding.kind;
}

}  // namespace tessera
