// Measured times of the products in model_kernels/products.cu, and what the timing model says of
// them. For the test and the table of the model.
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

/// The table that the one fitted constant was fitted to: NVIDIA H200, n = 2048, event-timed
/// launches, CUDA 13.0, driver 580.
std::vector<ProductTime> calibration_times();

/// Medians of 9 launches (3 at n = 4096, 1 at 8192) of products.cu, compiled by nvcc 13.0, on an
/// NVIDIA H200 with driver 580.159, 2026-11-21: n = 512 to 8192, and kernels that the calibration
/// has not. No constant was fitted to them; they were seen while the model was written.
std::vector<ProductTime> validation_times();

/// An optimisation report's, NVIDIA GeForce RTX 3080: n = 2048 to 8192.
std::vector<ProductTime> rtx_3080_times();

/// Models products on one device.
class ProductModel {
 public:
  /// `device`: a profile's name. Compiles with the first compiler there is; throws
  /// std::runtime_error where there is none.
  explicit ProductModel(const std::string& device);

  ModelledTime time(const ProductTime& product) const;

 private:
  DeviceProfile device_;
  std::string source_;
  std::shared_ptr<const Module> module_;
  std::string cubin_;  // for the registers; empty where no compiler here makes one
};

/// Spearman's rank correlation of two samples of one length; equal values share their rank.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace tessera::testing
