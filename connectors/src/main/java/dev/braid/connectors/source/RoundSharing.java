package dev.braid.connectors.source;

import dev.braid.coding.CodeTree;
import java.io.Serializable;
import java.util.Optional;

/**
 * Whether workers also compute samples of each other's shares. A round's samples are those of one
 * batch of each share. The sharing determines which of them each worker computes, and with which
 * coefficients.
 */
@FunctionalInterface
public interface RoundSharing extends Serializable {

  /** No sharing: each worker computes only the samples of its own share. */
  RoundSharing NONE = workers -> Optional.empty();

  /**
   * Returns the code for a number of workers; empty if each computes only the samples of its own
   * share.
   */
  Optional<CodeTree> codes(int workers);
}
