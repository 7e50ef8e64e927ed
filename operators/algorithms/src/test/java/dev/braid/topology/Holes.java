package dev.braid.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Meshes with holes, drawn from a seed. */
public final class Holes {

  private Holes() {}

  /**
   * Returns meshes and tori of one to four dimensions, in which single ranks have failed at random
   * and the other ranks stay connected.
   */
  public static HoledMesh inAnyDimensions(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Integer> sizes = new ArrayList<>();
    int dimensions = 1 + random.nextInt(4);
    for (int i = 0; i < dimensions; i++) {
      sizes.add(1 + random.nextInt(dimensions > 2 ? 4 : 6));
    }
    Mesh mesh = new Mesh(sizes, random.nextBoolean());
    HoledMesh holed = mesh.whole();
    int holes = random.nextInt(1 + mesh.ranks() / 3);
    for (int i = 0; i < holes; i++) {
      List<Integer> live = new ArrayList<>(Arrays.stream(holed.live()).boxed().toList());
      live.remove(random.nextInt(live.size()));
      if (!live.isEmpty() && mesh.only(live).isConnected()) {
        holed = mesh.only(live);
      }
    }
    return holed;
  }

  /**
   * Returns a mesh in which ranks and blocks have failed at random and the other ranks stay
   * connected.
   */
  public static HoledMesh connected(long seed, int longestSide) {
    SplittableRandom random = new SplittableRandom(seed);
    Mesh mesh = new Mesh(1 + random.nextInt(longestSide), 1 + random.nextInt(longestSide));
    HoledMesh holed = mesh.whole();
    int holes = random.nextInt(6);
    for (int i = 0; i < holes; i++) {
      int row = random.nextInt(mesh.rows());
      int column = random.nextInt(mesh.columns());
      int height = 1 + random.nextInt(Math.min(3, mesh.rows() - row));
      int width = 1 + random.nextInt(Math.min(3, mesh.columns() - column));
      List<Integer> live = new ArrayList<>();
      for (int rank : holed.live()) {
        live.add(rank);
      }
      for (int rank : mesh.block(row, column, height, width)) {
        live.remove(Integer.valueOf(rank));
      }
      if (!live.isEmpty() && mesh.only(live).isConnected()) {
        holed = mesh.only(live);
      }
    }
    return holed;
  }
}
