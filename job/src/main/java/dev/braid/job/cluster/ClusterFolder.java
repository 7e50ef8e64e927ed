package dev.braid.job.cluster;

import dev.braid.files.WholeFile;
import dev.braid.job.console.Places;
import dev.braid.job.console.UsageException;
import dev.braid.job.rest.ClusterPlace;
import dev.braid.job.rest.FlinkRest;
import dev.braid.job.rest.RestException;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.IllegalConfigurationException;

/**
 * The folder of a cluster on this machine:
 *
 * <pre>
 *   conf/         Flink's configuration, also for its client; only its owner can read it
 *   tls/          keys, with --tls; only its owner can read them
 *   log/          log files of processes (.log) and their output (.out)
 *   pids/         a file for each process that was started
 *   checkpoints/  default for jobs
 *   savepoints/
 *   ha/, zookeeper/   state shared by JobManagers, with --ha; only its owner can read it
 *   tmp/          exists only while the cluster runs
 * </pre>
 */
final class ClusterFolder {

  private static final String LOGGING = "log4j2.properties";
  private static final String PID = ".pid";
  private static final Set<PosixFilePermission> OWNERS_FILE =
      PosixFilePermissions.fromString("rw-------");

  /** Order of names by type, then by number: taskmanager-2 before taskmanager-10. */
  private static final Comparator<Path> IN_ORDER =
      Comparator.comparing((Path file) -> file.getFileName().toString().replaceAll("[-\\d]", ""))
          .thenComparing(file -> file.toString().length())
          .thenComparing(Path::toString);

  private final Path root;
  private final ClusterPlace place;

  private ClusterFolder(ClusterPlace place) {
    this.root = place.root();
    this.place = place;
  }

  /** Returns the folder at a path, through symbolic links. It need not exist. */
  static ClusterFolder at(Path folder) {
    return new ClusterFolder(ClusterPlace.at(folder));
  }

  Path root() {
    return root;
  }

  Path conf() {
    return place.conf();
  }

  Path logging() {
    return conf().resolve(LOGGING);
  }

  Path checkpoints() {
    return root.resolve("checkpoints");
  }

  Path savepoints() {
    return root.resolve("savepoints");
  }

  Path tmp() {
    return root.resolve("tmp");
  }

  /** Returns the folder of the keys, used with {@code --tls}. */
  Path tls() {
    return root.resolve("tls");
  }

  /** Returns the key store with which processes of the cluster authenticate each other. */
  Path internalKey() {
    return tls().resolve("internal.p12");
  }

  /** Returns the key store of the REST interface and its clients. */
  Path restKey() {
    return tls().resolve("rest.p12");
  }

  /** Returns the folder of the state that JobManagers share. */
  Path highAvailability() {
    return root.resolve("ha");
  }

  Path zooKeeperConfig() {
    return conf().resolve("zoo.cfg");
  }

  private Path zooKeeper() {
    return root.resolve("zookeeper");
  }

  /** Returns the log file of a process. */
  Path log(String process) {
    return root.resolve("log").resolve(process + ".log");
  }

  /** Returns the file with a process's output, such as the errors of a JVM that cannot start. */
  Path out(String process) {
    return root.resolve("log").resolve(process + ".out");
  }

  private Path pids() {
    return place.pids();
  }

  Path pidFile(String process) {
    return pids().resolve(process + PID);
  }

  /** Returns the path as a user would type it. */
  String shown() {
    return Places.shown(root);
  }

  /** Returns the option {@code --folder} that selects this folder; empty for the default. */
  String option() {
    return equals(at(Path.of(ClusterPlace.DEFAULT)))
        ? ""
        : " --folder " + Places.inShell(root.toString());
  }

  /**
   * Returns whether a cluster was started here and left a configuration or records of processes.
   */
  boolean exists() throws IOException {
    return place.exists() || !processes().isEmpty();
  }

  /**
   * Runs some work while no other {@code braid cluster} command may use the folder. Creates the
   * folder itself, but no folder in it.
   *
   * @throws UsageException if the folder cannot be written to, or another command is using it
   */
  <T> T locked(Callable<T> work) throws Exception {
    try (FileChannel channel = lockFile()) {
      if (channel.tryLock() == null) {
        throw new UsageException(
            "--folder "
                + shown()
                + ": another 'braid cluster' command is using it; wait for its end");
      }
      return work.call();
    }
  }

