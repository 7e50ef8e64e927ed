package dev.braid.loop.coordinator;

import java.util.Arrays;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How large members take network buffers to be: as large as the smallest that any of them has.
 *
 * <p>All cut vectors in the same places, so they need one length of messages. It follows from what
 * the TaskManagers really have, which whoever submits a job cannot know; with messages for larger
 * buffers, more could be under way on a link than its buffers hold, and a send would block. Smaller
 * messages only cost time, so members that differ need not fail.
 */
final class BufferAgreement {

  private static final Logger LOG = LoggerFactory.getLogger(BufferAgreement.class);
  private static final int UNKNOWN = 0;

  private final int[] bytes;

  BufferAgreement(int members) {
    this.bytes = new int[members];
  }

  /**
   * A member tells.
   *
   * @return what holds for all, when all have told
   */
  OptionalInt add(int member, int bufferBytes) {
    bytes[member] = bufferBytes;
    if (!isReached()) {
      return OptionalInt.empty();
    }
    int least = Arrays.stream(bytes).min().orElseThrow();
    if (Arrays.stream(bytes).anyMatch(other -> other != least)) {
      LOG.info(
          "workers have network buffers of different sizes, {} bytes: messages are "
              + "limited to {}",
          Arrays.toString(bytes),
          least);
    }
    return OptionalInt.of(least);
  }

  /** Whether all have told. */
  boolean isReached() {
    return Arrays.stream(bytes).noneMatch(each -> each == UNKNOWN);
  }
}
