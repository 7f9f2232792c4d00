// Runs a launch: spreads blocks over host threads and merges their findings and counters, so that
// neither depends on the number of threads.
#include "grader/simulator/simulator.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "common/launch_limits.h"
#include "common/mixed.h"
#include "grader/simulator/check/shared_flow.h"
#include "grader/simulator/exec/exec.h"
#include "grader/simulator/findings.h"
#include "grader/simulator/lines.h"
#include "grader/simulator/timing/load_use.h"
#include "grader/simulator/timing/sample.h"

namespace tessera {
namespace {

using namespace sim;

/// How many blocks run at the same time with Turns::blocks; drawn from `key`.
std::uint64_t blocks_at_a_time(std::uint64_t key) {
  constexpr std::uint64_t kLeast = 8, kDoublings = 5;  // 128 at most
  return kLeast << drawn(key, 0) % kDoublings;
}

/// The kinds of access that the instruction counts as: in global memory, and in shared memory.
std::pair<Accesses, Accesses> accesses_of(const SiteInfo& info) {
  switch (info.kind) {
    case SiteKind::atomic:
      return {Accesses::global_atomic, Accesses::shared_atomic};
    case SiteKind::load:
    case SiteKind::product:
    case SiteKind::product_wait:
      return {Accesses::global_load, Accesses::shared_load};
    case SiteKind::copy:
    case SiteKind::wait:
      return {Accesses::async_copy, Accesses::async_copy};
    case SiteKind::store:
      break;
  }
  return {Accesses::global_store, Accesses::shared_store};
}

class Run {
 public:
  Run(const Module& module, const RunRequest& request) : module_(module), request_(request) {}

  RunResult execute() {
    find_kernel();
    RunResult result;
    result.findings = check_launch(request_.shape, needs(), request_.device);
    if (!result.findings.empty()) {
      result.status = RunStatus::not_launched;
      return result;
    }
    prepare();
    DeviceMemory::Snapshot before;
    if (request_.shared_readers || request_.load_use || request_.launches_before > 0)
      before = request_.memory->snapshot();
    if (request_.launches_before > 0) mix_elements(*request_.memory, request_.key);
    place_globals();
    run_blocks();
    result.stopped_before = request_.launches_before > 0 && status_ != RunStatus::completed;
    for (std::uint32_t i = 0; i < request_.launches_before && status_ == RunStatus::completed;
         ++i) {
      start_again(before);
      run_blocks();
    }
    result.status = status_;
    result.launch_steps = launch_.spent;
    result.changed_variables =
        std::ranges::any_of(module_.globals, [&](const GlobalVariable& global) {
          return !global.read_only && !std::ranges::equal(contents(global), global.data);
        });
    const SourceLines source(module_, request_.source_file, request_.name_lines);
    result.findings = collect_findings(module_, workers_, source);
    // Threads of a block may be ordered by flags of other blocks, which no worker follows.
    if (request_.turns == Turns::blocks && use().fences)
      std::erase_if(result.findings,
                    [](const Finding& finding) { return finding.kind == FindingKind::race; });
    const bool gave_up = std::ranges::any_of(
        workers_, [](const Worker& worker) { return worker.history.order.gave_up(); });
    if (gave_up) result.findings.push_back(too_many_flags());
    const std::vector<Site> sites = sites_of_all(workers_);
    result.metrics = metrics(sites);
    result.lines = collect_lines(module_, sites, launch_, source);
    result.extra_order = extra_order(source);
    if (gave_up && result.extra_order.by == ExtraOrder::By::nothing)
      result.extra_order.by = ExtraOrder::By::many_flags;
    keep_output(result);
    remove_own_memory();
    if (status_ != RunStatus::completed) return result;
    if (request_.shared_readers)
      result.metrics[Metric::results_through_shared] = results_through_shared(before);
    if (request_.load_use)
      result.metrics[Metric::load_use_distance] = static_cast<double>(load_use_distance(before));
    return result;
  }

  /// See sample_launch().
  std::optional<LaunchCounters> sample() {
    find_kernel();
    if (!check_launch(request_.shape, needs(), request_.device).empty()) return std::nullopt;
    prepare();
    const Dim3 grid = request_.shape.grid;
    const std::vector<std::uint64_t> blocks = blocks_to_sample(grid, request_.key);
    const auto samples = timed(blocks, true);  // which blocks are drawn, no kernel knows
    // The caller sees what the sampled blocks wrote, but not the results of these.
    const ScratchResults scratch(*request_.memory);
    const auto edges = timed(edge_blocks(grid, blocks), false);
    if (!edges || !samples) return std::nullopt;
    return scaled_up(*samples, *edges, grid);
  }

