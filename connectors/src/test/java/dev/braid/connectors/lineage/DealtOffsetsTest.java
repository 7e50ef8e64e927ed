package dev.braid.connectors.lineage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.LineageEntry.Began;
import dev.braid.connectors.lineage.LineageEntry.Dealt;
import dev.braid.connectors.lineage.LineageEntry.Resumed;
import dev.braid.learner.OffsetRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DealtOffsetsTest {

  @TempDir private Path folder;
  private FolderLineage lineage;

  @BeforeEach
  void begin() throws IOException {
    lineage = FolderLineage.open(folder.resolve("lineage").toString());
    lineage.append(
        List.of(
            new Began(
                "run", "topic", "id", new TreeMap<>(Map.of(0, 0L)), new TreeMap<>(), 10, 1, "")));
  }

  /** Adds a deal of batches of ten offsets to two workers. */
  private void deal(long round, int rounds, String... shares) throws IOException {
    lineage.append(List.of(new Dealt(round, rounds, 10, List.of(shares))));
  }

  private DealtOffsets of(long rounds, Optional<DealtOffsets> before) throws IOException {
    return DealtOffsets.of(lineage, rounds, before);
  }

  private DealtOffsets of(long rounds) throws IOException {
    return of(rounds, Optional.empty());
  }

  @Test
  void areThoseOfTheRoundsAlone() throws IOException {
    deal(0, 10, "0:0-100", "1:0-100");
    deal(10, 10, "0:100-200", "");
    DealtOffsets some = of(4);
    assertThat(some.offsets())
        .containsExactly(new OffsetRange(0, 0, 40), new OffsetRange(1, 0, 40));
    assertThat(some.entries()).isEqualTo(2);
    DealtOffsets more = of(15, Optional.of(some));
    assertThat(more).isEqualTo(of(15));
    assertThat(more.offsets())
        .containsExactly(new OffsetRange(0, 0, 150), new OffsetRange(1, 0, 100));
    assertThat(of(20, Optional.of(more))).isEqualTo(of(20));
    assertThat(of(20, Optional.of(of(20)))).isEqualTo(of(20));
  }

  @Test
  void ofRoundsThatWereDoneAgainAreThoseOfTheSecondTime() throws IOException {
    deal(0, 10, "0:0-100", "0:100-200");
    DealtOffsets first = of(5);
    lineage.append(List.of(new Resumed("other")));
    deal(5, 10, "0:50-100 0:150-200");
    assertThat(of(10).offsets())
        .containsExactly(new OffsetRange(0, 0, 150))
        .isEqualTo(of(10, Optional.of(first)).offsets());
    assertThat(of(15, Optional.of(first))).isEqualTo(of(15));
  }

  /** Known offsets of an abandoned branch must not be used. */
  @Test
  void ofAnOlderCheckpointThatWasRestoredAreReadFromTheBeginning() throws IOException {
    deal(0, 10, "0:0-100", "0:100-200");
    DealtOffsets undone = of(10);
    deal(2, 10, "0:20-100 0:120-140", "1:0-100");
    assertThat(of(12, Optional.of(undone)))
        .isEqualTo(of(12))
        .extracting(DealtOffsets::offsets)
        .isEqualTo(List.of(new OffsetRange(0, 0, 140), new OffsetRange(1, 0, 100)));
  }

  @Test
  void ofRoundsThatAreNotThereAreAMistake() throws IOException {
    deal(0, 10, "0:0-100", "");
    assertThatThrownBy(() -> of(11)).isInstanceOf(InvalidDataException.class);
  }
}
