#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "common/temporary_directory.h"
#include "common/text.h"
#include "grader/gradebook/intake/test_download.h"
#include "grader/gradebook/testing/made_up_class.h"

namespace tessera {
namespace {

constexpr const char* kLaunch = R"(
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16), 0};
}
)";

/// A kernel for 03-tiled with `body`, and what stands before it.
std::string kernel(const std::string& body, const std::string& before = "",
                   const std::string& launch = kLaunch) {
  return "#include <tessera/lab.cuh>\n" + before +
         "__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) "
         "{\n" +
         body + "\n}\n" + launch;
}

/// Each instantiates two more: 2^30 of them.
constexpr const char* kTemplateBomb = R"(
template <int N, long M> struct Bomb {
  static constexpr long value = Bomb<N - 1, 2 * M>::value + Bomb<N - 1, 2 * M + 1>::value;
};
template <long M> struct Bomb<0, M> { static constexpr long value = M; };
)";

constexpr const char* kHugeLaunch = R"(
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(2147483647, 65535, 65535), dim3(32, 32), 0};
}
)";

constexpr const char* kExpandingMacros = R"(
#define A1 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
#define A2 A1 + A1 + A1 + A1 + A1 + A1 + A1 + A1 + A1 + A1
#define A3 A2 + A2 + A2 + A2 + A2 + A2 + A2 + A2 + A2 + A2
#define A4 A3 + A3 + A3 + A3 + A3 + A3 + A3 + A3 + A3 + A3
#define A5 A4 + A4 + A4 + A4 + A4 + A4 + A4 + A4 + A4 + A4
#define A6 A5 + A5 + A5 + A5 + A5 + A5 + A5 + A5 + A5 + A5
#define A7 A6 + A6 + A6 + A6 + A6 + A6 + A6 + A6 + A6 + A6
#define A8 A7 + A7 + A7 + A7 + A7 + A7 + A7 + A7 + A7 + A7
#define A9 A8 + A8 + A8 + A8 + A8 + A8 + A8 + A8 + A8 + A8
)";

template <class Fill>
std::string archive(const std::string& name, const Fill& fill) {
  const TemporaryDirectory folder;
  {
    TestArchive writer(folder.path() / name);
    fill(writer);
  }
  return *read_file(folder.path() / name);
}

std::vector<HostileSubmission> hostile_sources() {
  const std::string nul = kernel("") + std::string(64, '\0') + "\n";
  return {
      {"includes the reference", "03-tiled.cu", "#include \"../../solutions/03-tiled/kernel.cu\"\n",
       "error"},
      {"includes the users of the machine", "03-tiled.cu", kernel("", "#include \"/etc/passwd\"\n"),
       "error"},
      {"includes what never ends", "03-tiled.cu", kernel("", "#include \"/dev/zero\"\n"), "error"},
      {"embeds the users of the machine", "03-tiled.cu",
       kernel("asm volatile(\".incbin \\\"/etc/passwd\\\";\");"), "error"},
      {"template bomb", "03-tiled.cu", kernel("C(0, 0) = Bomb<30, 1>::value;", kTemplateBomb),
       "error"},
      {"macro bomb", "03-tiled.cu", kernel("C(0, 0) = A9;", kExpandingMacros), "error"},
      {"never ends", "03-tiled.cu", kernel("volatile int go = 1; while (go) {}"), "timeout"},
      {"prints without end", "03-tiled.cu", kernel("for (;;) printf(\"%s\\n\", \"tessera\");"),
       "timeout"},
      {"launches without end", "03-tiled.cu", kernel("", "", kHugeLaunch), "fail"},
      {"takes all memory", "03-tiled.cu",
       kernel("int n = 0; while (volatile int* p = (int*)malloc(1 << 20)) *p = ++n; C(0, 0) = n;"),
       "fail"},
      {"recurses without end", "03-tiled.cu",
       kernel("C(0, 0) = f(1);",
              "__device__ __noinline__ int f(int n) { volatile int a[64]; a[n & 63] = n; "
              "return f(n + 1) + a[1]; }\n"),
       "error"},
      {"NUL bytes", "03-tiled.cu", nul, "error"},
      {"empty", "03-tiled.cu", "", "error"},
      {"a program of the machine", "03-tiled.cu", *read_file("/bin/true"), "error"},
  };
}

std::vector<HostileSubmission> hostile_archives() {
  const std::string code = kernel("");
  return {
      {"climbs out", "03-tiled.zip",
       archive("a.zip", [&](TestArchive& a) { a.file("../../../../tmp/kernel.cu", code); }),
       "ungradable"},
      {"absolute", "03-tiled.zip",
       archive("a.zip", [&](TestArchive& a) { a.file("/tmp/kernel.cu", code); }), "ungradable"},
      {"link", "03-tiled.tar.gz",
       archive("a.tar.gz", [&](TestArchive& a) { a.link("kernel.cu", "/etc/passwd"); }),
       "ungradable"},
      {"hard link", "03-tiled.tar.gz",
       archive("a.tar.gz", [&](TestArchive& a) { a.hard_link("kernel.cu", "/etc/passwd"); }),
       "ungradable"},
      {"pipe", "03-tiled.tar.gz", archive("a.tar.gz", [&](TestArchive& a) { a.pipe("kernel.cu"); }),
       "ungradable"},
      {"archive bomb", "03-tiled.zip",
       archive("a.zip", [&](TestArchive& a) { a.file("kernel.cu", std::string(100 << 20, ' ')); }),
       "ungradable"},
      {"empty archive", "03-tiled.zip", archive("a.zip", [](TestArchive&) {}), "ungradable"},
      {"no archive", "03-tiled.zip", "this is no archive", "ungradable"},
      {"cut off", "03-tiled.zip",
       archive("a.zip", [&](TestArchive& a) { a.file("kernel.cu", code + code); }).substr(0, 60),
       "ungradable"},
      {"two of one name", "03-tiled.zip",
       archive("a.zip",
               [&](TestArchive& a) {
                 a.file("kernel.cu", code);
                 a.file("KERNEL.cu", code);
               }),
       "ungradable"},
  };
}

std::vector<HostileSubmission> hostile_names() {
  const std::string skeleton = kernel("");
  return {
      {"=cmd|' /C calc'!A0", "03-tiled.cu", skeleton, "fail"},
      {"'); DROP TABLE student; --", "03-tiled.cu", skeleton, "fail"},
      {"new\nline \"quotes\" \xF0\x9F\x98\x80", "03-tiled.cu", skeleton, "fail"},
      {"<script>alert(1)</script>", "03-tiled.cu", skeleton, "fail"},
      {"another ending", "03-tiled.txt", skeleton, "ungradable"},
      {"too large", "03-tiled.cu", std::string(2 << 20, ' '), "ungradable"},
  };
}

}  // namespace

std::vector<HostileSubmission> hostile_submissions() {
  std::vector<HostileSubmission> all = hostile_sources();
  for (auto* more : {&hostile_archives, &hostile_names}) {
    std::vector<HostileSubmission> some = (*more)();
    std::ranges::move(some, std::back_inserter(all));
  }
  return all;
}

}  // namespace tessera
