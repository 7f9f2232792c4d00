// check: --kernel Product --grid 1 --block 32 --arg uint32[128]=index --arg uint32[64]=index
//        --arg float32[128]=unwritten
// A's fragment comes by ldmatrix, from rows that are padded to different banks.

__device__ void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ void load_rows(unsigned (&to)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))
               : "memory");
}

__global__ void Product(const unsigned* a, const unsigned* b, float* c) {
  __shared__ alignas(16) unsigned tile[16][12];
  const int lane = threadIdx.x % 32;
  const int group = lane / 4;
  const int pair = lane % 4;
  for (int i = lane; i < 128; i += 32) tile[i / 8][i % 8] = a[i];
  __syncwarp();
  unsigned of_a[4];
  load_rows(of_a, &tile[lane % 16][lane / 16 * 4]);
  const unsigned of_b[2] = {b[group * 8 + pair], b[group * 8 + pair + 4]};
  float sums[4] = {};
  multiply(sums, of_a, of_b);
  c[group * 8 + 2 * pair] = sums[0];
  c[group * 8 + 2 * pair + 1] = sums[1];
  c[(group + 8) * 8 + 2 * pair] = sums[2];
  c[(group + 8) * 8 + 2 * pair + 1] = sums[3];
}