  private FileChannel lockFile() {
    makeFolders(List.of(root));
    try {
      return FileChannel.open(
          root.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw notWritable(e);
    }
  }

  /**
   * Creates the folders that every cluster has, if they are missing.
   *
   * @throws UsageException if they cannot be created
   */
  void makeFolders() {
    makeFolders(List.of(conf(), log("").getParent(), pids(), checkpoints(), savepoints()));
  }

  private void makeFolders(List<Path> folders) {
    try {
      for (Path folder : folders) {
        Files.createDirectories(folder);
      }
    } catch (IOException e) {
      throw notWritable(e);
    }
  }

  private UsageException notWritable(IOException e) {
    return new UsageException("--folder " + shown() + ": " + WholeFile.reason(e), e);
  }

  void writeConfiguration(ClusterConfig config) throws IOException {
    Path file = conf().resolve(ClusterPlace.CONFIG);
    Files.deleteIfExists(file);
    createPrivateFile(file);
    Files.writeString(file, config.text());
    Files.writeString(
        logging(),
        """
        rootLogger.level = INFO
        rootLogger.appenderRef.file.ref = file
        appender.file.type = File
        appender.file.name = file
        appender.file.fileName = ${sys:log.file}
        appender.file.layout.type = PatternLayout
        appender.file.layout.pattern = %d{yyyy-MM-dd HH:mm:ss,SSS} %-5p %c{1} %m%n
        """);
  }

  /**
   * Creates the folders and the configuration that JobManagers and ZooKeeper share. The folders are
   * private, because they hold job graphs with the jobs' credentials, and Flink would leave them
   * readable to everybody.
   *
   * @param port ZooKeeper's port
   */
  void makeHighAvailability(int port) throws IOException {
    createPrivate(highAvailability());
    createPrivate(zooKeeper());
    writeZooKeeperConfig(port);
  }

  private void writeZooKeeperConfig(int port) throws IOException {
    Files.writeString(
        zooKeeperConfig(),
        """
        dataDir=%s
        clientPort=%d
        clientPortAddress=%s
        tickTime=1000
        admin.enableServer=false
        """
            .formatted(zooKeeper(), port, ClusterPlan.HOST));
  }

  /** Removes the JobManagers' state of jobs, which must not reach the next cluster. */
  private void removeHighAvailability() throws IOException {
    remove(highAvailability());
    remove(zooKeeper());
  }

  /**
   * Returns the settings that the cluster was started with, adjusted to its folder's current path.
   *
   * @throws UsageException if they cannot be read
   */
  Configuration configuration() {
    try {
      return place.settings();
    } catch (IllegalConfigurationException e) {
      throw new UsageException(e.getMessage(), e);
    }
  }

  /** Returns settings that identify a new cluster in this folder; the id is random. */
  Map<String, String> newIdentity() {
    return Map.of(
        ClusterPlace.ID,
        UUID.randomUUID().toString(),
        ClusterPlace.FOLDER,
        root.toString(),
        ClusterPlace.NUMBER,
        place.number().orElse(""));
  }

  /** Returns the folder's path when the cluster was started; empty if it is unchanged. */
  Optional<Path> formerRoot() {
    Path before = Path.of(configuration().getString(ClusterPlace.FOLDER, root.toString()));
    return before.equals(root) ? Optional.empty() : Optional.of(before);
  }

  /** Rewrites the configuration with the folder's current path. */
  void adoptMove() throws IOException {
    Map<String, String> now = new TreeMap<>(configuration().toMap());
    now.put(ClusterPlace.FOLDER, root.toString());
    now.put(ClusterPlace.NUMBER, place.number().orElse(""));
    writeConfiguration(ClusterConfig.of(conf().resolve(ClusterPlace.CONFIG)).with(now));
    if (now.containsKey(HighAvailabilityOptions.HA_ZOOKEEPER_QUORUM.key())) {
      String quorum = now.get(HighAvailabilityOptions.HA_ZOOKEEPER_QUORUM.key());
      writeZooKeeperConfig(Integer.parseInt(quorum.substring(quorum.lastIndexOf(':') + 1)));
    }
  }

  /**
   * Returns the original folder of the running cluster, if this folder is a copy of it. Empty if
   * the processes belong to this folder, or have all ended.
   *
   * @throws ClusterFailedException if processes may run, and it is uncertain to which folder they
   *     belong
   */
  Optional<Path> original(List<ClusterProcess> processes) throws ClusterFailedException {
    List<ClusterProcess> living = processes.stream().filter(it -> !it.hasEnded()).toList();
    if (living.isEmpty()) {
      return Optional.empty();
    }
    Configuration settings;
    try {
      settings = place.settings();
      if (!living.stream().map(ClusterProcess::cluster).allMatch(id(settings)::equals)) {
        throw unowned(living, "they belong to another cluster than its configuration");
      }
    } catch (IllegalConfigurationException e) {
      throw unowned(living, e.getMessage());
    }
    if (!place.isCopy()) {
      return Optional.empty();
    }
    ClusterPlace before = new ClusterPlace(Path.of(settings.getString(ClusterPlace.FOLDER, "")));
    if (before.number().equals(Optional.of(settings.getString(ClusterPlace.NUMBER, "")))) {
      return Optional.of(before.root());
    }
    if (before.number().isEmpty() && living.stream().allMatch(ClusterProcess::hasLostItsFiles)) {
      // The folder was moved here from another file system, where nothing of it is left.
      return Optional.empty();
    }
    throw unowned(
        living,
        "it is a copy of the folder that was started as "
            + before.root()
            + ", which does not exist any more");
  }

  private ClusterFailedException unowned(List<ClusterProcess> living, String reason) {
    // The number of a process on another machine may belong to another program here.
    String remedies =
        living.stream()
            .map(
                it -> it.runs() ? "'kill " + it.pid() + "' ends it" : it.shown() + " " + it.doubt())
            .collect(Collectors.joining("; "));
    return new ClusterFailedException(
        "--folder "
            + shown()
            + ": it is uncertain whether the processes in "
            + pids()
            + " belong to this cluster: "
            + reason
            + "; nothing was changed; "
            + remedies);
  }

  static String id(Configuration settings) {
    return settings.getString(ClusterPlace.ID, "");
  }

  /** Returns the addresses of the web UIs, one for each JobManager. */
  List<URI> webAddresses() {
    try {
      return Stream.of(configuration().getString(ClusterPlan.WEB, "").split(",", -1))
          .map(URI::create)
          .filter(address -> ClusterPlan.HOST.equals(address.getHost()))
          .toList();
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          conf().resolve(ClusterPlace.CONFIG) + ": not a file that 'braid cluster up' wrote", e);
    }
  }

