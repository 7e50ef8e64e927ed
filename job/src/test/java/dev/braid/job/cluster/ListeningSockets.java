package dev.braid.job.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The addresses at which a process accepts TCP connections, as Linux lists them. */
final class ListeningSockets {

  private static final String LISTEN = "0A";

  private ListeningSockets() {}

  static List<InetAddress> of(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    Set<String> own = new HashSet<>();
    try (Stream<Path> files = Files.list(process.resolve("fd"))) {
      for (Path file : files.toList()) {
        try {
          own.add(Files.readSymbolicLink(file).toString());
        } catch (NoSuchFileException e) {
          // Closed in the meantime.
        }
      }
    }
    List<InetAddress> addresses = new ArrayList<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : Files.readAllLines(process.resolve(table))) {
        String[] fields = line.strip().split("\\s+", -1);
        if (fields[3].equals(LISTEN) && own.contains("socket:[" + fields[9] + "]")) {
          addresses.add(address(fields[1]));
        }
      }
    }
    return addresses;
  }

  /** Parses an address: words of four bytes, each in the machine's order. */
  private static InetAddress address(String hexAndPort) throws IOException {
    byte[] bytes = HexFormat.of().parseHex(hexAndPort.substring(0, hexAndPort.indexOf(':')));
    ByteBuffer words = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.nativeOrder());
    ByteBuffer inOrder = ByteBuffer.allocate(bytes.length);
    while (words.hasRemaining()) {
      inOrder.putInt(words.getInt());
    }
    return InetAddress.getByAddress(inOrder.array());
  }
}
