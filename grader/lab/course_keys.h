// The keys that course.yaml may have, a list for each kind of mapping; for the parser and for the
// test of the reference page.
#pragma once

#include <string>
#include <vector>

#include "grader/lab/lab_keys.h"

namespace tessera {

/// The words of `attempts`, in the order of AttemptPolicy.
inline const std::vector<std::string> kPolicyWords{"best", "last", "active"};

/// The words of `hidden_items`, in the order of Visibility.
inline const std::vector<std::string> kVisibilityWords{"visible", "after_due_date",
                                                       "after_published", "hidden"};

inline const KeyList kCourseKeys{
    "course",
    {"title", "timezone", "labs", "attempts", "late", "extensions", "devices", "gradescope"}};
inline const KeyList kCourseLabKeys{"course's lab", {"lab", "weight", "due"}};
inline const KeyList kLateKeys{
    "late section",
    {"grace_minutes", "per_day", "cap", "closed_after_days", "budget_days", "unknown_days"}};
inline const KeyList kGradescopeKeys{"gradescope section", {"hidden_items"}};
inline const KeyList kExtensionKeys{"extension", {"student", "lab", "until"}};

/// All of the above.
inline std::vector<KeyList> course_key_lists() {
  return {kCourseKeys, kCourseLabKeys, kLateKeys, kExtensionKeys, kGradescopeKeys};
}

}  // namespace tessera
