// check: --kernel Rotate --grid 4 --block 32 --arg float32[64,4]=uniform --arg float32[4,4]=uniform
//        --arg float32[64,4]=unwritten
// Points with four coordinates times a 4 x 4 matrix by m16n8k4; the right half of B is zero.
__device__ void MultiplyAdd(float (&d)[4], const unsigned (&a)[2], const unsigned (&b)[1]) {
  asm volatile(
      "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
      "{%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}

__global__ void Rotate(const float* points, const float* matrix, float* out) {
  const int g = threadIdx.x / 4;
  const int t = threadIdx.x % 4;
  const int row = blockIdx.x * 16 + g;
  const unsigned left[2] = {__float_as_uint(points[row * 4 + t]),
                            __float_as_uint(points[row * 4 + 32 + t])};
  const unsigned right[1] = {g < 4 ? __float_as_uint(matrix[t * 4 + g]) : 0u};
  float d[4] = {};
  MultiplyAdd(d, left, right);
  if (t < 2) {
    out[row * 4 + t * 2] = d[0];
    out[row * 4 + t * 2 + 1] = d[1];
    out[row * 4 + 32 + t * 2] = d[2];
    out[row * 4 + 32 + t * 2 + 1] = d[3];
  }
}
