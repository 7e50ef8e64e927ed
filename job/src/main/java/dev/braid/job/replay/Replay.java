package dev.braid.job.replay;

import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.lineage.RecordedRun;
import dev.braid.connectors.stream.RecordedBatches;
import dev.braid.files.WholeFile;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.plan.RunPlan;
import dev.braid.job.restore.RestoreCheck;
import dev.braid.job.train.TrainArguments;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.OffsetRange;
import dev.braid.run.training.ModelCard;
import dev.braid.run.training.Recomputation;
import dev.braid.worker.LocalTraining;
import dev.braid.worker.WorkerConfig;
import dev.braid.worker.state.ReplicaPart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A repeated training of a recorded run, in this thread. */
public final class Replay implements AutoCloseable {

  private static final long SHOWN_NANOS = 200_000_000;

  private final RecordedRun run;
  private final Terminal terminal;
  private final RunPlan plan;
  private final WorkerConfig config;
  private final Recomputation recomputation;
  private final long all;
  private long shownNanos = System.nanoTime();

  private Replay(
      RecordedRun run,
      Terminal terminal,
      RunPlan plan,
      Optional<String> checkpoint,
      List<OffsetRange> without,
      long all)
      throws IOException {
    this.run = run;
    this.terminal = terminal;
    this.plan = plan;
    this.config = plan.workerConfig();
    this.all = all;
    this.recomputation =
        new Recomputation(
            run,
            checkpoint.isPresent()
                ? restored(checkpoint.get())
                : LocalTraining.begin(config, run.deals().get(0).workers()),
            new RecordedBatches(plan.streamConfig(run.began().runFile()).orElseThrow(), without));
  }

  /**
   * Begins a replay.
   *
   * @param checkpoint to start from; empty to start with the first round
   * @param without offsets whose records are left out
   * @param all total number of rounds
   * @throws UsageException if the run's options are not valid here
   */
  public static Replay of(
      RecordedRun run,
      Terminal terminal,
      Optional<String> checkpoint,
      List<OffsetRange> without,
      long all)
      throws IOException {
    return new Replay(run, terminal, plan(run, terminal), checkpoint, without, all);
  }

  private static RunPlan plan(RecordedRun run, Terminal terminal) throws IOException {
    return RunPlan.of(options(run.began().runFile(), terminal));
  }

  /**
   * Returns the options in the text of a run file.
   *
   * @throws UsageException if they are not valid here
   */
  public static TrainOptions options(String runFile, Terminal terminal) throws IOException {
    Path file = Files.createTempFile("braid-replay-", ".yaml");
    try {
      Files.writeString(file, runFile);
      return TrainArguments.of(List.of("--config", file.toString()), terminal).options();
    } finally {
      Files.delete(file);
    }
  }

  private LocalTraining restored(String checkpoint) throws IOException {
    List<ReplicaPart> parts = RestoreCheck.parts(plan.options().withRestore(checkpoint));
    long rounds =
        parts.stream().mapToLong(part -> part.position().completedRounds()).max().orElse(0);
    if (rounds >= all) {
      throw new UsageException(
          ("--from %s: the checkpoint is of round %,d, after the last round %,d: use a "
                  + "later --to")
              .formatted(checkpoint, rounds, all));
    }
    return LocalTraining.restore(config, Recomputation.dealOf(run, rounds).workers(), parts);
  }

  /** Trains until a number of rounds is complete, or a digest differs. */
  public Recomputation.Comparison run(long rounds) throws IOException, InterruptedException {
    return recomputation.run(rounds, this::show);
  }

  private void show(LocalTraining.RoundResult result) {
    if (System.nanoTime() - shownNanos > SHOWN_NANOS && terminal.isInteractive()) {
      shownNanos = System.nanoTime();
      terminal.update(
          List.of(
              String.format(
                  Locale.ROOT,
                  "round %,d/%,d  loss %.4f",
                  recomputation.rounds(),
                  all,
                  result.samples() == 0 ? 0 : result.lossSum() / result.samples())));
    }
  }

  /** Returns the current digest of the model, in hexadecimal. */
  public String digest() {
    return recomputation.digest();
  }

  /** Returns a line for each sample of the next round. */
  List<String> samples(long round) throws IOException, InterruptedException {
    Deal now = Recomputation.dealOf(run, round);
    RecordedBatches batches = recomputation.batches();
    List<Batch> all = batches.round(now, round);
    List<String> lines = new ArrayList<>();
    lines.add("worker  partition:offset        loss    gradient");
    try (Learner learner = config.model().learner()) {
      float[] gradient = new float[learner.length()];
      for (int worker = 0; worker < now.workers(); worker++) {
        Batch batch = all.get(worker);
        List<OffsetRange> offsets = batches.samples(worker);
        for (int i = 0; i < batch.size(); i++) {
          double loss = learner.gradient(recomputation.weights(), batch.part(i, 1), gradient);
          // Running statistics follow the samples and have no gradient of the loss.
          config
              .model()
              .statistics()
              .forEach(range -> Arrays.fill(gradient, range.start(), range.end(), 0));
          lines.add(
              String.format(
                  Locale.ROOT,
                  "%6d  %16s  %10.6f  %10.6f",
                  worker,
                  offsets.get(i).partition() + ":" + offsets.get(i).start(),
                  loss,
                  norm(gradient)));
        }
      }
    }
    return lines;
  }

  private static double norm(float[] vector) {
    double sum = 0;
    for (float value : vector) {
      sum += (double) value * value;
    }
    return Math.sqrt(sum);
  }

  /**
   * Checks that the model's folder has no card of another model. This matters only if the model has
   * running statistics, which only its card contains.
   *
   * @throws UsageException if there is one
   */
  void checkPlace(String file) {
    if (isStandardized() && Files.exists(card(file))) {
      throw new UsageException(
          "--model %s: its folder has the %s of another model: use another folder"
              .formatted(file, ModelCard.FILE));
    }
  }

  private boolean isStandardized() {
    return !plan.options().standardized().isEmpty();
  }

  private static Path card(String file) {
    return Path.of(file).toAbsolutePath().resolveSibling(ModelCard.FILE);
  }

  /** Saves the model, and its card if the model has running statistics. */
  void save(String file) throws IOException {
    float[] weights = recomputation.weights();
    if (isStandardized()) {
      byte[] text = plan.card(weights).getBytes(StandardCharsets.UTF_8);
      WholeFile.write(card(file), content -> content.write(text));
    }
    WholeFile.write(Path.of(file), content -> plan.writeModel(weights, content));
  }

  @Override
  public void close() {
    recomputation.close();
  }
}
