package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.job.cluster.FlinkJvm.Role;
import dev.braid.job.console.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlinkJvmTest {

  @TempDir private Path lib;

  @Test
  void aCommandHasTheOptionsOfAllAndOfItsRole() throws Exception {
    for (String name : List.of("b.jar", "a.jar", "notes.txt")) {
      Files.createFile(lib.resolve(name));
    }
    Configuration settings =
        Configuration.fromMap(
            Map.of(
                "env.java.opts.all", "-Da=1  -Db=2",
                "env.java.opts.taskmanager", "-Dc=3",
                "env.java.opts.jobmanager", "-Dd=4",
                "containerized.taskmanager.env.OMP_NUM_THREADS", "1"));
    FlinkJvm jvm = new FlinkJvm(lib, Path.of("/conf"), settings, Path.of("/conf/log4j2"));
    List<String> command =
        jvm.command(Role.TASK_MANAGER, List.of("-Dmark"), List.of("-Xmx1m"), List.of("-D", "e=5"));
    assertThat(command.subList(1, command.size()))
        .containsExactly(
            "-Dmark",
            "-Xmx1m",
            "-Da=1",
            "-Db=2",
            "-Dc=3",
            "-Dlog4j.configurationFile=file:///conf/log4j2",
            "-cp",
            lib.resolve("a.jar") + ":" + lib.resolve("b.jar"),
            "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
            "--configDir",
            "/conf",
            "-D",
            "e=5");
    assertThat(jvm.environment(Role.TASK_MANAGER))
        .isEqualTo(Map.of("FLINK_CONF_DIR", "/conf", "OMP_NUM_THREADS", "1"));
    assertThat(jvm.environment(Role.JOB_MANAGER)).isEqualTo(Map.of("FLINK_CONF_DIR", "/conf"));
  }

  @Test
  void memoryIsWhatFlinkPrints() {
    FlinkMemory memory =
        FlinkMemory.of(
            """
            INFO something
            BASH_JAVA_UTILS_EXEC_RESULT:-Xmx5 -Xms5
            BASH_JAVA_UTILS_EXEC_RESULT:-D a.b=1b -D c.d=2.0
            """);
    assertThat(memory.jvm()).containsExactly("-Xmx5", "-Xms5");
    assertThat(memory.arguments()).containsExactly("-D", "a.b=1b", "-D", "c.d=2.0");
  }

  @Test
  void memoryThatFlinkRefusesIsAMistake() {
    assertThatThrownBy(
            () ->
                FlinkMemory.of(
                    """
                    Exception in thread "main" java.lang.RuntimeException: no
                    \tat a.b
                    Caused by: org.apache.flink.configuration.IllegalConfigurationException: Too large.
                    \tat c.d
                    """))
        .isInstanceOf(UsageException.class)
        .hasMessage("Flink refuses the settings: Too large.");
    assertThatThrownBy(() -> FlinkMemory.of("")).isInstanceOf(UsageException.class);
  }
}
