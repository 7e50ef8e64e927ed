package dev.braid.connectors.stream;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.Lineage;
import dev.braid.connectors.lineage.LineageEntry;
import dev.braid.connectors.lineage.LineageEntry.Began;
import dev.braid.connectors.lineage.LineageEntry.Resumed;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.connectors.topic.TopicOffsets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Begins or resumes a run on a topic: finds its lineage, checks that lineage and topic belong to
 * the run, and claims the lineage.
 *
 * @param described current description of the topic
 * @param run id of the Flink job
 * @param opened receives the lineage as soon as it is open
 */
record StreamOpening(
    StreamConfig config,
    TopicOffsets topic,
    TopicOffsets.Description described,
    String run,
    Opened opened) {

  /** Receives a lineage, to close it later. */
  @FunctionalInterface
  interface Opened {

    /**
     * Receives an open lineage.
     *
     * @throws IOException if it is not needed, because the enumerator has been closed
     */
    void opened(Lineage lineage) throws IOException;
  }

  /**
   * Opens the lineage.
   *
   * @param checkpoint the state from which the run resumes; empty if it begins
   * @throws InvalidDataException if the topic or the lineage belongs to another run
   */
  StreamBegin begin(Optional<StreamState> checkpoint) throws IOException {
    if (checkpoint.isPresent()) {
      StreamState state = checkpoint.get();
      requireTopic(described.id(), state.topicId());
      requireLineage(state.lineage());
      Lineage lineage = open(state.lineage());
      // Checked before the claim, because a claim would stop another run that may own this lineage.
      if (lineage.size() < state.entries()) {
        throw new InvalidDataException(
            "%s: the lineage has %d entries, and had %d at the checkpoint: give the checkpoint its lineage, or begin without a checkpoint"
                .formatted(state.lineage(), lineage.size(), state.entries()));
      }
      Optional<Began> began = lineage.began();
      if (began.isPresent()) {
        requireTopic(described.id(), began.get().topicId());
      }
      lineage.requireNotReplaced(run, state.entries());
      lineage.claim();
      return resumed(lineage, state.withUntil(ends(state.until())));
    }
    Lineage.prepare(config.lineage(), config.topic());
    Lineage lineage = open(config.lineage());
    // Checked before the claim, because a claim would stop the other run.
    var unused = own(lineage);
    lineage.claim();
    Optional<Began> earlier = own(lineage);
    boolean isFirst = earlier.isEmpty();
    Began began = isFirst ? firstEntry(lineage) : earlier.get();
    requireTopic(described.id(), began.topicId());
    StreamState state =
        new StreamState(
            "",
            lineage.place(),
            1,
            began.topicId(),
            config.form().fingerprint(),
            config.seed(),
            0,
            began.from(),
            "",
            began.until(),
            List.of());
    return isFirst
        ? new StreamBegin(lineage, state, List.of(), new TreeMap<>())
        : resumed(lineage, state);
  }

  private Lineage open(String place) throws IOException {
    Lineage lineage = Lineage.open(place, config.topic());
    opened.opened(lineage);
    return lineage;
  }

  private void requireLineage(String place) {
    if (!Lineage.isContinued(place, config.lineage())) {
      throw new InvalidDataException(
          "the lineage %s: the run that is restored has its lineage in %s: give that place"
              .formatted(config.lineage(), place));
    }
  }

  /**
   * Returns the beginning of this run, if it has begun.
   *
   * @throws InvalidDataException if the lineage is that of another run
   */
  private Optional<Began> own(Lineage lineage) throws IOException {
    Optional<Began> earlier = lineage.began();
    if (earlier.isPresent() && !earlier.get().run().equals(run)) {
      throw new InvalidDataException(
          "%s: the lineage is of another run (%s): give another place, or restore a checkpoint of that run"
              .formatted(lineage.place(), earlier.get().run()));
    }
    return earlier;
  }

  private StreamBegin resumed(Lineage lineage, StreamState state) throws IOException {
    SortedMap<Integer, Long> added = new TreeMap<>();
    if (described.partitions() > state.next().size()) {
      added.putAll(topic.starts(described.partitions()));
      added.keySet().removeAll(state.next().keySet());
    }
    List<LineageEntry> later = new ArrayList<>(lineage.entries(state.entries()));
    // A previous enumerator may not know that it has been replaced.
    Resumed fence = new Resumed(run);
    var unused = new LineageAppend(lineage, List.of(fence), run).run();
    later.add(fence);
    return new StreamBegin(lineage, state, later, added);
  }

  /** Resolves positions such as "latest" once, because they would change until a restart. */
  private Began firstEntry(Lineage lineage) throws IOException {
    Began first =
        new Began(
            run,
            config.topic().name(),
            described.id(),
            topic.at(config.section().from(), described.partitions()),
            ends(new TreeMap<>()),
            config.windows().rounds(),
            config.seed(),
            config.runFile());
    lineage.append(List.of(first));
    return first;
  }

  /**
   * Returns the ends of the run. A restored run may get an end, or lose it; an existing end does
   * not change.
   */
  private SortedMap<Integer, Long> ends(SortedMap<Integer, Long> before) throws IOException {
    if (config.section().until() == null) {
      return new TreeMap<>();
    }
    return before.isEmpty() ? topic.at(config.section().until(), described.partitions()) : before;
  }

  private void requireTopic(String found, String expected) {
    requireTopic(config.topic(), found, expected);
  }

  /**
   * Checks that a topic is the one with which a run began.
   *
   * @param found current id of the topic
   * @param expected id of the topic when the run began
   * @throws InvalidDataException if it was deleted and created again
   */
  static void requireTopic(StreamTopic topic, String found, String expected) {
    if (!found.equals(expected)) {
      throw new InvalidDataException(
          "%s: the topic was deleted and created again: its offsets are of other records (id %s, and the run began with %s)"
              .formatted(topic, found, expected));
    }
  }
}
