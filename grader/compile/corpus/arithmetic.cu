// Rounding modes and fast forms.
__global__ void arithmetic(float* f, double* d) {
  const float x = f[0];
  const float y = f[1];
  f[2] = __fadd_rn(x, y) + __fadd_rz(x, y) + __fadd_ru(x, y) + __fadd_rd(x, y);
  f[3] = __fsub_rn(x, y) + __fsub_rz(x, y) + __fmul_rn(x, y) + __fmul_rz(x, y) + __fmul_ru(x, y) +
         __fmul_rd(x, y);
  f[4] = __fmaf_rn(x, y, x) + __fmaf_rz(x, y, x) + __fmaf_ru(x, y, x) + __fmaf_rd(x, y, x);
  f[5] = __frcp_rn(x) + __frcp_rz(x) + __fsqrt_rn(x) + __fsqrt_ru(x) + __fdiv_rn(x, y) +
         __fdiv_rd(x, y) + __frsqrt_rn(x);
  f[6] = __fdividef(x, y) + __expf(x) + __exp10f(x) + __logf(x) + __log2f(x) + __log10f(x) +
         __sinf(x) + __cosf(x) + __tanf(x) + __powf(x, y) + __saturatef(x);
  float s;
  float c;
  __sincosf(x, &s, &c);
  f[7] = s + c;
  const double a = d[0];
  const double b = d[1];
  d[2] = __dadd_rn(a, b) + __dadd_rz(a, b) + __dsub_ru(a, b) + __dmul_rn(a, b) + __dmul_rd(a, b) +
         __fma_rn(a, b, a) + __fma_rz(a, b, a) + __ddiv_rn(a, b) + __drcp_rn(a) + __dsqrt_rn(a);
}
