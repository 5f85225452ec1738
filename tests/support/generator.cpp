#include "support/generator.hpp"

#include <array>
#include <random>
#include <vector>

namespace hone::testing {
namespace {

// Where white space may be, and where it must be; layout() decides what stands there.
constexpr char may = '\x01';
constexpr char must = '\x02';

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  std::string run() {
    std::string text = prelude();
    text += layout(helper());
    const auto front = head();
    text += layout(front + block(3, true));
    return text + "\n";
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  std::string one_of(const std::vector<std::string>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }
  std::string fresh(const std::string& stem) { return stem + std::to_string(next_++); }

  std::string layout(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == may)
        out += one_of({"", "", "", " ", " ", "  ", "\t", "\n    ", " /* so */ "});
      else if (c == must)
        out += one_of({" ", " ", " ", "  ", "\t", "\n  ", " /* so */ ", " // why\n  "});
      else
        out += c;
    }
    return out;
  }

  std::string prelude() {
    std::string out = "/* generated */\n";
    out += "#define SIZE 64\n#define MASK (SIZE - 1)\n";
    out += "#define PICK(x, y) ((x) > (y) ? (x) : (y))\n";
    out += "#define BUMP(v) v += 1; v ^= 3\n";
    out += "#define LOOP(i, m) for (int i = 0; i < m; i++)\n";
    out += chance(50) ? "#define real float\n" : "typedef float real;\n";
    out += "#ifdef MISSING\n#define EXTRA 5\nbroken { text\n#else\n  #define EXTRA 3 \\\n + 0\n#endif\n";
    if (chance(50)) out += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    out += "__constant int table[4] = {1, 2, 3, 4};  // small\n\n";
    return out;
  }

  std::string helper() {
    floats_ = {"x", "y"};
    ints_ = {"m"};
    std::string out = std::string(chance(50) ? "static inline" : "inline") + must + "real" + must +
                      "help(const real x, real y, int m)" + may + "{";
    out += "if" + s() + "(" + condition(1) + ")" + s() + "return" + must + floating(2) + ";";
    out += "\n  return" + std::string(1, must) + floating(2) + ";}\n";
    return out;
  }

  std::string head() {
    floats_ = {"s", "acc"};
    ints_ = {"n", "gid", "lid", "tot"};
    inner_ = true;
    return std::string("__kernel") + must + "void" + must + "k(__global float" + must + "*out," + may +
           "__global int *iout, __global const float" + may + "*" + may +
           "a, __global const int * restrict b,\n  const int n, const real s)" + may;
  }

  std::string s() { return std::string(1, may); }

  // Expressions

  std::string integer(int depth) {
    if (depth <= 0 || chance(20)) {
      switch (below(5)) {
        case 0: return std::to_string(below(60));
        case 1: return one_of({"0x1fu", "SIZE", "MASK", "7"});
        case 2: return inner_ ? "b[" + s() + index(0) + s() + "]" : "m";
        default: return one_of(ints_);
      }
    }
    const auto a = integer(depth - 1);
    const auto b = integer(depth - 1);
    switch (below(9)) {
      case 0: return "(" + a + s() + "+" + s() + b + ")";
      case 1: return "(" + a + s() + "-" + s() + b + ")";
      case 2: return "((" + a + s() + "&" + s() + "255)" + s() + "*" + s() + "(" + b + s() + "&" + s() + "15))";
      case 3:
        return "((" + a + s() + "&" + s() + "1023)" + s() + one_of({"/", "%"}) + s() + "(1" + s() + "+" + s() + "(" +
               b + s() + "&" + s() + "7)))";
      case 4:
        return "(" + condition(depth - 1) + s() + "?" + s() + "(int)(" + a + ")" + s() + ":" + s() + "(int)" + "(" + b +
               "))";
      case 5: return "((int)(" + a + ")" + s() + one_of({"&", "|", "^"}) + s() + "(int)(" + b + "))";
      case 6: return one_of({"min", "max"}) + "((int)(" + a + ")," + s() + "(int)(" + b + "))";
      case 7:
        return "((" + a + s() + "&" + s() + "63)" + s() + one_of({"<<", ">>"}) + s() + std::to_string(below(4)) + ")";
      default: return "(int)PICK((int)" + a + s() + "," + s() + "(int)" + b + ")";
    }
  }

