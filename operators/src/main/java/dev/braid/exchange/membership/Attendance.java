package dev.braid.exchange.membership;

/**
 * What an exchange is told of ranks that cannot be reached, so that it goes on without them. Who
 * tells it has seen to it that this rank is among those that go on ({@link RollCall}); where
 * nothing tells, all are always there.
 */
public interface Attendance {

  /** Of an exchange that waits for all ranks, whatever becomes of them. */
  Attendance NONE =
      new Attendance() {
        @Override
        public void left(int other) {}

        @Override
        public void back(int other) {}

        @Override
        public boolean isKeptWaiting() {
          return false;
        }
      };

  /**
   * A rank cannot be reached for long: it is not to be waited for, and nothing to be sent to it.
   */
  void left(int other);

  /** A rank that had left answers again. */
  void back(int other);

  /** Whether this rank waits for others, to which it may have nothing under way. */
  boolean isKeptWaiting();
}
