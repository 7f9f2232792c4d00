// Shared by `batch` and `gradebook regrade`: how to grade, and the grading itself.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/cli/exit_status.h"
#include "grader/gradebook/batch.h"
#include "grader/gradebook/book.h"
#include "grader/lab/course.h"

namespace tessera {

struct GradingOptions {
  std::string gradebook;
  std::string labs_folder;
  std::string backend = "auto";
  std::string compiler = "auto";
  std::string device = "nvidia-h200";
  std::vector<int> gpus;
  int jobs = 0;           // 0: one for each core
  double timeout = 120;   // seconds of one grading
  int memory_mib = 4096;  // of one grading
  bool accept_no_isolation = false;
};

void add_grading_options(CLI::App& command, GradingOptions& options);

/// Everything that grading needs, found and read.
struct GradingSetup {
  std::vector<Lab> labs;
  Course course;
  GradeOptions grade;    // for the references that labs are measured against
  WorkerOptions worker;  // but for stage, seed and gpu
  std::vector<GpuDevice> gpus;
  int workers = 1;
};

/// Reads everything that grading needs. Prints on standard error what is wrong and returns the exit
/// status if something is.
std::variant<GradingSetup, ExitStatus> set_up_grading(const GradingOptions& options);

/// The number of results that the jobs make, and the number of gradings that this takes.
std::size_t results_of(const std::vector<Job>& jobs);
std::string runs_text(const std::vector<Job>& jobs);  // "412 different ones"

/// Prints how many results have points that one of the setup's GPUs can measure now.
void print_measurable(const Book& book, const GradingSetup& setup);

/// Does the jobs and shows progress. Ctrl-C ends the program; finished results are in the book.
ExitStatus grade_jobs(Book& book, std::vector<Job> jobs, const GradingSetup& setup);

}  // namespace tessera