  std::string index(int depth) { return integer(depth) + s() + "&" + s() + one_of({"MASK", "63", "(SIZE-1)"}); }

  std::string condition(int depth) {
    if (depth > 0 && chance(30))
      return "(" + condition(depth - 1) + s() + one_of({"&&", "||"}) + s() + condition(depth - 1) + ")";
    if (chance(20)) return "!(" + integer(0) + s() + "&" + s() + "1)";
    if (chance(30)) return floating(0) + s() + one_of({"<", ">="}) + s() + floating(0);
    return "(int)(" + integer(0) + ")" + s() + one_of({"<", ">", "<=", ">=", "==", "!="}) + s() + "(int)(" +
           integer(0) + ")";
  }

  std::string floating(int depth) {
    if (depth <= 0 || chance(20)) {
      switch (below(4)) {
        case 0: return one_of({"0.5f", "1.f", ".25f", "2e-1f", "3.0F"});
        case 1:
          return inner_ ? one_of({"a[" + s() + index(0) + "]", "(*(a" + s() + "+" + s() + "(" + index(0) + ")))"})
                        : "x";
        default: return one_of(floats_);
      }
    }
    const auto a = floating(depth - 1);
    const auto b = floating(depth - 1);
    switch (below(9)) {
      case 0: return "(" + a + s() + "+" + s() + b + ")";
      case 1: return "(" + a + s() + "-" + s() + b + ")";
      case 2: return a + s() + "*" + s() + b;
      case 3: return one_of({"fmin", "fmax"}) + s() + "(" + a + s() + "," + s() + b + ")";
      case 4: return "(-" + s() + "fabs(" + a + "))";
      case 5: return "(" + condition(depth - 1) + s() + "?" + s() + a + s() + ":" + s() + b + ")";
      case 6: return "(real)" + s() + "(" + integer(depth - 1) + ")";
      case 7: return inner_ && chance(60) ? "help(" + a + s() + "," + b + "," + s() + integer(0) + ")" : vector(a, b);
      default: return "clamp(" + a + ", -100.0f," + s() + "100.0f)";
    }
  }

  std::string vector(const std::string& a, const std::string& b) {
    const auto lane = one_of({".x", ".y", ".s2", ".w"});
    return "((float4)(" + a + "," + s() + b + ", 1.0f," + s() + one_of({"0.0f", "(float)EXTRA"}) + ")" + s() + "*" +
           s() + "(float4)(" + one_of(floats_) + "))" + lane;
  }

  // Statements

  std::string block(int depth, bool whole_kernel = false) {
    const auto floats = floats_;
    const auto ints = ints_;
    std::string out = "{\n";
    if (whole_kernel)
      out +=
          "  const int gid = get_global_id(0), lid = get_local_id(0);\n  float acc = s;\n  int tot = "
          "(int)get_group_id(0);\n";
    const int count = (whole_kernel ? 4 : 1) + below(4);
    for (int i = 0; i < count; ++i) {
      if (chance(15)) out += one_of({"  // a remark\n", "\n", "  /* and\n     another */\n"});
      if (chance(5)) out += "#if 0\n  never(;\n#endif\n";
      out += "  " + statement(depth - 1, whole_kernel) + "\n";
    }
    floats_ = floats;
    ints_ = ints;
    if (whole_kernel) out += "  out[gid]" + s() + "=" + s() + "acc;\n  iout[gid] = (int)(" + integer(1) + ") + tot;\n";
    return out + "}";
  }

  std::string statement(int depth, bool outermost) {
    switch (below(depth > 0 ? 15 : 7)) {
      case 0: return "acc" + s() + one_of({"=", "+=", "-="}) + s() + floating(2) + ";";
      case 1: return "tot" + s() + "=" + s() + "(int)(" + integer(2) + ")" + s() + "&" + s() + "4095;";
      case 2: return declare_float();
      case 3: return declare_int();
      case 4: return one_of({"tot++;", "--tot;", "BUMP(tot);", ";"});
      case 5: return "tot" + s() + one_of({"^=", "|=", "&="}) + s() + "(int)(" + integer(1) + ");";
      case 6: return outermost && chance(50) ? shared() : "acc = clamp(acc, -1000.0f, 1000.0f);";
      case 7:
        return "if" + s() + "(" + condition(1) + ")" + s() + block(depth) +
               (chance(50) ? s() + "else" + must + body(depth) : "");
      case 8:
        return "if" + s() + "(" + condition(1) + ")" + s() + "acc" + s() + "*=" + s() + "0.5f;" +
               (chance(40) ? "\n  else" + std::string(1, must) + "tot" + s() + "+=" + s() + "2;" : "");
      case 9:
      case 10: return counted(depth);
      case 11: return "LOOP(" + fresh("q") + "," + s() + std::to_string(1 + below(4)) + ")" + s() + body(depth);
      case 12: return array();
      case 13: return choice();
      default: return waiting(depth);
    }
  }

