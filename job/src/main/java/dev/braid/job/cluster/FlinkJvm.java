package dev.braid.job.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;

/**
 * Command lines of Flink's processes, as Flink's own scripts derive them from a configuration.
 *
 * @param lib folder of Flink's jars; a folder {@code cluster-lib} next to it has the other
 *     libraries
 * @param conf folder of the configuration
 * @param settings the configuration's settings
 * @param logging configuration file of the log
 */
record FlinkJvm(Path lib, Path conf, Configuration settings, Path logging) {

  private static final String CLUSTER_LIB = "cluster-lib";

  private static final String JVM_OPTIONS = "env.java.opts.";

  /** Prefix of settings for the environment variables of a TaskManager. */
  private static final String TASK_MANAGER_ENVIRONMENT = "containerized.taskmanager.env.";

  /** Role of a process; each has its own JVM options. */
  enum Role {
    JOB_MANAGER(
        "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint", "jobmanager"),
    TASK_MANAGER("org.apache.flink.runtime.taskexecutor.TaskManagerRunner", "taskmanager"),
    ZOOKEEPER("org.apache.flink.runtime.zookeeper.FlinkZooKeeperQuorumPeer", "zookeeper"),
    CLIENT("org.apache.flink.client.cli.CliFrontend", "client");

    private final String main;
    private final String options;

    Role(String main, String options) {
      this.main = main;
      this.options = options;
    }
  }

  /**
   * Returns a process's command line.
   *
   * @param first options that come first, since the system may show only the beginning
   * @param memory options for the JVM's memory
   */
  List<String> command(Role role, List<String> first, List<String> memory, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Installation.java().toString());
    command.addAll(first);
    command.addAll(memory);
    command.addAll(jvmOptions("all"));
    command.addAll(jvmOptions(role.options));
    command.add("-Dlog4j.configurationFile=" + logging.toUri());
    command.addAll(List.of("-cp", classPath(lib) + hadoop(System.getenv())));
    command.add(role.main);
    if (role == Role.JOB_MANAGER || role == Role.TASK_MANAGER) {
      command.addAll(List.of("--configDir", conf.toString()));
    }
    command.addAll(arguments);
    return command;
  }

  private List<String> jvmOptions(String of) {
    return words(settings.toMap().getOrDefault(JVM_OPTIONS + of, ""));
  }

  /** Returns additional variables for a process's environment. */
  Map<String, String> environment(Role role) {
    Map<String, String> environment = new HashMap<>();
    environment.put("FLINK_CONF_DIR", conf.toString());
    if (role == Role.TASK_MANAGER) {
      settings
          .toMap()
          .forEach(
              (key, value) -> {
                if (key.startsWith(TASK_MANAGER_ENVIRONMENT)) {
                  environment.put(key.substring(TASK_MANAGER_ENVIRONMENT.length()), value);
                }
              });
    }
    return environment;
  }

  /** Splits options at white space; quotes are not supported. */
  static List<String> words(String options) {
    return options.isBlank() ? List.of() : List.of(options.strip().split("\\s+", -1));
  }

  /**
   * Returns the class-path suffix for Hadoop's client, if the user has it, as Flink's own scripts
   * do.
   */
  static String hadoop(Map<String, String> environment) {
    String jars = environment.getOrDefault("HADOOP_CLASSPATH", "");
    return jars.isEmpty() ? "" : ":" + jars;
  }

  /**
   * Returns the class path of all jars, in the order of their names, which is the same on every
   * machine.
   */
  static String classPath(Path lib) throws IOException {
    List<Path> entries = new ArrayList<>();
    for (Path folder : List.of(lib, lib.resolveSibling(CLUSTER_LIB))) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> jars = Files.list(folder)) {
          jars.filter(jar -> jar.toString().endsWith(".jar")).sorted().forEach(entries::add);
        }
      }
    }
    return entries.stream().map(Path::toString).collect(Collectors.joining(":"));
  }
}
