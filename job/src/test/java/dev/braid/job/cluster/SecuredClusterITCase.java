package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
import dev.braid.job.SmallMnist;
import dev.braid.job.cluster.Launcher.Said;
import dev.braid.job.rest.FlinkRest;
import dev.braid.job.rest.JobRest;
import dev.braid.job.rest.RestException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.SecurityOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/how-to/tls.md with separate processes: a cluster with TLS and a broker with TLS, users and
 * ACLs. Authorised users train and cut a link, others are refused with a one-line message, and no
 * secret is visible.
 */
@Tag("long")
class SecuredClusterITCase {

  private static final String JAR = Path.of("target", "braid.jar").toAbsolutePath().toString();
  private static final Pattern PASSWORD = Pattern.compile("password=\"([^\"]+)\"");
  private static final int HANDSHAKE_MILLIS = 60_000;

  @TempDir private static Path folder;

  private static final List<Integer> INTERNAL_PORTS = new ArrayList<>();
  private static BrokerProcess broker;
  private static Launcher launcher;
  private static Said up;

  @BeforeAll
  static void start() throws Exception {
    launcher = new Launcher(folder);
    // Both take seconds to start, and neither needs the other.
    CompletableFuture<BrokerProcess> starting =
        CompletableFuture.supplyAsync(SecuredClusterITCase::broker);
    int blobs = ProcessCluster.freePort();
    int data = ProcessCluster.freePort();
    up =
        launcher.run(
            "cluster",
            "up",
            "--tls",
            "--folder",
            place().root().toString(),
            "--task-managers",
            "1",
            "--port",
            Integer.toString(ProcessCluster.freePort()),
            "-D",
            "blob.server.port=" + blobs,
            "-D",
            "taskmanager.data.port=" + data);
    INTERNAL_PORTS.addAll(List.of(blobs, data));
    broker = starting.join();
    assertThat(up.exitCode()).as(up.output()).isZero();
  }

