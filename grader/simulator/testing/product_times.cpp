#include "grader/simulator/testing/product_times.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "common/text.h"
#include "grader/compile/cubin.h"
#include "grader/compile/testing/kit_compiler.h"

namespace tessera::testing {
namespace {

constexpr const char* kSource = TESSERA_SOURCE_DIR "/grader/simulator/model_kernels/products.cu";

struct Row {
  const char* kernel;
  std::vector<double> ms;  // by column; 0: not measured
};

std::vector<ProductTime> by_extent(const std::vector<int>& extents, const std::vector<Row>& rows) {
  std::vector<ProductTime> times;
  for (std::size_t column = 0; column < extents.size(); ++column) {
    for (const Row& row : rows) {
      if (row.ms[column] != 0) times.push_back({row.kernel, extents[column], row.ms[column]});
    }
  }
  return times;
}

/// Grid, block and dynamic shared memory of a kernel of products.cu.
LaunchShape shape_of(const std::string& kernel, int n) {
  const auto extent = static_cast<std::uint32_t>(n);
  const auto tile = static_cast<std::uint32_t>(std::stoul(kernel.substr(kernel.rfind('_') + 1)));
  const Dim3 grid{extent / tile, extent / tile, 1};
  if (kernel == "column_tile_64") return {grid, {512, 1, 1}, 0};
  if (tile > 32) return {grid, {256, 1, 1}, 0};
  const bool dynamic = kernel.find("basic") != 0 && kernel.find("tiled") != 0;
  return {grid, {tile, tile, 1}, dynamic ? 2 * tile * tile * sizeof(float) : 0};
}

/// The entry point of a kernel: "rr" for "rr_16", since a tile of this kernel is as large as its
/// block. The other kernels have an entry point for each size of a tile.
std::string entry_of(const std::string& kernel) {
  for (const char* name : {"rr", "rc", "cr", "cc"}) {
    if (kernel.starts_with(std::string(name) + "_") && kernel.find("known") == std::string::npos)
      return name;
  }
  return kernel;
}

CompileResult compiled(const std::string& source, bool cubin, int capability) {
  CompileRequest request;
  request.source = Source(source);
  request.compiler = kit_compiler();
  request.cubin = cubin;
  if (cubin) request.compute_capability = capability;
  const auto result = compile(request);
  if (!result) throw std::runtime_error(result.error().str());
  if (!result->ok) throw std::runtime_error(result->findings.front().message);
  return *result;
}

template <class T>
Argument bytes_of(const T& value) {
  Argument argument(sizeof value);
  std::memcpy(argument.data(), &value, sizeof value);
  return argument;
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double value : values) {
    const auto below = std::ranges::count_if(values, [&](double v) { return v < value; });
    const auto equal = std::ranges::count(values, value);
    result.push_back(static_cast<double>(below) + static_cast<double>(equal + 1) / 2);
  }
  return result;
}

}  // namespace

std::vector<ProductTime> calibration_times() {
  return by_extent({2048}, {
                               {"basic_rows_4", {10.38}},
                               {"basic_rows_8", {9.35}},
                               {"basic_rows_16", {17.66}},
                               {"basic_rows_32", {35.34}},
                               {"basic_columns_4", {10.35}},
                               {"basic_columns_8", {5.25}},
                               {"basic_columns_16", {3.14}},
                               {"basic_columns_32", {2.79}},
                               {"rr_4", {13.35}},
                               {"rr_8", {6.19}},
                               {"rr_16", {12.60}},
                               {"rr_32", {39.43}},
                               {"rc_4", {13.24}},
                               {"rc_8", {6.07}},
                               {"rc_16", {12.14}},
                               {"rc_32", {38.40}},
                               {"cr_4", {13.45}},
                               {"cr_8", {5.07}},
                               {"cr_16", {4.96}},
                               {"cr_32", {5.69}},
                               {"cc_4", {13.33}},
                               {"cc_8", {4.95}},
                               {"cc_16", {4.51}},
                               {"cc_32", {4.67}},
                               {"tiled_16", {2.12}},
                               {"tiled_32", {1.86}},
                           });
}

