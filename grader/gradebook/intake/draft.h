// A submission whose files are still to be read; what every importer makes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/gradebook/intake/download.h"
#include "grader/gradebook/intake/intake.h"

namespace tessera {

struct Draft {
  /// A file, folder or archive of the download, and where it stands in the submission: "kernel.cu";
  /// the files of a folder or archive at "" stand at the root.
  struct Part {
    TreeEntry entry;
    std::string path;
  };

  Submission submission;  // without files
  std::vector<Part> parts;
};

/// `entry` as `person` handed it in; `origin` is its path in the download.
Draft draft_of(Identity person, const TreeEntry& entry, std::string origin,
               std::string path_in_submission);

/// What lies where a submission is expected and tells nobody's name; `expected` is said to the TA.
Draft ownerless_draft(const TreeEntry& entry, std::string_view expected);

/// Hidden files, and files of kinds that staff keep beside submissions: .csv, .yaml, .json, ...
bool is_staff_file(const TreeEntry& entry);

/// Whether at least half of what is not the staff's is `so`. A layout is what most of a download
/// shows: a single name is a student's to choose.
bool half_are(std::vector<TreeEntry> entries, const std::function<bool(const TreeEntry&)>& so);

/// "2026-10-01T21:59:03Z" of a time with its offset from UTC, as systems write it; "" where `text`
/// is none, or names no offset.
std::string utc_time(std::string text);

/// Reads the files of the draft's parts and unpacks archives, two levels deep. Whatever cannot be
/// read is a problem of a file, and where nothing can be, of the submission; a ResourceFailure is
/// the submission's `failure`. Files with kernels come first where there are too many bytes for
/// all.
Submission read_draft(Draft draft);

}  // namespace tessera
