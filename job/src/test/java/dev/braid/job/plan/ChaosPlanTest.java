package dev.braid.job.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.chaos.ChaosConfig;
import dev.braid.chaos.stream.EventSource;
import dev.braid.chaos.stream.RemoteDisk;
import dev.braid.job.cli.Converters;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.TrainFlags;
import dev.braid.job.options.TrainOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ChaosPlanTest {

  private static final String CUT = "cut 3 1";

  @Test
  void warnsOfWhatIsNoEvent_andSaysWhereItIs_asTheUserMayTypeIt() {
    assertThat(ChaosPlan.warning(config(CUT, "{}", "junk"), 4))
        .hasValueSatisfying(
            warning ->
                assertThat(warning)
                    .startsWith(
                        "2 of the records in --chaos-file are not chaos events, written to"
                            + " target/out/chaos-dead-letters.jsonl; the first: "));
  }

  @Test
  void hasNothingToSayOfEvents() {
    assertThat(ChaosPlan.warning(config(CUT), 4)).isEmpty();
  }

  @Test
  void readsEventsFromAnyFileSystemOfFlinks(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("events.txt"), CUT + "\n" + CUT + "\n");
    assertThat(ChaosPlan.lines(RemoteDisk.uri(file))).containsExactly(CUT, CUT);
    assertThat(ChaosPlan.lines(file.toUri().toString())).containsExactly(CUT, CUT);
    assertThat(ChaosPlan.lines(file.toString())).containsExactly(CUT, CUT);
    String none = RemoteDisk.uri(folder.resolve("none"));
    assertThatThrownBy(() -> ChaosPlan.lines(none))
        .isInstanceOf(UsageException.class)
        .hasMessage("--chaos-file " + none + ": no such file");
    assertThatThrownBy(() -> ChaosPlan.lines("s4://bucket/events"))
        .isInstanceOf(UsageException.class)
        .hasMessage("--chaos-file s4://bucket/events: Flink knows no such file system here");
    Files.writeString(file, "x".repeat((4 << 20) + 1));
    assertThatThrownBy(() -> ChaosPlan.lines(RemoteDisk.uri(file)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("more than 4194304 bytes");
  }

  @Test
  void logsAreWhereResultsAre_onAnyFileSystemOfFlinks(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("events.txt"), CUT + "\n");
    assertThat(planned(file, "remote:///bucket/out/").appliedFile())
        .isEqualTo("remote:///bucket/out/chaos-applied.jsonl");
    assertThat(planned(file, folder.toString()).deadLetterFile())
        .isEqualTo(folder.resolve("chaos-dead-letters.jsonl").toString());
  }

  private static ChaosConfig planned(Path events, String out) {
    Typed typed = new Typed();
    CommandLine commandLine = new CommandLine(typed);
    Converters.register(commandLine);
    commandLine.parseArgs("--chaos-file", events.toString(), "--out", out);
    TrainOptions options = typed.flags.options();
    return ChaosPlan.of(options.faults().chaos().orElseThrow(), options);
  }

  /** Parser of the options of {@code braid train}. */
  @Command
  private static final class Typed {
    @Mixin private TrainFlags flags = new TrainFlags();
  }

  private static ChaosConfig config(String... lines) {
    String out = Path.of("target/out").toAbsolutePath().toString();
    return new ChaosConfig(new EventSource.Lines(List.of(lines)), out, 1);
  }
}
