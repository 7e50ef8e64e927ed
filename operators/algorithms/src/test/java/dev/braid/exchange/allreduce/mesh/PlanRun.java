package dev.braid.exchange.allreduce.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.allreduce.mesh.MeshPlan.Colour;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forward;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forwards;
import dev.braid.exchange.allreduce.mesh.MeshStage.MemberRing;
import dev.braid.exchange.allreduce.mesh.MeshStage.Rings;
import dev.braid.topology.HoledMesh;
import dev.braid.vector.Range;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** Runs a plan with sets of ranks instead of sums. */
final class PlanRun {

  private final HoledMesh mesh;
  private final String title;

  /** By rank and element: the ranks whose values are in the rank's sum; empty if it has no sum. */
  private final BitSet[][] has;

  PlanRun(HoledMesh mesh, int length, String title) {
    this.mesh = mesh;
    this.title = title;
    this.has = new BitSet[mesh.mesh().ranks()][length];
    for (BitSet[] ofRank : has) {
      Arrays.setAll(ofRank, i -> new BitSet());
    }
  }

  void sumUp(Colour colour) {
    for (int rank : mesh.live()) {
      for (int i = colour.range().start(); i < colour.range().end(); i++) {
        has[rank][i].set(rank);
      }
    }
    for (MeshStage stage : colour.stages()) {
      if (stage instanceof Rings rings) {
        rings.rings().forEach(this::reduceScatter);
      } else if (stage instanceof Forwards forwards) {
        checkLayers(forwards, colour.range());
        forwards.forwards().forEach(this::forward);
      }
    }
    for (int i = colour.range().start(); i < colour.range().end(); i++) {
      int element = i;
      List<BitSet> sums =
          Arrays.stream(has).map(of -> of[element]).filter(set -> !set.isEmpty()).toList();
      assertThat(sums).as("%s: element %d", title, i).hasSize(1);
      assertThat(sums.get(0).stream().toArray()).as(title).isEqualTo(mesh.live());
    }
  }

  private void reduceScatter(MemberRing ring) {
    for (int i = ring.range().start(); i < ring.range().end(); i++) {
      BitSet sum = new BitSet();
      for (int member : ring.members()) {
        add(sum, has[member][i]);
      }
      for (int position = 0; position < ring.members().size(); position++) {
        boolean isItsOwn = ring.shard(position).contains(new Range(i, i + 1));
        has[ring.members().get(position)][i] = isItsOwn ? sum : new BitSet();
      }
    }
  }

  /** Checks that a host gets each of its elements once from each layer. */
  private void checkLayers(Forwards forwards, Range range) {
    for (int host : mesh.live()) {
      List<Integer> layers = forwards.to(host).stream().map(Forward::layer).distinct().toList();
      for (int layer : layers) {
        int[] times = new int[range.end()];
        forwards.to(host).stream()
            .filter(forward -> forward.layer() == layer)
            .flatMap(forward -> forward.pieces().stream())
            .forEach(piece -> Arrays.stream(elements(piece)).forEach(i -> times[i]++));
        for (int i = range.start(); i < range.end(); i++) {
          assertThat(times[i])
              .as("%s: layer %d of host %d, element %d", title, layer, host, i)
              .isEqualTo(has[host][i].isEmpty() ? 0 : 1);
        }
      }
    }
  }

  private static int[] elements(Range range) {
    return IntStream.range(range.start(), range.end()).toArray();
  }

  private void forward(Forward forward) {
    for (Range piece : forward.pieces()) {
      for (int i : elements(piece)) {
        assertThat(has[forward.host()][i].isEmpty()).as(title).isFalse();
        add(has[forward.host()][i], has[forward.guest()][i]);
        has[forward.guest()][i] = new BitSet();
      }
    }
  }

  private void add(BitSet sum, BitSet more) {
    assertThat(more.isEmpty()).as("%s: something is there to be added", title).isFalse();
    assertThat(sum.intersects(more)).as("%s: %s and %s", title, sum, more).isFalse();
    sum.or(more);
  }

  /** Runs the way back after the way to the sum: all sums that are not empty are finished. */
  void goBack(Colour colour) {
    for (int s = colour.stages().size() - 1; s >= 0; s--) {
      MeshStage stage = colour.stages().get(s);
      if (stage instanceof Rings rings) {
        rings.rings().forEach(this::allGather);
      } else if (stage instanceof Forwards forwards) {
        for (Forward forward : forwards.forwards()) {
          for (Range piece : forward.pieces()) {
            for (int i : elements(piece)) {
              assertThat(has[forward.host()][i].cardinality()).isEqualTo(mesh.size());
              has[forward.guest()][i] = has[forward.host()][i];
            }
          }
        }
      }
    }
    for (int rank : mesh.live()) {
      for (int i : elements(colour.range())) {
        assertThat(has[rank][i].cardinality()).as(title).isEqualTo(mesh.size());
      }
    }
  }

  private void allGather(MemberRing ring) {
    for (int position = 0; position < ring.members().size(); position++) {
      for (int i : elements(ring.shard(position))) {
        BitSet finished = has[ring.members().get(position)][i];
        assertThat(finished.cardinality()).as(title).isEqualTo(mesh.size());
        for (int member : ring.members()) {
          has[member][i] = finished;
        }
      }
    }
  }
}
