# SPDX-License-Identifier: MIT
"""Every text that the libraries and programs say about a problem has an entry in the table of messages (tools/affix/explain) or in a
hand-written table of docs/reference/problems.md or errors.md.

A text is put together of literals and of what varies, for which an entry has an ellipsis. So each literal of two words or more
must stand in some entry, and each entry must have a piece that some literal says. Literals that are no messages are left
out by file, with the page or test that keeps them right, and by the call that they are handed to.
"""

import importlib.util
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("message_pages", ROOT / "scripts/message_pages.py")
message_pages = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(message_pages)
PAGES = [ROOT / "docs/reference" / name for name in ("problems.md", "errors.md")]
LAYERS = ("os", "dictionary", "journal", "net", "keeper", "replication", "tls", "config", "counters", "host", "engine", "admin",
          "service", "session", "wire")
PROGRAMS = [path for folder in ("affix", "affix_monitor", "affix_lab", "affix_keep")
            for path in sorted((ROOT / "tools" / folder).rglob("*.cpp"))
            if not path.name.startswith("messages_")]
# Sources whose texts are documented elsewhere, or are not problems.
ELSEWHERE = {
    "include/affix/config/configuration.hpp": "configuration.md",
    "include/affix/session/options.hpp": "configuration.md",
    "src/counters/counters.cpp": "counters-format.md",
    "src/counters/failover_counters.cpp": "counters-format.md",
    "src/config/configuration_keys_application.cpp": "configuration.md",
    "src/config/configuration_keys_engine.cpp": "configuration.md",
    "src/config/configuration_keys_failover.cpp": "configuration.md",
    "src/config/configuration_keys_instance.cpp": "configuration.md",
    "src/config/configuration_keys_session.cpp": "configuration.md",
    "src/config/configuration_keys_management.cpp": "configuration.md",
    "src/config/practice_keys.cpp": "configuration.md",
    "src/counters/latency_names.cpp": "latency-format.md",
    "src/config/configuration_catalogue.cpp": "configuration.md",
    "tools/affix/dictionary/diff.cpp": "what `affix dictionary diff` prints",
    "src/dictionary/field_type.cpp": "names of types",
    "src/journal/followed.cpp": "results, which replication reports as R113, R114 and R116",
    "src/replication/election_entry.cpp": "what follows the text of R201",
    "src/replication/election_store.cpp": "election.md",
    "src/replication/member_texts.cpp": "election.md",
    "src/service/etcd_messages.cpp": "what follows the text of R225",
    "src/session/texts.cpp": "errors.md, which errors_page_test.py holds to it",
    "tools/affix_lab/trade/progress.cpp": "a summary",
    "tools/affix_lab/exchange/command.cpp": "options and a summary",
    "tools/affix/log/statistics.cpp": "a summary",
    "tools/affix/log/latency_view.cpp": "a summary",
    "tools/affix/log/order_trace.cpp": "a summary",
    "tools/affix/log/print_styles.cpp": "a message",
    "tools/affix/replay/report.cpp": "replay.md",
    "tools/affix_lab/certify/recording.cpp": "a scenario; its problems are in the row of P102",
    "tools/affix/journal/verify_text.cpp": "a summary",
    "tools/affix/config/key_text.cpp": "configuration.md",
    "tools/affix/top/screen.cpp": "the picture",
    "tools/affix/top/session_columns.cpp": "top.md",
    "tools/affix_lab/demo/command.cpp": "a summary; its problems are on the page",
    "tools/affix_lab/demo/account.cpp": "what follows the text of L109",
    "tools/affix_lab/demo/failover.cpp": "a summary; its problems are on the page",
    "tools/affix_lab/demo/failover_picture.cpp": "the picture",
    **{f"tools/affix/doctor/{name}.cpp": "operations.md, which doctor_page_test.py holds to it"
       for name in ("check_memory", "check_processors", "check_limits", "check_disk", "check_configuration", "configuration_needs",
                    "report")},
    "tools/affix/import_quickfix/command.cpp": "a summary; its problems are on the page",
    "tools/affix/import_quickfix/encryption.cpp": "commands to type; its problems are on the page",
    "tools/affix_monitor/monitor/alerts.cpp": "monitor.md",
    "tools/affix_monitor/monitor/metrics_text.cpp": "metrics.md, which unit_tools holds to it",
    "tools/affix_lab/bench/load/load_report.cpp": "a summary",
    "tools/affix/import_quickfix/known_settings.cpp": "import-quickfix.md, which programs.import_quickfix_test holds to it",
    "tools/affix/completion/command.cpp": "manual pages",
    "tools/affix/dictionary/show.cpp": "what `affix dictionary show` prints",
}
TOKEN = re.compile(r'//[^\n]*|R"(\w*)\(.*?\)\1"|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'', re.DOTALL)
WORDS = re.compile(r"[A-Za-z]{2,}[,:;.]? [A-Za-z(\[{]{2,}")
# Literals that are handed to these are options' descriptions, names of threads, or for people at a terminal only. Descriptions of
# administration commands are in admin.md, which unit_admin holds to them.
NO_MESSAGE = re.compile(r"\b(add_(option|action|flag|command|key|positional|configuration_option)|description|footer|static_assert|AFFIX_ASSERT|"
                        r"AFFIX_DEBUG_ASSERT|asm|App|printf\(out|print_count|in_section)\b|\.(summary|detail) =\s*$")
# Names and summaries that stand among messages.
NO_MESSAGES = {"FIX Orchestra", "QuickFIX XML", "trading day", "standard error", "of them written", "journal ring in memory",
               "no error", "no fault", "unknown field error", "unknown encode error", "unknown group fault",
               "Chosen fields under one another: --columns=11,54,38; without tags those of orders", "went to", "would go to", "| command | role | what it does |", "listening on", "administration on", "monitor on", "not carried over", ", by affix import-quickfix.",
               "affix serve", "orders answered", "messages counted", "dictionary, transport_dictionary", "tls_ciphers, tls_cipher_suites",
               # What `affix cluster` prints, which cluster.md shows, the lines of a file of promises, and what comes before a fault of TLS.
               "NO NODE that answers leads", "leads no failover group", "not connected", "does not answer:", "IN SYNC", ", not waited for", "; election store:",
               "affix cluster:", ": standby of", "; standby of", "affix promise 1", "closed yes", "closed no",
               "connection to another node: TLS:", "connection of another node: TLS:",
               "is of llfix's files, and becomes here:"}
CONTENT_TYPE = re.compile(r"\w+/[\w-]+; ")
CODE_AT_END = re.compile(r" ?\[[A-Z]\d\d\d\]$")
SPAN = re.compile(r"(`+)(.+?)\1")


def literals(source):
    """(value, text of its statement before it) of each string literal; neighbours are one."""
    found = []
    last_end = None
    for token in TOKEN.finditer(source):
        if token.group(2) is None:
            continue
        line = source[source.rfind("\n", 0, token.start()) + 1:token.start()]
        if line.lstrip().startswith("#"):
            continue
        statement = source[max(source.rfind(";", 0, token.start()), source.rfind("{", 0, token.start()), 0):token.start()]
        if last_end is not None and not source[last_end:token.start()].strip():
            found[-1] = (found[-1][0] + token.group(2), found[-1][1])
        else:
            found.append((token.group(2), statement))
        last_end = token.end()
    return found


def fragments(source):
    """Literals that a user may read: without formats and line ends, if they are words."""
    out = set()
    for value, statement in literals(source):
        if NO_MESSAGE.search(statement):
            continue
        for piece in re.split(r"%[-+0-9.*]*(?:ll|z|t|h)?[a-zA-Z%]|\\n", value.replace('\\"', '"')):
            piece = CODE_AT_END.sub("", piece.strip(" \\")).strip()
            if WORDS.search(piece) and piece not in NO_MESSAGES and not CONTENT_TYPE.match(piece):
                out.add(piece)
    return out


def said():
    """Fragment -> a file that says it."""
    files = [path for layer in LAYERS for folder in ("include/affix", "src")
             for path in sorted((ROOT / folder / layer).rglob("*.[ch]pp"))]
    files += PROGRAMS
    found = {}
    for path in files:
        name = path.relative_to(ROOT).as_posix()
        if name not in ELSEWHERE:
            for fragment in fragments(path.read_text()):
                found.setdefault(fragment, name)
    return found


def entries():
    """The texts of the table of messages, and of the first column of the pages' hand-written tables."""
    out = [text.strip() for row in message_pages.rows() for text in row["texts"]]
    for page in PAGES:
        for line in message_pages.PART.sub("", page.read_text()).splitlines():
            if line.startswith("| `"):
                cell = re.split(r"(?<!\\) \| ", line[2:])[0]
                out += [span.strip() for _, span in SPAN.findall(cell)]
    return out


class ProblemsPage(unittest.TestCase):
    maxDiff = None

    def test_every_text_has_an_entry(self):
        texts = "\n".join(entries())
        without = {fragment: name for fragment, name in said().items() if fragment not in texts}
        self.assertEqual(without, {}, "texts without an entry")

    def test_every_entry_is_said(self):
        sources = "\n".join(path.read_text() for folder in ("include", "src", "tools") for path in (ROOT / folder).rglob("*.[ch]pp")
                            if not path.name.startswith("messages_"))
        sources += "\n".join(path.read_text() for path in sorted((ROOT / "python").rglob("*.py")))
        # As its literals say it: without line ends within, quotes as they are printed.
        sources = re.sub(r'"\s*\n\s*f?"', "", sources).replace('\\"', '"')
        nobody = []
        of_the_system = {text for row in message_pages.rows() if row["code"].startswith("O") for text in row["texts"]}
        for entry in entries():
            if entry in of_the_system:
                continue
            pieces = [piece.strip() for piece in entry.split("\u2026")]
            pieces = [piece for piece in pieces if WORDS.search(piece)] or pieces
            if not any(piece and piece in sources for piece in pieces):
                nobody.append(entry)
        self.assertEqual(nobody, [], "entries of texts that nothing says")

    def test_left_out_files_exist(self):
        for name in ELSEWHERE:
            self.assertTrue((ROOT / name).is_file(), name)


class Extraction(unittest.TestCase):
    def test_messages_are_found_and_descriptions_are_not(self):
        source = ('f(x, "the disk " "is full"); // "not this one"\nprintf("%d files were %s lost\\n", n);\n'
                  'app.add_option("--x", x, "two words");\n'
                  'Row{{.name = "x",\n.summary =\n"Show all x; or one", .detail = "Of all" " x."}};\n'
                  'const char c = \'"\'; g("one");\n')
        self.assertEqual(fragments(source), {"the disk is full", "files were"})


if __name__ == "__main__":
    unittest.main()
