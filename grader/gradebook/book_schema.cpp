#include "grader/gradebook/book_schema.h"

#include <fmt/format.h>

#include <array>

namespace tessera {
namespace {

constexpr int kApplicationId = 0x54657373;  // "Tess"
constexpr int kSchemaVersion = 5;

/// What sources are compared by, kept because it takes long to compute.
constexpr const char* kSourceKeys = R"sql(
CREATE TABLE source_key (
  sha256  TEXT PRIMARY KEY REFERENCES source,
  version INTEGER NOT NULL,
  key     TEXT NOT NULL
) STRICT, WITHOUT ROWID;
)sql";

/// The grades that a student's kernels had when points were given by hand; beside other grades
/// these points do not count.
constexpr const char* kAdjustedGrades = R"sql(
CREATE TABLE adjusted_grade (
  adjustment INTEGER NOT NULL REFERENCES adjustment,
  sha256     TEXT NOT NULL,
  score      REAL NOT NULL,
  review     REAL NOT NULL,
  PRIMARY KEY (adjustment, sha256)
) STRICT, WITHOUT ROWID;
)sql";

/// A kernel that is handed in again at another time is another attempt.
constexpr const char* kAttemptOnce = R"sql(
CREATE UNIQUE INDEX attempt_once ON attempt
  (origin, lab, ifnull(sha256, ''), problem, submitted_at);
)sql";

// E-mail addresses and GitHub names are the same in either case. Large values stand last in their
// table: SQLite reads through them to reach any column after them.
constexpr const char* kTables = R"sql(
CREATE TABLE setting (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE assignment (
  lab        TEXT PRIMARY KEY,
  title      TEXT NOT NULL,
  max_points REAL NOT NULL,
  lab_hash   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE student (
  id        INTEGER PRIMARY KEY,
  name      TEXT NOT NULL,
  email     TEXT NOT NULL COLLATE NOCASE,
  login     TEXT NOT NULL,
  sis_id    TEXT NOT NULL,
  canvas_id TEXT NOT NULL,
  moodle_id TEXT NOT NULL,
  github    TEXT NOT NULL COLLATE NOCASE,
  section   TEXT NOT NULL,
  group_name TEXT NOT NULL
) STRICT;
CREATE INDEX student_name ON student (name);
CREATE INDEX student_email ON student (email);
CREATE INDEX student_login ON student (login);
CREATE INDEX student_sis_id ON student (sis_id);
CREATE INDEX student_canvas_id ON student (canvas_id);
CREATE INDEX student_github ON student (github);

CREATE TABLE source (
  sha256  TEXT PRIMARY KEY,
  content BLOB NOT NULL
) STRICT;

CREATE TABLE attempt (
  id            INTEGER PRIMARY KEY,
  lab           TEXT NOT NULL,
  sha256        TEXT REFERENCES source,
  problem       TEXT NOT NULL,
  origin        TEXT NOT NULL,
  feedback_name TEXT NOT NULL,
  submitted_at  TEXT NOT NULL,
  late          INTEGER NOT NULL,
  number        INTEGER NOT NULL,
  download      INTEGER NOT NULL,
  seen          INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX attempt_source ON attempt (lab, sha256);
CREATE INDEX attempt_download ON attempt (download);

CREATE TABLE attempt_student (
  attempt INTEGER NOT NULL REFERENCES attempt,
  student INTEGER NOT NULL REFERENCES student,
  PRIMARY KEY (attempt, student)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
  id         INTEGER PRIMARY KEY,
  started_at TEXT NOT NULL,
  version    TEXT NOT NULL,
  machine    TEXT NOT NULL,
  isolation  TEXT NOT NULL,
  command    TEXT NOT NULL
) STRICT;

CREATE TABLE result (
  id          INTEGER PRIMARY KEY,
  lab         TEXT NOT NULL,
  sha256      TEXT NOT NULL,
  lab_hash    TEXT NOT NULL,
  run         INTEGER REFERENCES run,
  score       REAL NOT NULL,
  max_score   REAL NOT NULL,
  deferred    REAL NOT NULL,
  review      REAL NOT NULL DEFAULT 0,
  awaits_gpu  INTEGER NOT NULL DEFAULT 0,
  infra       INTEGER NOT NULL,
  shared_from TEXT NOT NULL,
  ended_at    TEXT NOT NULL,
  record      TEXT NOT NULL,
  UNIQUE (lab, sha256, lab_hash)
) STRICT;

CREATE TABLE accepted (
  lab    TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  result INTEGER NOT NULL REFERENCES result,
  PRIMARY KEY (lab, sha256)
) STRICT, WITHOUT ROWID;

CREATE TABLE adjustment (
  id        INTEGER PRIMARY KEY,
  student   INTEGER NOT NULL REFERENCES student,
  lab       TEXT NOT NULL,
  points    REAL NOT NULL,
  reason    TEXT NOT NULL,
  author    TEXT NOT NULL,
  at        TEXT NOT NULL,
  late_days REAL,
  bonus     INTEGER NOT NULL DEFAULT 0,
  last_attempt INTEGER NOT NULL DEFAULT 0
) STRICT;
)sql";

/// Version 4 did not record which attempts there were when an adjustment was made: its adjustments
/// count as made after all that the gradebook has.
constexpr const char* kAboutWork = R"sql(
ALTER TABLE attempt ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
UPDATE attempt SET seen = ranked.place
  FROM (SELECT id, row_number() OVER (ORDER BY download, id) AS place FROM attempt) AS ranked
  WHERE ranked.id = attempt.id;
DROP INDEX attempt_once;
ALTER TABLE adjustment ADD COLUMN bonus INTEGER NOT NULL DEFAULT 0;
ALTER TABLE adjustment ADD COLUMN last_attempt INTEGER NOT NULL DEFAULT 0;
UPDATE adjustment SET last_attempt = (SELECT ifnull(max(id), 0) FROM attempt);
)sql";
constexpr const char* kPresentGrades = R"sql(
INSERT INTO adjusted_grade (adjustment, sha256, score, review)
  SELECT DISTINCT adjustment.id, result.sha256, result.score, result.review
  FROM adjustment
  JOIN attempt_student ON attempt_student.student = adjustment.student
  JOIN attempt ON attempt.id = attempt_student.attempt AND attempt.lab = adjustment.lab
  JOIN accepted ON accepted.lab = attempt.lab AND accepted.sha256 = attempt.sha256
  JOIN result ON result.id = accepted.result
  WHERE NOT result.infra;
)sql";

