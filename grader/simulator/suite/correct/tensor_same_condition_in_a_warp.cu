// check: --kernel Product --grid 1 --block 64 --arg uint32[128]=index --arg uint32[64]=index
//        --arg float32[128]=unwritten
// Only the second warp multiplies: the condition is the same for all of its threads.

__device__ void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void Product(const unsigned* a, const unsigned* b, float* c) {
  const int group = threadIdx.x % 32 / 4;
  const int pair = threadIdx.x % 4;
  const unsigned of_a[4] = {a[group * 8 + pair], a[(group + 8) * 8 + pair], a[group * 8 + pair + 4],
                            a[(group + 8) * 8 + pair + 4]};
  const unsigned of_b[2] = {b[group * 8 + pair], b[group * 8 + pair + 4]};
  float sums[4] = {};
  if (threadIdx.x / 32 == 0) return;
  multiply(sums, of_a, of_b);
  c[group * 8 + 2 * pair] = sums[0];
  c[group * 8 + 2 * pair + 1] = sums[1];
  c[(group + 8) * 8 + 2 * pair] = sums[2];
  c[(group + 8) * 8 + 2 * pair + 1] = sums[3];
}
