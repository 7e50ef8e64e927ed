package dev.braid.job.cluster;

import dev.braid.job.cluster.FlinkJvm.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;

/** A ZooKeeper in a separate process, in which JobManagers keep state for their successors. */
final class ZooKeeperProcess implements AutoCloseable {

  private static final String HOST = ProcessCluster.Host.THIS.address();

  private final Path home;
  private final int port;
  private final Process process;

  /**
   * Starts a ZooKeeper. Its clients wait until it answers.
   *
   * @param home an empty folder for configuration, data and logs
   */
  ZooKeeperProcess(Path home) throws IOException {
    this.home = home;
    this.port = ProcessCluster.freePort();
    ProcessCluster.write(home, Map.of());
    Path settings = home.resolve("zoo.cfg");
    // The shortest session is two ticks.
    Files.writeString(
        settings,
        """
        dataDir=%s
        clientPort=%d
        clientPortAddress=%s
        tickTime=500
        admin.enableServer=false
        """
            .formatted(home.resolve("data"), port, HOST));
    FlinkJvm jvm =
        new FlinkJvm(
            Path.of("target", "lib").toAbsolutePath(),
            home,
            new Configuration(),
            home.resolve("log4j2.properties"));
    List<String> command =
        jvm.command(
            Role.ZOOKEEPER,
            ProcessCluster.QUICK_START,
            List.of("-Xmx128m"),
            List.of("--zkConfigFile", settings.toString(), "--peerId", "1"));
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("zookeeper.log").toFile())
            .start();
    // Otherwise the process would outlive interrupted tests.
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "braid-zookeeper"));
  }

  /** Returns lines of Flink's configuration with which jobs survive their JobManager. */
  List<String> settings() {
    return List.of(
        "high-availability.type: zookeeper",
        "high-availability.zookeeper.quorum: " + HOST + ":" + port,
        "high-availability.zookeeper.client.session-timeout: 4 s",
        "high-availability.storageDir: " + home.resolve("ha").toUri());
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
