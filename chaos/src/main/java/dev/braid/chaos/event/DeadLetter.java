package dev.braid.chaos.event;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * A record that is no event, or none that is possible, and why.
 *
 * @param origin where it was
 * @param reason what is wrong with it
 * @param bytes what it was
 */
public record DeadLetter(String origin, String reason, byte[] bytes) {

  /**
   * As a line of JSON, without its end: the record as text where it is UTF-8, else in base 64, and
   * of one that is too large only the beginning.
   */
  public String toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("version", HappeningLog.VERSION);
    json.put("origin", origin);
    json.put("reason", reason);
    json.put("bytes", bytes.length);
    byte[] beginning = Arrays.copyOf(bytes, Math.min(bytes.length, Limits.EVENT_BYTES));
    try {
      json.put(
          "text",
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(beginning)).toString());
    } catch (CharacterCodingException e) {
      json.put("base64", Base64.getEncoder().encodeToString(beginning));
    }
    return json.toString();
  }
}
