// Measured and modelled times of the products in model_kernels/products.cu, for the timing model's
// test and table.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/device_profile.h"
#include "grader/simulator/simulator.h"
#include "grader/simulator/timing/timing_model.h"

namespace tessera::testing {

struct ProductTime {
  std::string kernel;  // "rr_16", tile last
  int n = 0;           // extent of the matrices
  double ms = 0;       // measured, median
};

/// The times to which the model's only fitted constant was fitted: NVIDIA H200, n = 2048, launches
/// timed by events, CUDA 13.0, driver 580.
std::vector<ProductTime> calibration_times();

/// Medians of 9 launches (3 at n = 4096, 1 at 8192) of products.cu, compiled by nvcc 13.0, on an
/// NVIDIA H200 with driver 580.159, 2026-11-21: n = 512 to 8192, with kernels that the calibration
/// lacks. No constant was fitted to them, but the author saw them while writing the model.
std::vector<ProductTime> validation_times();

/// Times from an optimisation report, NVIDIA GeForce RTX 3080: n = 2048 to 8192.
std::vector<ProductTime> rtx_3080_times();

/// Models products on one device.
class ProductModel {
 public:
  /// `device` is the name of a profile. Compiles with the first compiler found; throws
  /// std::runtime_error if there is none.
  explicit ProductModel(const std::string& device);

  ModelledTime time(const ProductTime& product) const;

 private:
  DeviceProfile device_;
  std::string source_;
  std::shared_ptr<const Module> module_;
  std::string cubin_;  // for the registers; empty if no compiler here makes a cubin
};

/// Returns Spearman's rank correlation of two samples of equal length; equal values share their
/// rank.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace tessera::testing
