// Ends the program if the processor lacks instructions for which it was compiled. Runs before
// anything else, and is itself compiled for any x86-64.
#include <unistd.h>

#include <cstring>

namespace {

[[gnu::constructor(101)]] void check_processor() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v3")) return;
  const char* words =
      "tessera: this program needs a processor with AVX2 and FMA (x86-64-v3: Intel since 2013, AMD "
      "since "
      "2015), and this one is older; build Tessera from its sources here, or use another machine\n";
  const auto written = write(STDERR_FILENO, words, std::strlen(words));
  _exit(written < 0 ? 4 : 3);
}

}  // namespace
