package dev.braid.chaos.event;

/** Limits of the values in an event. */
public final class Limits {

  /** Maximum length of an event, in bytes. */
  public static final int EVENT_BYTES = 4096;

  /** Exclusive limit of ranks, before the number of ranks is known. */
  public static final int RANKS = 65_536;

  static final int LEVEL = 30;
  static final int COUNT = 1000;

  /** Maximum of any time, in ms. */
  public static final long MILLIS = 7L * 24 * 60 * 60 * 1000;

  /** Maximum number of links that one event may concern. */
  static final int LINKS = 200_000;

  /** Maximum number of ranks of a mesh in which an event has a place. */
  static final int MESH_RANKS = 1024;

  static final long BYTES_PER_SECOND = 1_000_000_000_000L;
  static final double FACTOR = 1000;

  /** Largest range of whole numbers that a double holds exactly. */
  static final long WHOLE = 1L << 53;

  private Limits() {}
}
