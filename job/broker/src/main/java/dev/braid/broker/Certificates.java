package dev.braid.broker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A certificate authority, and keys signed by it, created with Java's {@code keytool}. They are
 * returned as text (PEM), so that no client needs a separate key file on another machine. The
 * authority's key is deleted with its store, so that nothing can be signed with it later.
 */
final class Certificates implements AutoCloseable {

  private static final String AUTHORITY = "authority";

  /** Ten years, so that a trial installation does not expire. */
  private static final String VALID_DAYS = "3650";

  private static final int PEM_COLUMNS = 64;

  private final Path store;
  private final String password;

  /**
   * Creates an authority.
   *
   * @param folder folder that only its owner can read
   */
  Certificates(Path folder) throws IOException, InterruptedException {
    store = folder.resolve("keys.p12");
    password = Passwords.random();
    Files.deleteIfExists(store);
    generate(AUTHORITY, "Braid's broker on this machine", List.of("-ext", "bc:c"));
  }

  /**
   * Creates a key, and signs it.
   *
   * @param name name of the key's user, by which the broker identifies the client
   * @param extensions as for {@code keytool -ext}
   */
  void add(String name, String... extensions) throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(List.of("-signer", AUTHORITY));
    for (String extension : extensions) {
      options.addAll(List.of("-ext", extension));
    }
    generate(name, name, options);
  }

  private void generate(String alias, String commonName, List<String> options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", alias, "-dname", "CN=" + commonName));
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
    command.addAll(List.of("-validity", VALID_DAYS));
    // The password itself is not an argument, because every user of a machine can see command
    // lines.
    command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12"));
    command.addAll(List.of("-storepass:env", "BRAID_STORE_PASSWORD"));
    command.addAll(options);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("BRAID_STORE_PASSWORD", password);
    Process keytool = builder.start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool made no key: " + said.lines().findFirst().orElse(""));
    }
  }

  /** Returns the authority's certificate, which others trust. */
  String authority() throws IOException, GeneralSecurityException {
    return pem("CERTIFICATE", load().getCertificate(AUTHORITY).getEncoded());
  }

  /** Returns the certificate of a key, followed by the authority's. */
  String chain(String name) throws IOException, GeneralSecurityException {
    return pem("CERTIFICATE", load().getCertificate(name).getEncoded()) + "\n" + authority();
  }

  /** Returns a private key, unencrypted. */
  String key(String name) throws IOException, GeneralSecurityException {
    return pem("PRIVATE KEY", load().getKey(name, password.toCharArray()).getEncoded());
  }

  private KeyStore load() throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, password.toCharArray());
    }
    return keys;
  }

  private static String pem(String kind, byte[] encoded) {
    Base64.Encoder lines =
        Base64.getMimeEncoder(PEM_COLUMNS, "\n".getBytes(StandardCharsets.UTF_8));
    return "-----BEGIN %s-----\n%s\n-----END %1$s-----"
        .formatted(kind, lines.encodeToString(encoded));
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(store);
  }
}
