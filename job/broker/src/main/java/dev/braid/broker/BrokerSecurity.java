package dev.braid.broker;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Users and permissions of a broker that authenticates all clients: users with a password
 * (SASL_SSL, SCRAM), or with a certificate (SSL). Everything that is not allowed here is forbidden,
 * because a client that may write to the topic {@value #TOPIC} may cut links.
 *
 * <pre>
 *   clients/   for each user a complete properties file for Kafka's clients
 *   broker/    the broker's own key
 * </pre>
 *
 * <p>Only the owner can read the files. They are created once, and kept as long as the broker's
 * data, which contain the users. If the data are gone, all files are created again.
 */
final class BrokerSecurity {

  private static final String TOPIC = "chaos";
  private static final String APPLIED = TOPIC + ".applied";
  private static final String DEAD_LETTERS = TOPIC + ".dead-letters";

  private static final String BROKER = "broker";
  private static final String ADMIN = "admin";
  private static final String OPERATOR = "operator";
  private static final String TRAINER = "trainer";

  /** A user without permissions, to test that requests are rejected. */
  private static final String GUEST = "guest";

  private static final String PLACE = "bootstrap.servers";

  private static final ScramMechanism SCRAM = ScramMechanism.SCRAM_SHA_512;
  private static final int SCRAM_ITERATIONS = 8192;

  private final Path clients;
  private final Path own;

  /** Written last, and stored with the data whose users it describes. */
  private final Path mark;

  /**
   * @param folder the broker's folder, whose files exist or will be created
   * @param data folder of Kafka's data
   */
  BrokerSecurity(Path folder, Path data) {
    clients = folder.resolve("clients");
    own = folder.resolve("broker");
    mark = data.resolve("users.properties");
  }

  /** Returns the folder of the clients' files. */
  Path clients() {
    return clients;
  }

  /** Returns whether all files exist, and the data contain the users. */
  private boolean isComplete() {
    return Stream.of(mark, client(ADMIN), key()).allMatch(Files::exists);
  }

  /** Returns the file of the broker's own key. */
  private Path key() {
    return own.resolve("key.properties");
  }

  private Path client(String name) {
    return clients.resolve(name + ".properties");
  }

  /**
   * Returns the broker's settings; creates keys and passwords if necessary.
   *
   * @param listener address for clients with passwords
   * @param certificates address for clients with certificates, and for the broker itself
   * @param controller address of the controller
   */
  Properties settings(String listener, String certificates, String controller)
      throws IOException, GeneralSecurityException, InterruptedException {
    if (!isComplete()) {
      make();
    }
    Properties settings = read(key());
    settings.setProperty(
        "listeners",
        "SASL_SSL://%s,SSL://%s,CONTROLLER://%s".formatted(listener, certificates, controller));
    settings.setProperty(
        "listener.security.protocol.map", "SASL_SSL:SASL_SSL,SSL:SSL,CONTROLLER:SSL");
    settings.setProperty("inter.broker.listener.name", "SSL");
    settings.setProperty("sasl.enabled.mechanisms", SCRAM.mechanismName());
    settings.setProperty(
        "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    settings.setProperty("ssl.client.auth", "required");
    settings.setProperty("listener.name.sasl_ssl.ssl.client.auth", "none");
    settings.setProperty("ssl.principal.mapping.rules", "RULE:^CN=(.*?)$/$1/");
    settings.setProperty(
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    settings.setProperty("super.users", "User:" + BROKER + ";User:" + ADMIN);
    return settings;
  }

  private void make() throws IOException, GeneralSecurityException, InterruptedException {
    Files.deleteIfExists(mark);
    PrivateFiles.folder(clients);
    PrivateFiles.folder(own);
    try (Certificates keys = new Certificates(own)) {
      keys.add(BROKER, "san=ip:127.0.0.1,dns:localhost");
      PrivateFiles.write(key(), "The broker's key.", key(keys, BROKER));
      PrivateFiles.write(own.resolve("trust.properties"), "Trusted certificates.", trust(keys));
      for (String user : List.of(OPERATOR, TRAINER)) {
        keys.add(user);
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("security.protocol", "SSL");
        properties.putAll(key(keys, user));
        PrivateFiles.write(
            client(user + "-certificate"),
            "The user " + user + ", with a certificate: for --kafka-config.",
            properties);
      }
    }
  }

  private static Map<String, String> trust(Certificates keys)
      throws IOException, GeneralSecurityException {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("ssl.truststore.type", "PEM");
    properties.put("ssl.truststore.certificates", keys.authority());
    return properties;
  }

  private static Map<String, String> key(Certificates keys, String name)
      throws IOException, GeneralSecurityException {
    Map<String, String> properties = trust(keys);
    properties.put("ssl.keystore.type", "PEM");
    properties.put("ssl.keystore.certificate.chain", keys.chain(name));
    properties.put("ssl.keystore.key", keys.key(name));
    return properties;
  }

  /**
   * Creates topics, users and permissions, unless they exist.
   *
   * @param certificates the broker's address for clients with certificates
   */
  void admit(String certificates) throws IOException, ExecutionException, InterruptedException {
    if (isComplete()) {
      return;
    }
    Properties asBroker = read(key());
    asBroker.setProperty(PLACE, certificates);
    asBroker.setProperty("security.protocol", "SSL");
    Map<String, String> passwords = new LinkedHashMap<>();
    Stream.of(GUEST, OPERATOR, TRAINER, ADMIN)
        .forEach(user -> passwords.put(user, Passwords.random()));
    try (Admin admin = Admin.create(asBroker)) {
      makeTopics(admin);
      admin.createAcls(permissions()).all().get();
      List<UserScramCredentialAlteration> users = new ArrayList<>();
      passwords.forEach(
          (user, password) ->
              users.add(
                  new UserScramCredentialUpsertion(
                      user, new ScramCredentialInfo(SCRAM, SCRAM_ITERATIONS), password)));
      admin.alterUserScramCredentials(users).all().get();
    }
    for (Map.Entry<String, String> user : passwords.entrySet()) {
      writeClient(user.getKey(), user.getValue());
    }
    PrivateFiles.write(mark, "The users are made.", Map.of());
  }

  /**
   * Writes the broker's addresses, which may change with each start, to the clients' files.
   *
   * @param passwords address for users with passwords
   * @param certificates address for users with certificates
   */
  void sayWhere(String passwords, String certificates) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(clients, "*.properties")) {
      for (Path file : files) {
        Properties known = read(file);
        String place =
            known.getProperty("security.protocol", "").equals("SSL") ? certificates : passwords;
        if (!place.equals(known.getProperty(PLACE))) {
          PrivateFiles.replace(file, PLACE, place);
        }
      }
    }
  }

  private static void makeTopics(Admin admin) throws ExecutionException, InterruptedException {
    List<NewTopic> topics =
        Stream.of(TOPIC, APPLIED, DEAD_LETTERS)
            .map(name -> new NewTopic(name, Optional.of(1), Optional.empty()))
            .toList();
    for (NewTopic topic : topics) {
      try {
        admin.createTopics(List.of(topic)).all().get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw e;
        }
      }
    }
  }

  private static List<AclBinding> permissions() {
    return List.of(
        allow(OPERATOR, AclOperation.WRITE, TOPIC),
        allow(OPERATOR, AclOperation.READ, APPLIED),
        allow(TRAINER, AclOperation.READ, TOPIC),
        allow(TRAINER, AclOperation.WRITE, APPLIED),
        allow(TRAINER, AclOperation.WRITE, DEAD_LETTERS));
  }

  private static AclBinding allow(String user, AclOperation operation, String topic) {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
        new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
  }

  private void writeClient(String user, String password) throws IOException {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("security.protocol", "SASL_SSL");
    properties.put("sasl.mechanism", SCRAM.mechanismName());
    properties.put(
        "sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
            .formatted(user, password));
    read(own.resolve("trust.properties"))
        .forEach((key, value) -> properties.put((String) key, (String) value));
    PrivateFiles.write(
        client(user), "The user " + user + ", with a password: for --kafka-config.", properties);
  }

  private static Properties read(Path file) throws IOException {
    Properties read = new Properties();
    try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      read.load(in);
    }
    return read;
  }
}