 private:
  void find_kernel() {
    for (const Function& function : module_.functions) {
      if (function.entry && function.name == request_.entry) launch_.kernel = &function;
    }
    if (launch_.kernel == nullptr)
      throw std::invalid_argument("no kernel '" + request_.entry + "' in this module");
    const auto& slots = launch_.kernel->parameters;
    if (slots.size() != request_.arguments.size()) {
      throw std::invalid_argument(fmt::format("{} takes {} arguments, {} were given",
                                              request_.entry, slots.size(),
                                              request_.arguments.size()));
    }
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const Argument& argument = request_.arguments[i];
      if (argument.size() != slots[i].size) {
        throw std::invalid_argument(fmt::format("argument {} of {} has {} bytes, {} were given", i,
                                                request_.entry, slots[i].size, argument.size()));
      }
      launch_.arguments.resize(
          std::max<std::size_t>(launch_.arguments.size(), slots[i].offset + slots[i].size));
      std::copy(argument.begin(), argument.end(), launch_.arguments.begin() + slots[i].offset);
    }
    launch_.static_shared_bytes = use().static_bytes;
  }

  Finding too_many_flags() const {
    Finding finding;
    finding.kind = FindingKind::race;
    finding.severity = Severity::info;
    finding.file = request_.source_file;
    finding.message = Phrase::too_many_flags;
    finding.hint = Phrase::too_many_flags_hint;
    return finding;
  }

  ExtraOrder extra_order(const SourceLines& source) const {
    if (use().extra_order == ExtraOrder::By::nothing) return {};
    const Function& function = module_.functions.at(use().extra_order_function);
    return {use().extra_order, source.place(function, use().extra_order_source, "").line()};
  }

  const KernelUse& use() const { return module_.kernels.at(request_.entry); }

  KernelNeeds needs() const {
    return {.static_shared_bytes = use().static_bytes,
            .registers_per_thread = request_.registers_per_thread,
            .bounds = use().bounds};
  }

  void prepare() {
    launch_.module = &module_;
    launch_.shape = request_.shape;
    launch_.bounds = use().bounds;
    launch_.device = &request_.device;
    launch_.memory = request_.memory;
    launch_.fences = launch_.keeps_readers =
        use().fences || meets_in_parts(use().barrier_threads, request_.shape.block.count());
    launch_.meetings = use().mbarriers || !use().barrier_threads.empty();
    launch_.flags = use().fences && use().ordered_blocks;
    launch_.products = use().products;
    launch_.async_products = use().async_products;
    launch_.cache_lines = request_.cache_lines;
    launch_.turns = request_.turns;
    launch_.poison = request_.poison;
    launch_.key = request_.key;
    launch_.readable_key = request_.readable_key;
    launch_.hold = request_.hold;
    launch_.functions = use().functions;
    if (request_.return_lines) launch_.return_lines = &*request_.return_lines;
    launch_.global_granule = use().narrow_global ? 1 : 4;
    request_.memory->follow_bytes(use().narrow_global);
    launch_.step_limit = request_.step_limit;
    launch_.launch_step_limit = request_.launch_step_limit;
    launch_.output_limit = request_.output_limit;
    launch_.shared = use().shared;
    for (SharedVariable& variable : launch_.shared) {
      if (variable.dynamic) variable.size = request_.shape.shared_bytes;
      if (const auto known = request_.arrays.find(variable.name);
          known != request_.arrays.end() && !variable.piece) {
        variable.shape = completed_shape(known->second, variable.size);
      }
    }
    std::ranges::sort(launch_.shared, {}, [](const SharedVariable& variable) {
      return std::pair(variable.address, variable.size);
    });
    if (launch_.shared.empty()) return;
    launch_.shared_low = launch_.shared.front().address / 16 * 16;
    for (const SharedVariable& variable : launch_.shared)
      launch_.shared_high = std::max(launch_.shared_high, variable.address + variable.size);
  }

  std::span<std::uint8_t> contents(const GlobalVariable& global) const {
    const std::span<std::byte> bytes = request_.memory->bytes(global.address);
    return {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()};
  }

