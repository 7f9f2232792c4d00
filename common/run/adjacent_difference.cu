// result[i] = input[i] - input[i - 1] on a GPU: the host's part of a CUDA program, which `make
// grade` otherwise hides. The kernel and its `launch` come from your kernel.cu; `make run LAB=00
// N=1000000` compiles the two together with nvcc into build/run/00-adjacent-difference. That is a
// program like any other (--help lists its options), and NVIDIA's tools work on it:
//
//   compute-sanitizer --tool memcheck build/run/00-adjacent-difference --n 1000 --repeat 0
//   ncu --set full build/run/00-adjacent-difference --n 1000000 --repeat 0
//   make run LAB=00 N=1000 DEBUG=1 &&
//     cuda-gdb --args build/run/00-adjacent-difference.debug --n 1000 --repeat 0
//
// matmul.cu, beside this file, explains the names in capitals.
#include <cstdio>
#include <random>
#include <vector>

#include "common/run/buffer.cuh"
#include "common/run/gpu.cuh"
#include "common/run/options.h"
#include "common/run/stopwatch.cuh"
#include "common/run/table.h"
#include "common/run/unwritten.h"
// Included last, so that its macros change nothing above.
#include LAB_KERNEL_FILE

using Element = LAB_ELEMENT;

namespace host {

/// Whether all n elements of `result` are right. Prints the first wrong element and how many there
/// are.
template <class T>
bool check_differences(const T* input, const T* result, int n) {
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const T expected = i > 0 ? input[i] - input[i - 1] : input[i];
    if (result[i] == expected) continue;
    if (wrong++ > 0) continue;
    std::printf("  result is WRONG: result[%d] ", i);
    if (is_unwritten(result[i])) {
      std::printf("was not written");
    } else {
      std::printf("is %g", double(result[i]));
    }
    std::printf(" and should be %g", double(expected));
  }
  if (wrong > 0) {
    std::printf("; %d of %d elements are wrong\n", wrong, n);
  } else {
    std::printf("  result is right: all %d elements\n", n);
  }
  return wrong == 0;
}

}  // namespace host

int main(int argc, char** argv) {
  const host::Options options = host::read_options(argc, argv, LAB_SHAPE, {"n"});
  const int n = options["n"];
  LAB_PARAMETERS
  const double all_bytes = 2.0 * n * sizeof(Element);

  const cudaDeviceProp gpu = host::choose_gpu();
  std::printf("%s: n = %d, ", LAB_KERNEL_FILE, n);
  const Launch shape = launch(LAB_LAUNCH);
  host::prepare_launch(LAB_KERNEL, shape, gpu);
  host::check_memory({std::size_t(n), std::size_t(n)}, sizeof(Element));

  bool right = true;
  for (const host::Memory memory : options.memories) {
    if (!host::can_use(memory, gpu)) continue;

    // 1. Memory for both arrays, on the host and on the GPU.
    const host::Buffer<Element> input_buffer = host::allocate<Element>(memory, n);
    const host::Buffer<Element> result_buffer = host::allocate<Element>(memory, n);

    // 2. Input: whole numbers from -1000 to 1000. The result begins as a pattern that shows which
    //    elements the kernel does not write.
    std::mt19937 random(options.seed);
    for (int i = 0; i < n; ++i) input_buffer.host[i] = Element(int(random() % 2001) - 1000);
    CUDA_CHECK(cudaMemset(result_buffer.device, host::kUnwritten, result_buffer.bytes));

    // 3. To the GPU.
    host::print_heading(host::name_of(memory), "Gop/s");
    host::print_row("input to the GPU", input_buffer.bytes, host::to_device(input_buffer));

    // 4. The kernel's parameters.
    const Matrix<const Element> input{input_buffer.device, 1, n, n};
    const Matrix<Element> result{result_buffer.device, 1, n, n};

    // 5. Launch. The first launch also loads the kernel's code onto the GPU. Errors appear in two
    //    places: if the launch itself is refused, in cudaGetLastError(); if the kernel breaks while
    //    it runs, in the next call that waits for it, which is in stop().
    host::Stopwatch stopwatch;
    std::vector<float> milliseconds;
    for (int i = 0; i <= options.repeat; ++i) {
      stopwatch.start();
      LAB_KERNEL<<<shape.grid, shape.block, shape.shared_bytes>>>(LAB_ARGUMENTS);
      CUDA_CHECK(cudaGetLastError());
      milliseconds.push_back(stopwatch.stop());
    }
    host::print_row("kernel, first launch", all_bytes, milliseconds.front(), n);
    if (options.repeat > 0) {
      milliseconds.erase(milliseconds.begin());
      host::print_row("kernel, median of later launches", all_bytes, host::median(milliseconds), n);
    }

    // 6. The result back to the host.
    host::print_row("result to the host", result_buffer.bytes, host::to_host(result_buffer));
    right &= host::check_differences(input_buffer.host, result_buffer.host, n);

    // 7. Free what was allocated.
    host::release(input_buffer);
    host::release(result_buffer);
  }
  std::printf("\nGB/s of the kernel: either array counted once.\n");
  return right ? 0 : 1;
}
