package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.allreduce.mesh.MeshStage.Forward;
import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.collective.ReadyChunks;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A host's part of a stage: it adds the values that guests forward to its own, layer by layer,
 * independent of arrival.
 */
final class HostSums implements Collective {

  private final ReadyChunks chunks;
  private final Map<Integer, Integer> layers = new HashMap<>();
  private final float[] sums;
  private final Completion completion;

  /** Per chunk and layer: the sum that waits for the layers before it; or null. */
  private final Sum[][] waiting;

  /** Per chunk: number of layers added. */
  private final int[] added;

  /** Per chunk: number of samples in the layers added. */
  private final long[] samples;

  private float[] own = {};
  private long ownSamples;

  /**
   * Creates the part of one host.
   *
   * @param chunks the chunks that guests forward
   * @param forwards the forwards of which this rank is the host
   * @param sums output: receives the sums, {@code float[length]}
   * @param completion called for each chunk with all layers
   */
  HostSums(ReadyChunks chunks, List<Forward> forwards, float[] sums, Completion completion) {
    this.chunks = chunks;
    this.sums = sums;
    this.completion = completion;
    // Layers are numbered over all hosts; only some of them have values for this host.
    int[] here = forwards.stream().mapToInt(Forward::layer).distinct().sorted().toArray();
    forwards.forEach(
        forward -> layers.put(forward.guest(), Arrays.binarySearch(here, forward.layer())));
    this.waiting = new Sum[chunks.size()][here.length];
    this.added = new int[chunks.size()];
    this.samples = new long[chunks.size()];
  }

  /** Takes a part of this rank's own values. */
  void offer(float[] values, Range part, long ofSamples) {
    own = values;
    ownSamples = ofSamples;
    chunks.add(part, this::addWhatIsHere);
  }

  @Override
  public void receive(int from, Sum sum) {
    int index = chunks.indexOf(sum.range());
    waiting[index][layers.get(from)] = sum;
    if (chunks.isWhole(index)) {
      addWhatIsHere(index);
    }
  }

  private void addWhatIsHere(int index) {
    Sum[] of = waiting[index];
    while (added[index] < of.length && of[added[index]] != null) {
      Sum next = of[added[index]];
      of[added[index]] = null;
      add(index, next);
      added[index]++;
      samples[index] += next.samples();
      next.payload().release();
    }
    if (added[index] == of.length) {
      long all = ownSamples + samples[index];
      clear(index);
      completion.complete(chunks.chunk(index), all);
    }
  }

  private void add(int index, Sum sum) {
    int start = chunks.chunk(index).start();
    if (added[index] > 0 || own == sums) {
      sum.payload().addTo(sums, start);
    } else {
      Vectors.sum(sums, own, start, sum.payload().dense());
    }
  }

  private void clear(int index) {
    chunks.clear(index);
    added[index] = 0;
    samples[index] = 0;
  }

  @Override
  public void rollBack() {
    chunks.clear();
    Arrays.stream(waiting).forEach(Body.OverRange::forget);
    Arrays.fill(added, 0);
    Arrays.fill(samples, 0);
  }
}