  /// Prepares memory for the next launch: the module's variables keep their values, everything else
  /// is as it was `before`.
  void start_again(const DeviceMemory::Snapshot& before) {
    std::vector<std::vector<std::uint8_t>> kept;
    for (const GlobalVariable& global : module_.globals) {
      const std::span<const std::uint8_t> bytes = contents(global);
      kept.emplace_back(bytes.begin(), bytes.end());
    }
    remove_own_memory();
    request_.memory->restore(before);
    place_globals();
    for (std::size_t i = 0; i < kept.size(); ++i)
      std::ranges::copy(kept[i], contents(module_.globals[i]).begin());
  }

  /// Places fresh copies of the module's variables, so that nothing survives from an earlier
  /// launch.
  void place_globals() {
    for (const GlobalVariable& global : module_.globals) {
      BufferInfo info;
      info.name = global.name;
      info.element_bytes = global.element_bytes;
      info.read_only = global.read_only;
      if (const auto known = request_.arrays.find(global.name); known != request_.arrays.end()) {
        const ArrayShape shape = completed_shape(known->second, global.size);
        if (shape.element_bytes != 0) info.element_bytes = shape.element_bytes;
        if (shape.extents.size() == 2)
          info.width = info.pitch = static_cast<std::uint32_t>(shape.extents[1]);
      }
      request_.memory->remove(global.address);
      request_.memory->place(info, global.address, global.size);
      std::ranges::copy(global.data, contents(global).begin());
    }
  }

  /// Removes the module's variables, and what is left on the heap.
  void remove_own_memory() {
    for (const GlobalVariable& global : module_.globals) request_.memory->remove(global.address);
    request_.memory->remove_between(kHeapWindow, kHeapWindow + kHeapWindowSize);
  }

  /// Makes the workers of a run that starts anew. `together`: all of them run on one host thread.
  void make_workers(int count, bool together) {
    launch_.spent = 0;
    heap_ = {};
    workers_ = std::vector<Worker>(static_cast<std::size_t>(count));
    for (Worker& worker : workers_) {
      worker.launch = &launch_;
      worker.heap = &heap_;
      worker.of_its_thread = together ? std::span(workers_) : std::span(&worker, 1);
      worker.frames.share_among(worker.of_its_thread.size());
      worker.shared.resize((launch_.shared_high - launch_.shared_low + 3) / 4 * 4);
      worker.sites.resize(module_.sites.size());
      worker.history.resize(worker.shared.size(), use().narrow_shared ? 1 : 4, launch_.fences);
      if (request_.shared_readers) worker.repeated.emplace(*request_.memory);
    }
  }

  /// Runs blocks side by side as long as their order cannot matter. If one stops, or two threads
  /// access the same word of global memory, the launch runs again in order and is traced, so that
  /// its result is the same on any number of host threads and every race is found. It also runs
  /// again the first time that a part of a warp meets: only then must every reader be kept.
  void run_blocks() {
    const std::uint64_t blocks = request_.shape.grid.count();
    if (request_.turns == Turns::blocks) return run_at_the_same_time(blocks);
    using Traced = DeviceMemory::Traced;
    Traced traced = Traced::all;
    const auto before = request_.memory->snapshot();
    const auto restart = [&] {
      request_.memory->remove_between(kHeapWindow, kHeapWindow + kHeapWindowSize);
      request_.memory->restore(before);
      request_.memory->start_launch(traced);
    };
    if (!use().ordered_blocks) {
      traced = Traced::none;
      request_.memory->start_launch(traced);
      bool ended = run_side_by_side(blocks, blocks > 1 ? host_threads() : 1);
      if (ended && must_keep_readers() && !launch_.shared.empty()) {
        restart();
        ended = run_side_by_side(blocks, blocks > 1 ? host_threads() : 1);
      }
      if (ended && !launch_.clash && !request_.memory->read_and_written()) return;
      traced = ended ? Traced::written : Traced::all;
    }
    in_order_ = true;
    if (use().ordered_blocks) {
      request_.memory->start_launch(traced);
    } else {
      restart();
    }
    run_in_order(blocks);
    if (!must_keep_readers()) return;
    restart();
    run_in_order(blocks);
  }

  /// Whether a part of a warp has met for the first time; from then on every reader is kept.
  bool must_keep_readers() { return launch_.parted && !std::exchange(launch_.keeps_readers, true); }

  int host_threads() const {
    return request_.host_threads > 0 ? request_.host_threads : omp_get_max_threads();
  }

