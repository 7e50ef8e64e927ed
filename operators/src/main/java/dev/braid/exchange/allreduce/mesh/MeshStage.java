package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.collective.RingReduceScatter;
import dev.braid.vector.Range;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What ranks do side by side on the way to the sum, as plain data: who with whom, over which
 * ranges. On the way back, when sums are finished, the same ranks do the reverse over the same
 * ranges.
 */
public sealed interface MeshStage {

  /** The same among ranks with other numbers. */
  MeshStage renumbered(List<Integer> numbers);

  /** Of what a rank has sums behind this stage, that has values of a range before it. */
  Range left(int rank, Range before);

  /** Stages of one kind, among different ranks, as one. */
  static MeshStage beside(List<MeshStage> stages) {
    if (stages.get(0) instanceof Rings) {
      return new Rings(stages.stream().flatMap(stage -> ((Rings) stage).rings().stream()).toList());
    }
    return new Forwards(
        stages.stream().flatMap(stage -> ((Forwards) stage).forwards().stream()).toList());
  }

  /**
   * Rings, each of which leaves a shard of its range's sum at each of its members; on the way back
   * all members get all shards. A rank is in one of them at most.
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
   * One of the rings.
   *
   * @param members each sends to the next, and the last to the first
   * @param range which all of them have values of
   */
  record MemberRing(List<Integer> members, Range range) {

    public MemberRing {
      members = List.copyOf(members);
    }

    /** What the member at a position has the sum of in the end. */
    Range shard(int position) {
      return RingReduceScatter.shard(range, position, members.size());
    }

    /** What the member at a position adds its values to first. */
    Range block(int position) {
      return range.part(position, members.size());
    }

    /** How many values the member at a position sends, on the way to the sum and back. */
    long valuesSent(int position) {
      int next = position + 1 == members.size() ? 0 : position + 1;
      return 2L * range.length() - shard(position).length() - shard(next).length();
    }

    private MemberRing renumbered(List<Integer> numbers) {
      return new MemberRing(members.stream().map(numbers::get).toList(), range);
    }
  }

  /**
   * Ranks that cannot be in a ring of the next stage forward what they have to ranks that can, and
   * get the finished sums back from these. A guest does nothing in later stages.
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

    /** What a rank is host of, in the order in which it adds up. */
    List<Forward> to(int host) {
      return forwards.stream().filter(forward -> forward.host() == host).toList();
    }

    /** What a rank forwards. */
    List<Forward> from(int guest) {
      return forwards.stream().filter(forward -> forward.guest() == guest).toList();
    }

    /**
     * The ranges that go to a host as one message each: no piece of any guest is partly in one.
     *
     * @param chunkLength elements of a message at most
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
   * What one rank forwards to another.
   *
   * @param layer which sum its values belong to, from 0: all pieces of a layer that come to a host
   *     are together what the host has values of, each element once
   * @param pieces in the order in which the host needs them; none empty
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
