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
 * The durable log of a run's deals: a folder, or a Kafka topic. From the lineage and the topic of
 * the samples, the model after any round can be recomputed.
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
   * @param place {@code kafka:} and a topic; or a path, or a URI of a file system that Flink
   *     supports
   * @param samples the topic of the samples, on whose brokers the topic of the lineage is
   * @throws InvalidDataException if entries in the place could be out of order or deleted
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
   * @param place {@code kafka:} and a topic; or a path, or a URI of a file system that Flink
   *     supports
   * @param samples the topic of the samples, on whose brokers the topic of the lineage is
   * @throws InvalidDataException if there is no such topic, or it has no lineage
   * @throws IOException if it cannot be read
   */
  static Lineage open(String place, StreamTopic samples) throws IOException {
    return StreamTopic.isPlace(place)
        ? TopicLineage.open(topic(place, samples))
        : FolderLineage.open(place);
  }

  /**
   * Returns whether a run can continue a lineage with its settings. A folder may have been moved; a
   * topic's name does not change.
   *
   * @param place place of the lineage
   * @param given place of the lineage by the settings; empty for a folder anywhere
   */
  static boolean isContinued(String place, String given) {
    return place.equals(given) || (!StreamTopic.isPlace(place) && !StreamTopic.isPlace(given));
  }

  /**
   * Returns the first entry of a lineage, which must describe its beginning.
   *
   * @throws InvalidDataException if it does not
   */
  static LineageEntry.Began began(String place, LineageEntry first) {
    if (first instanceof LineageEntry.Began began) {
      return began;
    }
    throw new InvalidDataException(
        place + ": the first line of the lineage must describe its start");
  }

  /** Returns the place: a path, a URI, or {@code kafka:} and the topic. */
  String place();

  /** Returns the number of entries. */
  long size();

  /** Returns the first entry, if there is one, without reading the others. */
  Optional<LineageEntry.Began> began() throws IOException;

  /** Returns the entries from a number on, in order. */
  List<LineageEntry> entries(long from) throws IOException;

  /**
   * Makes this process the writer, before the first append. {@link #size} then includes entries
   * that an earlier writer has added in the meantime. A topic accepts no more entries of earlier
   * writers. With a folder, an earlier writer detects at its next append that another process has
   * added entries.
   *
   * @throws InvalidDataException if brokers refuse access
   * @throws IOException if it is not certain which entries the lineage has
   */
  void claim() throws IOException;

  /**
   * Adds entries: all of them or none. They are durable when this method returns.
   *
   * @throws FileAlreadyExistsException if another process has added entries since this lineage was
   *     opened; none of these entries has been added then
   * @throws InvalidDataException if another process has claimed the lineage
   * @throws IOException if it fails. The lineage must be opened again then, because only that shows
   *     whether the entries were added
   */
  void append(List<LineageEntry> entries) throws IOException;

  @Override
  void close();

  /**
   * Checks that a restarting job still owns the lineage. Another job may have been restored and
   * have continued it in the meantime; the restart would take the lineage away from that job.
   *
   * @param run id of the job
   * @param from number of entries at the checkpoint from which the job restarts
   * @throws InvalidDataException if another job continues the entries of this job
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

  /** Returns an exception for a job whose lineage another job continues. */
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
