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
  /// A file, folder or archive of the download, and its path in the submission: "kernel.cu"; the
  /// files of a folder or archive at "" stand at the root.
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

/// The draft of an entry whose name names no student; `expected` says to the TA which name would.
Draft ownerless_draft(const TreeEntry& entry, std::string_view expected);

/// Hidden files, and files of kinds that staff keep beside submissions: .csv, .yaml, .json, ...
bool is_staff_file(const TreeEntry& entry);

/// Whether `so` holds for at least half of the entries that are not the staff's. Only most of a
/// download shows its layout: a single name is chosen by a student.
bool half_are(std::vector<TreeEntry> entries, const std::function<bool(const TreeEntry&)>& so);

/// "2026-10-01T21:59:03Z" of a time with its offset from UTC, as systems write it; "" if `text` is
/// none, or has no offset.
std::string utc_time(std::string text);

/// Reads the files of the draft's parts and unpacks archives, two levels deep. What cannot be read
/// is a problem of its file or, if nothing can be read, of the submission; a ResourceFailure is the
/// submission's `failure`. If there are too many bytes for all files, kernels come first.
Submission read_draft(Draft draft);

}  // namespace tessera
