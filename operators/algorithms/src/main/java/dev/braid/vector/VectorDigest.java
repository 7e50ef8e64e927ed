package dev.braid.vector;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Digests of vectors, used to compare their bits. */
public final class VectorDigest {

  private static final int BLOCK = 8192;

  private VectorDigest() {}

  /** Returns SHA-256 of a vector as little-endian float32. */
  public static byte[] sha256(float[] vector) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      ByteBuffer bytes = ByteBuffer.allocate(BLOCK * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < vector.length; i += BLOCK) {
        int count = Math.min(BLOCK, vector.length - i);
        bytes.asFloatBuffer().put(vector, i, count);
        sha256.update(bytes.array(), 0, count * Float.BYTES);
      }
      return sha256.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
