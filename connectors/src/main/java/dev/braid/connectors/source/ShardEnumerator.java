package dev.braid.connectors.source;

import dev.braid.connectors.file.InvalidDataException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Deals one share of the data to each reader when all have registered, or all shares to each if
 * rounds are computed redundantly.
 *
 * <p>A restored reader does not resume independently. It reports its share when it registers
 * ({@link org.apache.flink.api.connector.source.SupportsSplitReassignmentOnRecovery}), and gets it
 * back, or another one if the number of readers or their pace has changed:
 *
 * <ul>
 *   <li>first start: no reader reports a share, and all begin at the beginning;
 *   <li>restore, in a new enumerator (a savepoint, a rescaling, a global failure): the reported
 *       shares are combined and dealt by {@link ShardPlan#resume};
 *   <li>failover of a region, in this enumerator: if the share was dealt after the checkpoint to
 *       which the reader returns, Flink gives it back to this enumerator. The reader gets exactly
 *       this share again, because its report describes the state <em>before</em> the dealing.
 *       Otherwise the reader reports its own share and gets it back. This applies to all readers at
 *       once and to a single one.
 * </ul>
 */
final class ShardEnumerator implements SplitEnumerator<ShardSplit, EnumeratorState> {

  private final SplitEnumeratorContext<ShardSplit> context;
  private final ShardPlan plan;

  /** State for a checkpoint before the shares are dealt. */
  private final EnumeratorState fresh;

  /** Number of readers, the last ones, that get no share. */
  private final int idleReaders;

  private final RoundSharing sharing;

  /** The state from which this enumerator was restored, if it was. */
  private final Optional<EnumeratorState> checkpoint;

  /** The shares that Flink has given back, by reader, until the reader registers again. */
  private final Map<Integer, List<ShardSplit>> givenBack = new HashMap<>();

  /** Reason why this enumerator cannot resume from its checkpoint. */
  private final Optional<String> mistake;

  private boolean dealt;

  ShardEnumerator(
      SplitEnumeratorContext<ShardSplit> context,
      ShardPlan plan,
      EnumeratorState fresh,
      int idleReaders,
      RoundSharing sharing,
      Optional<EnumeratorState> checkpoint,
      Optional<String> mistake) {
    this.context = context;
    this.plan = plan;
    this.fresh = fresh;
    this.idleReaders = idleReaders;
    this.sharing = sharing;
    this.checkpoint = checkpoint;
    this.mistake = mistake;
  }

  @Override
  public void start() {
    if (mistake.isPresent()) {
      // A restart would fail in the same way.
      throw new SuppressRestartsException(new InvalidDataException(mistake.get()));
    }
  }

  @Override
  public void addReader(int reader) {
    if (dealt && reader < shares()) {
      ReaderInfo info = context.registeredReaders().get(reader);
      List<ShardSplit> splits = again(reader, info.getReportedSplitsOnRegistration());
      context.assignSplits(new SplitsAssignment<>(Map.of(reader, splits)));
    } else if (!dealt && context.registeredReaders().size() == context.currentParallelism()) {
      deal();
    }
  }

  @Override
  public void addSplitsBack(List<ShardSplit> splits, int reader) {
    if (!splits.isEmpty()) {
      givenBack.put(reader, List.copyOf(splits));
    }
  }

  @Override
  public void handleSplitRequest(int reader, @Nullable String hostname) {
    throw new IllegalStateException(
        "reader " + reader + " asks for a share: shares are dealt when all readers are there");
  }

  @Override
  public EnumeratorState snapshotState(long checkpointId) {
    if (!dealt && (sharesInCheckpoint() || hasReports())) {
      // The reported shares are in no state until they are dealt. Flink begins no checkpoint before
      // all tasks run, and readers register before that, so this cannot happen.
      throw new IllegalStateException(
          "checkpoint "
              + checkpointId
              + ": "
              + context.registeredReaders().size()
              + " of "
              + context.currentParallelism()
              + " readers have reported their shares");
    }
    return fresh.withDealt(dealt);
  }

  @Override
  public void close() {}

  private int shares() {
    return context.currentParallelism() - idleReaders;
  }

  /**
   * Returns whether each reader has all shares, because its worker also computes samples of others.
   */
  private boolean dealsAllToEach() {
    return sharing.codes(shares()).isPresent();
  }

  /** Returns whether the checkpoint's readers have shares. */
  private boolean sharesInCheckpoint() {
    return checkpoint.map(EnumeratorState::dealt).orElse(false);
  }

  private boolean hasReports() {
    return context.registeredReaders().values().stream()
        .anyMatch(reader -> !reader.getReportedSplitsOnRegistration().isEmpty());
  }

  /** Deals the shares when all readers have registered for the first time. */
  private void deal() {
    // If readers have all shares, each of them reports all.
    Set<ShardSplit> different = new LinkedHashSet<>();
    for (ReaderInfo reader : new TreeMap<>(context.registeredReaders()).values()) {
      different.addAll(reader.getReportedSplitsOnRegistration());
    }
    List<ShardSplit> reported = List.copyOf(different);
    if (reported.isEmpty() && sharesInCheckpoint()) {
      throw new IllegalStateException(
          "the checkpoint says that the readers had their shares, and no reader has restored one");
    }
    int readers = shares();
    List<ShardSplit> shares = reported.isEmpty() ? plan.start(readers) : resume(reported, readers);
    boolean toEach = dealsAllToEach();
    Map<Integer, List<ShardSplit>> assignment = new HashMap<>();
    for (ShardSplit share : shares) {
      assignment.put(share.shard(), toEach ? shares : List.of(share));
    }
    context.assignSplits(new SplitsAssignment<>(assignment));
    dealt = true;
  }

  private List<ShardSplit> resume(List<ShardSplit> reported, int readers) {
    String paceBefore = checkpoint.map(EnumeratorState::pace).orElse("");
    try {
      return plan.resume(reported, readers, paceBefore.equals(fresh.pace()));
    } catch (InvalidDataException e) {
      // A restart would fail in the same way.
      throw new SuppressRestartsException(e);
    }
  }

  /** Returns the shares of a reader that has failed and registers again. */
  private List<ShardSplit> again(int reader, List<ShardSplit> reported) {
    List<ShardSplit> returned = givenBack.remove(reader);
    if (returned != null) {
      return returned;
    }
    int expected = dealsAllToEach() ? shares() : 1;
    if (reported.size() == expected
        && reported.stream().anyMatch(split -> split.shard() == reader)) {
      return reported;
    }
    throw new IllegalStateException(
        "reader " + reader + " is back with " + reported + ": its own share is needed");
  }
}
