package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.ValueForm;
import dev.braid.topology.Mesh;
import java.util.List;
import java.util.Optional;

/** {@code mesh}. */
public final class MeshDescriptor implements ExchangeDescriptor {

  /** How many rows and columns the ranks make. */
  public static final ExchangeOption<Mesh> MESH =
      ExchangeOption.named("mesh", "RxC", new ValueForm<>(Mesh.class, Mesh::of, Mesh::toString))
          .help("For mesh: its rows and columns, such as 2x4, as many together as workers.")
          .byDefault("the most square one", workers -> Mesh.mostSquare(Math.max(1, workers)))
          .shortlyInPlace("mesh");

  /** How they add up. */
  public static final ExchangeOption<MeshAlgorithm> ALGORITHM =
      ExchangeOption.named(
              "mesh-algorithm", "NAME", ValueForm.word(MeshAlgorithm.class, MeshAlgorithm::title))
          .help(
              "For mesh: 1d, a ring of all; 2d, rings of rows, then of columns; 2d-two-colour, the"
                  + " same for a half, and columns first for the other; row-pairs, rings of two"
                  + " rows, then across.")
          .byDefault(MeshAlgorithm.ROWS_THEN_COLUMNS)
          .shortlyInPlace("algorithm");

  @Override
  public String name() {
    return "mesh";
  }

  @Override
  public String summary() {
    return "allreduce on a 2-D mesh, around ranks that are cut off";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(MESH, ALGORITHM, Compression.OPTION);
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  @Override
  public boolean bearsFaultyLinks() {
    return true;
  }

  @Override
  public Optional<String> mistake(ExchangeOptions chosen) {
    Mesh mesh = chosen.get(MESH);
    int workers = chosen.workers();
    return mesh.ranks() == workers
        ? Optional.empty()
        : Optional.of(
            "%s %s: a mesh of %d ranks for %d workers: rows x columns must be %d, for example %s"
                .formatted(MESH, mesh, mesh.ranks(), workers, workers, Mesh.mostSquare(workers)));
  }

  @Override
  public Optional<String> describe(ExchangeOptions chosen) {
    return Optional.of(chosen.get(MESH) + ", " + chosen.get(ALGORITHM).title());
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    return new MeshAllreduce(config, port);
  }

  /** The mesh of a run. Where fewer ranks are left than were asked for it is another one. */
  static Mesh mesh(ExchangeConfig config) {
    Mesh chosen = config.options().get(MESH);
    return chosen.ranks() == config.ranks() ? chosen : Mesh.mostSquare(config.ranks());
  }
}
