package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
import dev.braid.job.cluster.BrokerProcess;
import dev.braid.job.console.ExitCodes;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only users who may write to the topic can cut links: a real broker with TLS, users and ACLs. */
class SecuredTopicITCase {

  private static final String[] CUT = {"chaos", "send", "cut 3 1 for 5s"};
  private static final String[] TRAIN = {"train", "--chaos-topic", "chaos"};

  @TempDir private static Path folder;
  private static BrokerProcess broker;

  @BeforeAll
  static void start() throws Exception {
    broker = BrokerProcess.secured(Files.createDirectories(folder.resolve("broker")));
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void whoMayWriteTheTopicCutsLinks_byPasswordOrCertificate() throws Exception {
    CommandRun byPassword = run(broker.address(), broker.client("operator"), CUT);
    assertThat(byPassword.exitCode()).as(byPassword.err()).isZero();
    CommandRun byCertificate =
        run(broker.certificatesAddress(), broker.client("operator-certificate"), CUT);
    assertThat(byCertificate.exitCode()).as(byCertificate.err()).isZero();
    assertThat(KafkaTopics.read(topic("admin")))
        .filteredOn(line -> line.startsWith("cut 3 1"))
        .hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void whoMayNotIsRefused() throws Exception {
    refused("may not access it", broker.address(), broker.client("guest"), CUT);
    refused("may not write it", broker.address(), broker.client("trainer"), CUT);
    refused(
        "may not write it",
        broker.certificatesAddress(),
        broker.client("trainer-certificate"),
        CUT);
    refused(
        "topic chaos: this client may not read it: an ACL has to allow it the operation READ",
        broker.address(),
        broker.client("operator"),
        TRAIN);
    assertThat(KafkaTopics.offsets(topic("trainer"), true)).containsOnlyKeys(0);
  }

  @Test
  void aWrongPasswordIsRefused() throws Exception {
    Path wrong =
        changed("operator", Map.of("sasl.jaas.config", scram("operator", "not-the-password")));
    refused("wrong user or password", broker.address(), wrong, CUT);
    Path unknown = changed("operator", Map.of("sasl.jaas.config", scram("nobody", "x")));
    refused("wrong user or password", broker.address(), unknown, CUT);
  }

  @Test
  void aBrokerThatIsNotTrustedIsNotTold() throws Exception {
    // No authority that Java trusts by default has signed this broker's certificate.
    Path untrusting = changed("operator", Map.of("ssl.truststore.type", ""));
    refused("the broker's certificate is not trusted", broker.address(), untrusting, CUT);
  }

  @Test
  void noCertificateAndAStrangersAreRefused() throws Exception {
    Path none = changed("operator-certificate", Map.of("ssl.keystore.type", ""));
    String message = "rejects this client's certificate";
    refused(message, broker.certificatesAddress(), none, CUT);
    refused(message, broker.certificatesAddress(), stranger(), CUT);
  }

  /**
   * Returns a certificate with the operator's name that is not signed by the broker's authority.
   */
  private static Path stranger() throws Exception {
    Path store = folder.resolve("stranger.p12");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", "it", "-dname", "CN=operator"));
    command.addAll(List.of("-keyalg", "EC", "-storepass", "changeit"));
    command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12"));
    assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    Path without = changed("operator-certificate", Map.of("ssl.keystore.type", ""));
    Files.writeString(
        without,
        Files.readString(without)
            + "ssl.keystore.type=PKCS12\nssl.keystore.password=changeit\nssl.keystore.location="
            + store
            + "\n");
    return without;
  }

  @Test
  void whoSpeaksInTheClearGetsNoAnswer() throws Exception {
    Path clear = folder.resolve("clear.properties");
    Files.writeString(clear, "default.api.timeout.ms=2000\nrequest.timeout.ms=1000\n");
    refused("--kafka-config has the settings", broker.address(), clear, CUT);
  }

  /** Long, because a broker takes a while to stop and start. */
  @Tag("long")
  @Test
  void whereItsDataAreGoneTheUsersAreMadeAnew() throws Exception {
    broker.stop();
    FileUtils.deleteDirectory(folder.resolve("broker").resolve("data").toFile());
    broker.start();
    CommandRun cut = run(broker.address(), broker.client("operator"), CUT);
    assertThat(cut.exitCode()).as(cut.err()).isZero();
  }

  @Test
  void filesOfUsersAreTheirOwnersAlone() throws Exception {
    for (String secret : List.of("clients", "broker")) {
      try (Stream<Path> files = Files.list(folder.resolve("broker").resolve(secret))) {
        assertThat(files).hasSizeGreaterThan(1).allMatch(SecuredTopicITCase::isPrivate);
      }
    }
  }

  private static boolean isPrivate(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file)).equals("rw-------");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String scram(String user, String password) {
    return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
        .formatted(user, password);
  }

  private static KafkaTopic topic(String user) throws Exception {
    Map<String, String> properties = new TreeMap<>();
    read(broker.client(user)).forEach((key, value) -> properties.put((String) key, (String) value));
    return new KafkaTopic(broker.address(), "chaos", properties);
  }

  /**
   * Returns a copy of a user's file with other values; an empty value removes all settings with the
   * same prefix.
   */
  private static Path changed(String user, Map<String, String> values) throws Exception {
    Properties properties = read(broker.client(user));
    values.forEach(
        (key, value) -> {
          if (value.isEmpty()) {
            String kind = key.substring(0, key.lastIndexOf('.'));
            properties.keySet().removeIf(other -> ((String) other).startsWith(kind));
          } else {
            properties.setProperty(key, value);
          }
        });
    Path file = Files.createTempFile(folder, user, ".properties");
    try (Writer out = Files.newBufferedWriter(file)) {
      properties.store(out, "changed");
    }
    return file;
  }

  private static Properties read(Path file) throws Exception {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      properties.load(in);
    }
    return properties;
  }

  private static CommandRun run(String brokers, Path config, String... command) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(List.of("--kafka-brokers", brokers, "--kafka-config", config.toString()));
    return CommandRun.of(words.toArray(String[]::new));
  }

  private static void refused(String reason, String brokers, Path config, String... command) {
    CommandRun run = run(brokers, config, command);
    assertThat(run.err())
        .startsWith("braid: Kafka at " + brokers + ", topic chaos: ")
        .contains(reason)
        .doesNotContain("password=")
        .hasLineCount(1);
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
  }
}
