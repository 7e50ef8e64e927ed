package dev.braid.job.rest;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.SecurityOptions;

/**
 * TLS to a Flink's REST interface with the {@code security.ssl.rest.*} settings, as in Flink's own
 * client. A certificate in the trust store is trusted for any host name, because the store is the
 * cluster's own. Without a trust store, Java's defaults apply, which check the host name.
 */
final class FlinkTls {

  private FlinkTls() {}

  /**
   * Returns the configured TLS; empty if REST is not encrypted, or Java's defaults suffice.
   *
   * @throws RestException if keys or certificates cannot be read
   */
  static Optional<SSLContext> of(Configuration settings) throws RestException {
    try {
      return context(settings);
    } catch (GeneralSecurityException e) {
      throw RestException.ofTls("TLS: " + e.getMessage(), e);
    }
  }

  /** Returns the reason why a connection failed, for a message. */
  static String reason(SSLException failure) {
    // The exception of a broken connection may have no message.
    String said = String.valueOf(failure.getMessage());
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertPathBuilderException) {
        return "its certificate is not trusted: "
            + SecurityOptions.SSL_REST_TRUSTSTORE.key()
            + " must contain it";
      }
    }
    // A server that refuses may close the connection before its reason is read.
    if (said.contains("fatal alert") || said.contains("terminated the handshake")) {
      return "it rejects this client's certificate, or there is none: "
          + SecurityOptions.SSL_REST_KEYSTORE.key()
          + " must contain one that it trusts ("
          + said
          + ")";
    }
    return "TLS: " + said;
  }

  private static Optional<SSLContext> context(Configuration settings)
      throws RestException, GeneralSecurityException {
    if (!SecurityOptions.isRestSSLEnabled(settings)) {
      return Optional.empty();
    }
    Optional<TrustManager[]> trusted = trusted(settings);
    Optional<KeyManager[]> own =
        SecurityOptions.isRestSSLAuthenticationEnabled(settings)
            ? Optional.of(own(settings))
            : Optional.empty();
    if (trusted.isEmpty() && own.isEmpty()) {
      return Optional.empty();
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.orElse(null), trusted.orElse(null), null);
    return Optional.of(context);
  }

  private static Optional<TrustManager[]> trusted(Configuration settings)
      throws RestException, GeneralSecurityException {
    Optional<String> file =
        first(settings, SecurityOptions.SSL_REST_TRUSTSTORE, SecurityOptions.SSL_TRUSTSTORE);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    KeyStore store =
        store(
            SecurityOptions.SSL_REST_TRUSTSTORE,
            file.get(),
            settings.get(SecurityOptions.SSL_REST_TRUSTSTORE_TYPE),
            first(
                settings,
                SecurityOptions.SSL_REST_TRUSTSTORE_PASSWORD,
                SecurityOptions.SSL_TRUSTSTORE_PASSWORD));
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return Optional.of(
        Arrays.stream(factory.getTrustManagers())
            .map(
                manager ->
                    manager instanceof X509TrustManager trust ? new OfAnyHost(trust) : manager)
            .toArray(TrustManager[]::new));
  }

  private static KeyManager[] own(Configuration settings)
      throws RestException, GeneralSecurityException {
    Optional<String> file =
        first(settings, SecurityOptions.SSL_REST_KEYSTORE, SecurityOptions.SSL_KEYSTORE);
    KeyStore store =
        store(
            SecurityOptions.SSL_REST_KEYSTORE,
            file.orElseThrow(
                () ->
                    RestException.ofTls(
                        SecurityOptions.SSL_REST_KEYSTORE.key() + " is not set", null)),
            settings.get(SecurityOptions.SSL_REST_KEYSTORE_TYPE),
            first(
                settings,
                SecurityOptions.SSL_REST_KEYSTORE_PASSWORD,
                SecurityOptions.SSL_KEYSTORE_PASSWORD));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(
        store,
        characters(
            first(
                settings,
                SecurityOptions.SSL_REST_KEY_PASSWORD,
                SecurityOptions.SSL_KEY_PASSWORD)));
    return factory.getKeyManagers();
  }

  private static Optional<String> first(
      Configuration settings, ConfigOption<String> option, ConfigOption<String> fallback) {
    return settings.getOptional(option).or(() -> settings.getOptional(fallback));
  }

  private static KeyStore store(
      ConfigOption<String> option, String file, String type, Optional<String> password)
      throws RestException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(type);
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      store.load(in, characters(password));
    } catch (IOException e) {
      String why = e instanceof NoSuchFileException ? "no such file" : e.getMessage();
      throw RestException.ofTls(option.key() + " " + file + ": " + why, e);
    }
    return store;
  }

  private static char[] characters(Optional<String> password) {
    return password.orElse("").toCharArray();
  }

  /**
   * Trust manager that requires a trusted certificate, but no host name: Java adds no check to this
   * type.
   */
  private static final class OfAnyHost extends X509ExtendedTrustManager {

    private final X509TrustManager trust;

    OfAnyHost(X509TrustManager trust) {
      this.trust = trust;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      trust.checkServerTrusted(chain, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      trust.checkServerTrusted(chain, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      trust.checkServerTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      trust.checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      trust.checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      trust.checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return trust.getAcceptedIssuers();
    }
  }
}
