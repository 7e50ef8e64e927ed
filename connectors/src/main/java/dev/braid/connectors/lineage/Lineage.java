package dev.braid.connectors.lineage;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.connectors.topic.TopicForm;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The durable log of a run's deals: a folder, or a Kafka topic. From it and the topic of the
 * samples, the model can be recomputed as it was after any round.
 *
 * <p>Entries are numbered from 0. A reader that sees an entry sees all entries before it.
 */
public sealed interface Lineage extends Closeable permits FolderLineage, TopicLineage {

  private static StreamTopic topic(String place, StreamTopic samples) {
    return new StreamTopic(StreamTopic.nameIn(place), samples.properties());
  }

  /**
   * Creates the place of a lineage, or checks the one that exists. A folder is created by the first
   * append.
   *
   * @param place {@code kafka:} and a topic; or a path, or a URI of a file system that Flink knows
   * @param samples the topic of the samples, whose brokers have the topic of the lineage
   * @throws InvalidDataException if entries would be out of order or deleted there
   * @throws IOException if it cannot be created or read
   */
  static void prepare(String place, StreamTopic samples) throws IOException {
    if (StreamTopic.isPlace(place)) {
      TopicForm.LOG.prepare(topic(place, samples));
    }
  }

  /**
   * Opens a lineage to read it. A folder need not exist; a topic must.
   *
   * @param place {@code kafka:} and a topic; or a path, or a URI of a file system that Flink knows
   * @param samples the topic of the samples, whose brokers have the topic of the lineage
   * @throws InvalidDataException if there is no such topic, or it has no lineage
   * @throws IOException if it cannot be read
   */
  static Lineage open(String place, StreamTopic samples) throws IOException {
    return StreamTopic.isPlace(place)
        ? TopicLineage.open(topic(place, samples))
        : FolderLineage.open(place);
  }

  /**
   * Whether a run can continue a lineage with its settings. A folder may have been moved; a topic
   * has one name.
   *
   * @param place where the lineage is
   * @param given where the settings say that it is; empty for a folder anywhere
   */
  static boolean isContinued(String place, String given) {
    return place.equals(given) || (!StreamTopic.isPlace(place) && !StreamTopic.isPlace(given));
  }

  /** Returns the first entry of a lineage as its beginning. */
  static LineageEntry.Began began(String place, LineageEntry first) {
    if (first instanceof LineageEntry.Began began) {
      return began;
    }
    throw new InvalidDataException(
        place + ": the first line of the lineage must describe its start");
  }

  /** Returns where it is: a path, a URI, or {@code kafka:} and the topic. */
  String place();

  /** Returns the number of entries. */
  long size();

  /** Returns the first entry, if there is one, without reading the others. */
  Optional<LineageEntry.Began> began() throws IOException;

  /** Returns the entries from a number on, in their order. */
  List<LineageEntry> entries(long from) throws IOException;

  /**
   * Makes this process the writer, before the first append. Entries that an earlier writer has
   * added meanwhile count in {@link #size}. A topic takes no more entries of earlier writers; with
   * a folder, an earlier writer finds at its next append that another process has added entries.
   *
   * @throws InvalidDataException if brokers refuse
   * @throws IOException if it is not certain which entries the lineage has
   */
  void claim() throws IOException;

  /**
   * Adds entries: all of them or none. They are durable when this method returns.
   *
   * @throws FileAlreadyExistsException if another process has added entries since this lineage was
   *     opened; then none of these is there
   * @throws InvalidDataException if another process has claimed the lineage
   * @throws IOException if it fails; then this lineage must be opened again, as only that shows
   *     whether the entries are there
   */
  void append(List<LineageEntry> entries) throws IOException;

  @Override
  void close();

  /**
   * Checks that a job that restarts still has the lineage. Another job may have been restored and
   * have continued it meanwhile; a restart would take it back.
   *
   * @param run id of the job
   * @param from number of entries at the checkpoint that the job restarts from
   * @throws InvalidDataException if another job continues what this job has written
   */
  default void requireNotReplaced(String run, long from) throws IOException {
    Optional<String> last =
        entries(from).stream()
            .flatMap(entry -> entry instanceof LineageEntry.Resumed it ? Stream.of(it.run()) : null)
            .reduce((earlier, later) -> later);
    if (last.isPresent() && !last.get().equals(run) && hasWritten(run)) {
      throw continuedBy(last.get());
    }
  }

  /** Returns the failure of a job whose lineage another job continues. */
  default InvalidDataException continuedBy(String run) {
    return new InvalidDataException(
        "%s: another job (%s) continues this lineage: run one of the two".formatted(place(), run));
  }

  private boolean hasWritten(String run) throws IOException {
    return entries(0).stream()
        .anyMatch(
            entry ->
                (entry instanceof LineageEntry.Began began && began.run().equals(run))
                    || (entry instanceof LineageEntry.Resumed resumed
                        && resumed.run().equals(run)));
  }
}
