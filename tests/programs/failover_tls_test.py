#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""TLS between nodes: both sides show a certificate of the nodes' authority. One of another authority, an expired one, none, and
plain text are refused on either side, with a reason in the log."""

import os
import shutil
import socket
import ssl
import subprocess
import sys
import time
import unittest

import failover_fixture
import serve_fixture

serve_fixture.ServeTest.affix = os.path.abspath(sys.argv.pop(1))


@unittest.skipUnless(shutil.which("openssl"), "the program openssl is missing")
class Encrypted(failover_fixture.FailoverTest):
    def openssl(self, *words):
        subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=self.directory)

    def authority(self, name):
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-subj",
                     f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.ca.pem")

    def certificate(self, node, authority, days="30"):
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={node}", "-keyout",
                     f"{node}.key", "-out", f"{node}.csr")
        self.openssl("x509", "-req", "-in", f"{node}.csr", "-CA", f"{authority}.ca.pem", "-CAkey", f"{authority}.key",
                     "-CAcreateserial", "-days", days, "-out", f"{node}.pem")

    def keys(self, node, authority="nodes"):
        return (f"replication_tls_certificate_file={self.path(node + '.pem')}\nreplication_tls_key_file={self.path(node + '.key')}\n"
                f"replication_tls_ca_file={self.path(authority + '.ca.pem')}\n")

    def begin(self, keys_of_b):
        """A with a right certificate leads; B has these keys."""
        self.authority("nodes")
        self.certificate("A", "nodes")
        self.start("A", engine=self.keys("A"))
        self.wait_for("A", role="primary")
        self.start("B", engine=keys_of_b())

    def refuses(self, *pieces):
        """A goes on alone, and its log has a line with these pieces."""
        self.wait_for_line("A", *pieces)
        row = self.replication("A")
        self.assertEqual((row["role"], row["in_sync"], row["connected"]), ("primary", "A", False))
        self.assertEqual(self.replication("B")["role"], "standby")

    def test_both_have_certificates_of_the_authority(self):
        def right():
            self.certificate("B", "nodes")
            return self.keys("B")
        self.begin(right)
        self.wait_for_pair()
        # History is dialed the other way round: a node that was away copies what it missed.
        peer = self.peer(self.served["A"].port, "DESKS_TRADER")
        self.echoed(peer, "ONE")
        self.kill("B")
        self.wait_for("A", role="primary", in_sync="A")
        for number in range(20):
            self.echoed(peer, f"ORDER{number}")
        self.start("B", engine=self.keys("B"))
        self.wait_for_pair()
        self.kill("A")
        self.wait_for("B", role="primary")

    def test_a_certificate_of_another_authority_is_refused(self):
        def other():
            self.authority("strangers")
            self.certificate("B", "strangers")
            return self.keys("B")
        self.begin(other)
        self.refuses("another node", "T2")

    def test_a_node_that_trusts_another_authority_refuses(self):
        def other():
            self.authority("strangers")
            self.certificate("B", "nodes")
            return self.keys("B", authority="strangers")
        self.begin(other)
        self.refuses("another node", "T2")
        self.wait_for_line("B", "connection of another node", "T2")

    def test_a_node_with_an_expired_certificate_does_not_start(self):
        self.authority("nodes")
        self.certificate("A", "nodes", days="0")
        time.sleep(1.1)  # The certificate ends in the second in which it was made.
        status, error = self.refused(self.node_text("A", engine=self.keys("A")))
        self.assertEqual(status, 6, error)
        self.assertIn("expired", error)
        self.assertIn("[T106]", error)

    def dial(self, certificate=None):
        """Whether a node's port completes the handshake with a client that has this certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.load_verify_locations(self.path("nodes.ca.pem"))
        if certificate:
            context.load_cert_chain(self.path(certificate + ".pem"), self.path(certificate + ".key"))
        with socket.create_connection(("127.0.0.1", self.node_ports["A"]), timeout=serve_fixture.TIMEOUT) as plain:
            try:
                with context.wrap_socket(plain, suppress_ragged_eofs=False) as secured:
                    # TLS 1.3: the server's verdict comes with the first read. A client that was accepted and says nothing
                    # is closed after a while; another one gets an alert, or a reset.
                    return secured.recv(1) == b""
            except ssl.SSLEOFError:
                return True
            except OSError:
                return False

    def test_the_listening_side_wants_a_certificate_of_the_authority(self):
        self.authority("nodes")
        self.authority("strangers")
        self.certificate("A", "nodes")
        self.start("A", engine=self.keys("A"))
        self.certificate("RIGHT", "nodes")
        self.assertTrue(self.dial("RIGHT"))
        self.certificate("WRONG", "strangers")
        self.assertFalse(self.dial("WRONG"))
        self.wait_for_line("A", "connection of another node", "T2")
        self.certificate("OLD", "nodes", days="0")
        time.sleep(1.1)
        self.assertFalse(self.dial("OLD"))
        self.assertFalse(self.dial())

    def test_a_node_without_tls_is_refused(self):
        self.begin(lambda: "")
        self.refuses("another node", "T2")

    def test_a_stranger_at_the_port_is_refused_and_disturbs_nobody(self):
        def right():
            self.certificate("B", "nodes")
            return self.keys("B")
        self.begin(right)
        self.wait_for_pair()
        for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"\x00" * 4096, b"8=FIX.4.4\x019=5\x0135=A\x01"):
            with socket.create_connection(("127.0.0.1", self.node_ports["B"]), timeout=serve_fixture.TIMEOUT) as stranger:
                stranger.sendall(garbage)
                while stranger.recv(4096):  # An alert, perhaps, and the end.
                    pass
        self.wait_for_line("B", "connection of another node", "T2")
        self.wait_for_pair()


if __name__ == "__main__":
    unittest.main()
