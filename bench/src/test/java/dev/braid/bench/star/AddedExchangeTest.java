package dev.braid.bench.star;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.Main;
import dev.braid.job.console.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An exchange that is not part of Braid, on the class path with a line in {@code
 * META-INF/services}: the command line, its help and errors, the comparison and the job know it
 * only by its descriptor.
 */
class AddedExchangeTest {

  private static final String IRIS = "../docs/example/iris.csv";

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Output of a run's progress. */
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

  @Test
  void helpHasIt() {
    assertThat(braid("exchanges")).isZero();
    assertThat(out.toString()).contains("star", "allreduce by way of one rank");
    assertThat(ExchangeType.titles()).endsWith(", star");
    assertThat(braid("exchanges", "star")).isZero();
    assertThat(out.toString()).contains("centre=RANK", "The rank that adds up.", "0 to 63");
  }

  @Test
  void itsMistakesAreNamed() {
    assertMistake("centre=64: must be 0 to 63", "--exchange", "star:centre=64");
    assertMistake("ring: centre: ", "--exchange", "ring:centre=1");
  }

  @Test
  void aComparisonTakesIt() {
    assertThat(braid("compare", "--exchanges", "star:centre=middle,ring")).isEqualTo(2);
    assertThat(err.toString()).contains("star: centre=middle: ");
  }

  /** All replicas have the same bits, and every sample is used once. */
  @Test
  void itTrains_andTheHistoryHasItsOptions() throws Exception {
    Path trained = folder.resolve("star");
    int code =
        braid(
            "train",
            "--exchange",
            "star:centre=2",
            "--workers",
            "3",
            "--data",
            IRIS,
            "--model",
            "logistic",
            "--epochs",
            "5",
            "--web-port",
            "0",
            "--out",
            trained.toString());
    assertThat(code).as("%s%s", lines.toString(StandardCharsets.UTF_8), err).isZero();
    assertThat(Files.readString(trained.resolve("history.jsonl")))
        .contains("\"exchange\":\"star:centre=2\"")
        .contains("\"identical\":3,");
  }

  private void assertMistake(String message, String... options) {
    String[] arguments = new String[options.length + 1];
    arguments[0] = "train";
    System.arraycopy(options, 0, arguments, 1, options.length);
    assertThat(braid(arguments)).isEqualTo(2);
    assertThat(err.toString()).startsWith("braid: ").contains(message).hasLineCount(1);
    err.getBuffer().setLength(0);
  }

  private int braid(String... arguments) {
    PrintStream shown = new PrintStream(lines, true, StandardCharsets.UTF_8);
    return Main.commandLine(new Terminal(shown, false, false, () -> 80))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
