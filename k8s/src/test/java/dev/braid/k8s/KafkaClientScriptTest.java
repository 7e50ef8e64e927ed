package dev.braid.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script of the init container that waits for Kafka, run as Kubernetes would run it. */
@Timeout(60)
class KafkaClientScriptTest {

  private static final String LOGIN =
      "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"t\" password=\"a=b\\\\c\";";

  private static final String CERTIFICATES =
      """
      -----BEGIN CERTIFICATE-----
      MIIB+/=
      -----END CERTIFICATE-----
      -----BEGIN CERTIFICATE-----
      MIIC
      -----END CERTIFICATE-----
      """;

  @TempDir private Path folder;
  private Path user;
  private Path file;

  @BeforeEach
  void makeSecrets() throws IOException {
    user = Files.createDirectories(folder.resolve("user")).resolve("sasl.jaas.config");
    Files.writeString(user, LOGIN);
    Path ca = Files.createDirectories(folder.resolve("ca"));
    Files.writeString(ca.resolve("ca.crt"), CERTIFICATES);
    file = folder.resolve("client.properties");
  }

  @Test
  void whereKafkaAndSecretsAreThereItWritesTheFileOfProperties() throws Exception {
    try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(run(broker.getLocalPort())).isZero();
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    assertThat(properties)
        .containsEntry("security.protocol", "SASL_SSL")
        .containsEntry("sasl.mechanism", "SCRAM-SHA-512")
        .containsEntry("sasl.jaas.config", LOGIN)
        .containsEntry("ssl.truststore.type", "PEM")
        .containsEntry("ssl.truststore.certificates", CERTIFICATES);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void whereKafkaOrASecretIsMissingItFailsAndWritesNothing() throws Exception {
    try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Files.writeString(user, "");
      assertThat(run(broker.getLocalPort())).isPositive();
      Files.writeString(user, LOGIN);
    }
    assertThat(run(1)).isPositive();
    assertThat(file).doesNotExist();
  }

  private int run(int port) throws IOException, InterruptedException {
    Path script = Manifests.FOLDER.resolve("components/chaos/kafka-client.sh");
    ProcessBuilder bash =
        new ProcessBuilder(List.of("bash", script.toString(), "127.0.0.1:" + port));
    bash.environment().put("USER_SECRET", folder.resolve("user").toString());
    bash.environment().put("CA_SECRET", folder.resolve("ca").toString());
    bash.environment().put("CLIENT_FILE", file.toString());
    bash.environment().put("WAIT_SECONDS", "0");
    return bash.redirectErrorStream(true)
        .redirectOutput(folder.resolve("said").toFile())
        .start()
        .waitFor();
  }
}
