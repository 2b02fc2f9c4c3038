# SPDX-License-Identifier: MIT
"""Processes of `affix serve` under test: their configuration, their ports, the service manager they talk to."""

import os
import re
import signal
import socket
import subprocess

import fix_peer
import program_fixture

TIMEOUT = fix_peer.TIMEOUT


class Served:
    """One process that has said it is ready."""

    def __init__(self, process, ports, administration=None):
        self.process, self.ports, self.administration = process, ports, administration

    @property
    def port(self):
        return self.ports[0]

    def tell(self, number):
        self.process.send_signal(number)

    def stop(self, number=signal.SIGTERM):
        self.tell(number)
        return self.wait()

    def wait(self):
        return self.process.wait(timeout=TIMEOUT)


class Manager:
    """The socket of a service manager: what a service tells it, in order."""

    def __init__(self, path):
        self.path = path
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(path)
        self.socket.settimeout(TIMEOUT)

    def next(self):
        return self.socket.recv(4096).decode()

    def wait(self, start):
        while not (text := self.next()).startswith(start):
            pass
        return text

    def close(self):
        self.socket.close()


class ServeTest(program_fixture.ProgramTest):
    affix = None  # The program, set by the script.

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def session(self, name, sender="US", target=None, more=""):
        return f"[{name}]\nbegin_string=FIX.4.4\nsender_comp_id={sender}\ntarget_comp_id={target or name}\n" \
               f"journal_path={self.directory}/journal\n{more}\n"

    def server(self, *sessions, engine="", more=""):
        return f"[ENGINE]\nlog_file={self.path('log')}\n{engine}\n[VENUE]\nnic_address=127.0.0.1\naccept_port=0\n" \
               f"{more}\n" + "".join(sessions)

    def popen(self, config, cores=None, nicer_by=0, **environment):
        """`cores`: the only ones that it may use. `nicer_by`: more than this process."""
        variables = {key: value for key, value in os.environ.items()
                     if key not in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")}

        def before():
            if cores:
                os.sched_setaffinity(0, cores)
            os.nice(nicer_by)

        process = subprocess.Popen([self.affix, "serve", config], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, env=variables | environment,
                                   preexec_fn=before if cores or nicer_by else None)
        self.addCleanup(self.end, process)
        return process

    def serve(self, text, name="serve.ini", cores=None, nicer_by=0, **environment):
        process = self.popen(self.write(name, text), cores, nicer_by, **environment)
        ports = []
        administration = None
        while (line := process.stdout.readline()) != "ready\n":
            if line.startswith("node "):
                continue
            found = re.fullmatch(r"(listening|administration) on 127\.0\.0\.1:(\d+)\n", line)
            if not found:
                process.kill()
                self.fail(f"{line!r} {process.stderr.read()}")
            if found.group(1) == "listening":
                ports.append(int(found.group(2)))
            else:
                administration = int(found.group(2))
        return Served(process, ports, administration)

    def refused(self, text):
        """Exit code and standard error of a process that does not start, and says nothing else."""
        process = self.popen(self.write("refused.ini", text))
        out, error = process.communicate(timeout=TIMEOUT)
        self.assertEqual(out, "")
        return process.returncode, error

    def manager(self):
        manager = Manager(self.path("notify"))
        self.addCleanup(manager.close)
        return manager

    def peer(self, port, name, target="US", log_on=True):
        peer = fix_peer.FixPeer.connect(port, name, target)
        self.addCleanup(peer.close)
        if log_on:
            peer.log_on()
        return peer

    def echoed(self, peer, name):
        peer.order(name)
        self.assertEqual(peer.wait("D")[11], name)