  /// Returns false if a block stopped.
  bool run_side_by_side(std::uint64_t blocks, int threads) {
    return run_each(blocks, threads,
                    [](Worker& worker, std::uint64_t index) { worker.run_block(index); });
  }

  /// Whether blocks may communicate, or have been seen to access the same memory.
  bool blocks_meet() const { return use().ordered_blocks || in_order_; }

  /// Runs these blocks, each with a watcher of its own, and returns the watchers; nullopt if a
  /// block stops. `checked`: the order of accesses to shared memory is checked in the first and the
  /// last of them, otherwise in none.
  template <class OneWatcher>
  std::optional<std::vector<OneWatcher>> watched(const std::vector<std::uint64_t>& blocks,
                                                 bool checked) {
    place_globals();
    request_.memory->start_launch(DeviceMemory::Traced::none);
    std::vector<OneWatcher> watchers;
    for (const std::uint64_t block : blocks) watchers.emplace_back(block, request_.shape.block);
    const auto watch = [&](Worker& worker, std::uint64_t index) {
      worker.watcher = &watchers[index];
      worker.checks_shared = checked && (index == 0 || index + 1 == blocks.size());
      worker.run_block(blocks[index]);
    };
    const bool ended = run_each(blocks.size(), blocks_meet() ? 1 : host_threads(), watch);
    remove_own_memory();
    if (!ended) return std::nullopt;
    return watchers;
  }

  /// Runs these blocks and returns what each did; nullopt if one of them stops, makes a mistake,
  /// depends on others or executes an instruction whose time is not known. `checked`: see
  /// watched().
  std::optional<std::vector<BlockSample>> timed(const std::vector<std::uint64_t>& blocks,
                                                bool checked) {
    auto watches = watched<Stopwatch>(blocks, checked);
    if (!watches) return std::nullopt;
    const auto is_error = [](const Finding& finding) {
      return finding.severity == Severity::error;
    };
    const SourceLines source(module_, request_.source_file, request_.name_lines);
    if (std::ranges::any_of(collect_findings(module_, workers_, source), is_error))
      return std::nullopt;
    std::vector<BlockSample> samples;
    for (Stopwatch& watch : *watches) samples.push_back(watch.take_sample());
    if (std::ranges::any_of(samples, [](const BlockSample& sample) {
          return sample.untimed || sample.depends_on_others;
        }))
      return std::nullopt;
    return samples;
  }

  /// See RunRequest::load_use. Leaves memory unchanged.
  std::uint64_t load_use_distance(const DeviceMemory::Snapshot& before) {
    DeviceMemory& memory = *request_.memory;
    const DeviceMemory::Snapshot after = memory.snapshot();
    memory.restore(before);
    const auto watchers =
        watched<LoadUse>(blocks_to_sample(request_.shape.grid, request_.key), false);
    memory.restore(after);
    if (!watchers) return 0;
    BytesByDistance bytes{};
    for (const LoadUse& watcher : *watchers)
      std::ranges::transform(bytes, watcher.bytes(), bytes.begin(), std::plus<>());
    return usual_distance(bytes);
  }

