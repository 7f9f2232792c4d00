// The words that course.yaml knows: one list a mapping, used by the parser and by the reference
// page's test.
#pragma once

#include <string>
#include <vector>

#include "grader/lab/lab_keys.h"

namespace tessera {

/// Of `attempts`, in the order of AttemptPolicy.
inline const std::vector<std::string> kPolicyWords{"best", "last", "active"};

/// Of `hidden_items`, in the order of Visibility.
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
