#include "common/device_profile.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "common/text.h"
#include "common/yaml_mapping.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxCount = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostMemory = std::int64_t{1} << 40;
constexpr double kMaxRate = 1e6;

const std::vector<std::string>& profile_keys() {
  static const std::vector<std::string> keys = {"name",
                                                "compute_capability",
                                                "multiprocessors",
                                                "max_threads_per_block",
                                                "max_block",
                                                "max_grid",
                                                "max_threads_per_sm",
                                                "max_blocks_per_sm",
                                                "registers_per_sm",
                                                "max_registers_per_thread",
                                                "shared_bytes_per_block",
                                                "shared_bytes_per_block_optin",
                                                "shared_bytes_per_sm",
                                                "reserved_shared_bytes_per_block",
                                                "constant_bytes",
                                                "l2_bytes",
                                                "clock_mhz",
                                                "memory_gb_per_s",
                                                "fp32_lanes_per_sm"};
  return keys;
}

template <class Count>
void read_whole(YamlMapping& yaml, const std::string& key, std::int64_t least, std::int64_t most,
                Count& into) {
  if (const auto value = yaml.whole(key, least, most)) into = static_cast<Count>(*value);
}

void read_number(YamlMapping& yaml, const std::string& key, double& into) {
  if (const auto value = yaml.number(key, 1.0, kMaxRate)) into = *value;
}

void read_extents(YamlMapping& yaml, const std::string& key, Dim3& into) {
  if (const auto value = yaml.wholes(key, 3, 1, kMaxCount)) {
    into = {static_cast<std::uint32_t>((*value)[0]), static_cast<std::uint32_t>((*value)[1]),
            static_cast<std::uint32_t>((*value)[2])};
  }
}

/// Limits that contradict each other would allow a launch that no device can run.
void check_order(YamlMapping& yaml, const std::string& smaller, std::uint64_t small_value,
                 const std::string& larger, std::uint64_t large_value) {
  if (small_value <= large_value) return;
  yaml.fail(smaller, "'" + smaller + "' is " + std::to_string(small_value) +
                         "; expected at most '" + larger + "', which is " +
                         std::to_string(large_value));
}

Expected<DeviceProfile> read_profile(const fs::path& path) {
  const Expected<YAML::Node> document = read_yaml(path);
  if (!document) return document.error();
  YamlMapping yaml(path, *document, "device profile", profile_keys());
  for (const std::string& key : profile_keys()) yaml.require(key);

  DeviceProfile profile;
  profile.id = path.stem().string();
  profile.name = yaml.text("name").value_or("");
  read_whole(yaml, "compute_capability", 50, 999, profile.compute_capability);
  read_whole(yaml, "multiprocessors", 1, kMaxCount, profile.multiprocessors);
  read_whole(yaml, "max_threads_per_block", 1, kMaxCount, profile.max_threads_per_block);
  read_extents(yaml, "max_block", profile.max_block);
  read_extents(yaml, "max_grid", profile.max_grid);
  read_whole(yaml, "max_threads_per_sm", 1, kMaxCount, profile.max_threads_per_sm);
  read_whole(yaml, "max_blocks_per_sm", 1, kMaxCount, profile.max_blocks_per_sm);
  read_whole(yaml, "registers_per_sm", 1, kMaxCount, profile.registers_per_sm);
  read_whole(yaml, "max_registers_per_thread", 1, kMaxCount, profile.max_registers_per_thread);
  read_whole(yaml, "shared_bytes_per_block", 1, kMostMemory, profile.shared_bytes_per_block);
  read_whole(yaml, "shared_bytes_per_block_optin", 1, kMostMemory,
             profile.shared_bytes_per_block_optin);
  read_whole(yaml, "shared_bytes_per_sm", 1, kMostMemory, profile.shared_bytes_per_sm);
  read_whole(yaml, "reserved_shared_bytes_per_block", 0, kMostMemory,
             profile.reserved_shared_bytes_per_block);
  read_whole(yaml, "constant_bytes", 1, kMostMemory, profile.constant_bytes);
  read_whole(yaml, "l2_bytes", 1, kMostMemory, profile.l2_bytes);
  read_number(yaml, "clock_mhz", profile.clock_mhz);
  read_number(yaml, "memory_gb_per_s", profile.memory_gb_per_s);
  read_number(yaml, "fp32_lanes_per_sm", profile.fp32_lanes_per_sm);

  check_order(yaml, "max_threads_per_block",
              static_cast<std::uint64_t>(profile.max_threads_per_block), "max_threads_per_sm",
              static_cast<std::uint64_t>(profile.max_threads_per_sm));
  check_order(yaml, "shared_bytes_per_block", profile.shared_bytes_per_block,
              "shared_bytes_per_block_optin", profile.shared_bytes_per_block_optin);
  check_order(yaml, "shared_bytes_per_block_optin",
              profile.shared_bytes_per_block_optin + profile.reserved_shared_bytes_per_block,
              "shared_bytes_per_sm", profile.shared_bytes_per_sm);
  if (yaml.error()) return *yaml.error();
  return profile;
}

}  // namespace

double tensor_multiply_adds(const DeviceProfile& device) {
  const int capability = device.compute_capability;
  if (capability < 70) return 0;
  return capability >= 90 ? 2048 : capability == 80 ? 1024 : 512;
}

Expected<DeviceProfile> load_device_profile(const std::string& name, const fs::path& directory) {
  const std::vector<std::string> known = device_profile_names(directory);
  const auto file_of = [&directory](const std::string& id) { return directory / (id + ".yaml"); };
  for (const std::string& id : known) {
    if (lower_case(id) == lower_case(name)) return read_profile(file_of(id));
  }

  std::optional<Error> broken;
  std::string list;
  for (const std::string& id : known) {
    Expected<DeviceProfile> profile = read_profile(file_of(id));
    if (profile && lower_case(profile->name) == lower_case(name)) return profile;
    if (!profile && !broken) broken = profile.error();
    list += (list.empty() ? "" : ", ") + id;
  }
  if (broken) return *broken;
  if (list.empty()) {
    return Error{.file = directory.string(), .message = "holds no device profile (NAME.yaml)"};
  }
  return Error{.file = directory.string(),
               .message = "no device profile is called '" + name + "'" + did_you_mean(name, known) +
                          "; known are " + list};
}

std::vector<std::string> device_profile_names(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, failure)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> device_display_names(const fs::path& directory) {
  std::vector<std::string> names;
  for (const std::string& id : device_profile_names(directory)) {
    if (const auto profile = read_profile(directory / (id + ".yaml")))
      names.push_back(profile->name);
  }
  return names;
}

}  // namespace tessera
