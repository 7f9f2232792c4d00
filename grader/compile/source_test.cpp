#include "grader/compile/source.h"

#include <gmock/gmock.h>

namespace tessera {
namespace {

using testing::ElementsAre;

std::vector<std::string> words_in(const Source& source) {
  std::vector<std::string> words;
  for (const Token& token : source.code()) words.push_back(token.text);
  return words;
}

TEST(Source, TextHasNoByteOrderMarkAndNoCarriageReturns) {
  const Source source("\xEF\xBB\xBFint a;\r\nint b;\r\n");
  EXPECT_EQ(source.text(), "int a;\nint b;\n");
  EXPECT_EQ(source.as_read(), "\xEF\xBB\xBFint a;\r\nint b;\r\n");
  EXPECT_THAT(source.lines(), ElementsAre("int a;", "int b;"));
  EXPECT_EQ(Source("a\rb").text(), "a\nb");
  EXPECT_EQ(Source("a\rb").code()[1].line, 2);
}

TEST(Source, TokensAreTheLongest) {
  EXPECT_THAT(words_in("a<<=b>>=c<=d>=e==f!=g&&h||i"),
              ElementsAre("a", "<<=", "b", ">>=", "c", "<=", "d", ">=", "e", "==", "f", "!=", "g",
                          "&&", "h", "||", "i"));
  EXPECT_THAT(words_in("a+++b---c"), ElementsAre("a", "++", "+", "b", "--", "-", "c"));
  EXPECT_THAT(words_in("a+=b-=c*=d/=e%=f&=g|=h^=i"),
              ElementsAre("a", "+=", "b", "-=", "c", "*=", "d", "/=", "e", "%=", "f", "&=", "g",
                          "|=", "h", "^=", "i"));
  EXPECT_THAT(words_in("p->x ... a.*b p->*b A::c x<<y>>z"),
              ElementsAre("p", "->", "x", "...", "a", ".*", "b", "p", "->*", "b", "A", "::", "c",
                          "x", "<<", "y", ">>", "z"));
  EXPECT_THAT(words_in("k<<<1, 2>>>()"),
              ElementsAre("k", "<<<", "1", ",", "2", ">>", ">", "(", ")"));
  EXPECT_THAT(words_in("a = = b + + c"), ElementsAre("a", "=", "=", "b", "+", "+", "c"));
}

TEST(Source, DigraphsBecomeTheTokensThatTheyStandFor) {
  EXPECT_THAT(words_in("<%a<:1:>;%>"), ElementsAre("{", "a", "[", "1", "]", ";", "}"));
  EXPECT_THAT(words_in("S<::T> S<:::b:>"),
              ElementsAre("S", "<", "::", "T", ">", "S", "[", "::", "b", "]"));
  const Source source("%:define f(a, b) a %:%: b\n%: define g (a)\n");
  ASSERT_EQ(source.directives().size(), 2u);
  EXPECT_EQ(source.directives()[0].tokens[7].text, "##");
  EXPECT_TRUE(source.directives()[0].takes_arguments);
  EXPECT_FALSE(source.directives()[1].takes_arguments);
}

TEST(Source, CompilersGetBlanksForComments) {
  EXPECT_EQ(Source("int a; // b\nint /* c */ d;\n").visible(), "int a;     \nint         d;\n");
  EXPECT_EQ(Source("int a; /*\tb\n\\ c */ d;\n").visible(), "int a;   \t \n       d;\n");
  EXPECT_EQ(Source("// a \\\nb\nint c;\n").visible(), "      \n \nint c;\n");
  EXPECT_EQ(Source("a = \"// no\"; '\\'' /\\\n/ b\n").visible(), "a = \"// no\"; '\\''   \n   \n");
}

TEST(Source, ACommentOverSeveralLinesDoesNotEndADirectiveForCompilers) {
  EXPECT_EQ(Source("#define A /* b\n\n c */ 1 \\\n  + 2\nint d;\n").visible(),
            "#define A     \\\n\\\n      1 \\\n  + 2\nint d;\n");
  EXPECT_EQ(Source("#define A 1 // b\nint d;\n").visible(), "#define A 1     \nint d;\n");
}

TEST(Source, CompilersDoNotGetWhatIsSkipped) {
  EXPECT_EQ(Source("#if 0\nint a;\n#define B \\\n c\n#else\nint d;\n#endif\n").visible(),
            "#if 0\n      \n           \n  \n#else\nint d;\n#endif\n");
  EXPECT_EQ(Source("#if 0\n#if A\na\n#elif B\n#else\nb\n#endif\nc\n#endif\nd\n").visible(),
            "#if 0\n     \n \n       \n     \n \n      \n \n#endif\nd\n");
  EXPECT_EQ(Source("#ifdef A\nint a;\n#else\nint b;\n#endif\n").visible(),
            "#ifdef A\nint a;\n#else\nint b;\n#endif\n");
}

TEST(Source, ADirectiveThatCompilersDoNotKnowBeginsNoAlternative) {
  for (const char* name : {"elephant", "elifdef A", "else_", "elifs 1"}) {
    const Source source(std::string("#if 1\n#") + name + "\nint a;\n#endif\n");
    EXPECT_THAT(words_in(source), ElementsAre("int", "a", ";")) << name;
  }
}

TEST(Source, ACopyHoldsTheSameTokens) {
  const Source source("int a;");
  const Source copy = source;
  EXPECT_EQ(copy.code().data(), source.code().data());
}

}  // namespace
}  // namespace tessera
