package dev.braid.run.scoring;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.random.ByteHash;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.registry.RegistryPlace;
import java.io.Serializable;
import java.util.OptionalInt;

/**
 * Choice of the versions of a registry that score records. It is serialized with the job.
 *
 * @param registry registry of the versions
 * @param fixed number of the version that scores; 0 to follow the registry
 * @param canary number of the version that scores a share of the records; 0 for none
 * @param canaryShare {@code 0 <= canaryShare <= 1}; 0 without a canary
 */
public record VersionChoice(RegistryPlace registry, int fixed, int canary, double canaryShare)
    implements Serializable {

  /** Salt that makes these hashes differ from those that hold samples out. */
  private static final int SALT = 2;

  /** Returns the choice that follows a registry. */
  public static VersionChoice follow(RegistryPlace registry) {
    return new VersionChoice(registry, 0, 0, 0);
  }

  /**
   * Returns this choice with one fixed version, whatever is published later.
   *
   * @param name name of the version, such as {@code v17}
   * @throws InvalidDataException if no version has such a name
   */
  public VersionChoice fixedTo(String name) {
    return new VersionChoice(registry, ModelVersion.number(name), canary, canaryShare);
  }

  /**
   * Returns this choice with a version that scores a share of the records.
   *
   * @param name name of the version, such as {@code v17}
   * @param share {@code 0 <= share <= 1}
   * @throws InvalidDataException if no version has such a name, or the share is impossible
   */
  public VersionChoice withCanary(String name, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new InvalidDataException(
          "canary %s: a share of %s: 0 to 1 is possible".formatted(name, share));
    }
    return new VersionChoice(registry, fixed, ModelVersion.number(name), share);
  }

  /** Returns the number of the version that scores, if it does not follow the registry. */
  OptionalInt fixedNumber() {
    return fixed == 0 ? OptionalInt.empty() : OptionalInt.of(fixed);
  }

  boolean hasCanary() {
    return canary != 0;
  }

  /** Returns whether the canary scores the records with a key. */
  boolean isCanary(byte[] key) {
    return ByteHash.chooses(key, SALT, canaryShare);
  }

  @Override
  public String toString() {
    return "versions in " + registry;
  }
}
