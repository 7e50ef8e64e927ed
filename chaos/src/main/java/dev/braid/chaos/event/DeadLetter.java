package dev.braid.chaos.event;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * A record that is not an event, or is an impossible one, with the reason.
 *
 * @param origin place of the record
 * @param reason what is wrong with it
 * @param bytes content of the record
 */
public record DeadLetter(String origin, String reason, byte[] bytes) {

  /**
   * Returns it as a line of JSON, without a line end. The record is text if it is UTF-8, else
   * base64; of a record that is too large, only the beginning is included.
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
