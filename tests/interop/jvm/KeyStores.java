// SPDX-License-Identifier: MIT
// PEM files of a test's authority as the key stores that Java wants: DIRECTORY/own.p12 and DIRECTORY/trust.p12.
package interop;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

final class KeyStores {
    static final String PASSWORD = "for tests";

    private KeyStores() {}

    /** From FOLDER/ca.pem, own.pem and own.key, an RSA key in PKCS#8. */
    static void write(Path folder, Path directory) throws Exception {
        KeyStore trust = empty();
        trust.setCertificateEntry("ca", certificate(folder.resolve("ca.pem")));
        store(trust, directory.resolve("trust.p12"));
        KeyStore own = empty();
        String pem = Files.readString(folder.resolve("own.key")).replaceAll("-----[A-Z ]+-----", "");
        PrivateKey key = KeyFactory.getInstance("RSA")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
        own.setKeyEntry("own", key, PASSWORD.toCharArray(), new Certificate[] {certificate(folder.resolve("own.pem"))});
        store(own, directory.resolve("own.p12"));
    }

    private static KeyStore empty() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static void store(KeyStore store, Path path) throws Exception {
        try (OutputStream out = Files.newOutputStream(path)) {
            store.store(out, PASSWORD.toCharArray());
        }
    }

    private static Certificate certificate(Path path) throws Exception {
        return CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(path)));
    }
}