  /// See RunRequest::shared_readers. Leaves memory unchanged.
  double results_through_shared(const DeviceMemory::Snapshot& before) {
    constexpr std::size_t kBlocks = 6;
    DeviceMemory& memory = *request_.memory;
    const std::vector<std::uint64_t> blocks =
        blocks_of_results(memory, request_.shape.block.count(), request_.key, kBlocks);
    const DeviceMemory::Snapshot after = memory.snapshot();
    memory.restore(before);
    const std::vector<std::uint32_t> empty = result_words(memory);
    const InputElements elements(memory, request_.key);
    const DeviceMemory::Snapshot altered = memory.snapshot();
    std::vector<ResultCount> counts;
    for (const std::uint64_t block : blocks) {
      SharedTape tape(*request_.shared_readers, elements);
      FollowedRuns runs;
      std::vector<std::uint32_t> found = empty;
      runs.first = results_of(block, before, &tape, &found);
      // If earlier blocks wrote a result too, it is not this block's own.
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i] != empty[i]) found[i] = runs.first[i];
      }
      const auto altered_results = [&](SharedTape::Mode mode) {
        tape.start(mode);
        return results_of(block, altered, &tape);
      };
      runs.altered = altered_results(SharedTape::Mode::verify);
      runs.replayed = altered_results(SharedTape::Mode::replay);
      runs.own_alone = altered_results(SharedTape::Mode::replay_own_alone);
      counts.push_back(count_results(found, runs));
    }
    memory.restore(after);
    return least_percent_shared(std::move(counts));
  }

  /// Returns the results that this block leaves in memory that holds `inputs`. If blocks may meet,
  /// all lower blocks run first, so that the block cannot see that it is followed; `found` receives
  /// what they left.
  std::vector<std::uint32_t> results_of(std::uint64_t block, const DeviceMemory::Snapshot& inputs,
                                        SharedTape* tape,
                                        std::vector<std::uint32_t>* found = nullptr) {
    request_.memory->restore(inputs);
    place_globals();
    request_.memory->start_launch(DeviceMemory::Traced::none);
    run_each(1, 1, [&](Worker& worker, std::uint64_t) {
      for (std::uint64_t earlier = 0; blocks_meet() && earlier < block; ++earlier)
        worker.run_block(earlier);
      if (found != nullptr) *found = result_words(*request_.memory);
      worker.tape = tape;
      worker.run_block(block);
    });
    remove_own_memory();
    return result_words(*request_.memory);
  }

  /// Calls run(worker, index) for each index below `count`, over `threads` host threads.
  template <class RunOne>
  bool run_each(std::uint64_t count, int threads, RunOne run) {
    make_workers(threads, threads == 1);
    std::atomic<bool> stopped{false};
    std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::int64_t index = 0; index < static_cast<std::int64_t>(count); ++index) {
      if (stopped.load(std::memory_order_relaxed)) continue;
      try {
        run(workers_[static_cast<std::size_t>(omp_get_thread_num())],
            static_cast<std::uint64_t>(index));
      } catch (const BlockStopped&) {
        stopped = true;
      } catch (...) {
        stopped = true;
#pragma omp critical
        failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
    return !stopped;
  }

  void run_in_order(std::uint64_t blocks) {
    make_workers(1, true);
    noting_status([&] {
      const bool falling = request_.turns == Turns::falling;
      for (std::uint64_t turn = 0; turn < blocks; ++turn)
        workers_[0].run_block(falling ? blocks - 1 - turn : turn);
    });
  }

  /// How many blocks fit into the host's memory at the same time; at least one.
  std::uint64_t blocks_that_fit() const {
    constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20;
    // For each byte of a local array a second byte records whether it was written.
    const std::uint64_t bytes_of_warp =
        Frame::bytes_of(*launch_.kernel) + 2 * kLanes * launch_.kernel->local_bytes;
    const std::uint64_t warps = (request_.shape.block.count() + kLanes - 1) / kLanes;
    return std::max<std::uint64_t>(kMostBytes / (warps * bytes_of_warp + 1), 1);
  }

  /// For Turns::blocks: each worker runs one block, and the workers take turns on one host thread.
  void run_at_the_same_time(std::uint64_t blocks) {
    request_.memory->start_launch(DeviceMemory::Traced::none);
    launch_.keeps_readers = true;
    const std::uint64_t count =
        std::min({blocks, blocks_at_a_time(launch_.key), blocks_that_fit()});
    make_workers(static_cast<int>(count), true);
    noting_status([&] {
      // The first blocks start in an order that is drawn, as all of them run at the same time.
      std::vector<std::uint64_t> first(count);
      std::iota(first.begin(), first.end(), 0);
      for (std::size_t i = 1; i < count; ++i)
        std::swap(first[i], first[drawn(~launch_.key, i) % (i + 1)]);
      std::uint64_t next = 0;
      for (Worker& worker : workers_) worker.start_block(first[next++]);
      std::vector<Worker*> running;
      for (Worker& worker : workers_) running.push_back(&worker);
      while (!running.empty()) {
        std::erase_if(running, [&](Worker* worker) {
          if (worker->take_turns()) return false;
          worker->end_block();
          if (next == blocks) return true;
          worker->start_block(next++);
          return false;
        });
      }
    });
  }

  template <class F>
  void noting_status(F run) {
    status_ = RunStatus::completed;
    try {
      run();
    } catch (const BlockStopped& stop) {
      status_ = stop.unsupported ? RunStatus::unsupported : RunStatus::stopped;
    }
  }

  // ---- results

  Metrics metrics(const std::vector<Site>& sites) const {
    Metrics result;
    std::map<Accesses, AccessCount> counts;
    std::uint32_t worst_load = 0;
    std::uint64_t repeated = 0;
    std::uint64_t copying_loads = 0;
    WarpCounts warps;
    for (const Worker& worker : workers_) {
      warps.add(worker.counts);
      repeated += worker.repeated ? worker.repeated->bytes() : 0;
    }
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const auto [global, shared] = accesses_of(module_.sites[i]);
      add_count(counts[global], sites[i].global);
      if (global == Accesses::global_load)
        worst_load = std::max(worst_load, sites[i].global.worst_excess);
      if (module_.sites[i].for_copy) copying_loads += sites[i].global.requests;
      add_count(counts[shared], sites[i].shared);
    }
    const auto put = [&](Metric metric, std::uint64_t value) {
      result[metric] = static_cast<double>(value);
    };
    for (const Metric metric : kAllMetrics) {
      const auto [accesses, quantity] = about(metric).counts;
      if (accesses == Accesses::none) continue;
      const AccessCount& count = counts[accesses];
      if (quantity == Quantity::requests) put(metric, count.requests);
      if (quantity == Quantity::passes) put(metric, count.pieces);
      if (quantity == Quantity::excess) put(metric, count.pieces - count.least);
      if (quantity == Quantity::cache_lines && request_.cache_lines) put(metric, count.cache_lines);
      if (quantity == Quantity::per_request && count.requests != 0)
        result[metric] = static_cast<double>(count.pieces) / static_cast<double>(count.requests);
    }
    const auto ratio = [](std::uint64_t value, std::uint64_t divisor) {
      return static_cast<double>(value) / static_cast<double>(std::max<std::uint64_t>(divisor, 1));
    };
    put(Metric::global_load_bytes, warps.all.loaded_bytes);
    if (request_.shared_readers) put(Metric::global_load_repeated_bytes, repeated);
    put(Metric::barriers, warps.barriers);
    put(Metric::instructions, warps.all.instructions);
    result[Metric::active_threads_per_warp] =
        ratio(warps.all.lane_instructions, warps.all.instructions);
    put(Metric::floating_point_instructions, warps.all.floating_point);
    result[Metric::floating_point_imbalance] =
        ratio(warps.most.arithmetic, warps.all.arithmetic) * static_cast<double>(warps.warps);
    put(Metric::tensor_instructions, warps.all.tensor);
    put(Metric::shuffles, warps.all.shuffles);
    put(Metric::local_requests, warps.all.local_accesses);
    put(Metric::branches, warps.all.branches);
    put(Metric::worst_load_excess_sectors, worst_load);
    put(Metric::longest_warp_instructions, warps.most.instructions);
    put(Metric::longest_warp_load_bytes, warps.most.loaded_bytes);
    put(Metric::loads_to_registers, counts[Accesses::global_load].requests - copying_loads +
                                        counts[Accesses::global_atomic].requests);
    put(Metric::static_shared_bytes, launch_.static_shared_bytes);
    put(Metric::dynamic_shared_bytes, request_.shape.shared_bytes);
    return result;
  }

  void keep_output(RunResult& result) const {
    std::vector<std::pair<std::uint64_t, std::string>> pieces;
    for (const Worker& worker : workers_) {
      const Printed& printed = worker.printed;
      pieces.insert(pieces.end(), printed.pieces().begin(), printed.pieces().end());
      result.output_cut |= printed.is_cut();
      result.prints += printed.calls();
    }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [block, piece] : pieces) result.output += piece;
    result.output_cut |= result.output.size() > request_.output_limit;
    result.output.resize(std::min<std::size_t>(result.output.size(), request_.output_limit));
  }

  const Module& module_;
  const RunRequest& request_;
  Launch launch_;
  std::vector<Worker> workers_;
  Heap heap_;
  bool in_order_ = false;  // blocks met in global memory, or a block stopped
  RunStatus status_ = RunStatus::completed;
};

}  // namespace

RunResult run(const Module& module, const RunRequest& request) {
  return Run(module, request).execute();
}

std::uint64_t longest_warp(const RunResult& result) {
  const auto counted = result.metrics.find(Metric::longest_warp_instructions);
  return counted == result.metrics.end() ? 0 : static_cast<std::uint64_t>(counted->second);
}

std::optional<LaunchCounters> sample_launch(const Module& module, const RunRequest& request) {
  return Run(module, request).sample();
}

}  // namespace tessera
