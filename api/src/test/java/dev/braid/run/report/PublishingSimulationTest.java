package dev.braid.run.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.run.report.reported.PendingVersions;
import dev.braid.run.report.reported.PendingVersions.Last;
import dev.braid.run.report.reported.PendingVersions.Pace;
import dev.braid.run.report.reported.PendingVersions.Pending;
import dev.braid.run.result.EpochLines;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Evaluation;
import dev.braid.vector.VectorDigest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests runs that fail at any point between a model, its checkpoint and its version. */
class PublishingSimulationTest {

  private static final int STEPS = 300;

  @TempDir private Path folder;

  /** A format that writes only the weights. */
  private record Format() implements ModelFormat {
    @Override
    public String nativeLibrary() {
      return "none";
    }

    @Override
    public void write(float[] weights, float[][] updaterState, long steps, OutputStream out)
        throws IOException {
      for (float weight : weights) {
        out.write((int) weight);
      }
    }
  }

  private static final ReportConfig CONFIG =
      new ReportConfig(
          new ReportConfig.Texts("{}", "", "{}"),
          new ReportConfig.Folder("out", 0, false),
          new ReportConfig.Samples(1, "", 1, List.of(), EvaluatedSet.TEST),
          new ReportConfig.Reference(Double.NaN, new float[0][]),
          new ReportConfig.Sameness(true, false),
          new Format(),
          new RunExchange(ExchangeType.RING, ExchangeOptions.defaults(1), 1),
          List.of());

  private record Checkpoint(long id, long round, Last last, List<Pending> pending) {}

  /** A run, and the registry that it publishes to. */
  private final class Run {

    private final Publishing publishing;
    private final Set<Long> durable = new HashSet<>();
    private final Deque<Pending> toPublish = new ArrayDeque<>();
    private PendingVersions versions;
    private Optional<Checkpoint> complete = Optional.empty();
    private Optional<Checkpoint> open = Optional.empty();
    private long checkpoints;
    private long round;
    private long nowMillis = 1;

    Run(Pace pace) throws IOException {
      publishing =
          new Publishing(RegistryPlace.folder(folder.toString()), pace, "data", "", List.of());
      versions = new PendingVersions(pace);
      versions.begin(publishing.newest(""));
    }

    void window() {
      round++;
      Evaluation evaluation = EpochLines.of((int) round, 0.5);
      long trained = round;
      versions.offer(evaluation, () -> weights(trained), nowMillis);
    }

    void begin() {
      checkpoints++;
      open =
          Optional.of(
              new Checkpoint(checkpoints, round, versions.last(), versions.save(checkpoints)));
    }

    void complete(boolean isTold) {
      complete = open;
      open = Optional.empty();
      complete.get().pending().forEach(it -> durable.add(it.round()));
      if (isTold) {
        toPublish.addAll(versions.complete(complete.get().id()));
      }
    }

    void publish(boolean isTold) throws IOException {
      Pending next = toPublish.remove();
      var unused = publishing.publish(next, CONFIG, "job");
      if (isTold) {
        versions.published(next.number());
      } else {
        restart();
      }
    }

    void restart() throws IOException {
      toPublish.clear();
      open = Optional.empty();
      versions = new PendingVersions(publishing.pace());
      if (complete.isPresent()) {
        round = complete.get().round();
        versions.restore(complete.get().last(), complete.get().pending());
        toPublish.addAll(versions.giveOutAll());
      } else {
        round = 0;
        versions.begin(publishing.newest(""));
      }
    }
  }

  private static float[] weights(long round) {
    return new float[] {round};
  }

  private List<ModelVersion> visible() throws IOException {
    try (ModelRegistry registry = RegistryPlace.folder(folder.toString()).open()) {
      List<ModelVersion> all = new ArrayList<>();
      for (int number : registry.numbers()) {
        all.add(registry.version(number).orElseThrow());
      }
      return all;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void aVersionIsVisibleIffACompleteCheckpointHasIt(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    Run run = new Run(seed % 2 == 0 ? new Pace(2, 0) : new Pace(0, 30));
    for (int step = 0; step < STEPS; step++) {
      run.nowMillis += random.nextInt(10);
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> run.window();
        case 4, 5 -> {
          if (run.open.isEmpty()) {
            run.begin();
          }
        }
        case 6, 7 -> {
          if (run.open.isPresent()) {
            run.complete(random.nextInt(4) > 0);
          }
        }
        case 8 -> run.open = Optional.empty();
        case 9, 10 -> {
          if (!run.toPublish.isEmpty()) {
            run.publish(random.nextInt(4) > 0);
          }
        }
        default -> run.restart();
      }
    }
    run.begin();
    run.complete(true);
    while (!run.toPublish.isEmpty()) {
      run.publish(true);
    }
    assertThat(run.versions.numbers()).as("seed %d", seed).isEmpty();
    List<ModelVersion> visible = visible();
    assertThat(visible.stream().map(ModelVersion::round))
        .as("seed %d", seed)
        .doesNotHaveDuplicates()
        .hasSizeGreaterThan(3)
        .containsExactlyInAnyOrderElementsOf(run.durable);
    assertThat(visible)
        .allSatisfy(
            it ->
                assertThat(it.digest())
                    .isEqualTo(HexFormat.of().formatHex(VectorDigest.sha256(weights(it.round())))));
    int newest = visible.get(visible.size() - 1).number();
    assertThat(visible.stream().map(ModelVersion::number)).startsWith(1).hasSize(newest);
  }

  @Test
  void aRemovedVersionIsNotPublishedAgainAfterLaterOnes() throws IOException {
    Run run = new Run(new Pace(1, 0));
    run.window();
    run.window();
    run.begin();
    run.complete(true);
    run.publish(true);
    run.publish(true);
    try (ModelRegistry registry = RegistryPlace.folder(folder.toString()).open()) {
      registry.remove(1);
    }
    run.restart();
    run.publish(true);
    run.publish(true);
    assertThat(visible().stream().map(ModelVersion::round)).containsExactly(2L);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRunThatFollowsAnotherContinuesItsNumbers(boolean hasOtherModels) throws IOException {
    Run first = new Run(new Pace(1, 0));
    first.window();
    first.begin();
    first.complete(true);
    first.publish(true);
    Run second = new Run(new Pace(1, 0));
    second.versions.begin(hasOtherModels ? 0 : second.publishing.newest(""));
    second.round = hasOtherModels ? 90 : 0;
    second.window();
    second.begin();
    second.complete(true);
    second.publish(true);
    assertThat(visible().stream().map(ModelVersion::number)).containsExactly(1, 2);
  }
}
