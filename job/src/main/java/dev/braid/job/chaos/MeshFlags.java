package dev.braid.job.chaos;

import dev.braid.chaos.event.Limits;
import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Target;
import dev.braid.job.console.UsageException;
import dev.braid.topology.Mesh;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/**
 * Ranks and links by their places in a mesh. Events name ranks, as a run counts them: what is typed
 * here becomes one event for each rank, or one for the link.
 */
final class MeshFlags {

  private static final String MANY = "[0-9]{1,5}(?:,[0-9]{1,5}){0,31}";
  private static final Pattern BLOCK =
      Pattern.compile("(" + MANY + ")\\+([0-9]{1,5}(?:x[0-9]{1,5}){0,31})");
  private static final Pattern LINK = Pattern.compile("(" + MANY + ")-(" + MANY + ")");

  @Option(
      names = "--mesh",
      paramLabel = "RxC",
      description = "The shape of the training's mesh, for --block and places in it.")
  private String mesh;

  @Option(
      names = "--block",
      paramLabel = "R,C+RxC",
      description =
          "Instead of ranks: a block of the mesh, by its first row and column (from 0) and how many"
              + " it has of each, as in 2,4+2x2; an event for each of its ranks.")
  private String block;

  /** A link of the mesh, for commands that are about links. */
  static final class LinkFlag {

    @Option(
        names = "--mesh-link",
        paramLabel = "R,C-R,C",
        description =
            "Instead of ranks: a link of the mesh, by the rows and columns of its ranks, as in"
                + " 0,1-0,2.")
    private String link;

    Optional<String> typed() {
      return Optional.ofNullable(link);
    }
  }

  boolean hasBlock() {
    return block != null;
  }

  /**
   * The ranks of the block.
   *
   * @throws UsageException if it is none of the mesh
   */
  List<Target> block() {
    return Arrays.stream(ranksOfBlock()).<Target>mapToObj(Target.OfRank::new).toList();
  }

  /** What becomes of the others when the block is cut off, where they do not hang together. */
  Optional<String> partsWithoutBlock() {
    Mesh in = mesh("--block " + block);
    int[] cutOff = ranksOfBlock();
    if (cutOff.length == in.ranks()) {
      return Optional.of("that is the whole mesh of " + in + ": no worker is left to go on");
    }
    List<int[]> parts = in.without(cutOff).parts();
    return parts.size() == 1
        ? Optional.empty()
        : Optional.of(
            "without this block a mesh of %s falls into %d parts, of %s workers: the largest goes on alone, of equal ones that with the lowest number"
                .formatted(
                    in,
                    parts.size(),
                    parts.stream()
                        .map(part -> String.valueOf(part.length))
                        .collect(Collectors.joining(", "))));
  }

  private int[] ranksOfBlock() {
    Mesh in = mesh("--block " + block);
    Matcher form = BLOCK.matcher(block);
    if (!form.matches()) {
      throw new UsageException(
          "--block %s: its first row and column, and how many rows x columns it has, are needed, such as 2,4+2x2"
              .formatted(block));
    }
    try {
      return in.block(numbers(form.group(1), ","), numbers(form.group(2), "x"));
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "--block %s: not in a mesh of %s, whose rows and columns count from 0"
              .formatted(block, in),
          e);
    }
  }

  /**
   * The link of the mesh that is typed.
   *
   * @throws UsageException if the mesh has no such link
   */
  Target link(String typed, boolean oneWay) {
    Mesh in = mesh("--mesh-link " + typed);
    Matcher form = LINK.matcher(typed);
    if (!form.matches()) {
      throw new UsageException(
          "--mesh-link %s: row and column of two ranks are needed, such as 0,1-0,2"
              .formatted(typed));
    }
    List<Integer> from = numbers(form.group(1), ",");
    List<Integer> to = numbers(form.group(2), ",");
    if (!in.contains(from)
        || !in.contains(to)
        || !in.areNeighbours(in.rankAt(from), in.rankAt(to))) {
      throw new UsageException(
          "--mesh-link %s: no link of a mesh of %s: two ranks beside each other are needed"
              .formatted(typed, in));
    }
    return new Target.OfLink(new Link(in.rankAt(from), in.rankAt(to)), oneWay);
  }

  /** Refuses a mesh that nothing is to be found in. */
  void refuseMeshAlone(String with) {
    if (mesh != null) {
      throw new UsageException("--mesh %s: only with %s".formatted(mesh, with));
    }
  }

  private Mesh mesh(String asked) {
    if (mesh == null) {
      throw new UsageException(
          asked + ": the shape of the training's mesh is needed, too, such as --mesh 4x8");
    }
    Mesh read;
    try {
      read = Mesh.of(mesh);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--mesh %s: %s".formatted(mesh, e.getMessage()), e);
    }
    if (read.ranks() > Limits.RANKS) {
      throw new UsageException(
          "--mesh %s: %d ranks at most are possible".formatted(mesh, Limits.RANKS));
    }
    return read;
  }

  private static List<Integer> numbers(String typed, String between) {
    return Arrays.stream(typed.split(between)).map(Integer::valueOf).toList();
  }
}
