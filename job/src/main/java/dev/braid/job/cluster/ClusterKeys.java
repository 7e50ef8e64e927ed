package dev.braid.job.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.SecurityOptions;

/**
 * The keys of a cluster with TLS, made by Java's {@code keytool}: one for connections between its
 * processes, and one for the REST interface and its clients. Both sides of a connection present the
 * same certificate and trust no other, so a client without the key file is refused.
 */
final class ClusterKeys {

  private static final int PASSWORD_BYTES = 24;
  private static final String VALID_DAYS = "3650";
  private static final String PASSWORD = "BRAID_STORE_PASSWORD";
  private static final String ALIAS = "cluster";

  private final ClusterFolder folder;
  private final Map<String, String> settings = new LinkedHashMap<>();

  private ClusterKeys(ClusterFolder folder) {
    this.folder = folder;
  }

  /**
   * Creates new keys, which only the owner of the files can read.
   *
   * @return the settings that refer to the keys, with passwords
   */
  static Map<String, String> make(ClusterFolder folder) throws IOException, InterruptedException {
    ClusterKeys keys = new ClusterKeys(folder);
    ClusterFolder.remove(folder.tls());
    ClusterFolder.createPrivate(folder.tls());
    keys.makeInternal();
    keys.makeRest();
    return keys.settings;
  }

  private void makeInternal() throws IOException, InterruptedException {
    settings.put(SecurityOptions.SSL_INTERNAL_ENABLED.key(), "true");
    make(
        folder.internalKey(),
        SecurityOptions.SSL_INTERNAL_KEYSTORE,
        SecurityOptions.SSL_INTERNAL_KEYSTORE_PASSWORD,
        SecurityOptions.SSL_INTERNAL_KEY_PASSWORD,
        SecurityOptions.SSL_INTERNAL_TRUSTSTORE,
        SecurityOptions.SSL_INTERNAL_TRUSTSTORE_PASSWORD);
  }

  private void makeRest() throws IOException, InterruptedException {
    settings.put(SecurityOptions.SSL_REST_ENABLED.key(), "true");
    settings.put(SecurityOptions.SSL_REST_AUTHENTICATION_ENABLED.key(), "true");
    make(
        folder.restKey(),
        SecurityOptions.SSL_REST_KEYSTORE,
        SecurityOptions.SSL_REST_KEYSTORE_PASSWORD,
        SecurityOptions.SSL_REST_KEY_PASSWORD,
        SecurityOptions.SSL_REST_TRUSTSTORE,
        SecurityOptions.SSL_REST_TRUSTSTORE_PASSWORD);
  }

  private void make(
      Path store,
      ConfigOption<String> key,
      ConfigOption<String> storePassword,
      ConfigOption<String> keyPassword,
      ConfigOption<String> trust,
      ConfigOption<String> trustPassword)
      throws IOException, InterruptedException {
    String password = randomPassword();
    generate(store, password);
    String name = store.getFileName().toString();
    Path trusted = store.resolveSibling(name.replace(".p12", "-trust.p12"));
    try {
      copyCertificate(store, trusted, password);
    } catch (GeneralSecurityException e) {
      throw new IOException(store + ": " + e.getMessage(), e);
    }
    settings.put(key.key(), store.toString());
    settings.put(storePassword.key(), password);
    settings.put(keyPassword.key(), password);
    settings.put(trust.key(), trusted.toString());
    settings.put(trustPassword.key(), password);
  }

  private static String randomPassword() {
    byte[] bytes = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Generates an RSA key, which Flink's default ciphers require. */
  private static void generate(Path store, String password)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Installation.java().resolveSibling("keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", ALIAS, "-keyalg", "RSA", "-keysize", "3072"));
    command.addAll(List.of("-dname", "CN=Braid's cluster on this machine"));
    command.addAll(List.of("-ext", "san=ip:" + ClusterPlan.HOST + ",dns:localhost"));
    command.addAll(List.of("-validity", VALID_DAYS, "-storetype", "PKCS12"));
    // The password is passed by environment, because every user of a machine sees command lines.
    command.addAll(List.of("-keystore", store.toString(), "-storepass:env", PASSWORD));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put(PASSWORD, password);
    Process keytool = builder.start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException(
          store + ": keytool made no key: " + said.lines().findFirst().orElse(""));
    }
    ClusterFolder.makePrivate(store);
  }

  private static void copyCertificate(Path from, Path to, String password)
      throws IOException, GeneralSecurityException {
    KeyStore own = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(from)) {
      own.load(in, password.toCharArray());
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(ALIAS, own.getCertificate(ALIAS));
    ClusterFolder.createPrivateFile(to);
    try (OutputStream out = Files.newOutputStream(to)) {
      trusted.store(out, password.toCharArray());
    }
  }
}
