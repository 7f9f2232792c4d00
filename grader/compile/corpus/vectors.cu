// Vector types, dim3 and the built-in variables.
template <class T, class S>
__device__ T sum2(T a, S scale) {
  T r = a;
  r.x = a.x * scale;
  r.y = a.y + a.x;
  return r;
}

__device__ unsigned int flat(uint3 thread, dim3 block) {
  return thread.x + block.x * (thread.y + block.y * thread.z);
}

constexpr dim3 kBlock(16, 16);
constexpr uint3 kOrigin{1, 2, 3};

__global__ void vectors(float4* f, int2* i, double2* d, uchar4* c, longlong2* l,
                        unsigned int* out) {
  const float4 v = f[threadIdx.x];
  f[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
  i[threadIdx.x] = sum2(i[threadIdx.x], 3);
  d[threadIdx.x] = sum2(d[threadIdx.x], 0.5);
  uchar4 bytes = c[threadIdx.x];
  bytes.x += 1;
  c[threadIdx.x] = bytes;
  l[threadIdx.x] = make_longlong2(1, 2);
  char1 c1 = make_char1(1);
  short3 s3 = make_short3(1, 2, 3);
  ushort4 u4 = make_ushort4(1, 2, 3, 4);
  ulong2 ul = make_ulong2(5, 6);
  static_assert(sizeof(float3) == 12 && alignof(float4) == 16 && sizeof(char4) == 4, "layout");
  static_assert(sizeof(dim3) == 12 && alignof(double2) == 16 && alignof(int2) == 8, "layout");
  const uint3 t = threadIdx;
  const dim3 b = blockDim;
  dim3 g;
  g.x = gridDim.x;
  g.y = blockIdx.y;
  out[flat(threadIdx, blockDim)] = t.x + b.y + g.x + g.y + g.z + flat(t, b) + kBlock.x + kOrigin.z +
                                   c1.x + s3.y + u4.w + static_cast<unsigned int>(ul.y) + warpSize +
                                   blockDim.x % warpSize;
}
