// C = A B on a GPU: the host's part of a CUDA program, which `make grade` otherwise hides. The
// kernel and its `launch` come from your kernel.cu; `make run LAB=03 N=1024` compiles the two
// together with nvcc into build/run/03-tiled. That is a program like any other:
//
//   build/run/03-tiled --m 100 --n 200 --k 300 --memory pinned     (--help lists the options)
//
// and NVIDIA's tools work on it: where is the error, why is it slow, what happens in there?
//
//   compute-sanitizer --tool memcheck build/run/03-tiled --size 64 --repeat 0
//   ncu --set full build/run/03-tiled --size 1024 --repeat 0
//   make run LAB=03 N=64 DEBUG=1 && cuda-gdb --args build/run/03-tiled.debug --size 64 --repeat 0
//
// (Other tools of compute-sanitizer: racecheck, initcheck, synccheck. In cuda-gdb: break matmul,
// run, info locals, print threadIdx, cuda thread (3,2,0), next.)
//
// The names in capitals that begin with LAB stand for values from labs/03-tiled/lab.yaml:
//   LAB_KERNEL_FILE  "labs/03-tiled/kernel.cu"     LAB_KERNEL     matmul
//   LAB_ELEMENT      float                         LAB_ARGUMENTS  A, B, C
//   LAB_INPUT        float, as an element of A or B; __nv_bfloat16 in lab 15
//   LAB_SHAPE        "m=2048 n=2048 k=2048"        LAB_LAUNCH     m, n, k
//   LAB_PARAMETERS   nothing, or for lab 06: const int block = options["block"];
#include <cstdio>
#include <random>
#include <vector>

#include "common/run/buffer.cuh"
#include "common/run/gpu.cuh"
#include "common/run/options.h"
#include "common/run/product_check.h"
#include "common/run/stopwatch.cuh"
#include "common/run/table.h"
#include "common/run/unwritten.h"
// Included last, so that its macros change nothing above.
#include LAB_KERNEL_FILE

using Input = LAB_INPUT;
using Element = LAB_ELEMENT;

int main(int argc, char** argv) {
  const host::Options options = host::read_options(argc, argv, LAB_SHAPE, {"m", "n", "k"});
  const int m = options["m"];  // A is m x k, B is k x n, C is m x n
  const int n = options["n"];
  const int k = options["k"];
  LAB_PARAMETERS
  const std::size_t A_size = std::size_t(m) * k;  // elements; an int would be too small for many
  const std::size_t B_size = std::size_t(k) * n;
  const std::size_t C_size = std::size_t(m) * n;
  const double all_bytes =
      sizeof(Input) * (double(A_size) + double(B_size)) + sizeof(Element) * double(C_size);
  const double operations = 2.0 * m * n * k;  // a multiplication and an addition in each step

  const cudaDeviceProp gpu = host::choose_gpu();
  std::printf("%s: m = %d, n = %d, k = %d, ", LAB_KERNEL_FILE, m, n, k);
  const Launch shape = launch(LAB_LAUNCH);
  host::prepare_launch(LAB_KERNEL, shape, gpu);
  host::check_memory({A_size, B_size, C_size}, sizeof(Element));

  bool right = true;
  for (const host::Memory memory : options.memories) {
    if (!host::can_use(memory, gpu)) continue;

    // 1. Memory for each matrix, on the host and on the GPU.
    const host::Buffer<Input> A_buffer = host::allocate<Input>(memory, A_size);
    const host::Buffer<Input> B_buffer = host::allocate<Input>(memory, B_size);
    const host::Buffer<Element> C_buffer = host::allocate<Element>(memory, C_size);

    // 2. Inputs: whole numbers from -4 to 4, so that no sum of products is rounded. C begins as a
    //    pattern that shows which elements the kernel does not write.
    std::mt19937 random(options.seed);
    for (std::size_t i = 0; i < A_size; ++i) A_buffer.host[i] = Input(int(random() % 9) - 4);
    for (std::size_t i = 0; i < B_size; ++i) B_buffer.host[i] = Input(int(random() % 9) - 4);
    CUDA_CHECK(cudaMemset(C_buffer.device, host::kUnwritten, C_buffer.bytes));

    // 3. To the GPU.
    host::print_heading(host::name_of(memory), "GFLOP/s");
    host::print_row("A to the GPU", A_buffer.bytes, host::to_device(A_buffer));
    host::print_row("B to the GPU", B_buffer.bytes, host::to_device(B_buffer));

    // 4. The kernel's parameters. Matrix is passed by value: only the elements are on the GPU.
    const Matrix<const Input> A{A_buffer.device, m, k, k};
    const Matrix<const Input> B{B_buffer.device, k, n, n};
    const Matrix<Element> C{C_buffer.device, m, n, n};

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
    host::print_row("kernel, first launch", all_bytes, milliseconds.front(), operations);
    if (options.repeat > 0) {
      milliseconds.erase(milliseconds.begin());
      host::print_row("kernel, median of later launches", all_bytes, host::median(milliseconds),
                      operations);
    }

    // 6. The result back to the host.
    host::print_row("C to the host", C_buffer.bytes, host::to_host(C_buffer));
    right &=
        host::check_product(A_buffer.host, B_buffer.host, C_buffer.host, m, n, k, options.seed + 1);

    // 7. Free what was allocated.
    host::release(A_buffer);
    host::release(B_buffer);
    host::release(C_buffer);
  }
  std::printf("\nGB/s of the kernel: every matrix counted once, however often it is read.\n");
  return right ? 0 : 1;
}
