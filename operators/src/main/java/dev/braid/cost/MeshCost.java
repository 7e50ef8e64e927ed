package dev.braid.cost;

import dev.braid.topology.HoledMesh;
import java.io.Serializable;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How long the steps of an allreduce take on a physical mesh, of which a link carries one message
 * after the other in each direction, and a message to a rank that is no neighbour takes every link
 * of its route (Kumar and Jouppi 2020, §2).
 *
 * <p>A step is what goes on at the same time. It takes as long as the busiest link has to carry, or
 * as the longest way of what is passed on from rank to rank, whichever is longer: with large
 * vectors the first, with small ones the second. Steps are taken to follow each other, though the
 * first messages of one are on their way while the last of the one before are: what is not known is
 * alike for all that are compared.
 */
public final class MeshCost {

  /**
   * What every link of a mesh is like.
   *
   * @param bytesPerSecond in each direction, above 0; may be infinite
   * @param latencySeconds from the sending of a bit to its arrival, 0 or more
   */
  public record Links(double bytesPerSecond, double latencySeconds) implements Serializable {

    public Links {
      if (!(bytesPerSecond > 0) || !(latencySeconds >= 0) || Double.isInfinite(latencySeconds)) {
        throw new IllegalArgumentException(
            "links of %s bytes/s and %s s: more than 0, and 0 or more, are needed"
                .formatted(bytesPerSecond, latencySeconds));
      }
    }
  }

  /**
   * A ring in which each member passes all blocks but one on to the next: a reduce-scatter or an
   * all-gather.
   *
   * @param members by rank, in their order
   * @param bytes of all blocks together
   */
  public record Circle(List<Integer> members, double bytes) {
    public Circle {
      members = List.copyOf(members);
    }
  }

  /**
   * What one rank sends another at a time.
   *
   * @param bytes of all of it
   * @param firstBytes what the other waits for before it goes on with the step's rings; 0 if it
   *     goes on with the next step, when all is there
   */
  public record Way(int from, int to, double bytes, double firstBytes) {}

  /** What goes on at the same time. */
  public record Step(List<Circle> circles, List<Way> ways) {
    public Step {
      circles = List.copyOf(circles);
      ways = List.copyOf(ways);
    }
  }

  /** A link, in one direction. */
  private record Link(int from, int to) {
    @Override
    public int hashCode() {
      return 31 * from + to;
    }
  }

  private final HoledMesh mesh;
  private final Links links;
  private final double chunkBytes;

  /**
   * @param mesh with what is left of it; its ranks are those of the steps
   * @param chunkBytes of a message at most
   */
  public MeshCost(HoledMesh mesh, Links links, double chunkBytes) {
    this.mesh = mesh;
    this.links = links;
    this.chunkBytes = chunkBytes;
  }

  /** What steps take one after the other, in seconds. */
  public double seconds(List<Step> steps) {
    return steps.stream().mapToDouble(this::seconds).sum();
  }

  private double seconds(Step step) {
    Map<Link, Double> bytes = new HashMap<>();
    double longest = 0;
    for (Circle circle : step.circles()) {
      longest = Math.max(longest, pass(circle, bytes));
    }
    double first = 0;
    for (Way way : step.ways()) {
      int[] route = route(way.from(), way.to());
      load(route, way.bytes(), bytes);
      double latency = (route.length - 1) * links.latencySeconds();
      if (way.firstBytes() > 0) {
        first = Math.max(first, latency + seconds(way.firstBytes()));
      } else {
        longest = Math.max(longest, latency + seconds(way.bytes()));
      }
    }
    double busiest = bytes.values().stream().max(Comparator.naturalOrder()).orElse(0.0);
    double carried = busiest == 0 ? 0 : seconds(busiest) + links.latencySeconds();
    return Math.max(carried, longest + first);
  }

  /**
   * Puts what a ring passes on onto the links, and tells how long the slowest block is under way.
   */
  private double pass(Circle circle, Map<Link, Double> bytes) {
    int members = circle.members().size();
    if (members < 2) {
      return 0;
    }
    double block = circle.bytes() / members;
    int hops = 0;
    int shortest = Integer.MAX_VALUE;
    for (int i = 0; i < members; i++) {
      int[] route = route(circle.members().get(i), circle.members().get((i + 1) % members));
      load(route, (members - 1) * block, bytes);
      hops += route.length - 1;
      shortest = Math.min(shortest, route.length - 1);
    }
    // A block goes all around but for one member.
    double chunk = Math.min(chunkBytes, block);
    return (hops - shortest) * links.latencySeconds()
        + seconds((members - 1) * chunk + block - chunk);
  }

  private static void load(int[] route, double more, Map<Link, Double> bytes) {
    for (int i = 0; i + 1 < route.length; i++) {
      bytes.merge(new Link(route[i], route[i + 1]), more, Double::sum);
    }
  }

  private double seconds(double bytes) {
    return bytes / links.bytesPerSecond();
  }

  /** Parts without a link to each other may reach each other by ways that the mesh has not. */
  private int[] route(int from, int to) {
    if (mesh.mesh().areNeighbours(from, to)) {
      return new int[] {from, to};
    }
    return mesh.reaches(from, to) ? mesh.route(from, to) : new int[] {from, to};
  }
}
