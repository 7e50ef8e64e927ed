package dev.braid.connectors.registry;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files of versions, divided into chunks that fit into a Kafka record. The key of a chunk is for
 * example {@code v17/model.zip/SHA-256/3}, with the checksum of the whole file and the number of
 * the chunk.
 */
final class FileChunks {

  /** Maximum length of a chunk in bytes, half of the default limit of a record. */
  static final int BYTES = 512 << 10;

  private static final Pattern KEY = Pattern.compile("(v[1-9]\\d{0,8})/.*");

  private FileChunks() {}

  /** Returns the chunks of a file by their keys, in order. */
  static Map<String, byte[]> of(ModelVersion version, String name, byte[] content) {
    Map<String, byte[]> chunks = new LinkedHashMap<>();
    int from = 0;
    for (String key : keys(version, name)) {
      chunks.put(key, Arrays.copyOfRange(content, from, Math.min(from + BYTES, content.length)));
      from += BYTES;
    }
    return chunks;
  }

  /** Returns the keys of the chunks of a file, in order; empty for an empty file. */
  static Set<String> keys(ModelVersion version, String name) {
    ModelVersion.FileSum sum = version.files().get(name);
    Set<String> keys = new LinkedHashSet<>();
    for (long from = 0; from < sum.bytes(); from += BYTES) {
      keys.add("%s/%s/%s/%d".formatted(version.name(), name, sum.sha256(), from / BYTES));
    }
    return keys;
  }

  /** Returns the keys of the chunks of all files of a version. */
  static Set<String> keys(ModelVersion version) {
    Set<String> keys = new LinkedHashSet<>();
    version.files().keySet().forEach(name -> keys.addAll(keys(version, name)));
    return keys;
  }

  /** Returns the number of the version of a chunk; empty if the key is not that of a chunk. */
  static OptionalInt number(String key) {
    Matcher matcher = KEY.matcher(key);
    return matcher.matches()
        ? OptionalInt.of(ModelVersion.number(matcher.group(1)))
        : OptionalInt.empty();
  }
}
