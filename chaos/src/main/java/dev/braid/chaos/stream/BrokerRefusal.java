package dev.braid.chaos.stream;

import java.io.FileNotFoundException;
import java.nio.file.NoSuchFileException;
import java.security.cert.CertPathBuilderException;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/** Describes why a broker is unavailable or refuses this client. */
final class BrokerRefusal {

  private static final String PROTOCOL = "security.protocol";

  private BrokerRefusal() {}

  /** Returns the reason and the remedy, in a line. */
  static String reason(KafkaTopic topic, Throwable cause) {
    Throwable deepest = causes(cause).reduce((first, second) -> second).orElse(cause);
    if (deepest instanceof TimeoutException) {
      return "no broker answers"
          + protocol(topic).map(it -> " with " + PROTOCOL + "=" + it).orElse("")
          + "; './braid kafka' starts one at 127.0.0.1:9092, `kafka-brokers` names "
          + "another, and `kafka-config` has the settings for one with authentication or "
          + "TLS";
    }
    if (deepest instanceof ConfigException && firstLine(deepest).contains("resolvable")) {
      return "unknown host; `kafka-brokers` names another broker";
    }
    if (deepest instanceof TopicAuthorizationException) {
      return "this client may not access it: an ACL must allow it";
    }
    if (deepest instanceof SaslAuthenticationException) {
      return "wrong user or password (" + firstLine(deepest) + ")";
    }
    if (deepest instanceof CertPathBuilderException) {
      return "the broker's certificate is not trusted: the ssl.truststore of `kafka-config` "
          + "must contain it or its issuer";
    }
    if (deepest instanceof NoSuchFileException || deepest instanceof FileNotFoundException) {
      return "no such file: " + firstLine(deepest);
    }
    return causes(cause)
        .filter(it -> it instanceof SSLException)
        .findFirst()
        .map(BrokerRefusal::ofTls)
        .orElseGet(() -> firstLine(deepest));
  }

  private static String ofTls(Throwable failure) {
    String said = firstLine(failure);
    return said.contains("fatal alert")
        ? "the broker rejects this client's certificate, or there is none: the "
            + "ssl.keystore of `kafka-config` must have one that the broker trusts ("
            + said
            + ")"
        : "TLS: " + said;
  }

  /** Returns the reason for a client that the broker knows but does not allow the operation. */
  static String notAllowed(AclOperation operation) {
    return "this client may not %s it: an ACL has to allow it the operation %s"
        .formatted(operation.name().toLowerCase(Locale.ROOT), operation);
  }

  private static Optional<String> protocol(KafkaTopic topic) {
    return Optional.ofNullable(topic.properties().get(PROTOCOL));
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, it -> it != null, Throwable::getCause).limit(32);
  }

  private static String firstLine(Throwable failure) {
    String message = failure.getMessage() == null ? "" : failure.getMessage();
    return message.lines().findFirst().orElse(failure.getClass().getSimpleName());
  }
}
