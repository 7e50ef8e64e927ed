package dev.braid.bench.scale;

import dev.braid.bench.scale.CodedCase.Scheme;
import dev.braid.bench.scale.CodedCase.Speedups;
import dev.braid.coding.CodeTree;
import dev.braid.topology.RegularTree;
import java.util.Arrays;

/**
 * The duration of a round in CodedReduce's own model (§III-B), as a mean over random rounds. All
 * workers begin at once. A receiver takes messages in the order of their arrival; if it waits for
 * the first n − s, it takes no more. Returning the model to the workers takes no time.
 */
final class CodedModel {

  private final CodedCase of;
  private final CodedConditions conditions;
  private final long seed;

  CodedModel(CodedCase of, CodedConditions conditions, long seed) {
    this.of = of;
    this.conditions = conditions;
    this.seed = seed;
  }

  /** Returns CodedReduce's speed-ups over the other schemes. */
  Speedups speedups(int rounds) {
    double coded = seconds(Scheme.CODED, rounds);
    return new Speedups(
        seconds(Scheme.UNCODED, rounds) / coded,
        seconds(Scheme.GRADIENT_CODING, rounds) / coded,
        seconds(Scheme.RING, rounds) / coded,
        seconds(Scheme.DROP_STRAGGLERS, rounds) / coded);
  }

  /** Returns the mean duration over {@code rounds} rounds. */
  double seconds(Scheme scheme, int rounds) {
    CodeTree codes = of.codes();
    double load = of.load(scheme);
    double[] ready = new double[of.workers()];
    double sum = 0;
    for (int round = 0; round < rounds; round++) {
      for (int worker = 0; worker < ready.length; worker++) {
        ready[worker] = conditions.gradientSeconds(load, seed, worker, round);
      }
      sum +=
          switch (scheme) {
            case UNCODED -> taken(ready.clone(), of.workers());
            case GRADIENT_CODING, DROP_STRAGGLERS ->
                taken(ready.clone(), of.workers() - of.leftOut());
            case RING -> Arrays.stream(ready).max().orElseThrow() + around();
            case CODED -> sumAt(RegularTree.MASTER, codes, ready);
          };
    }
    return sum / rounds;
  }

  /**
   * Returns the ring's time to send an N-th of the gradient from neighbour to neighbour 2(N − 1)
   * times.
   */
  private double around() {
    int workers = of.workers();
    return 2 * (workers - 1) * (conditions.hopSeconds() + conditions.messageSeconds(1) / workers);
  }

  /** Returns the time at which a receiver has the first {@code count} of all messages. */
  private double taken(double[] sent, int count) {
    Arrays.sort(sent);
    double now = 0;
    for (int i = 0; i < count; i++) {
      now =
          Math.max(now, sent[i] + conditions.hopSeconds()) + conditions.messageSeconds(sent.length);
    }
    return now;
  }

  private double sumAt(int parent, CodeTree codes, double[] ready) {
    double[] answers =
        Arrays.stream(codes.childrenOf(parent))
            .mapToDouble(
                child ->
                    codes.childrenOf(child).length == 0
                        ? ready[child]
                        : Math.max(ready[child], sumAt(child, codes, ready)))
            .toArray();
    return taken(answers, answers.length - of.stragglers());
  }
}
