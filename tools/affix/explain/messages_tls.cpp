// SPDX-License-Identifier: MIT
// TLS: its files, and handshakes. Rows of the table of messages.
#include "explain/message_table.hpp"

#include <array>

namespace affix::inline v0::tools::explain {

namespace {

constexpr std::array tls_rows{
    MessageRow{"T101", Kind::Error,
               "this build has no TLS (it was made without OpenSSL)\n"
               "this build has no TLS",
               "TLS cannot be used.", "The build has no OpenSSL.", "use a build with OpenSSL"},
    MessageRow{"T102", Kind::Error,
               "there is no such file\n"
               "the file may not be read\n"
               "is a directory\n"
               "there is no such directory\n"
               "is larger than \u2026 bytes\n"
               "there is no such environment variable",
               "A file or variable cannot be read.",
               "A wrong path, a missing permission, or a directory.",
               "check path, owner and mode of the file"},
    MessageRow{"T103", Kind::Error,
               "holds no certificate in PEM form\n"
               "holds no private key in PEM form\n"
               "holds no revocation list in PEM form\n"
               "holds no pin\n"
               "holds no pre-shared key\n"
               "certificate \u2026 in it cannot be read: \u2026\n"
               "revocation list \u2026 in it cannot be read: \u2026",
               "The file's content is not of the kind that its key needs.",
               "It has another format (DER, PKCS #12), or is another file.",
               "name the right file, or convert it: `openssl x509 -inform DER`, `openssl pkcs12`"},
    MessageRow{"T104", Kind::Error,
               "the private key is encrypted, and no password for it is given\n"
               "the password does not open the private key",
               "The private key cannot be read.", "It is encrypted.", "set `tls_key_password`"},
    MessageRow{"T105", Kind::Error, "is not the key of the certificate in \u2026",
               "Certificate and key do not belong together.", "Files of two pairs were mixed.",
               "use key and certificate of the same pair"},
    MessageRow{"T106", Kind::Error,
               "the certificate expired on \u2026\n"
               "the certificate is not valid before \u2026",
               "Our certificate is not valid now.",
               "It expired, or is not valid yet; or our clock is wrong.",
               "renew our own certificate: peers would refuse it"},
    MessageRow{"T107", Kind::Error,
               "OpenSSL refuses the certificate: \u2026\n"
               "OpenSSL refuses certificate \u2026: \u2026\n"
               "OpenSSL refuses the key: \u2026\n"
               "OpenSSL refuses the file: \u2026\n"
               "the system's certificates",
               "OpenSSL does not take the certificate or key.",
               "Often a key that is too short for OpenSSL's security level.",
               "use a longer key or a newer signature: OpenSSL's security level refuses it"},
    MessageRow{"T108", Kind::Error,
               "contains no cipher that OpenSSL supports for TLS 1.2\n"
               "contains a cipher suite that OpenSSL does not support for TLS 1.3",
               "The list of ciphers is empty for OpenSSL.",
               "A misspelt name, or one for another version of TLS.",
               "use names that `openssl ciphers -v` lists"},
    MessageRow{"T109", Kind::Error,
               "the least TLS version is above the largest\n"
               "TLS versions\n"
               "the time for a handshake is not within 1 ms to 1 h\n"
               "handshake timeout",
               "Limits contradict each other.", "The versions or the time are out of range.",
               "correct the versions or the time"},
    MessageRow{"T110", Kind::Error,
               "a server needs a certificate, or a pre-shared key in its place\n"
               "a certificate needs its key, and a key its certificate\n"
               "one certificate must be for clients that name no server or another\n"
               "'\u2026' is not name=certificate:key",
               "The keys of a group are incomplete.",
               "A certificate, its key or a default certificate is missing.",
               "set `tls_certificate_file` together with `tls_key_file`, or a pre-shared key: "
               "[keys](tls.md)"},
    MessageRow{"T111", Kind::Error,
               "no pre-shared keys are given\n"
               "pre-shared keys are given, and peers prove themselves otherwise\n"
               "a pre-shared key stands in place of certificates, so there are none\n"
               "with a pre-shared key there is no certificate that could be trusted\n"
               "holds several pre-shared keys, and none is named as ours\n"
               "holds no pre-shared key for the identity '\u2026'",
               "Pre-shared keys and other authentication are mixed, or none is usable.",
               "Keys of two kinds of authentication are set.",
               "use one kind of authentication per group"},
    MessageRow{"T112", Kind::Error,
               "a pre-shared key is written identity:key, the identity of 1 to 128 bytes\n"
               "the key of '\u2026' is not 16 to 256 bytes in hexadecimal digits\n"
               "the identity '\u2026' is given twice",
               "The file of pre-shared keys is malformed.", "A wrong format, or an identity twice.",
               "make a key with `openssl rand -hex 32`"},
    MessageRow{"T113", Kind::Error,
               "there is no CA and no pin, so no peer can be trusted\n"
               "it names certificates to trust, and that peers need no proof\n"
               "only clients may be without a certificate\n"
               "a CA is pinned, and no CA is given that a chain could lead to\n"
               "revoked certificates are only found where a CA vouches for the others\n"
               "CA or pins\n"
               "peer proof\n"
               "pre-shared key",
               "Peers could not be verified, or need no proof while keys say whom to trust.",
               "Keys contradict each other or are incomplete.",
               "set `tls_ca_file`, `tls_ca_path` or `tls_pins`; with `tls_peer_proof=NONE` set "
               "none of them: [how a peer proves itself](tls.md#how-a-peer-proves-itself)"},
    MessageRow{
        "T114", Kind::Error,
        "a secret is given as file:PATH or env:NAME, never as itself; the value is not shown here",
        "A secret stands in the configuration.",
        "The value itself was written in place of its location.",
        "write the location of the secret, and change the secret if it was in the file"},
    MessageRow{"T115", Kind::Error,
               "a pin begins with leaf-certificate:, leaf-key:, ca-certificate: or ca-key:\n"
               "a pin ends with a SHA-256 in 64 hexadecimal digits or in base64",
               "A pin is malformed.", "A missing prefix, or no SHA-256.",
               "write `leaf-key:` or another of the prefixes, then a SHA-256 in 64 hexadecimal "
               "digits or in base64"},
    MessageRow{
        "T116", Kind::Error,
        "'\u2026' begins with none of cn:, dns:, uri:, email:, subject:, certificate:, key:, psk:\n"
        "'\u2026' needs a SHA-256 in 64 hexadecimal digits\n"
        "'\u2026' has no value",
        "`tls_peer` is malformed.", "A missing prefix or value.",
        "write a prefix that the text lists, then the value: `tls_peer=cn:FIRM`"},
    MessageRow{"T117", Kind::Error,
               "rx_buffer_capacity \u2026 is less than the \u2026 that TLS needs\n"
               "\u2026 is less than the \u2026 bytes that TLS needs",
               "The receive buffer is too small for TLS.", "A TLS record must fit.",
               "increase `rx_buffer_capacity`"},
    MessageRow{"T201", Kind::Warning,
               "the peer's certificate (\u2026) expired on \u2026\n"
               "\u2026 is not valid before \u2026\n"
               "\u2026 has been revoked by its issuer (\u2026)",
               "We refused the peer's certificate.",
               "It has expired, is not valid yet, or was revoked.",
               "ask the peer to renew its certificate, or correct a wrong clock"},
    MessageRow{"T202", Kind::Warning,
               "\u2026, issued by \u2026, leads to no CA that is trusted here\n"
               "the certificate above the peer's (\u2026)",
               "We refused the peer's certificate.",
               "Its chain leads to no CA that is trusted here.",
               "add the peer's CA to `tls_ca_file`, or ask the peer to send its intermediate "
               "certificates"},
    MessageRow{"T203", Kind::Warning, "\u2026 is for \u2026 and not for \u2026",
               "We refused the server's certificate.", "It is for another name.",
               "set `tls_server_name` to a name in the server's certificate"},
    MessageRow{"T204", Kind::Warning,
               "\u2026 cannot be checked: \u2026 has no revocation list of its issuer (\u2026)\n"
               "\u2026 cannot be checked: the revocation list of its issuer (\u2026) in \u2026 has "
               "expired",
               "We refused the peer's certificate.", "Its revocation could not be checked.",
               "fetch a new revocation list, then reload"},
    MessageRow{"T205", Kind::Warning,
               "the peer's certificate (\u2026) matches no pin; the SHA-256 of it is \u2026, of "
               "its key \u2026",
               "We refused the peer's certificate.", "It matches no pin.",
               "after a renewal: verify the certificate by another channel, then add the pin"},
    MessageRow{"T206", Kind::Warning,
               "the TLS peer (\u2026) is not the one that session \u2026 is for",
               "We refused the session.", "The peer proved another identity than `tls_peer` names.",
               "find out who connects, or correct `tls_peer`"},
    MessageRow{"T207", Kind::Warning,
               "the peer showed no certificate\n"
               "the peer showed a certificate where a pre-shared key was demanded\n"
               "the peer names a pre-shared key that is not known here\n"
               "the peer's pre-shared key identity is not known here\n"
               "there is no pre-shared key to offer\n"
               "the peer's pre-shared key is not ours",
               "The handshake failed.", "The sides use different kinds of authentication.",
               "configure the same kind of authentication on both sides"},
    MessageRow{"T208", Kind::Warning,
               "the peer offers no TLS version that is allowed here\n"
               "the peer and we have no cipher in common\n"
               "the peer and we have no cipher in common, or it offers no pre-shared key that is "
               "known here",
               "The handshake failed.", "The sides have no TLS version or cipher in common.",
               "agree on `tls_version_min` and `tls_ciphers` with the peer"},
    MessageRow{"T209", Kind::Warning,
               "the peer's bytes are not TLS\n"
               "the peer speaks TLS, and this port does not",
               "The handshake failed.", "One side speaks TLS and the other does not.",
               "configure TLS on both sides or on none"},
    MessageRow{"T210", Kind::Warning,
               "the peer's proof is wrong\n"
               "a record does not decrypt: the pre-shared keys differ, or bytes were changed on "
               "their way\n"
               "a record does not decrypt: bytes were changed on their way",
               "The connection failed.",
               "Pre-shared keys differ, or bytes were changed on their way.",
               "compare the keys; otherwise a device between changes the data"},
    MessageRow{"T211", Kind::Warning,
               "the stream ended in the middle\n"
               "the peer ended the handshake\n"
               "the handshake failed without a reason\n"
               "the handshake was not finished: \u2026\n"
               "the peer did not finish the handshake in time\n"
               "the peer did not begin the handshake in time\n"
               "the peer does not read the bytes of the handshake",
               "The handshake failed.", "The other side ended it, or did not continue.",
               "read the other side's log; a client that never gets further is a port scanner"},
    MessageRow{"T212", Kind::Warning,
               "the peer asks for answers and does not read them\n"
               "there is no memory for a TLS connection",
               "The connection was closed.",
               "The peer does not read, or the machine has no memory.",
               "nothing, if it happens once; otherwise check the peer, or the machine's memory"},
    MessageRow{"T213", Kind::Warning,
               "the peer refused: \u2026\n"
               "no reason given",
               "The other side refused the handshake; its reason follows.",
               "The other side's alert names it.",
               "see the code of the reason in `affix explain`: T214 to T217"},
    MessageRow{"T214", Kind::Warning,
               "it does not accept our certificate\n"
               "our certificate is of a kind it does not support\n"
               "our certificate has been revoked\n"
               "our certificate has expired, or is not yet valid\n"
               "it does not know the CA of our certificate\n"
               "our certificate is valid and not admitted\n"
               "it wants a certificate, and we showed none",
               "The other side refused our certificate.",
               "It does not know our CA, or the certificate is not valid for it.",
               "send the peer the CA of our certificate, or renew it"},
    MessageRow{"T215", Kind::Warning,
               "no cipher, key or certificate kind suits both sides\n"
               "it allows none of our TLS versions\n"
               "our ciphers are too weak for it\n"
               "it does not renegotiate",
               "The other side refused our versions or ciphers.", "The sides allow different ones.",
               "agree on versions and ciphers"},
    MessageRow{"T216", Kind::Warning,
               "it is not the server that we asked for by name\n"
               "it does not know our pre-shared key's identity\n"
               "it rejected our proof; the pre-shared keys may differ",
               "The other side refused our name or key.", "Names or pre-shared keys differ.",
               "agree on names and keys"},
    MessageRow{"T217", Kind::Warning,
               "a message of ours came when it expected another\n"
               "a record of ours was changed on its way, or keys differ\n"
               "a value of ours is not allowed\n"
               "it could not read a message of ours\n"
               "it has a fault of its own",
               "The other side could not read our message.",
               "A device between changed it, or the two TLS libraries do not fit.",
               "check devices between, and the other side's log; report it, if it stays"},
    MessageRow{"T218", Kind::Note,
               "connection from \u2026 speaks \u2026\n"
               "connected with \u2026\n"
               "\u2026, pre-shared key '\u2026'\n"
               "\u2026, the peer has no certificate\n"
               "(not verified)\n"
               "TLS with \u2026: \u2026\n"
               "an unreadable date",
               "The line names the peer, its TLS version, cipher and certificate.",
               "A TLS connection was made.", "nothing"},
};

}  // namespace

std::span<const MessageRow> tls_messages() noexcept {
  return tls_rows;
}

}  // namespace affix::inline v0::tools::explain