std::vector<ProductTime> validation_times() {
  return by_extent({512, 1024, 2048, 4096, 8192},
                   {
                       {"basic_rows_4", {0.1757, 1.33, 10.38, 82.75, 666.9}},
                       {"basic_columns_4", {0.1735, 1.316, 10.34, 88.87, 692.2}},
                       {"rr_known_4", {0.1915, 1.429, 11.33, 111.3, 893.4}},
                       {"rc_known_4", {0.1613, 1.228, 9.79, 106.5, 865.3}},
                       {"cr_known_4", {0.2134, 1.593, 12.63, 119, 965.6}},
                       {"cc_known_4", {0.1831, 1.361, 10.86, 110.3, 888.3}},
                       {"tiled_4", {0.1812, 1.351, 10.63, 101.3, 886.1}},
                       {"rr_4", {0.2143, 1.65, 13.28, 140.2, 1133}},
                       {"cc_4", {0.2094, 1.629, 13.16, 140, 1125}},
                       {"basic_rows_8", {0.1571, 1.208, 9.341, 74.24, 592.4}},
                       {"basic_columns_8", {0.0894, 0.6762, 5.24, 41.33, 330.7}},
                       {"rr_known_8", {0.1081, 0.8001, 6.228, 49.61, 396.8}},
                       {"rc_known_8", {0.0949, 0.704, 5.485, 43.74, 349.8}},
                       {"cr_known_8", {0.0913, 0.6581, 5.088, 40.55, 324.5}},
                       {"cc_known_8", {0.0785, 0.5669, 4.375, 34.84, 278.6}},
                       {"tiled_8", {0.0638, 0.441, 3.366, 26.82, 214.5}},
                       {"rr_8", {0.1097, 0.7982, 6.181, 49.22, 393.2}},
                       {"cc_8", {0.0897, 0.6405, 4.943, 39.35, 314.8}},
                       {"basic_rows_16", {0.291, 2.269, 17.65, 142.2, 1120}},
                       {"basic_columns_16", {0.0617, 0.4258, 3.134, 25.73, 217.9}},
                       {"rr_known_16", {0.1435, 1.093, 8.476, 67.27, 537.4}},
                       {"rc_known_16", {0.1253, 0.9564, 7.412, 58.9, 470.7}},
                       {"cr_known_16", {0.0875, 0.6429, 4.97, 39.86, 318.3}},
                       {"cc_known_16", {0.0721, 0.5198, 3.994, 31.85, 254.3}},
                       {"tiled_16", {0.0414, 0.2792, 2.108, 16.85, 134.7}},
                       {"rr_16", {0.2116, 1.62, 12.57, 99.84, 797.6}},
                       {"cc_16", {0.0815, 0.5868, 4.5, 35.86, 286.3}},
                       {"basic_rows_32", {0.5588, 4.429, 35.31, 275.8, 2193}},
                       {"basic_columns_32", {0.0502, 0.3542, 2.757, 21.78, 188.1}},
                       {"rr_known_32", {0.2276, 1.77, 14.03, 110.1, 875.2}},
                       {"rc_known_32", {0.2052, 1.589, 12.6, 103.7, 825.5}},
                       {"cr_known_32", {0.0965, 0.714, 5.625, 44.31, 351.7}},
                       {"cc_known_32", {0.0715, 0.5185, 4.057, 32.45, 257.9}},
                       {"tiled_32", {0.0363, 0.2386, 1.849, 15.33, 122.2}},
                       {"rr_32", {0.6262, 4.939, 39.39, 308.4, 2452}},
                       {"cc_32", {0.082, 0.5919, 4.621, 37.02, 293.7}},
                       {"column_tile_64", {0.0635, 0.164, 1.29, 11.03, 88.45}},
                       {"square_tile_64", {0.0786, 0.1775, 0.9035, 7.87, 63.74}},
                       {"square_tile_128", {0.1204, 0.2283, 1.009, 8.392, 66.66}},
                       {"vector_tile_64", {0.0598, 0.1297, 0.6969, 5.732, 45.41}},
                       {"vector_tile_128", {0.0933, 0.1809, 0.8243, 6.932, 56.04}},
                   });
}

std::vector<ProductTime> rtx_3080_times() {
  return by_extent({2048, 4096, 8192}, {
                                           {"basic_rows_4", {0, 0, 4506}},
                                           {"basic_rows_8", {0, 0, 1648}},
                                           {"basic_rows_16", {40.81, 289.7, 2200}},
                                           {"basic_rows_32", {0, 0, 4264}},
                                           {"rr_4", {0, 0, 5096}},
                                           {"rr_8", {0, 0, 1514}},
                                           {"rr_16", {29.17, 196.8, 1566}},
                                           {"rr_32", {0, 0, 4871}},
                                           {"rc_4", {0, 0, 4933}},
                                           {"rc_8", {0, 0, 1490}},
                                           {"rc_16", {27.12, 187.5, 1507}},
                                           {"rc_32", {0, 0, 4704}},
                                           {"cr_4", {0, 0, 4951}},
                                           {"cr_8", {0, 0, 1471}},
                                           {"cr_16", {16.40, 103.3, 822}},
                                           {"cr_32", {0, 0, 1014}},
                                           {"cc_4", {0, 0, 4989}},
                                           {"cc_8", {0, 0, 1485}},
                                           {"cc_16", {14.29, 100.3, 789}},
                                           {"cc_32", {0, 0, 905}},
                                       });
}

ProductModel::ProductModel(const std::string& device) {
  auto profile = load_device_profile(device, TESSERA_SOURCE_DIR "/common/devices");
  if (!profile) throw std::runtime_error(profile.error().str());
  device_ = *profile;
  const auto source = read_file(kSource);
  if (!source) throw std::runtime_error(source.error().str());
  const auto module = load_module(compiled(*source, false, 0).ptx);
  if (!module) throw std::runtime_error(module.error().str());
  module_ = *module;
  try {
    cubin_ = compiled(*source, true, device_.compute_capability).cubin;
  } catch (const std::runtime_error&) {
    cubin_.clear();  // Clang without ptxas makes no cubin
  }
}

ModelledTime ProductModel::time(const ProductTime& product) const {
  DeviceMemory memory;
  RunRequest request;
  request.entry = entry_of(product.kernel);
  request.shape = shape_of(product.kernel, product.n);
  request.memory = &memory;
  request.device = device_;
  const auto elements =
      static_cast<std::uint64_t>(product.n) * static_cast<std::uint64_t>(product.n);
  for (const char* name : {"A", "B", "C"})
    request.arguments.push_back(bytes_of(memory.allocate({.name = name}, elements * 4)));
  request.arguments.push_back(bytes_of(product.n));
  const auto counters = sample_launch(*module_, request);
  if (!counters) throw std::runtime_error(product.kernel + " does not run");
  std::uint64_t shared = request.shape.shared_bytes;
  for (const KernelInfo& kernel : kernels(*module_)) {
    if (kernel.entry == request.entry) shared += kernel.static_shared_bytes;
  }
  const int registers = cubin_.empty() ? 0 : cubin_registers(cubin_, request.entry).value_or(0);
  return modelled_time(request.shape, *counters, registers, shared, device_);
}

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = ranks(a), y = ranks(b);
  const double mean = static_cast<double>(a.size() + 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xy / std::sqrt(xx * yy);
}

}  // namespace tessera::testing
