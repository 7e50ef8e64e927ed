package dev.braid.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A real Kafka of one node (KRaft: broker and controller in one), on the loopback address. Its data
 * are in a given folder, or in a temporary folder that is deleted when the process ends.
 *
 * <p>Usage: {@code Broker [--port PORT] [--dir FOLDER] [--secure]}. It prints its address when it
 * is ready. With {@code --secure} it authenticates all clients ({@link BrokerSecurity}).
 */
public final class Broker {

  private static final String HOST = "127.0.0.1";
  private static final String DATA = "data";
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  /**
   * Range of ports to choose from. Linux gives outgoing connections ports from 32768 by default, so
   * that none of the broker's own connections can take a port that it has just chosen.
   */
  private static final int FIRST_PORT = 20_000;

  private static final int PORTS = 12_000;

  private static final int ATTEMPTS = 1_000;

  private Broker() {}

  /** A mistake of the user, with a message for the user. */
  private static final class Mistake extends Exception {
    private static final long serialVersionUID = 1L;

    Mistake(String message) {
      super(message);
    }

    Mistake(String message, Exception cause) {
      super(message, cause);
    }
  }

  /** Runs a broker until the process is terminated. */
  public static void main(String[] args) throws Exception {
    Started started = new Started();
    Runtime.getRuntime().addShutdownHook(new Thread(started::stop, "braid-stop-broker"));
    KafkaRaftServer server;
    try {
      server = started.begin(() -> start(args, started));
    } catch (Mistake e) {
      System.err.println("braid: " + e.getMessage());
      System.exit(USAGE);
      return;
    } catch (Throwable e) {
      if (started.isStopping) {
        // An interrupted start fails at some point; its stack trace is useless.
        return;
      }
      System.err.println("braid: the broker could not start: " + e);
      e.printStackTrace();
      // Threads of a server that has started in part would keep the process alive.
      System.exit(FAILED);
      return;
    }
    server.awaitShutdown();
  }

  private static KafkaRaftServer start(String[] args, Started started) throws Exception {
    BrokerOptions options;
    int port;
    try {
      options = BrokerOptions.of(args);
      port = free(options.port(), options.secure() ? 2 : 1);
    } catch (IllegalArgumentException | BindException e) {
      throw new Mistake(e.getMessage(), e);
    }
    Path folder = folder(options, started);
    System.setProperty("braid.broker.log", folder.resolve("broker.log").toString());
    // The hook would complain if the process ends during the start. It is not needed, because log
    // output is not buffered.
    System.setProperty("log4j2.shutdownHookEnabled", "false");
    BrokerSecurity security = new BrokerSecurity(folder, folder.resolve(DATA));
    if (!options.secure() && Files.exists(security.clients())) {
      throw new Mistake(
          "--dir "
              + folder
              + ": the folder of a secured broker, which everybody could write to without "
              + "--secure: give --secure, or another folder");
    }
    if (options.secure()) {
      PrivateFiles.folder(folder.resolve(DATA));
    }
    KafkaRaftServer server = start(folder, settings(options, folder, port, security), started);
    if (options.secure()) {
      security.admit(address(port + 1));
      security.sayWhere(address(port), address(port + 1));
      System.out.println("for each user, " + security.clients() + " has a file for --kafka-config");
      System.out.println(
          "users with passwords reach it at %s, users with certificates at %s"
              .formatted(address(port), address(port + 1)));
    }
    System.out.println("Kafka at " + HOST + ":" + port + ", data in " + folder);
    return server;
  }

  private static Path folder(BrokerOptions options, Started started) throws Mistake {
    try {
      Path folder;
      if (options.folder().isPresent()) {
        folder = options.folder().get();
      } else {
        folder = Files.createTempDirectory("braid-kafka-");
        started.temporary = Optional.of(folder);
      }
      started.lock = Optional.of(lock(folder));
      return folder;
    } catch (IOException e) {
      throw new Mistake("--dir " + options.folder().orElse(Path.of("")) + ": " + reason(e), e);
    }
  }

