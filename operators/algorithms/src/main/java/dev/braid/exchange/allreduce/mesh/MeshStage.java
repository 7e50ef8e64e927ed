package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.collective.RingReduceScatter;
import dev.braid.vector.Range;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Stage of a plan, as plain data: the ranks that work concurrently on the way to the sum, their
 * partners and ranges. On the way back, with finished sums, the same ranks perform the reverse over
 * the same ranges.
 */
public sealed interface MeshStage {

  /** Returns the stage with rank {@code i} replaced by {@code numbers.get(i)}. */
  MeshStage renumbered(List<Integer> numbers);

  /** Returns the range whose sums a rank has after this stage, given its range before the stage. */
  Range left(int rank, Range before);

  /** Returns one stage that combines stages of the same kind among different ranks. */
  static MeshStage beside(List<MeshStage> stages) {
    if (stages.get(0) instanceof Rings) {
      return new Rings(stages.stream().flatMap(stage -> ((Rings) stage).rings().stream()).toList());
    }
    return new Forwards(
        stages.stream().flatMap(stage -> ((Forwards) stage).forwards().stream()).toList());
  }

  /**
   * Stage of rings. Each ring leaves a shard of its range's sum at each member; on the way back all
   * members get all shards. A rank is in at most one ring.
   */
  record Rings(List<MemberRing> rings) implements MeshStage {

    public Rings {
      rings = List.copyOf(rings);
    }

    @Override
    public Range left(int rank, Range before) {
      return rings.stream()
          .filter(ring -> ring.members().contains(rank))
          .findFirst()
          .map(ring -> ring.shard(ring.members().indexOf(rank)))
          .orElse(before);
    }

    @Override
    public Rings renumbered(List<Integer> numbers) {
      return new Rings(rings.stream().map(ring -> ring.renumbered(numbers)).toList());
    }
  }

  /**
   * One ring of a stage.
   *
   * @param members the ranks in order; each sends to the next, and the last to the first
   * @param range the range of which all members have values
   */
  record MemberRing(List<Integer> members, Range range) {

    public MemberRing {
      members = List.copyOf(members);
    }

    /** Returns the range whose sum the member at a position has after reduce-scatter. */
    Range shard(int position) {
      return RingReduceScatter.shard(range, position, members.size());
    }

    /** Returns the range of the block that starts at the member at a position. */
    Range block(int position) {
      return range.part(position, members.size());
    }

    /** Returns the number of values that the member at a position sends, to the sum and back. */
    long valuesSent(int position) {
      int next = position + 1 == members.size() ? 0 : position + 1;
      return 2L * range.length() - shard(position).length() - shard(next).length();
    }

    private MemberRing renumbered(List<Integer> numbers) {
      return new MemberRing(members.stream().map(numbers::get).toList(), range);
    }
  }

  /**
   * Stage of forwards. Ranks that cannot be in a ring of the next stage, the guests, forward their
   * values to ranks that can, the hosts, and get finished sums back from them. A guest takes no
   * part in later stages.
   */
  record Forwards(List<Forward> forwards) implements MeshStage {

    public Forwards {
      forwards = List.copyOf(forwards);
    }

    @Override
    public Range left(int rank, Range before) {
      boolean isGuest = forwards.stream().anyMatch(forward -> forward.guest() == rank);
      return isGuest ? Range.EMPTY : before;
    }

    /** Returns the forwards to a host, in order of summation. */
    List<Forward> to(int host) {
      return forwards.stream().filter(forward -> forward.host() == host).toList();
    }

    /** Returns the forwards of a guest. */
    List<Forward> from(int guest) {
      return forwards.stream().filter(forward -> forward.guest() == guest).toList();
    }

    /**
     * Returns the ranges that are sent to a host, one message each. Each chunk is either contained
     * in a guest's piece or disjoint from it.
     *
     * @param chunkLength maximum number of elements of a message
     */
    List<Range> chunks(int host, int chunkLength) {
      NavigableSet<Integer> cuts = new TreeSet<>();
      to(host).stream()
          .flatMap(forward -> forward.pieces().stream())
          .flatMap(piece -> Stream.of(piece.start(), piece.end()))
          .forEach(cuts::add);
      int start = cuts.isEmpty() ? 0 : cuts.first();
      Stream.Builder<Range> chunks = Stream.builder();
      for (int end : cuts) {
        Range between = new Range(start, end);
        for (int i = 0; i < between.chunks(chunkLength); i++) {
          chunks.add(between.chunk(i, chunkLength));
        }
        start = end;
      }
      return chunks.build().toList();
    }

    @Override
    public Forwards renumbered(List<Integer> numbers) {
      return new Forwards(
          forwards.stream()
              .map(
                  forward ->
                      new Forward(
                          numbers.get(forward.guest()),
                          numbers.get(forward.host()),
                          forward.layer(),
                          forward.pieces()))
              .toList());
    }
  }

  /**
   * The values that one rank forwards to another.
   *
   * @param guest rank that forwards
   * @param host rank that receives
   * @param layer index of the sum to which the values belong, from 0. All pieces of one layer that
   *     a host receives together cover the host's range, each element once
   * @param pieces forwarded ranges, not empty, in the order in which the host needs them
   */
  record Forward(int guest, int host, int layer, List<Range> pieces) {

    public Forward {
      pieces = List.copyOf(pieces);
    }

    long values() {
      return pieces.stream().mapToLong(Range::length).sum();
    }
  }
}
