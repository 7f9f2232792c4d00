#include "grader/gradebook/export/lab_title.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TitleMatch match(const char* assignment) {
  return LabTitle("03-tiled", "Tiled multiplication").match(assignment);
}

TEST(LabTitle, IsKnownInAnyUsualSpelling) {
  for (const char* title :
       {"03-tiled", "03 Tiled", "03_TILED", "3 tiled", "3-Tiled", "Lab 03", "Lab 3", "lab3",
        "LAB-03", "L03", "03", "3", "Tiled", "Lab 3: Tiled", "Lab 03 - Tiled multiplication",
        "Tiled Multiplication", "3. Tiled multiplication", "03-tiled: Tiled multiplication"}) {
    EXPECT_EQ(match(title), TitleMatch::alone) << title;
  }
}

TEST(LabTitle, CanStandAmongOtherWords) {
  for (const char* title : {"Week 4: 03-tiled", "3. Tiled multiplication (GPU)",
                            "CUDA lab 3, part A", "Lab 03 (resubmission)"}) {
    EXPECT_EQ(match(title), TitleMatch::inside) << title;
  }
}

TEST(LabTitle, MayBeMeantByItsNumberOrAWord) {
  for (const char* title : {"03: on the GPU", "3: on the GPU", "03 shared memory", "GPU, tiled"}) {
    EXPECT_EQ(match(title), TitleMatch::perhaps) << title;
  }
}

TEST(LabTitle, IsNotThatOfAnotherLab) {
  for (const char* title :
       {"04 Tiled", "Lab 4: tiled", "4. Tiled multiplication", "13 tiled", "Lab 30", "Lab 13",
        "3D pictures", "3 essays", "Essay", "Untiled", "Week 3", "", "()"}) {
    EXPECT_EQ(match(title), TitleMatch::none) << title;
  }
}

TEST(LabTitle, WithoutANumberIsKnownByItsWords) {
  const LabTitle lab("reduction", "2D reduction");
  EXPECT_EQ(lab.match("Reduction"), TitleMatch::alone);
  EXPECT_EQ(lab.match("2D reduction"), TitleMatch::alone);
  EXPECT_EQ(lab.match("Parallel reduction"), TitleMatch::perhaps);
  EXPECT_EQ(lab.match("Lab"), TitleMatch::none);
}

}  // namespace
}  // namespace tessera
