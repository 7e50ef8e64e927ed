package dev.braid.connectors.source;

import dev.braid.coding.CodeTree;
import java.io.Serializable;
import java.util.Optional;

/**
 * Whether workers compute samples of each other's shares, too. A round's samples are those of one
 * batch of each share; this says which of them each worker computes, and with which coefficients.
 */
@FunctionalInterface
public interface RoundSharing extends Serializable {

  /** Each worker computes the samples of its share. */
  RoundSharing NONE = workers -> Optional.empty();

  /** The code of so many workers; empty if each computes the samples of its share. */
  Optional<CodeTree> codes(int workers);
}
