package dev.braid.chaos.event;

/** Bounds of what an event may say. */
public final class Limits {

  /** Bytes of an event. */
  public static final int EVENT_BYTES = 4096;

  /** One more than the largest rank, before it is known how many there are. */
  public static final int RANKS = 65_536;

  static final int LEVEL = 30;
  static final int COUNT = 1000;

  /** Of any time, in milliseconds. */
  public static final long MILLIS = 7L * 24 * 60 * 60 * 1000;

  /** The most that one event about links may concern. */
  static final int LINKS = 200_000;

  /** The most ranks of a mesh in which an event has a place. */
  static final int MESH_RANKS = 1024;

  static final long BYTES_PER_SECOND = 1_000_000_000_000L;
  static final double FACTOR = 1000;

  /** Largest range of whole numbers that a double holds exactly. */
  static final long WHOLE = 1L << 53;

  private Limits() {}
}
