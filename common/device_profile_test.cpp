#include "common/device_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/temporary_directory.h"
#include "common/text.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kDevices = fs::path(TESSERA_SOURCE_DIR) / "common/devices";

/// The H200's profile with `from` replaced by `to`, read as "mine".
Expected<DeviceProfile> changed(const std::string& from, const std::string& to) {
  std::string yaml = *read_file(kDevices / "nvidia-h200.yaml");
  const std::size_t at = yaml.find(from);
  if (at == std::string::npos) throw std::runtime_error("no '" + from + "' in the profile");
  yaml.replace(at, from.size(), to);
  const TemporaryDirectory directory;
  directory.write("mine.yaml", yaml);
  return load_device_profile("mine", directory.path());
}

Error mistake_in(const std::string& from, const std::string& to) {
  const Expected<DeviceProfile> profile = changed(from, to);
  return profile ? Error{} : profile.error();
}

TEST(DeviceProfile, EveryFileLoads) {
  const std::vector<std::string> names = device_profile_names(kDevices);
  EXPECT_GE(names.size(), 9u);
  for (const std::string& name : names) {
    const Expected<DeviceProfile> profile = load_device_profile(name, kDevices);
    ASSERT_TRUE(profile) << profile.error().str();
    EXPECT_EQ(profile->id, name);
    EXPECT_FALSE(profile->name.empty());
    EXPECT_EQ(profile->max_threads_per_sm % 32, 0) << name;
    EXPECT_EQ(profile->registers_per_sm, 65536) << name;
    EXPECT_EQ(profile->shared_bytes_per_block, 49152u) << name;
  }
}

TEST(DeviceProfile, KnowsTheH200) {
  const Expected<DeviceProfile> profile = load_device_profile("nvidia-h200", kDevices);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->name, "NVIDIA H200");
  EXPECT_EQ(profile->compute_capability, 90);
  EXPECT_EQ(profile->multiprocessors, 132);
  EXPECT_EQ(profile->max_block, (Dim3{1024, 1024, 64}));
  EXPECT_EQ(profile->max_grid, (Dim3{2147483647u, 65535u, 65535u}));
  EXPECT_EQ(profile->shared_bytes_per_block_optin, 227u << 10);
  EXPECT_EQ(profile->shared_bytes_per_sm, 228u << 10);
  EXPECT_EQ(profile->l2_bytes, 60u << 20);
  EXPECT_EQ(profile->clock_mhz, 1980.0);
  EXPECT_EQ(profile->memory_gb_per_s, 4800.0);
}

TEST(DeviceProfile, KnowsTheLimitsOfSmallerCards) {
  const Expected<DeviceProfile> ampere = load_device_profile("rtx-3080", kDevices);
  ASSERT_TRUE(ampere);
  EXPECT_EQ(ampere->compute_capability, 86);
  EXPECT_EQ(ampere->max_threads_per_sm, 1536);
  EXPECT_EQ(ampere->max_blocks_per_sm, 16);
  EXPECT_EQ(ampere->shared_bytes_per_block_optin, 99u << 10);
  const Expected<DeviceProfile> turing = load_device_profile("tesla-t4", kDevices);
  ASSERT_TRUE(turing);
  EXPECT_EQ(turing->max_threads_per_sm, 1024);
  EXPECT_EQ(turing->shared_bytes_per_sm, 64u << 10);
  EXPECT_EQ(turing->reserved_shared_bytes_per_block, 0u);
}

TEST(DeviceProfile, IsFoundByEitherNameInAnyCase) {
  for (const std::string name : {"rtx-3080", "RTX-3080", "nvidia geforce rtx 3080"}) {
    const Expected<DeviceProfile> profile = load_device_profile(name, kDevices);
    ASSERT_TRUE(profile) << profile.error().str();
    EXPECT_EQ(profile->id, "rtx-3080");
  }
}

TEST(DeviceProfile, ForAnUnknownNameTheKnownNamesAreListed) {
  const Expected<DeviceProfile> profile = load_device_profile("rtx-3800", kDevices);
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error().message, HasSubstr("no device profile is called 'rtx-3800'"));
  EXPECT_THAT(profile.error().message, HasSubstr("did you mean 'rtx-3080'?"));
  EXPECT_THAT(profile.error().message, HasSubstr("nvidia-h200"));
}

TEST(DeviceProfile, ADirectoryWithoutProfilesIsNamed) {
  EXPECT_TRUE(device_profile_names("/nowhere").empty());
  const Expected<DeviceProfile> profile = load_device_profile("nvidia-h200", "/nowhere");
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().str(), "/nowhere: holds no device profile (NAME.yaml)");
}

TEST(DeviceProfile, AnUnknownKeyIsNamedWithItsLine) {
  const Error error = mistake_in("multiprocessors: 132", "multiprocesors: 132");
  EXPECT_EQ(error.line, 4);
  EXPECT_THAT(error.message, HasSubstr("did you mean 'multiprocessors'?"));
}

TEST(DeviceProfile, AMissingKeyIsNamed) {
  EXPECT_THAT(mistake_in("clock_mhz: 1980", "# no clock").message,
              HasSubstr("the device profile has no 'clock_mhz'; add it"));
}

TEST(DeviceProfile, AKeyGivenTwiceIsNamed) {
  EXPECT_THAT(mistake_in("clock_mhz: 1980", "clock_mhz: 1980\nclock_mhz: 1900").message,
              HasSubstr("'clock_mhz' is given twice"));
}

TEST(DeviceProfile, ABadValueIsNamedWithItsLine) {
  const Error word = mistake_in("multiprocessors: 132", "multiprocessors: many");
  EXPECT_EQ(word.line, 4);
  EXPECT_THAT(word.message, HasSubstr("'multiprocessors' is 'many'; expected a whole number"));
  EXPECT_THAT(mistake_in("multiprocessors: 132", "multiprocessors: 0").message,
              HasSubstr("from 1 to"));
  EXPECT_THAT(mistake_in("multiprocessors: 132", "multiprocessors: 1.5").message,
              HasSubstr("'1.5'"));
  EXPECT_THAT(mistake_in("clock_mhz: 1980", "clock_mhz: -1").message, HasSubstr("'-1'"));
  EXPECT_THAT(mistake_in("[1024, 1024, 64]", "[1024, 1024]").message,
              HasSubstr("expected a list of 3 whole numbers"));
  EXPECT_THAT(mistake_in("[1024, 1024, 64]", "[1024, 1024, zero]").message,
              HasSubstr("'max_block' is 'zero'"));
}

TEST(DeviceProfile, LimitsThatContradictEachOtherAreMistakes) {
  EXPECT_THAT(mistake_in("shared_bytes_per_block: 49152", "shared_bytes_per_block: 300000").message,
              HasSubstr("expected at most 'shared_bytes_per_block_optin'"));
  EXPECT_THAT(mistake_in("max_threads_per_sm: 2048", "max_threads_per_sm: 512").message,
              HasSubstr("expected at most 'max_threads_per_sm', which is 512"));
}

}  // namespace
}  // namespace tessera
