package dev.braid.learner.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.Models;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Runs in separate processes, because OpenBLAS chooses its kernels once, when it is loaded. */
class OpenBlasCoreTest {

  private static final String VARIABLE = "OPENBLAS_CORETYPE";
  private static final Shape DIGITS = new Shape(1, 28, 28, 10);

  /** Output of a process: its kernels, and a checksum of a gradient. */
  private record Said(String core, String product, String gradient) {}

  /** Prints the kernels of this process, and the checksum of a gradient. */
  public static void main(String[] arguments) {
    for (String choice : arguments) {
      try {
        MathChoice.valueOf(choice).require();
      } catch (IllegalStateException e) {
        System.out.println("refused " + e.getMessage());
      }
    }
    ModelSpec spec = Models.of("mlp", DIGITS, 1);
    try (Learner learner = Learners.create(spec, DIGITS)) {
      float[] weights = new float[learner.length()];
      learner.initialWeights(weights);
      float[] gradient = new float[weights.length];
      learner.gradient(weights, TestModels.batch(DIGITS, 100, 1), gradient);
      MathKernels kernels = learner.kernels();
      System.out.printf(
          "said %s %08x %08x%n", kernels.core(), kernels.product(), Arrays.hashCode(gradient));
    }
  }

  @Test
  void allProcessorsComputeWithTheKernelsOfOne_unlessTheUserSaysOtherwise() throws Exception {
    assumeTrue(OpenBlasCore.hasAll(List.of("avx2", "fma")), "a processor with AVX2");
    Map<String, Process> processes = new LinkedHashMap<>();
    processes.put("by itself", start(Optional.empty()));
    processes.put("set to nothing", start(Optional.of("")));
    for (String core : coresOfThisProcessor()) {
      processes.put(core, start(Optional.of(core)));
    }
    Map<String, Said> said = new LinkedHashMap<>();
    for (Map.Entry<String, Process> process : processes.entrySet()) {
      said.put(process.getKey(), said(lines(process.getValue())));
    }

    assertThat(said.get("by itself").core()).isEqualTo("HASWELL");
    assertThat(said.get("by itself")).isEqualTo(said.get("Haswell"));
    assertThat(said.get("set to nothing")).isEqualTo(said.get("Haswell"));
    for (String core : coresOfThisProcessor()) {
      assertThat(said.get(core).core()).isEqualToIgnoringCase(core);
    }
    // The product must distinguish the same kernels as the gradient.
    for (Said one : said.values()) {
      for (Said other : said.values()) {
        assertThat(one.product().equals(other.product()))
            .as("%s and %s: the same product, and the same gradient", one, other)
            .isEqualTo(one.gradient().equals(other.gradient()));
      }
    }
    assertThat(said.get("Zen").gradient()).isEqualTo(said.get("Haswell").gradient());
    assertThat(said.get("Sandybridge").gradient()).isNotEqualTo(said.get("Haswell").gradient());
  }

  @Test
  void theFastestAreThoseOfTheProcessor_andAProcessKeepsToWhatWasAskedForFirst() throws Exception {
    assumeTrue(OpenBlasCore.hasAll(List.of("avx2", "fma")), "a processor with AVX2");
    Process fastest = start(Optional.empty(), "FASTEST", "PORTABLE");
    Process portable = start(Optional.empty(), "PORTABLE", "FASTEST");
    Process ofUser = start(Optional.of("Zen"), "FASTEST");

    List<String> linesOfFastest = lines(fastest);
    assertThat(said(linesOfFastest).core())
        .isEqualTo(OpenBlasCore.hasAll(List.of("avx512f", "avx512vl")) ? "SKYLAKEX" : "HASWELL");
    assertThat(linesOfFastest)
        .contains(
            "refused `math` portable: this process has already loaded the kernels of `math`"
                + " fastest: use that, or start a new process");
    List<String> linesOfPortable = lines(portable);
    assertThat(said(linesOfPortable).core()).isEqualTo("HASWELL");
    assertThat(linesOfPortable).anyMatch(line -> line.startsWith("refused `math` fastest: "));
    assertThat(said(lines(ofUser)).core()).isEqualTo("ZEN");
  }

  private static List<String> coresOfThisProcessor() {
    if (OpenBlasCore.hasAll(List.of("avx512f", "avx512_bf16"))) {
      return List.of("Haswell", "Zen", "Sandybridge", "SkylakeX", "Cooperlake");
    }
    return OpenBlasCore.hasAll(List.of("avx512f", "avx512vl"))
        ? List.of("Haswell", "Zen", "Sandybridge", "SkylakeX")
        : List.of("Haswell", "Zen", "Sandybridge");
  }

  private static Process start(Optional<String> core, String... choices) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            // Optimisation takes more processor time than it saves in short runs.
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote",
            "-cp",
            System.getProperty("java.class.path"),
            OpenBlasCoreTest.class.getName());
    builder.command().addAll(List.of(choices));
    builder.environment().put("OMP_NUM_THREADS", "1");
    builder.environment().remove(VARIABLE);
    core.ifPresent(name -> builder.environment().put(VARIABLE, name));
    return builder.redirectError(ProcessBuilder.Redirect.to(new File("/dev/null"))).start();
  }

  private static List<String> lines(Process process) throws Exception {
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  private static Said said(List<String> lines) {
    String[] words =
        lines.stream()
            .filter(line -> line.startsWith("said "))
            .findFirst()
            .orElseThrow()
            .split(" ", -1);
    return new Said(words[1], words[2], words[3]);
  }
}