  std::string body(int depth) { return chance(70) ? block(depth) : "acc" + s() + "+=" + s() + floating(1) + ";"; }

  std::string declare_float() {
    const auto name = fresh("f");
    auto out = one_of({"float", "real", "const float"}) + must + name + s() + "=" + s() + floating(2) + ";";
    floats_.push_back(name);
    return out;
  }

  std::string declare_int() {
    const auto name = fresh("i");
    const auto other = fresh("j");
    auto out = one_of({"int", "const int"}) + must + name + s() + "=" + s() + "(int)(" + integer(2) + ")," + s() +
               other + s() + "=" + s() + std::to_string(below(9)) + ";";
    ints_.push_back(name);
    ints_.push_back(other);
    return out;
  }

  std::string counted(int depth) {
    const auto name = fresh("t");
    const auto bound = std::to_string(1 + below(5));
    const std::string unroll = chance(30) ? "\n  #pragma unroll\n  " : "";
    const auto step = one_of({name + "++", "++" + name, name + " += 1"});
    ints_.push_back(name);
    auto out = unroll + "for" + s() + "(int " + name + s() + "=" + s() + "0;" + s() + name + s() + "<" + s() + bound +
               ";" + s() + step + ")" + s();
    out += chance(30) ? "{ if (" + condition(0) + ") continue; acc" + s() + "+=" + s() + floating(1) + "; if (" +
                            condition(0) + ") break; }"
                      : body(depth);
    ints_.pop_back();
    return out;
  }

  std::string waiting(int depth) {
    const auto name = fresh("w");
    const auto inner = body(depth);
    const auto start = "int " + name + " = " + std::to_string(below(4)) + ";\n  ";
    if (chance(50)) return start + "while" + s() + "(" + name + "-- > 0)" + s() + inner;
    return start + "do" + must + "{" + inner + "}" + s() + "while" + s() + "(--" + name + s() + ">" + s() + "0);";
  }

  std::string array() {
    const auto name = fresh("arr");
    const auto at = fresh("p");
    return "float" + std::string(1, must) + name + "[4]" + s() + "=" + s() + "{" + floating(0) + "," + s() +
           floating(0) + ", 0.0f, 1.0f};\n  " + name + "[" + integer(0) + s() + "&" + s() + "3]" + s() + "=" + s() +
           floating(1) + ";\n  for (int " + at + " = 0; " + at + " < 4; ++" + at + ") acc +=" + s() + name + "[" + at +
           "]" + s() + "*" + s() + "(float)table[" + at + "];";
  }

  std::string choice() {
    return "switch" + s() + "((int)(" + integer(1) + ")" + s() + "&" + s() + "3)" + s() + "{\n    case 0:" + s() +
           "acc += 1.0f;" + s() + "break;\n    case 1:\n    case 2: tot" + s() + "^=" + s() + "5;\n    default:" + s() +
           "acc -= 0.5f;\n  }";
  }

  std::string shared() {
    const auto tile = fresh("tile");
    return "__local float " + tile + "[8];\n  " + tile + "[lid]" + s() + "=" + s() +
           "acc;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  acc" + s() + "+=" + s() + tile + "[(lid" + s() + "+" + s() +
           std::to_string(1 + below(7)) + ")" + s() + "&" + s() + "7];\n  barrier(" +
           one_of({"CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"}) + ");";
  }

  std::mt19937 random_;
  int next_ = 0;
  bool inner_ = false;
  std::vector<std::string> floats_, ints_;
};

}  // namespace

std::string generate_kernel(std::uint32_t seed) { return Generator(seed).run(); }

}  // namespace hone::testing
