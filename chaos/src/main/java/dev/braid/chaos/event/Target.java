package dev.braid.chaos.event;

import dev.braid.topology.BinaryTree;
import dev.braid.topology.Mesh;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Links or ranks of an event. Every rank computes the same links and ranks for the same target. */
public sealed interface Target {

  /**
   * The link between two ranks.
   *
   * @param oneWay whether only the direction from the first to the second is meant
   */
  record OfLink(Link link, boolean oneWay) implements Target {}

  /** A rank or, for actions on links, all links from and to it. */
  record OfRank(int rank) implements Target {}

  /**
   * A level of the binary tree, where the root is level 0: its ranks or, for actions on links, the
   * links between it and the level above, in both directions.
   */
  record OfLevel(int level) implements Target {}

  /**
   * Ranks that are a block of a mesh or, for actions on links, all links from and to them.
   *
   * @param mesh mesh whose ranks the run has; servers may follow them
   * @param block the block as it is typed: {@code 2,4+2x2}
   */
  record OfBlock(Mesh mesh, String block) implements Target {

    /** Returns the ranks in the mesh; they are not kept, since thousands of events may wait. */
    public List<Integer> ranks() throws InvalidEventException {
      return MeshPlaces.block(block, mesh);
    }

    @Override
    public List<Integer> ranks(int ofAll) throws InvalidEventException {
      if (mesh.ranks() > ofAll) {
        throw new InvalidEventException("of " + mesh + ": the training has " + ofAll + " ranks");
      }
      return ranks();
    }
  }

  /**
   * A random draw without repetition.
   *
   * @param seed seed of the draw
   * @param count number of ranks or, for actions on links, of links in both directions
   * @param among links to draw from, for actions on links; if empty, those of the tree
   */
  record Drawn(long seed, int count, Optional<Among> among) implements Target {

    private void check(long all, String what) throws InvalidEventException {
      if (count > all) {
        throw new InvalidEventException(
            "random " + count + ": there are only " + all + " " + what + " to draw from");
      }
    }

    private <T> List<T> draw(List<T> all, String what) throws InvalidEventException {
      check(all.size(), what);
      List<T> left = new ArrayList<>(all);
      SplittableRandom random = new SplittableRandom(seed);
      List<T> drawn = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        drawn.add(left.remove(random.nextInt(left.size())));
      }
      return drawn;
    }
  }

  /** Links to draw from. */
  enum Among {
    /** Links of the binary tree. */
    TREE,
    /** Links between any two ranks. */
    ALL;

    /** Returns the number of links among this many ranks. */
    long count(long ranks) {
      return this == TREE ? ranks - 1 : ranks * (ranks - 1) / 2;
    }

    /** Returns the links among this many ranks, each once for both directions. */
    List<Link> links(int ranks) {
      if (this == TREE) {
        BinaryTree tree = new BinaryTree(ranks);
        return IntStream.range(1, ranks)
            .mapToObj(rank -> new Link(tree.parent(rank), rank))
            .toList();
      }
      return IntStream.range(0, ranks)
          .boxed()
          .flatMap(from -> IntStream.range(from + 1, ranks).mapToObj(to -> new Link(from, to)))
          .toList();
    }
  }

  /**
   * Returns the directed links.
   *
   * @param ranks number of ranks of the run
   * @throws InvalidEventException if the run has no such links
   */
  default List<Link> links(int ranks) throws InvalidEventException {
    if (this instanceof OfLink of) {
      checkRank(Math.max(of.link.from(), of.link.to()), ranks);
      return of.oneWay ? List.of(of.link) : List.of(of.link, of.link.back());
    }
    if (this instanceof OfRank of) {
      checkRank(of.rank, ranks);
      return IntStream.range(0, ranks)
          .filter(other -> other != of.rank)
          .mapToObj(other -> new Link(of.rank, other))
          .flatMap(link -> List.of(link, link.back()).stream())
          .toList();
    }
    if (this instanceof OfLevel of) {
      return upLinks(levelRanks(of.level, ranks), ranks);
    }
    if (this instanceof OfBlock of) {
      checkLinks(ranks);
      Set<Link> links = new LinkedHashSet<>();
      for (int rank : of.ranks()) {
        links.addAll(new OfRank(rank).links(ranks));
      }
      return List.copyOf(links);
    }
    Drawn drawn = (Drawn) this;
    List<Link> all = drawn.among.orElse(Among.TREE).links(ranks);
    return drawn.draw(all, "links").stream()
        .flatMap(link -> List.of(link, link.back()).stream())
        .toList();
  }

  /**
   * Checks that {@link #links} would return links, without creating them: among as many ranks as an
   * event may name there are billions.
   *
   * @throws InvalidEventException as {@link #links}, or if there are none
   */
  default void checkLinks(int ranks) throws InvalidEventException {
    if (this instanceof Drawn drawn) {
      drawn.check(drawn.among.orElse(Among.TREE).count(ranks), "links");
    } else if (this instanceof OfBlock of) {
      int blocked = of.ranks(ranks).size();
      if (ranks == 1) {
        throw new InvalidEventException("a single rank has no links");
      }
      // Before the number of ranks is known, it is assumed to be the limit, which may be too high.
      if (2L * blocked * ranks > Limits.LINKS && ranks < Limits.RANKS) {
        throw new InvalidEventException(
            "block %s: %d ranks have more than %d links"
                .formatted(of.block, blocked, Limits.LINKS));
      }
    } else if (links(ranks).isEmpty()) {
      throw new InvalidEventException("a single rank has no links");
    }
  }

  /**
   * Checks that {@link #ranks} would return ranks, without drawing them.
   *
   * @throws InvalidEventException as {@link #ranks}
   */
  default void checkRanks(int ranks) throws InvalidEventException {
    if (this instanceof Drawn drawn) {
      drawn.check(ranks, "ranks");
    } else {
      ranks(ranks);
    }
  }

  /**
   * Returns the ranks.
   *
   * @param ranks number of ranks of the run
   * @throws InvalidEventException if the run has no such ranks, or the target is a link
   */
  default List<Integer> ranks(int ranks) throws InvalidEventException {
    if (this instanceof OfRank of) {
      checkRank(of.rank, ranks);
      return List.of(of.rank);
    }
    if (this instanceof OfLevel of) {
      return levelRanks(of.level, ranks);
    }
    if (this instanceof Drawn drawn) {
      return drawn.draw(IntStream.range(0, ranks).boxed().toList(), "ranks");
    }
    throw new InvalidEventException("a link is not a rank");
  }

  private static void checkRank(int rank, int ranks) throws InvalidEventException {
    if (rank >= ranks) {
      throw new InvalidEventException(
          "rank " + rank + ": the training has " + ranks + " ranks, 0 to " + (ranks - 1));
    }
  }

  private static List<Integer> levelRanks(int level, int ranks) throws InvalidEventException {
    int first = (1 << level) - 1;
    if (first >= ranks) {
      throw new InvalidEventException(
          "level " + level + ": the tree of " + ranks + " ranks has no such level");
    }
    return IntStream.range(first, Math.min(ranks, 2 * first + 1)).boxed().toList();
  }

  private static List<Link> upLinks(List<Integer> children, int ranks)
      throws InvalidEventException {
    BinaryTree tree = new BinaryTree(ranks);
    List<Link> links = new ArrayList<>();
    for (int child : children) {
      if (child == BinaryTree.ROOT) {
        throw new InvalidEventException("level 0: the root has no link to a level above");
      }
      links.add(new Link(child, tree.parent(child)));
      links.add(new Link(tree.parent(child), child));
    }
    return links;
  }
}
