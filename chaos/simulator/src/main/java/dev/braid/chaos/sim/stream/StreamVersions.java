package dev.braid.chaos.sim.stream;

import dev.braid.chaos.sim.Disturbances.Rate;
import dev.braid.chaos.sim.FaultCounts.Incident;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.connectors.registry.SimulatedDisk;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.run.report.ModelFormat;
import dev.braid.run.report.Publishing;
import dev.braid.run.report.ReportConfig;
import dev.braid.run.report.RunExchange;
import dev.braid.run.report.reported.PendingVersions;
import dev.braid.run.report.reported.PendingVersions.Last;
import dev.braid.run.report.reported.PendingVersions.Pace;
import dev.braid.run.report.reported.PendingVersions.Pending;
import dev.braid.run.result.EvaluatedSet;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.WorkerMeans;
import dev.braid.run.scoring.VersionWatch;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Versions of a stream's model: the real publication into a real registry, on a disk whose requests
 * fail, and the real watch by which a job that scores follows it. Meanwhile versions are pinned and
 * removed. A model is a hash of all batches that were used, so that it can be computed from the
 * lineage.
 */
final class StreamVersions implements AutoCloseable {

  /** Programs that use the registry. */
  private enum Program {
    PUBLISHER,
    REPLACED_PUBLISHER,
    FOLLOWER,
    ADMINISTRATOR
  }

  /** Requests of a program to the registry, until one fails. */
  @FunctionalInterface
  private interface Requests {
    void run(ModelRegistry registry) throws IOException;
  }

  /** Part of a checkpoint. */
  record Saved(long model, Last last, List<Pending> pending) {}

  /** A version that is loaded for scoring, with its model file. */
  private record Served(ModelVersion version, byte[] content) {}

  /** A format that writes only the weights. */
  private record Format() implements ModelFormat {
    @Override
    public String nativeLibrary() {
      return "none";
    }

    @Override
    public void write(float[] weights, float[][] updaterState, long steps, OutputStream out)
        throws IOException {
      DataOutputStream data = new DataOutputStream(out);
      for (float weight : weights) {
        data.writeFloat(weight);
      }
    }
  }

  /** Number of rounds between two versions. */
  private static final int WINDOW = 3;

  /** Number of versions that are not removed, in addition to a pinned one. */
  private static final int KEPT = 2;

  private static final Pace PACE = new Pace(WINDOW, 0);

  /** Age from which files of a version that is not visible are removed, in ms. */
  private static final long LEFTOVER_MILLIS = 100;

  private static final ReportConfig CONFIG =
      new ReportConfig(
          new ReportConfig.Texts("{}", "", ""),
          new ReportConfig.Folder("out", 0, false),
          new ReportConfig.Samples(1, "", 1, List.of(), EvaluatedSet.TEST),
          new ReportConfig.Reference(Double.NaN, new float[0][]),
          new ReportConfig.Sameness(true, false),
          new Format(),
          new RunExchange(ExchangeType.RING, ExchangeOptions.defaults(1), 1),
          List.of());

  private final SimulatedStream stream;
  private final SimulatedDisk disk;
  private final Publishing publishing;
  private final boolean hasPins;

  /** Mean number of steps of requests between those at which another program acts. */
  private final int apart;

  /** Models in complete checkpoints, by round. */
  private final SortedMap<Long, Long> durable = new TreeMap<>();

  /** Rounds whose models were published. */
  private final Set<Long> published = new HashSet<>();

  /** Models that the current publisher has to publish, oldest first. */
  private final Deque<Pending> queue = new ArrayDeque<>();

  /** Models that replaced publishers are publishing. */
  private final Deque<Pending> replaced = new ArrayDeque<>();

  private final Set<Program> acting = EnumSet.noneOf(Program.class);
  private PendingVersions versions = new PendingVersions(PACE);
  private VersionWatch<Served> watch = watch(OptionalInt.empty());
  private Optional<Served> served = Optional.empty();
  private long servedRound;

  /** Number of restarts of the publisher. */
  private int attempts;

  /** Number of times that any program has acted. */
  private int acts;

  /** Whether the program that is acting has crashed. */
  private boolean isDead;

  /** Hash of all batches that were used. */
  private long model;

  StreamVersions(SimulatedStream stream) {
    this.stream = stream;
    disk =
        new SimulatedDisk(
            this::betweenSteps, () -> stream.now, stream.makes(StreamMistake.FILE_VISIBLE_IN_HALF));
    publishing =
        new Publishing(RegistryPlace.folder(SimulatedDisk.PLACE), PACE, "t", "", List.of());
    hasPins = stream.oneIn(2);
    apart = (int) stream.between(2, 32);
    versions.begin(0);
    again(5, 50, () -> act(Program.FOLLOWER));
    again(10, 100, () -> act(Program.ADMINISTRATOR));
  }

  private void again(long least, long most, Runnable action) {
    stream.in(
        stream.between(least, most),
        () -> {
          action.run();
          again(least, most, action);
        });
  }

