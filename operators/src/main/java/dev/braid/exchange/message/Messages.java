package dev.braid.exchange.message;

/** What is done to several messages at once. */
public final class Messages {

  private Messages() {}

  /** Releases the values of messages that wait, and forgets them: nulls are left. */
  public static void forget(Message[] waiting) {
    for (int i = 0; i < waiting.length; i++) {
      if (waiting[i] != null) {
        waiting[i].values().release();
        waiting[i] = null;
      }
    }
  }
}
