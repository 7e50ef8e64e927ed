package dev.braid.chaos.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Events drawn from a seed, and malformed events. */
public final class Events {

  private Events() {}

  /** Returns any valid event among this many ranks, at least two. */
  public static ChaosEvent draw(SplittableRandom random, int ranks) {
    Action action = action(random);
    Target target = target(random, ranks, action.concernsRanks());
    Start start =
        switch (random.nextInt(3)) {
          case 0 -> new Start.Now();
          case 1 -> new Start.AtRound(random.nextLong(1000));
          default -> new Start.After(random.nextLong(10_000));
        };
    OptionalLong forMillis =
        action.ends() || random.nextBoolean()
            ? OptionalLong.empty()
            : OptionalLong.of(1 + random.nextLong(10_000));
    Optional<String> id =
        random.nextBoolean() ? Optional.empty() : Optional.of("e-" + random.nextInt(1 << 20));
    return new ChaosEvent(id, Optional.empty(), action, target, start, forMillis);
  }

  /** Returns any valid event among this many ranks. */
  static Arbitrary<ChaosEvent> among(int ranks) {
    return Arbitraries.longs().map(seed -> draw(new SplittableRandom(seed), ranks));
  }

  private static Action action(SplittableRandom random) {
    double probability = 1 - random.nextDouble();
    return switch (random.nextInt(11)) {
      case 0 -> new Action.Cut();
      case 1 -> new Action.Heal();
      case 2 -> new Action.Delay(1 + random.nextLong(1000), random.nextLong(1000));
      case 3 -> new Action.Drop(probability);
      case 4 -> new Action.Duplicate(probability);
      case 5 -> new Action.Reorder(probability, 1 + random.nextLong(1000));
      case 6 -> new Action.Corrupt(probability);
      case 7 -> new Action.Throttle(1 + random.nextLong(Limits.BYTES_PER_SECOND));
      case 8 -> new Action.Straggle(1000 - 998 * random.nextDouble());
      case 9 -> new Action.Isolate();
      default -> new Action.Rejoin();
    };
  }

  private static Target target(SplittableRandom random, int ranks, boolean ofRanks) {
    int levels = 32 - Integer.numberOfLeadingZeros(ranks);
    int kind = random.nextInt(ofRanks ? 1 : 0, 5);
    int rank = random.nextInt(ranks);
    return switch (kind) {
      case 0 ->
          new Target.OfLink(
              new Link(rank, (rank + 1 + random.nextInt(ranks - 1)) % ranks), random.nextBoolean());
      case 1 -> new Target.OfRank(rank);
      case 2 -> block(rank, ranks);
      case 3 -> new Target.OfLevel(random.nextInt(ofRanks ? 0 : 1, levels));
      default ->
          new Target.Drawn(
              random.nextLong(1 << 30),
              1 + random.nextInt(ranks - 1),
              ofRanks
                  ? Optional.empty()
                  : List.of(
                          Optional.<Target.Among>empty(),
                          Optional.of(Target.Among.ALL),
                          Optional.of(Target.Among.TREE))
                      .get(random.nextInt(3)));
    };
  }

  /** Returns a block that is a column of a mesh with one row. */
  private static Target block(int rank, int ranks) {
    try {
      return EventReader.read("isolate block 0,%d+1x1 of 1x%d".formatted(rank, ranks)).target();
    } catch (InvalidEventException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns malformed events, made of valid ones: truncated, with bytes changed or moved, with
   * words renamed, doubled or unknown, with numbers out of range. Events that are valid by accident
   * are omitted.
   */
  public static List<byte[]> malformed(long seed, int count, int ranks) {
    SplittableRandom random = new SplittableRandom(seed);
    List<byte[]> malformed = new ArrayList<>();
    while (malformed.size() < count) {
      byte[] spoilt = spoil(EventWriter.write(draw(random, ranks)), random);
      try {
        EventReader.read(spoilt).checkFor(ranks);
      } catch (InvalidEventException e) {
        malformed.add(spoilt);
      }
    }
    return malformed;
  }

  private static byte[] spoil(String text, SplittableRandom random) {
    byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    int at = random.nextInt(bytes.length);
    return switch (random.nextInt(8)) {
      case 0 -> java.util.Arrays.copyOf(bytes, at);
      case 1 -> {
        bytes[at] = (byte) random.nextInt(256);
        yield bytes;
      }
      case 2 -> {
        byte moved = bytes[at];
        bytes[at] = bytes[bytes.length - 1 - at];
        bytes[bytes.length - 1 - at] = moved;
        yield bytes;
      }
      case 3 -> utf8(text.replaceFirst(" ", " level "));
      case 4 -> utf8("x" + text);
      case 5 -> utf8(text.replaceFirst("\\d+", Long.toString(random.nextLong())));
      case 6 -> utf8(text + " colour blue");
      default -> utf8(text + " " + text);
    };
  }

  private static byte[] utf8(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }
}
