package dev.braid.broker;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * Generator of random passwords of 192 bits, written as letters, digits, dashes and underscores.
 */
final class Passwords {

  private static final int BYTES = 24;

  private Passwords() {}

  static String random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
