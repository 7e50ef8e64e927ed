package dev.braid.loop.coordinator;

import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The agreement on the size of network buffers: the smallest size of any member.
 *
 * <p>All members cut vectors in the same places, so they need the same length of messages. It
 * depends on the actual buffers of the TaskManagers, which the client that submits a job cannot
 * know. With messages for larger buffers, the messages in flight on a link could exceed its
 * buffers, and a send would block. Smaller messages only cost time, so different sizes are not an
 * error.
 */
final class BufferAgreement {

  private static final int UNKNOWN = 0;

  private final int[] bytes;

  BufferAgreement(int members) {
    this.bytes = new int[members];
  }

  /**
   * Adds the size of a member's buffers, in bytes.
   *
   * @return the size for all members, if all have reported theirs
   */
  OptionalInt add(int member, int bufferBytes) {
    bytes[member] = bufferBytes;
    return isReached() ? Arrays.stream(bytes).min() : OptionalInt.empty();
  }

  /** Returns the message to log if the sizes of an agreement differ. */
  Optional<String> difference() {
    IntSummaryStatistics sizes = Arrays.stream(bytes).summaryStatistics();
    return sizes.getMin() == sizes.getMax()
        ? Optional.empty()
        : Optional.of(
            "workers have network buffers of different sizes, %s bytes: messages are limited to %d"
                .formatted(Arrays.toString(bytes), sizes.getMin()));
  }

  /** Returns whether all members have reported their sizes. */
  boolean isReached() {
    return Arrays.stream(bytes).noneMatch(each -> each == UNKNOWN);
  }
}
