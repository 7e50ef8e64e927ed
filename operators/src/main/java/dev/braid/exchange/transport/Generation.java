package dev.braid.exchange.transport;

/**
 * Which numbering a transport's messages belong to: it begins anew with every view, and with the
 * first message after every roll-back, at all ranks.
 *
 * <p>Ranks enter a view before or after they go on from a roll-back, as it happens; so the two are
 * counted apart, in one number. Where a count begins again from 0, no message of its last 0 is left
 * in any link.
 */
final class Generation {

  private static final int ROLL_BACK_BITS = 20;
  private static final int ROLL_BACK_MASK = (1 << ROLL_BACK_BITS) - 1;
  private static final int VIEW_MASK = (1 << (Integer.SIZE - 1 - ROLL_BACK_BITS)) - 1;

  /** Whether messages with a number are of a view. */
  static boolean isOfView(int number, long viewNumber) {
    return number >>> ROLL_BACK_BITS == (viewNumber & VIEW_MASK);
  }

  private int view;
  private int rollBacks;
  private boolean rolledBack;

  /** The number that goes with messages; 0 at first. */
  int number() {
    return number(rollBacks);
  }

  private int number(int ofRollBacks) {
    return view << ROLL_BACK_BITS | (ofRollBacks & ROLL_BACK_MASK);
  }

  /** Whether nothing that comes counts until the rank goes on. */
  boolean isRolledBack() {
    return rolledBack;
  }

  void rollBack() {
    rolledBack = true;
  }

  /** Whether a message is of a rank that has gone on already from this roll-back. */
  boolean isNext(int number) {
    return rolledBack && number == number(rollBacks + 1);
  }

  /** True if this begins a new numbering. */
  boolean goOn() {
    boolean begins = rolledBack;
    rolledBack = false;
    rollBacks += begins ? 1 : 0;
    return begins;
  }

  void enter(long viewNumber) {
    view = (int) (viewNumber & VIEW_MASK);
  }
}