  /**
   * Locks a folder until the process ends, because two brokers on the same data would destroy them.
   */
  private static FileChannel lock(Path folder) throws IOException {
    Files.createDirectories(folder);
    FileChannel file =
        FileChannel.open(
            folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (file.tryLock() == null) {
      throw new IOException("another broker uses it; choose another folder");
    }
    return file;
  }

  private static String reason(IOException e) {
    return e instanceof FileSystemException
        ? "cannot be written to, or is not a folder"
        : e.getMessage();
  }

  private static KafkaRaftServer start(Path folder, Properties settings, Started started)
      throws Exception {
    Path data = Files.createDirectories(folder.resolve(DATA));
    if (!Files.exists(data.resolve("meta.properties"))) {
      format(data);
    }
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
    started.server = Optional.of(server);
    server.startup();
    return server;
  }

  private static void format(Path data) throws Exception {
    Formatter formatter =
        new Formatter()
            // Discards the formatter's output, which is a page long.
            .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8))
            .setNodeId(1)
            .setClusterId(Uuid.randomUuid().toString())
            .setControllerListenerName("CONTROLLER")
            .setMetadataLogDirectory(data.toString())
            .addDirectory(data.toString());
    formatter.run();
  }

  private static Properties settings(
      BrokerOptions options, Path folder, int port, BrokerSecurity security) throws Exception {
    int controllerPort = free(0, 1);
    while (controllerPort == port || controllerPort == port + 1) {
      controllerPort = free(0, 1);
    }
    Properties settings =
        options.secure()
            ? security.settings(address(port), address(port + 1), address(controllerPort))
            : open(port, controllerPort);
    settings.setProperty("process.roles", "broker,controller");
    settings.setProperty("node.id", "1");
    settings.setProperty("controller.quorum.voters", "1@" + address(controllerPort));
    settings.setProperty("controller.listener.names", "CONTROLLER");
    settings.setProperty("log.dirs", folder.resolve(DATA).toString());
    // There is only one node.
    settings.setProperty("offsets.topic.replication.factor", "1");
    settings.setProperty("offsets.topic.num.partitions", "1");
    settings.setProperty("transaction.state.log.replication.factor", "1");
    settings.setProperty("transaction.state.log.min.isr", "1");
    settings.setProperty("transaction.state.log.num.partitions", "1");
    settings.setProperty("group.initial.rebalance.delay.ms", "0");
    return settings;
  }

  /** Returns the listeners of a broker without authentication, for everybody on this machine. */
  private static Properties open(int port, int controllerPort) {
    Properties settings = new Properties();
    settings.setProperty(
        "listeners", "PLAINTEXT://" + address(port) + ",CONTROLLER://" + address(controllerPort));
    settings.setProperty("inter.broker.listener.name", "PLAINTEXT");
    settings.setProperty(
        "listener.security.protocol.map", "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT");
    return settings;
  }

  private static String address(int port) {
    return HOST + ":" + port;
  }

  /**
   * Returns the first of successive ports that are free.
   *
   * @param port the first port, or 0 for any
   * @param count number of ports, at least 1
   * @throws BindException if {@code port} is not 0 and one of the ports is in use
   */
  private static int free(int port, int count) throws IOException {
    for (int attempt = 1; ; attempt++) {
      int first = port == 0 ? FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS) : port;
      try {
        for (int i = 0; i < count; i++) {
          tryToBind(first + i);
        }
        return first;
      } catch (BindException e) {
        if (port != 0 || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static void tryToBind(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (BindException e) {
      throw new BindException(
          "--port "
              + port
              + ": in use by another program; choose another port, or 0 for any free port");
    }
  }

  /**
   * The parts of a broker that exist when its process is terminated, at any moment. The end of a
   * start in progress is awaited, because it would otherwise create files that have just been
   * deleted.
   */
  private static final class Started {

    /**
     * Longest wait for a start. A start takes a second or two, and many times longer on a busy
     * machine.
     */
    private static final long MOST_SECONDS = 30;

    /**
     * Held during a start. The thread that stops the broker never releases it, so that no further
     * start begins.
     */
    private final ReentrantLock changing = new ReentrantLock();

    private volatile boolean isStopping;

    private volatile Optional<Path> temporary = Optional.empty();
    private volatile Optional<FileChannel> lock = Optional.empty();
    private volatile Optional<KafkaRaftServer> server = Optional.empty();

    <T> T begin(Callable<T> start) throws Exception {
      changing.lock();
      try {
        return start.call();
      } finally {
        changing.unlock();
      }
    }

    void stop() {
      isStopping = true;
      if (startIsOver()) {
        server.ifPresent(
            started -> {
              started.shutdown();
              started.awaitShutdown();
            });
      }
      try {
        if (lock.isPresent()) {
          lock.get().close();
        }
      } catch (IOException e) {
        System.err.println("braid: the broker's folder cannot be unlocked: " + e.getMessage());
      }
      temporary.ifPresent(Broker::delete);
    }

    /**
     * Waits for the end of the start. A broker ignores a shutdown during its start and never
     * reports that it has stopped, so the broker's own end must not be awaited.
     */
    private boolean startIsOver() {
      try {
        return changing.tryLock(MOST_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      System.err.println("braid: " + folder + " could not be removed: " + e.getMessage());
    }
  }
}
