// SPDX-License-Identifier: MIT
// The rules of naming.hpp. Bytes outside ASCII are separators: identifiers are ASCII.
#include "codegen/naming.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::codegen {

namespace {

constexpr bool is_upper(char c) noexcept {
  return c >= 'A' && c <= 'Z';
}

constexpr bool is_lower(char c) noexcept {
  return c >= 'a' && c <= 'z';
}

constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

constexpr bool is_word(char c) noexcept {
  return is_upper(c) || is_lower(c) || is_digit(c);
}

constexpr char to_lower(char c) noexcept {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr char to_upper(char c) noexcept {
  return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}

// Words that C++ reserves, lower-case macros of C and POSIX headers, and members of the base
// classes of generated classes. Sorted.
constexpr auto taken_words = std::to_array<std::string_view>({
    "alignas",
    "alignof",
    "alloca",
    "and",
    "and_eq",
    "asm",
    "assert",
    "assert_perror",
    "auto",
    "base",
    "basename",
    "be16toh",
    "be32toh",
    "be64toh",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "check_required",
    "class",
    "close",
    "close_layout",
    "clrbit",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "complete",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "d_fileno",
    "decltype",
    "default",
    "delete",
    "description",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "encoder",
    "enum",
    "errno",
    "explicit",
    "export",
    "extern",
    "false",
    "finish",
    "float",
    "for",
    "friend",
    "from",
    "goto",
    "group_list",
    "h_addr",
    "h_errno",
    "header",
    "howmany",
    "htobe16",
    "htobe32",
    "htobe64",
    "htole16",
    "htole32",
    "htole64",
    "i386",
    "if",
    "ifa_broadaddr",
    "ifa_dstaddr",
    "ifc_buf",
    "ifc_req",
    "ifr_addr",
    "ifr_bandwidth",
    "ifr_broadaddr",
    "ifr_data",
    "ifr_dstaddr",
    "ifr_flags",
    "ifr_hwaddr",
    "ifr_ifindex",
    "ifr_map",
    "ifr_metric",
    "ifr_mtu",
    "ifr_name",
    "ifr_netmask",
    "ifr_newname",
    "ifr_qlen",
    "ifr_slave",
    "inline",
    "int",
    "isclr",
    "isset",
    "issubnormal",
    "last_required",
    "le16toh",
    "le32toh",
    "le64toh",
    "linux",
    "long",
    "major",
    "makedev",
    "math_errhandling",
    "message_type",
    "messages",
    "minor",
    "msg_cbytes",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "offsetof",
    "operator",
    "or",
    "or_eq",
    "place",
    "powerof2",
    "private",
    "protected",
    "pthread_cleanup_pop",
    "pthread_cleanup_pop_restore_np",
    "pthread_cleanup_push",
    "pthread_cleanup_push_defer_np",
    "public",
    "put_codes",
    "put_data",
    "put_field",
    "put_group",
    "put_integer",
    "register",
    "reinterpret_cast",
    "required_fields",
    "requires",
    "return",
    "roundup",
    "s6_addr",
    "s6_addr16",
    "s6_addr32",
    "sa_handler",
    "sa_sigaction",
    "sched_priority",
    "self",
    "setbit",
    "setjmp",
    "short",
    "si_addr",
    "si_addr_lsb",
    "si_arch",
    "si_band",
    "si_call_addr",
    "si_fd",
    "si_int",
    "si_lower",
    "si_overrun",
    "si_pid",
    "si_pkey",
    "si_ptr",
    "si_status",
    "si_stime",
    "si_syscall",
    "si_timerid",
    "si_uid",
    "si_upper",
    "si_utime",
    "si_value",
    "sigev_notify_attributes",
    "sigev_notify_function",
    "sigmask",
    "signed",
    "sigsetjmp",
    "sizeof",
    "st_atime",
    "st_ctime",
    "st_mtime",
    "static",
    "static_assert",
    "static_cast",
    "stderr",
    "stdin",
    "stdout",
    "step",
    "strdupa",
    "strndupa",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "timeradd",
    "timerclear",
    "timercmp",
    "timerisset",
    "timersub",
    "trailer",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unix",
    "unsigned",
    "using",
    "va_arg",
    "va_copy",
    "va_end",
    "va_start",
    "view",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "wire",
    "xor",
    "xor_eq",
});
static_assert(std::ranges::is_sorted(taken_words));

// Macros of C and POSIX headers that a FIX name might match. Sorted. Families of them are
// recognised by their prefix: E... of <errno.h>, SIG..., SIO..., TIOC..., POLL..., and PRI... and
// SCN... of <inttypes.h>.
constexpr auto macro_names = std::to_array<std::string_view>({
    "ACCESSPERMS", "ACCOUNTING", "ALLPERMS",    "AREGTYPE",     "B0",
    "B1000000",    "B110",       "B115200",     "B1152000",     "B1200",
    "B134",        "B150",       "B1500000",    "B1800",        "B19200",
    "B200",        "B2000000",   "B230400",     "B2400",        "B2500000",
    "B300",        "B3000000",   "B3500000",    "B38400",       "B4000000",
    "B460800",     "B4800",      "B50",         "B500000",      "B57600",
    "B576000",     "B600",       "B75",         "B921600",      "B9600",
    "BITSPERBYTE", "BLKTYPE",    "BRKINT",      "BS0",          "BS1",
    "BSDLY",       "BUFSIZ",     "CANBSIZ",     "CBAUD",        "CBAUDEX",
    "CBRK",        "CCEQ",       "CDISCARD",    "CDSUSP",       "CEOF",
    "CEOL",        "CEOT",       "CERASE",      "CFLUSH",       "CHARBITS",
    "CHRTYPE",     "CIBAUD",     "CINTR",       "CKILL",        "CLNEXT",
    "CLOCAL",      "CMIN",       "CMPLX",       "CMPLXF",       "CMPLXF128",
    "CMPLXF32",    "CMPLXF32X",  "CMPLXF64",    "CMPLXF64X",    "CMPLXL",
    "CMSPAR",      "CODESET",    "CONTTYPE",    "CQUIT",        "CR0",
    "CR1",         "CR2",        "CR3",         "CRDLY",        "CREAD",
    "CREPRINT",    "CRNCYSTR",   "CRPRNT",      "CRTSCTS",      "CS5",
    "CS6",         "CS7",        "CS8",         "CSIGNAL",      "CSIZE",
    "CSTART",      "CSTATUS",    "CSTOP",       "CSTOPB",       "CSUSP",
    "CTIME",       "CTRL",       "CWERASE",     "DEFFILEMODE",  "DIRTYPE",
    "DMAXEXP",     "DMINEXP",    "DOMAIN",      "DOUBLEBITS",   "DTTOIF",
    "EIO",         "EOF",        "ERA",         "FAPPEND",      "FASYNC",
    "FF0",         "FF1",        "FFDLY",       "FFSYNC",       "FIFOTYPE",
    "FILE",        "FIOASYNC",   "FIOCLEX",     "FIOGETOWN",    "FIONBIO",
    "FIONCLEX",    "FIONREAD",   "FIOQSIZE",    "FIOSETOWN",    "FLOATBITS",
    "FLUSHO",      "FMAXEXP",    "FMINEXP",     "FNDELAY",      "FNONBLOCK",
    "GETALL",      "GETNCNT",    "GETPID",      "GETVAL",       "GETZCNT",
    "GROUPING",    "HIBITL",     "HIBITS",      "HUGE",         "HUPCL",
    "HZ",          "I",          "ICANON",      "ICRNL",        "IEXTEN",
    "IFHWADDRLEN", "IFNAMSIZ",   "IFTODT",      "IGNBRK",       "IGNCR",
    "IGNPAR",      "IMAXBEL",    "INFINITY",    "INLCR",        "INPCK",
    "INTBITS",     "ISIG",       "ISTRIP",      "IUCLC",        "IUTF8",
    "IXANY",       "IXOFF",      "IXON",        "LNKTYPE",      "LONGBITS",
    "MAGIC",       "MAX",        "MAXDOUBLE",   "MAXFLOAT",     "MAXHOSTNAMELEN",
    "MAXINT",      "MAXLONG",    "MAXNAMLEN",   "MAXPATHLEN",   "MAXSHORT",
    "MAXSYMLINKS", "MIN",        "MINDOUBLE",   "MINFLOAT",     "MININT",
    "MINLONG",     "MINSHORT",   "MINSIGSTKSZ", "NAN",          "NBBY",
    "NCARGS",      "NCC",        "NCCS",        "NDEBUG",       "NFDBITS",
    "NGREG",       "NGROUPS",    "NL0",         "NL1",          "NLDLY",
    "NODEV",       "NOEXPR",     "NOFILE",      "NOFLSH",       "NOGROUP",
    "NOSTR",       "NSIG",       "NULL",        "NZERO",        "OCRNL",
    "OFDEL",       "OFILL",      "OLCUC",       "ONLCR",        "ONLRET",
    "ONOCR",       "OPOST",      "OVERFLOW",    "PARENB",       "PARMRK",
    "PARODD",      "PENDIN",     "PLOSS",       "PTRBITS",      "RADIXCHAR",
    "RAND_MAX",    "REGTYPE",    "SETALL",      "SETVAL",       "SHMLBA",
    "SHORTBITS",   "SING",       "SNAN",        "SNANF",        "SNANF128",
    "SNANF32",     "SNANF32X",   "SNANF64",     "SNANF64X",     "SNANL",
    "SOMAXCONN",   "SYMTYPE",    "TAB0",        "TAB1",         "TAB2",
    "TAB3",        "TABDLY",     "TCFLSH",      "TCGETA",       "TCGETS",
    "TCGETS2",     "TCGETX",     "TCIFLUSH",    "TCIOFF",       "TCIOFLUSH",
    "TCION",       "TCOFLUSH",   "TCOOFF",      "TCOON",        "TCSADRAIN",
    "TCSAFLUSH",   "TCSANOW",    "TCSBRK",      "TCSBRKP",      "TCSETA",
    "TCSETAF",     "TCSETAW",    "TCSETS",      "TCSETS2",      "TCSETSF",
    "TCSETSF2",    "TCSETSW",    "TCSETSW2",    "TCSETX",       "TCSETXF",
    "TCSETXW",     "TCXONC",     "TGEXEC",      "TGREAD",       "TGWRITE",
    "THOUSEP",     "TLOSS",      "TMAGIC",      "TMAGLEN",      "TOEXEC",
    "TOREAD",      "TOSTOP",     "TOWRITE",     "TSGID",        "TSUID",
    "TSVTX",       "TUEXEC",     "TUREAD",      "TUWRITE",      "TVERSION",
    "TVERSLEN",    "UNDERFLOW",  "VDISCARD",    "VEOF",         "VEOL",
    "VEOL2",       "VERASE",     "VINTR",       "VKILL",        "VLNEXT",
    "VMIN",        "VQUIT",      "VREPRINT",    "VSTART",       "VSTOP",
    "VSUSP",       "VSWTC",      "VT0",         "VT1",          "VTDLY",
    "VTIME",       "VWERASE",    "WCONTINUED",  "WCOREDUMP",    "WCOREFLAG",
    "WEOF",        "WEXITED",    "WEXITSTATUS", "WIFCONTINUED", "WIFEXITED",
    "WIFSIGNALED", "WIFSTOPPED", "WNOHANG",     "WNOWAIT",      "WSTOPPED",
    "WSTOPSIG",    "WTERMSIG",   "WUNTRACED",   "XCASE",        "XTABS",
    "YESEXPR",     "YESSTR",
});
static_assert(std::ranges::is_sorted(macro_names));

/// PRId64, SCNuMAX and the like.
bool is_format_macro(std::string_view name) noexcept {
  if (name.size() < 5 || (!name.starts_with("PRI") && !name.starts_with("SCN")) ||
      std::string_view("dioxuX").find(name[3]) == std::string_view::npos) {
    return false;
  }
  const std::string_view width = name.substr(4);
  return is_digit(width[0]) || width.starts_with("FAST") || width.starts_with("LEAST") ||
         width == "MAX" || width == "PTR";
}

bool is_macro(std::string_view name) noexcept {
  constexpr auto families = std::to_array<std::string_view>({"E", "POLL", "SIG", "SIO", "TIOC"});
  return std::ranges::binary_search(macro_names, name) || is_format_macro(name) ||
         (name.size() > 3 && std::ranges::none_of(name, is_lower) &&
          std::ranges::any_of(families,
                              [&](std::string_view family) { return name.starts_with(family); }));
}

/// Runs of letters and digits between other characters.
std::vector<std::string_view> pieces(std::string_view name) {
  std::vector<std::string_view> found;
  std::size_t at = 0;
  while (at < name.size()) {
    const std::size_t begin = at;
    while (at < name.size() && is_word(name[at])) {
      ++at;
    }
    if (at > begin) {
      found.push_back(name.substr(begin, at - begin));
    } else {
      ++at;
    }
  }
  return found;
}

/// Lower-case letters from `at` on.
std::string_view small_letters(std::string_view piece, std::size_t at) noexcept {
  std::size_t end = at;
  while (end < piece.size() && is_lower(piece[end])) {
    ++end;
  }
  return piece.substr(at, end - at);
}

/// True if a word begins at `at`, which is not the piece's first character.
bool begins_word(std::string_view piece, std::size_t at) noexcept {
  const char before = piece[at - 1];
  const std::string_view small = small_letters(piece, at);
  if (!small.empty()) {
    // After capitals, only words that do not split an abbreviation.
    return is_upper(before) && at >= 2 && is_upper(piece[at - 2]) &&
           (small == "id" || small == "non");
  }
  if (!is_upper(piece[at])) {
    return false;
  }
  if (is_lower(before)) {
    return true;
  }
  const std::string_view tail = small_letters(piece, at + 1);
  const bool plural = tail == "s" && is_upper(before);
  const bool own_word = is_upper(before) && (tail == "id" || tail == "non");
  return !tail.empty() && !plural && !own_word;
}

/// "30/360" is not 30360.
void keep_numbers_apart(std::string& text, std::string_view piece) {
  if (!text.empty() && is_digit(text.back()) && is_digit(piece[0])) {
    text += '_';
  }
}

std::string hex_of(std::string_view code) {
  static constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text;
  for (const char c : code) {
    const auto value = static_cast<unsigned char>(c);
    text += digits[value >> 4];
    text += digits[value & 15];
  }
  return text;
}

/// Joins pieces into an identifier: not empty, no leading digit, no macro.
std::string identifier_of(std::string text) {
  if (text.empty() || is_digit(text[0])) {
    text.insert(0, 1, 'N');
  }
  if (is_macro(text)) {
    std::ranges::transform(text.begin() + 1, text.end(), text.begin() + 1, to_lower);
    if (is_macro(text)) {  // A single letter, with or without digits.
      text += '_';
    }
  }
  return text;
}

}  // namespace

std::string snake_case(std::string_view name) {
  std::string text;
  for (const std::string_view piece : pieces(name)) {
    for (std::size_t at = 0; at < piece.size(); ++at) {
      if (at == 0 ? !text.empty() : begins_word(piece, at)) {
        text += '_';
      }
      text += to_lower(piece[at]);
    }
  }
  if (text.empty() || is_digit(text[0])) {
    text.insert(0, 1, 'n');
  }
  if (std::ranges::binary_search(taken_words, text)) {
    text += '_';
  }
  return text;
}

std::string file_stem(std::string_view name) {
  std::string stem = snake_case(name);
  if (stem.ends_with('_')) {
    stem.pop_back();
  }
  return stem;
}

std::string type_name(std::string_view name) {
  std::string text;
  for (const std::string_view piece : pieces(name)) {
    keep_numbers_apart(text, piece);
    text += to_upper(piece[0]);
    text += piece.substr(1);
  }
  return identifier_of(std::move(text));
}

std::string enumerator_name(std::string_view name, std::string_view code) {
  const bool has_small = std::ranges::any_of(name, is_lower);
  std::string text;
  for (const std::string_view piece : pieces(name)) {
    keep_numbers_apart(text, piece);
    text += to_upper(piece[0]);
    for (const char c : piece.substr(1)) {
      text += has_small ? c : to_lower(c);
    }
  }
  if (text.empty()) {
    return "Code" + hex_of(code);
  }
  return identifier_of(std::move(text));
}

bool NameScope::take(const std::string& name, std::initializer_list<std::string_view> endings) {
  if (std::ranges::any_of(endings, [&](std::string_view ending) {
        return taken_.contains(name + std::string(ending));
      })) {
    return false;
  }
  for (const std::string_view ending : endings) {
    taken_.insert(name + std::string(ending));
  }
  return true;
}

std::string NameScope::claim(const std::string& wanted, std::string_view distinction,
                             std::initializer_list<std::string_view> endings) {
  if (take(wanted, endings)) {
    return wanted;
  }
  std::string name = wanted + '_';
  for (const char c : distinction) {
    name += is_word(c) ? c : '_';
  }
  // C++ reserves names with two underscores in a row.
  for (std::size_t at = name.find("__"); at != std::string::npos; at = name.find("__")) {
    name.erase(at, 1);
  }
  if (name.ends_with('_')) {
    name.pop_back();
  }
  const std::string stem = name;
  for (unsigned number = 2; !take(name, endings); ++number) {
    name = stem + '_' + std::to_string(number);
  }
  return name;
}

bool is_namespace(std::string_view text) {
  for (;;) {
    const std::size_t colons = text.find("::");
    const std::string_view name = text.substr(0, colons);
    if (name.empty() || is_digit(name[0]) || name.front() == '_' ||
        name.find("__") != std::string_view::npos ||
        !std::ranges::all_of(name, [](char c) { return is_word(c) || c == '_'; }) ||
        (std::ranges::binary_search(taken_words, name) && name != "base" && name != "messages" &&
         name != "wire")) {
      return false;
    }
    if (colons == std::string_view::npos) {
      return true;
    }
    text.remove_prefix(colons + 2);
  }
}

}  // namespace affix::inline v0::tools::codegen