  private static BrokerProcess broker() {
    try {
      return BrokerProcess.secured(Files.createDirectories(folder.resolve("broker")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (up != null) {
      launcher.run("cluster", "down", "--folder", place().root().toString());
    }
    if (broker != null) {
      broker.close();
    }
  }

  @Test
  void keysAndPasswordsAreTheirOwnersAlone() throws Exception {
    assertThat(up.output())
        .contains("web UI         https://127.0.0.1:", "certificate    ", "tls/rest.p12");
    assertThat(mode(place().tls())).isEqualTo("rwx------");
    assertThat(mode(place().tmp())).isEqualTo("rwx------");
    assertThat(mode(place().conf().resolve("config.yaml"))).isEqualTo("rw-------");
    try (Stream<Path> keys = Files.list(place().tls())) {
      assertThat(keys.map(SecuredClusterITCase::mode).toList())
          .hasSize(4)
          .containsOnly("rw-------");
    }
  }

  @Test
  void strangersAreRefusedAtTheRestInterface() throws Exception {
    Said nobody = launcher.run("result", "--flink", url());
    assertThat(nobody.output())
        .startsWith("braid: --flink " + url() + ": no Flink answers there: ")
        .contains("its certificate is not trusted")
        .hasLineCount(1);
    assertThat(nobody.exitCode()).isEqualTo(2);
    String plain = url().replace("https:", "http:");
    Said unencrypted = launcher.run("result", "--flink", plain);
    assertThat(unencrypted.output())
        .isEqualToNormalizingNewlines(
            "braid: --flink %s: this cluster has TLS: use https, and give its configuration by --flink-conf or --folder%n"
                .formatted(plain));
    assertThat(unencrypted.exitCode()).isEqualTo(2);

    Configuration own = place().configuration();
    assertThat(ask(own)).isEqualTo("answers");
    Configuration keyless = new Configuration(own);
    keyless.set(SecurityOptions.SSL_REST_AUTHENTICATION_ENABLED, false);
    assertThat(ask(keyless)).contains("rejects this client's certificate");
    // A key, but a wrong one.
    Configuration wrongKey = new Configuration(own);
    as(wrongKey, SecurityOptions.SSL_REST_KEYSTORE, SecurityOptions.SSL_INTERNAL_KEYSTORE);
    as(
        wrongKey,
        SecurityOptions.SSL_REST_KEYSTORE_PASSWORD,
        SecurityOptions.SSL_INTERNAL_KEYSTORE_PASSWORD);
    as(wrongKey, SecurityOptions.SSL_REST_KEY_PASSWORD, SecurityOptions.SSL_INTERNAL_KEY_PASSWORD);
    assertThat(ask(wrongKey)).contains("rejects this client's certificate");
    Configuration wrongPassword = new Configuration(own);
    wrongPassword.set(SecurityOptions.SSL_REST_TRUSTSTORE_PASSWORD, "wrong");
    assertThat(ask(wrongPassword))
        .startsWith("security.ssl.rest.truststore " + place().tls())
        .contains("password was incorrect");
  }

  @Test
  void aJobOfAStrangerIsRefusedInALine() throws Exception {
    Configuration keyless = place().configuration();
    keyless.set(SecurityOptions.SSL_REST_AUTHENTICATION_ENABLED, false);
    Path conf = Files.createDirectories(folder.resolve("keyless/conf"));
    Files.writeString(
        conf.resolve("config.yaml"), ClusterConfig.shipped().with(keyless.toMap()).text());
    Said refused =
        new Launcher(folder, Map.of("FLINK_CONF_DIR", conf.toString()))
            .run("flink", "run", JAR, "train", "--workers", "2", "--out", out().toString());
    assertThat(refused.output())
        .contains("braid: the cluster's REST interface: it rejects this client's certificate")
        .doesNotContain("\tat ");
    assertThat(refused.exitCode()).isEqualTo(2);
  }

  @Test
  void processesTalkToNobodyElse() throws Exception {
    Configuration own = place().configuration();
    List<Integer> ports = new ArrayList<>(INTERNAL_PORTS);
    ports.add(Integer.parseInt(own.toMap().get("jobmanager.rpc.port")));
    KeyStore key = store(own, SecurityOptions.SSL_INTERNAL_KEYSTORE);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(key, own.get(SecurityOptions.SSL_INTERNAL_KEY_PASSWORD).toCharArray());
    for (int port : ports) {
      handshake(port, own, keys.getKeyManagers());
      assertThatThrownBy(() -> handshake(port, own, new KeyManager[0]))
          .as("port %d without a key", port)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void whoBelongsThereTrainsAndCutsALink_andNoSecretIsSeen() throws Exception {
    Said cut = chaos("operator", "send", "cut 0 1 at-round 50 for 200ms");
    assertThat(cut.exitCode()).as(cut.output()).isZero();
    Said guest = chaos("guest", "send", "cut 1 0 at-round 50");
    assertThat(guest.exitCode()).isEqualTo(2);
    // If the broker is slow to answer, a line reports that before.
    assertThat(guest.output().lines().filter(line -> !line.startsWith("braid: waiting")))
        .singleElement()
        .asString()
        .contains("may not access it");

    List<String> train = new ArrayList<>();
    train.addAll(List.of("flink", "--folder", place().root().toString(), "run", JAR, "train"));
    train.addAll(List.of("--model", "logistic", "--workers", "2", "--epochs", "4"));
    train.add(SmallMnist.option());
    train.addAll(List.of("--out", out().toString()));
    train.addAll(List.of("--chaos-topic", "chaos:earliest"));
    train.addAll(List.of("--kafka-brokers", broker.address()));
    train.addAll(List.of("--kafka-config", broker.client("trainer").toString()));
    Said trained = launcher.run(train.toArray(String[]::new));
    assertThat(trained.exitCode()).as(trained.output()).isZero();
    assertThat(trained.output()).contains("replicas       identical: yes (2 of 2)");
    List<String> applied = Files.readAllLines(out().resolve("chaos-applied.jsonl"));
    assertThat(applied)
        .anyMatch(
            line ->
                line.contains("\"event\":\"cut 0 1 ") && line.contains("\"outcome\":\"applied\""));
    assertThat(KafkaTopics.read(topic("admin").applied())).containsAll(applied);

    checkNoSecretIsSeen(trained.output());
  }

  private static void checkNoSecretIsSeen(String said) throws Exception {
    List<String> places = new ArrayList<>(List.of(said));
    for (Path seen : List.of(place().root().resolve("log"), out())) {
      try (Stream<Path> files = Files.walk(seen)) {
        files.filter(Files::isRegularFile).forEach(file -> places.add(file + ": " + bytes(file)));
      }
    }
    FlinkRest flink = FlinkRest.at(url(), place().configuration());
    String job = "/jobs/" + JobRest.all(flink).get(0).id();
    for (String path :
        List.of(
            job,
            job + "/config",
            job + "/plan",
            job + "/accumulators",
            job + "/exceptions",
            job + "/checkpoints/config",
            "/jobmanager/config",
            "/jobmanager/environment")) {
      places.add(path + ": " + flink.get(path));
    }
    for (ClusterProcess process : place().processes()) {
      places.add(bytes(Path.of("/proc", Long.toString(process.pid()), "cmdline")));
    }
    assertThat(places).hasSizeGreaterThan(12);
    for (String secret : secrets()) {
      assertThat(places).noneMatch(text -> text.contains(secret));
    }
  }

  /** Returns the passwords of users and of key stores. */
  private static List<String> secrets() throws Exception {
    List<String> secrets = new ArrayList<>();
    for (String user : List.of("trainer", "operator")) {
      Matcher password = PASSWORD.matcher(properties(user).getProperty("sasl.jaas.config"));
      assertThat(password.find()).isTrue();
      secrets.add(password.group(1));
    }
    Configuration own = place().configuration();
    secrets.add(own.get(SecurityOptions.SSL_REST_KEY_PASSWORD));
    secrets.add(own.get(SecurityOptions.SSL_INTERNAL_KEY_PASSWORD));
    assertThat(secrets).allMatch(secret -> secret.length() > 20);
    return secrets;
  }

  private static String bytes(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Said chaos(String user, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("chaos"));
    command.addAll(List.of(words));
    command.addAll(List.of("--kafka-brokers", broker.address()));
    command.addAll(List.of("--kafka-config", broker.client(user).toString()));
    return launcher.run(command.toArray(String[]::new));
  }

  private static KafkaTopic topic(String user) throws IOException {
    Map<String, String> all = new TreeMap<>();
    properties(user).forEach((key, value) -> all.put((String) key, (String) value));
    return new KafkaTopic(broker.address(), "chaos", all);
  }

  private static Properties properties(String user) throws IOException {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(broker.client(user))) {
      properties.load(in);
    }
    return properties;
  }

  private static void as(
      Configuration settings, ConfigOption<String> option, ConfigOption<String> other) {
    settings.set(option, settings.get(other));
  }

  /** Returns the result of a request with these keys. */
  private static String ask(Configuration settings) throws InterruptedException {
    try {
      FlinkRest.at(url(), settings).get("/overview");
      return "answers";
    } catch (RestException e) {
      return e.getMessage();
    }
  }

  private static void handshake(int port, Configuration own, KeyManager[] keys) throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store(own, SecurityOptions.SSL_INTERNAL_TRUSTSTORE));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, trust.getTrustManagers(), null);
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
        SSLSocket socket =
            (SSLSocket) context.getSocketFactory().createSocket(plain, "127.0.0.1", port, true)) {
      socket.setSoTimeout(HANDSHAKE_MILLIS);
      socket.startHandshake();
    }
  }

  private static KeyStore store(Configuration own, ConfigOption<String> file) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(Path.of(own.get(file)))) {
      store.load(in, own.get(SecurityOptions.SSL_INTERNAL_KEYSTORE_PASSWORD).toCharArray());
    }
    return store;
  }

  private static String mode(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String url() {
    return place().webAddresses().get(0).toString();
  }

  private static ClusterFolder place() {
    return ClusterFolder.at(folder.resolve("cluster"));
  }

  private static Path out() {
    return folder.resolve("out");
  }
}
