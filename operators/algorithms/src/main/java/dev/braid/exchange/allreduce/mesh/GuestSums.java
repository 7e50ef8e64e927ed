package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.allreduce.mesh.MeshStage.Forward;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forwards;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.Communicator;
import dev.braid.exchange.collective.ReadyChunks;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A guest's part of a stage: it forwards values to its hosts, and gets finished sums back. */
final class GuestSums implements Collective {

  /**
   * A chunk to be forwarded.
   *
   * @param host the receiver's position in the group
   * @param turn priority: among chunks that are ready, the one with the lowest turn is sent first
   */
  private record Outgoing(Range chunk, int host, int turn) {}

  private final Communicator among;
  private final float[] sums;
  private final Completion completion;
  private final List<Outgoing> outgoing = new ArrayList<>();
  private final ReadyChunks chunks;

  /**
   * Creates the part of one guest.
   *
   * @param among communicator of this rank, followed by its hosts in the order of its forwards
   * @param stage the stage in which this rank forwards
   * @param sums output: receives finished sums, {@code float[length]}
   * @param completion called for each finished chunk
   */
  GuestSums(Communicator among, Forwards stage, float[] sums, Completion completion) {
    this.among = among;
    this.sums = sums;
    this.completion = completion;
    List<Forward> forwards = stage.from(among.rank());
    for (int i = 0; i < forwards.size(); i++) {
      Forward forward = forwards.get(i);
      List<Range> all = stage.chunks(forward.host(), among.chunkLength());
      for (Range piece : forward.pieces()) {
        for (Range chunk : all) {
          if (piece.contains(chunk)) {
            outgoing.add(new Outgoing(chunk, i + 1, outgoing.size()));
          }
        }
      }
    }
    outgoing.sort(Comparator.comparingInt(one -> one.chunk().start()));
    this.chunks = new ReadyChunks(outgoing.stream().map(Outgoing::chunk).toList());
  }

  /** Takes a part of this rank's values, and forwards the chunks that become ready. */
  void offer(float[] values, Range part, long samples) {
    List<Outgoing> now = new ArrayList<>();
    chunks.add(
        part,
        index -> {
          chunks.clear(index);
          now.add(outgoing.get(index));
        });
    now.sort(Comparator.comparingInt(Outgoing::turn));
    for (Outgoing one : now) {
      among.handPartial(one.host(), one.chunk(), samples, values);
    }
  }

  @Override
  public void receive(int from, Sum sum) {
    sum.payload().copyTo(sums, sum.range().start());
    completion.complete(sum.range(), sum.samples());
    sum.payload().release();
  }

  @Override
  public void rollBack() {
    chunks.clear();
  }
}
