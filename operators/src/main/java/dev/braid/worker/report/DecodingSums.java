package dev.braid.worker.report;

import dev.braid.coding.TreeInUse;
import dev.braid.exchange.DecodingUse;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Use of workers' answers in an epoch, in coded exchanges.
 *
 * @param stragglers number of workers that had not answered when their parent had a round's sum
 * @param lateMessages number of answers that were not needed any more
 * @param mostSets number of different sets of workers from whose answers one parent has computed
 *     sums since it began; the maximum over parents
 * @param sums number of sums that parents have computed
 * @param sumNanos time from the last input of such a sum to the end of its round, in nanoseconds;
 *     the last input is an answer or, if that is later, the parent's own gradient
 * @param tree the epoch's tree, if trees are chosen again for each epoch
 */
public record DecodingSums(
    long stragglers, long lateMessages, int mostSets, long sums, long sumNanos, TreeInUse tree) {

  public static final DecodingSums NONE = new DecodingSums(0, 0, 0, 0, 0, TreeInUse.NONE);

  /** Returns the difference between two measurements of an exchange. */
  public static DecodingSums since(DecodingUse before, DecodingUse now) {
    return new DecodingSums(
        now.stragglers() - before.stragglers(),
        now.lateMessages() - before.lateMessages(),
        now.decodedSets(),
        now.sums() - before.sums(),
        now.sumNanos() - before.sumNanos(),
        now.tree());
  }

  /** Returns the sums of both. */
  public DecodingSums plus(DecodingSums other) {
    return new DecodingSums(
        stragglers + other.stragglers,
        lateMessages + other.lateMessages,
        Math.max(mostSets, other.mostSets),
        sums + other.sums,
        sumNanos + other.sumNanos,
        other.tree.isKnown() ? other.tree : tree);
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(stragglers);
    out.writeLong(lateMessages);
    out.writeInt(mostSets);
    out.writeLong(sums);
    out.writeLong(sumNanos);
    tree.write(out);
  }

  static DecodingSums read(DataInput in) throws IOException {
    return new DecodingSums(
        in.readLong(),
        in.readLong(),
        in.readInt(),
        in.readLong(),
        in.readLong(),
        TreeInUse.read(in));
  }
}
