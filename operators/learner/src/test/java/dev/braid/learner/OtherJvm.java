package dev.braid.learner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a test's main method in a process of its own, with options of its own. */
public final class OtherJvm {

  private OtherJvm() {}

  /** Runs the class and returns its output; fails unless the process exits with 0. */
  public static String output(Class<?> main, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(
        List.of("-Xmx256m", "-cp", System.getProperty("java.class.path"), main.getName()));
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.to(new File("/dev/null")))
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