  @Override
  public void close() {
    disk.close();
  }

  // ---- training ------------------------------------------------------------------------------

  /** Adds the batches of a round to the model, and offers the model at the end of a window. */
  void trained(long rounds, int batches) {
    model = next(model, batches);
    if (rounds % WINDOW == 0) {
      Evaluation evaluation =
          Evaluation.of(
              (int) (rounds / WINDOW),
              rounds,
              new Evaluation.TrainFigures(1, 1, 1, 0),
              Evaluation.TestFigures.ofClasses(1, 1, 1, 1),
              1,
              0,
              new WorkerMeans(0, 0, 0, 0, 0, 0, 0, 0));
      long trained = model;
      versions.offer(evaluation, () -> weights(trained), stream.now);
    }
  }

  /** Returns the model after another round. */
  static long next(long model, int batches) {
    return Seeds.mix(model, batches);
  }

  private static float[] weights(long model) {
    // Parts that a float represents exactly.
    return new float[] {model >>> 44, (model >>> 22) & 0x3fffff, model & 0x3fffff};
  }

  private static byte[] bytes(long model) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      CONFIG.format().write(weights(model), new float[0][], 0, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  // ---- checkpoints ---------------------------------------------------------------------------

  Saved save(long checkpoint) {
    Saved saved = new Saved(model, versions.last(), versions.save(checkpoint));
    if (stream.makes(StreamMistake.VERSION_BEFORE_ITS_CHECKPOINT)) {
      publish(versions.giveOutAll());
    }
    return saved;
  }

  /** Records that a checkpoint is complete, which the publisher does not know yet. */
  void durable(Saved saved) {
    saved.pending().forEach(it -> durable.put(it.round(), model(it.weights())));
  }

  private static long model(float[] weights) {
    return ((long) weights[0] << 44) | ((long) weights[1] << 22) | (long) weights[2];
  }

  void completed(long checkpoint) {
    publish(versions.complete(checkpoint));
  }

  /** Continues from a checkpoint, or from the beginning. */
  void restore(Optional<Saved> saved) {
    attempts++;
    if (!queue.isEmpty() && stream.occurs(Rate.OTHER_JOB_MANAGERS)) {
      replaced.add(queue.element());
      stream.in(stream.between(0, LEFTOVER_MILLIS), () -> act(Program.REPLACED_PUBLISHER));
    }
    queue.clear();
    versions = new PendingVersions(PACE);
    model = saved.map(Saved::model).orElse(0L);
    if (saved.isPresent()) {
      boolean isForgotten = stream.makes(StreamMistake.VERSION_FORGOTTEN_AT_A_RESTORE);
      versions.restore(saved.get().last(), isForgotten ? List.of() : saved.get().pending());
      publish(versions.giveOutAll());
    } else {
      versions.begin(0);
    }
  }

  // ---- programs ------------------------------------------------------------------------------

  private void publish(List<Pending> models) {
    if (queue.isEmpty() && !models.isEmpty()) {
      int attempt = attempts;
      stream.in(stream.appendMillis(), () -> publishNext(attempt));
    }
    queue.addAll(models);
  }

  private void publishNext(int attempt) {
    if (attempt != attempts) {
      return;
    }
    act(Program.PUBLISHER);
    if (attempt == attempts && !queue.isEmpty()) {
      stream.in(stream.appendMillis(), () -> publishNext(attempt));
    }
  }

  /** Lets a program act once, unless it is acting. */
  private void act(Program program) {
    if (!acting.add(program)) {
      return;
    }
    acts++;
    boolean wasDead = isDead;
    isDead = false;
    try (ModelRegistry registry = publishing.registry().open()) {
      requests(program).run(registry);
    } catch (IOException e) {
      stream.count(Incident.REQUEST_FAILED);
    } finally {
      acting.remove(program);
      boolean hasCrashed = isDead && program == Program.PUBLISHER;
      isDead = wasDead;
      if (hasCrashed) {
        stream.count(Incident.PUBLISHER_CRASHED);
        stream.in(0, stream.current::crash);
      }
    }
  }

  private boolean hasWork(Program program) {
    return !acting.contains(program)
        && switch (program) {
          case PUBLISHER -> !queue.isEmpty();
          case REPLACED_PUBLISHER -> !replaced.isEmpty();
          case FOLLOWER, ADMINISTRATOR -> true;
        };
  }

  private Requests requests(Program program) {
    return switch (program) {
      case PUBLISHER -> registry -> publish(queue);
      case REPLACED_PUBLISHER -> registry -> publish(replaced);
      case FOLLOWER -> this::poll;
      case ADMINISTRATOR -> this::administrate;
    };
  }

  /** Lets another program act, or fails the request. A publisher that has died does no more. */
  private void betweenSteps() throws IOException {
    if (isDead) {
      throw new IOException("dead");
    }
    if (acting.isEmpty()) {
      return;
    }
    if (acting.size() == 1 && stream.isFaulty() && stream.oneIn(apart)) {
      List<Program> others = Arrays.stream(Program.values()).filter(this::hasWork).toList();
      if (!others.isEmpty()) {
        act(others.get(stream.random.nextInt(others.size())));
      }
    }
    if (stream.occurs(Rate.FAILED_REQUESTS)) {
      isDead = stream.oneIn(2);
      throw new IOException("away");
    }
  }

  private void publish(Deque<Pending> models) throws IOException {
    Pending next = models.peek();
    if (next == null) {
      return;
    }
    int attempt = attempts;
    try {
      publishing.publish(next, CONFIG, "run");
    } catch (InvalidDataException e) {
      throw new IOException(e);
    }
    published.add(next.round());
    models.remove(next);
    if (models == queue) {
      stream.count(Incident.VERSION_PUBLISHED);
      stream.in(
          stream.between(0, 5),
          () -> {
            if (attempt == attempts) {
              versions.published(next.number());
            }
          });
    } else {
      stream.count(Incident.LATE_PUBLICATION);
    }
  }

  private void administrate(ModelRegistry registry) throws IOException {
    SortedSet<Integer> numbers = registry.numbers();
    List<Integer> list = List.copyOf(numbers);
    if (hasPins && stream.isFaulty() && !list.isEmpty() && stream.oneIn(2)) {
      stream.count(Incident.VERSION_PINNED);
      registry.pin(
          stream.oneIn(2)
              ? OptionalInt.empty()
              : OptionalInt.of(list.get(stream.random.nextInt(list.size()))));
      return;
    }
    if (!stream.isFaulty()) {
      registry.pin(OptionalInt.empty());
    }
    OptionalInt pinned = registry.pinned();
    for (int number : list.subList(0, Math.max(0, list.size() - KEPT))) {
      if (!pinned.equals(OptionalInt.of(number))) {
        stream.count(Incident.VERSION_REMOVED);
        if (stream.makes(StreamMistake.FILES_REMOVED_BEFORE_THEIR_DESCRIPTION)) {
          disk.removeFiles(number);
        }
        registry.remove(number);
      }
    }
    if (!registry.removeLeftovers(stream.now - LEFTOVER_MILLIS).isEmpty()) {
      stream.count(Incident.LEFTOVERS_REMOVED);
    }
  }

  // ---- scoring -------------------------------------------------------------------------------

  private static VersionWatch<Served> watch(OptionalInt fixed) {
    return new VersionWatch<>(
        fixed,
        (registry, version) -> new Served(version, registry.file(version, ModelVersion.MODEL)));
  }

  private void poll(ModelRegistry registry) throws IOException {
    if (stream.isFaulty() && stream.oneIn(20)) {
      stream.count(Incident.FOLLOWER_RESTARTED);
      watch = watch(OptionalInt.empty());
      served = Optional.empty();
    }
    int before = acts;
    SortedSet<Integer> numbers = registry.numbers();
    if (stream.makes(StreamMistake.PIN_IGNORED) && !numbers.isEmpty()) {
      watch = watch(OptionalInt.of(numbers.last()));
    }
    watch.poll(registry).ifPresent(this::serve);
    Optional<String> refusal = watch.refusal();
    StreamChecks.require(refusal.isEmpty(), "a version is refused: %s", refusal.orElse(""));
    OptionalInt expected = registry.serving();
    boolean isThere = expected.isPresent() && registry.version(expected.getAsInt()).isPresent();
    if (acts == before && isThere) {
      int number = served.map(it -> it.version().number()).orElse(0);
      StreamChecks.require(
          number == expected.getAsInt(),
          "v%s is served instead of v%s",
          number,
          expected.getAsInt());
    }
  }

  private void serve(Served next) {
    stream.count(Incident.VERSION_SERVED);
    long round = next.version().round();
    StreamChecks.require(
        durable.containsKey(round),
        "the model of round %s is served before its checkpoint is complete",
        round);
    StreamChecks.require(
        Arrays.equals(next.content(), bytes(durable.get(round))),
        "%s is served with another model than that of round %s",
        next.version().name(),
        round);
    StreamChecks.require(
        hasPins || round >= servedRound,
        "the model of round %s is served after that of round %s",
        round,
        servedRound);
    servedRound = round;
    served = Optional.of(next);
  }

  // ---- the end -------------------------------------------------------------------------------

  /** Returns whether all models in complete checkpoints are published, and the newest serves. */
  boolean isDone() {
    return published.containsAll(durable.keySet())
        && (durable.isEmpty() || servedRound == durable.lastKey());
  }

  /** Returns the models in complete checkpoints, by round. */
  SortedMap<Long, Long> models() {
    return durable;
  }

  @Override
  public String toString() {
    return "models of rounds %s, published %s, served %d"
        .formatted(durable.keySet(), published, servedRound);
  }
}
