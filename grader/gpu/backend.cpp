#include "grader/gpu/backend.h"

#include "grader/process/wire_text.h"

namespace tessera {

Text missing_backend() {
#ifdef TESSERA_GPU_BACKEND
  return {};
#else
  return Phrase::no_gpu_backend;
#endif
}

void SharedText::set(const Text& text) {
  std::string encoded = encode(text);
  // Half of the space leaves enough for the encoding around the words.
  if (encoded.size() > sizeof bytes) encoded = encode(Text(text.str().substr(0, sizeof bytes / 2)));
  size = static_cast<std::uint32_t>(encoded.copy(bytes, sizeof bytes));
}

Text SharedText::get() const {
  wire::require(size <= sizeof bytes, "a text that is longer than its room");
  return size == 0 ? Text() : decode_text({bytes, size});
}

void EndReport::set(GpuStatus end, const Text& text, const Text& advice) {
  status = end;
  message.set(text);
  hint.set(advice);
}

void EndReport::set(GpuStatus end, const Finding& finding) {
  set(end, finding.message, finding.hint);
  has_finding = true;
  kind = finding.kind;
}

}  // namespace tessera
