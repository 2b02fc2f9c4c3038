# SPDX-License-Identifier: MIT
"""`affix-lab exchange` with one session, for tests that need a venue and its journal."""

import re
import signal
import subprocess
import threading


class ExchangeProcess:
    """Runs from its making until stop(). `affix` is the program beside which affix-lab lies; `keys` are of the session."""

    def __init__(self, affix, folder, *arguments, keys="", timeout=60):
        self.journals = folder / "journal"
        self._timeout = timeout
        config = folder / "exchange.ini"
        config.write_text("[SERVER]\nnic_address=127.0.0.1\naccept_port=0\n[TRADER]\nbegin_string=FIX.4.4\n"
                          f"sender_comp_id=EXCHANGE\ntarget_comp_id=TRADER\njournal_path={self.journals}\n{keys}")
        self._process = subprocess.Popen([affix + "-lab", "exchange", "--config", str(config), *arguments],
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        watchdog = threading.Timer(timeout, self._process.kill)  # Ends the wait below, should it never come.
        watchdog.start()
        lines = []
        for line in self._process.stdout:
            lines.append(line)
            found = re.search(r"listening on 127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                break
        else:
            raise AssertionError("the exchange does not listen:\n" + "".join(lines))
        watchdog.cancel()
        self._drain = threading.Thread(target=self._process.stdout.read, daemon=True)
        self._drain.start()

    @property
    def journal(self):
        return self.journals / "FIX.4.4-EXCHANGE-TRADER"

    def stop(self):
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(self._timeout)
            finally:
                self._process.kill()
                self._process.wait()
        self._drain.join()
        self._process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