/// What makes the tables of version 1 those of version 2, and so on.
using Steps = std::array<const char*, 4>;
constexpr std::array kUpgrades = {
    Steps{"ALTER TABLE adjustment ADD COLUMN late_days REAL"}, Steps{kSourceKeys},
    Steps{"ALTER TABLE result ADD COLUMN review REAL NOT NULL DEFAULT 0",
          "ALTER TABLE result ADD COLUMN awaits_gpu INTEGER NOT NULL DEFAULT 0"},
    Steps{kAboutWork, kAttemptOnce, kAdjustedGrades, kPresentGrades}};
static_assert(kUpgrades.size() + 1 == kSchemaVersion);

int number(SQLite::Database& database, const char* query) {
  return database.execAndGet(query).getInt();
}

}  // namespace

bool is_blank(SQLite::Database& database) {
  return number(database, "SELECT count(*) FROM sqlite_schema") == 0 &&
         number(database, "PRAGMA application_id") == 0;
}

void create_schema(SQLite::Database& database) {
  database.exec(kTables);
  database.exec(kSourceKeys);
  database.exec(kAttemptOnce);
  database.exec(kAdjustedGrades);
  database.exec(fmt::format("PRAGMA application_id = {}", kApplicationId));
  database.exec(fmt::format("PRAGMA user_version = {}", kSchemaVersion));
}

bool is_old_schema(SQLite::Database& database) {
  return number(database, "PRAGMA user_version") < kSchemaVersion;
}

void upgrade_schema(SQLite::Database& database) {
  const int version = number(database, "PRAGMA user_version");
  for (std::size_t next = static_cast<std::size_t>(version) - 1; next < kUpgrades.size(); ++next) {
    for (const char* step : kUpgrades[next]) {
      if (step != nullptr) database.exec(step);
    }
  }
  database.exec(fmt::format("PRAGMA user_version = {}", kSchemaVersion));
}

std::optional<std::string> wrong_schema(SQLite::Database& database) {
  if (is_blank(database)) return "is empty; expected a gradebook";
  if (number(database, "PRAGMA application_id") != kApplicationId) {
    return "is an SQLite file of another program, not a gradebook";
  }
  const int version = number(database, "PRAGMA user_version");
  if (version > kSchemaVersion) {
    return fmt::format(
        "was made by a newer Tessera (gradebook version {}; this one knows up to {}); update "
        "Tessera",
        version, kSchemaVersion);
  }
  if (version < 1) {
    return fmt::format("has the unknown gradebook version {}; restore it from a copy", version);
  }
  return std::nullopt;
}

}  // namespace tessera