  /** Returns a client of each JobManager's REST interface. */
  List<FlinkRest> jobManagers() {
    Configuration settings = configuration();
    try {
      List<FlinkRest> all = new ArrayList<>();
      for (URI address : webAddresses()) {
        all.add(FlinkRest.at(address.toString(), settings));
      }
      return all;
    } catch (RestException e) {
      throw new UsageException("--folder " + shown() + ": " + e.getMessage(), e);
    }
  }

  /** Creates a folder with access only for its owner, unless it exists. */
  static void createPrivate(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  /** Creates an empty file that only its owner can read and write. */
  static void createPrivateFile(Path file) throws IOException {
    Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNERS_FILE));
  }

  /** Restricts a file's permissions to its owner. */
  static void makePrivate(Path file) throws IOException {
    Files.setPosixFilePermissions(file, OWNERS_FILE);
  }

  /** Removes the logs and output of an earlier cluster's processes. */
  void clearLogs() throws IOException {
    Path logs = log("").getParent();
    remove(logs);
    Files.createDirectories(logs);
  }

  /**
   * Returns the records of all processes that were started here and not ended by {@code down}, in
   * the order of their names.
   */
  List<ClusterProcess> processes() throws IOException {
    List<ClusterProcess> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(pids())) {
      for (Path file : files.sorted(IN_ORDER).toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(PID)) {
          found.add(ClusterProcess.read(name.substring(0, name.length() - PID.length()), file));
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    }
    return found;
  }

  /**
   * Removes records of processes: those that have ended, or all in a copy of a cluster's folder.
   */
  void forget(List<ClusterProcess> processes) throws IOException {
    for (ClusterProcess process : processes) {
      Files.deleteIfExists(pidFile(process.name()));
    }
  }

  /** Removes files without use once the cluster has ended, including all secrets of its jobs. */
  void removeTemporary() throws IOException {
    remove(tmp());
    removeHighAvailability();
  }

  static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException failure)
              throws IOException {
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClusterFolder that && root.equals(that.root);
  }

  @Override
  public int hashCode() {
    return root.hashCode();
  }
}
