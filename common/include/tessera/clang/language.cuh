// What CUDA adds to the language: execution and memory spaces, launch bounds, built-in variables,
// assert and printf. Clang has no CUDA Toolkit here, so these names are ours.
#pragma once
#pragma clang system_header

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
// Clang 14 knows only the first two of the three arguments.
#define __TESSERA_BOUNDS(threads, blocks, ...) launch_bounds(threads, blocks)
#define __launch_bounds__(...) __attribute__((__TESSERA_BOUNDS(__VA_ARGS__, 0, 0)))
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __inline_hint__ __inline__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
// Clang accepts alignas only at the beginning of a declaration, nvcc also behind __shared__, where
// Clang accepts an attribute. The argument X may be a type or a number, but an attribute takes only
// numbers. As a template argument size_t(X) is a function type if X is a type, otherwise a number;
// its parentheses keep a `>` in X from ending the template arguments.
#define alignas(...) __attribute__((aligned(__tessera_alignment<size_t(__VA_ARGS__)>())))
#define __nv_pure__ __attribute__((pure))
#define __device_builtin__
#define NULL nullptr

#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ __TESSERA_CUDA_ARCH__

// Helpers vanish into the line that calls them, in the code and in the line table.
#define __TESSERA_FN static __attribute__((device, always_inline, nodebug, unused)) inline
#define __TESSERA_HD static __attribute__((host, device, always_inline, nodebug, unused)) inline
#define __TESSERA_MEMBER __attribute__((device, always_inline, nodebug)) inline
#define __TESSERA_HD_MEMBER __attribute__((host, device, always_inline, nodebug)) inline

typedef __SIZE_TYPE__ size_t;

template <class F>
struct __tessera_parameter;
template <class T>
struct __tessera_parameter<size_t(T)> {
  typedef T type;
};
template <class F>
__TESSERA_HD constexpr size_t __tessera_alignment() {
  return alignof(typename __tessera_parameter<F>::type);
}
template <size_t bytes>
__TESSERA_HD constexpr size_t __tessera_alignment() {
  return bytes;
}
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long clock_t;

namespace std {
using ::ptrdiff_t;
using ::size_t;
using nullptr_t = decltype(nullptr);

/// The class of {a, b, c}: Clang looks for it here, and fills these two members.
template <class T>
class initializer_list {
 public:
  __TESSERA_HD_MEMBER constexpr initializer_list() noexcept : first_(nullptr), size_(0) {}
  __TESSERA_HD_MEMBER constexpr const T* begin() const noexcept { return first_; }
  __TESSERA_HD_MEMBER constexpr const T* end() const noexcept { return first_ + size_; }
  __TESSERA_HD_MEMBER constexpr size_t size() const noexcept { return size_; }

 private:
  const T* first_;
  size_t size_;
};

template <class T>
struct __tessera_plain {
  using type = T;
};
template <class T>
struct __tessera_plain<T&> {
  using type = T;
};
template <class T>
struct __tessera_plain<T&&> {
  using type = T;
};
template <class T>
__TESSERA_HD constexpr typename __tessera_plain<T>::type&& move(T&& value) noexcept {
  return static_cast<typename __tessera_plain<T>::type&&>(value);
}
template <class T>
__TESSERA_HD constexpr T&& forward(typename __tessera_plain<T>::type& value) noexcept {
  return static_cast<T&&>(value);
}
template <class T>
__TESSERA_HD constexpr T&& forward(typename __tessera_plain<T>::type&& value) noexcept {
  return static_cast<T&&>(value);
}
}  // namespace std

extern "C" {
__attribute__((device)) int vprintf(const char*, const char*);
__attribute__((device, noreturn)) void __assertfail(const char* message, const char* file,
                                                    unsigned line, const char* function,
                                                    size_t char_size);
__attribute__((device)) void* malloc(size_t);
__attribute__((device)) void free(void*);
// Clang lowers a call of this name to vprintf with the arguments packed in local memory.
__attribute__((device)) int printf(const char*, ...);
}

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
  ((condition) ? (void)0  \
               : __assertfail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__, sizeof(char)))
#endif

__attribute__((device)) inline void* operator new(size_t size) {
  return malloc(size);
}
__attribute__((device)) inline void* operator new[](size_t size) {
  return malloc(size);
}
__attribute__((device)) inline void operator delete(void* block) noexcept {
  free(block);
}
__attribute__((device)) inline void operator delete[](void* block) noexcept {
  free(block);
}
__attribute__((device)) inline void operator delete(void* block, size_t) noexcept {
  free(block);
}
__attribute__((device)) inline void operator delete[](void* block, size_t) noexcept {
  free(block);
}
__TESSERA_HD_MEMBER void* operator new(size_t, void* place) noexcept {
  return place;
}
__TESSERA_HD_MEMBER void* operator new[](size_t, void* place) noexcept {
  return place;
}

__TESSERA_FN void* memcpy(void* to, const void* from, size_t count) {
  return __builtin_memcpy(to, from, count);
}
__TESSERA_FN void* memset(void* to, int value, size_t count) {
  return __builtin_memset(to, value, count);
}

// The functions above copy and fill byte by byte, unless the size is small. These use words if the
// types and the addresses allow it; for other arguments, such as arrays of bytes and objects that
// convert to a pointer, the functions above are chosen.
template <bool>
struct __tessera_if {};
template <>
struct __tessera_if<true> {
  typedef void type;
};
template <class T, class U, class = typename __tessera_if<(alignof(T) > 2 && alignof(U) > 2)>::type>
__TESSERA_FN auto memcpy(T* to, const U* from, size_t count)
    -> decltype(__builtin_memcpy(to, from, count)) {
  void* bytes = to;
  const void* source = from;
  if ((reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from)) % 4 != 0)
    return memcpy(bytes, source, count);
  for (size_t i = 0; i < count / 4; ++i)
    static_cast<unsigned int*>(bytes)[i] = static_cast<const unsigned int*>(source)[i];
  const size_t done = count - count % 4;
  memcpy(static_cast<void*>(static_cast<char*>(bytes) + done),
         static_cast<const void*>(static_cast<const char*>(source) + done), count % 4);
  return to;
}
template <class T, class = typename __tessera_if<(alignof(T) > 2)>::type>
__TESSERA_FN auto memset(T* to, int value, size_t count)
    -> decltype(__builtin_memset(to, value, count)) {
  void* bytes = to;
  if (reinterpret_cast<size_t>(to) % 4 != 0) return memset(bytes, value, count);
  for (size_t i = 0; i < count / 4; ++i)
    static_cast<unsigned int*>(bytes)[i] = 0x01010101u * static_cast<unsigned char>(value);
  memset(static_cast<void*>(static_cast<char*>(bytes) + (count - count % 4)), value, count % 4);
  return to;
}
