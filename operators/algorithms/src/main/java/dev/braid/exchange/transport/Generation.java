package dev.braid.exchange.transport;

/**
 * The numbering that a transport's messages belong to. Every view begins a new one, and so does the
 * first message after every rollback, at all ranks.
 *
 * <p>Ranks may enter a view before or after they resume from a rollback. So the two are counted
 * separately, in one number. When a count restarts at 0, no link holds messages of its previous 0.
 */
final class Generation {

  private static final int ROLL_BACK_BITS = 20;
  private static final int ROLL_BACK_MASK = (1 << ROLL_BACK_BITS) - 1;
  private static final int VIEW_MASK = (1 << (Integer.SIZE - 1 - ROLL_BACK_BITS)) - 1;

  /** Returns whether messages with a generation number belong to a view. */
  static boolean isOfView(int number, long viewNumber) {
    return number >>> ROLL_BACK_BITS == (viewNumber & VIEW_MASK);
  }

  private int view;
  private int rollBacks;
  private boolean rolledBack;

  /** Returns the number that messages carry; 0 at first. */
  int number() {
    return number(rollBacks);
  }

  private int number(int ofRollBacks) {
    return view << ROLL_BACK_BITS | (ofRollBacks & ROLL_BACK_MASK);
  }

  /**
   * Returns whether the rank is rolled back, and incoming messages do not count until it resumes.
   */
  boolean isRolledBack() {
    return rolledBack;
  }

  void rollBack() {
    rolledBack = true;
  }

  /** Returns whether a message comes from a rank that has already resumed from this rollback. */
  boolean isNext(int number) {
    return rolledBack && number == number(rollBacks + 1);
  }

  /** Resumes after a rollback. Returns true if this begins a new numbering. */
  boolean resume() {
    boolean begins = rolledBack;
    rolledBack = false;
    rollBacks += begins ? 1 : 0;
    return begins;
  }

  void enter(long viewNumber) {
    view = (int) (viewNumber & VIEW_MASK);
  }
}
