package dev.braid.worker.report;

import dev.braid.coding.TreeInUse;
import dev.braid.exchange.DecodingUse;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What has become of workers' answers in an epoch, in coded exchanges.
 *
 * @param stragglers workers who had not answered when their parent had a round's sum
 * @param lateMessages answers that were not needed any more
 * @param mostSets of how many different sets of workers a parent has made sums, since it began
 * @param sums how many sums parents have made
 * @param sumNanos from the last answer that such a sum needed, or the parent's own gradient where
 *     that comes later, to the end of its round
 * @param tree of the epoch, where trees are chosen anew
 */
public record DecodingSums(
    long stragglers, long lateMessages, int mostSets, long sums, long sumNanos, TreeInUse tree) {

  public static final DecodingSums NONE = new DecodingSums(0, 0, 0, 0, 0, TreeInUse.NONE);

  /** What is new of what an exchange tells. */
  public static DecodingSums since(DecodingUse before, DecodingUse now) {
    return new DecodingSums(
        now.stragglers() - before.stragglers(),
        now.lateMessages() - before.lateMessages(),
        now.decodedSets(),
        now.sums() - before.sums(),
        now.sumNanos() - before.sumNanos(),
        now.tree());
  }

  /** The sums of both. */
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
