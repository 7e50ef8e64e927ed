package dev.braid.job.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Logs and output of a process that has ended. */
final class ProcessLog {

  private static final int TAIL_BYTES = 64 << 10;
  private static final int LONGEST = 300;

  private static final Pattern PORT_TAKEN =
      Pattern.compile(
          ".*BindException: Could not start rest endpoint on any port in port range (\\d+).*");

  private ProcessLog() {}

  /** Returns the line that most likely gives the reason for a process's end. */
  static Optional<String> lastWords(ClusterFolder folder, String process) {
    List<String> logged = tail(folder.log(process));
    List<String> printed = tail(folder.out(process));
    return Stream.of(
            last(logged.stream().filter(line -> line.startsWith("Caused by: "))),
            last(logged.stream().filter(line -> line.matches("\\S+ \\S+ (ERROR|FATAL) .*"))),
            printed.stream().filter(line -> !line.isBlank()).findFirst())
        .flatMap(Optional::stream)
        .findFirst()
        .map(line -> PORT_TAKEN.matcher(line).replaceFirst("port $1 is in use by another program"))
        .map(line -> line.substring(0, Math.min(line.length(), LONGEST)));
  }

  private static Optional<String> last(Stream<String> lines) {
    return lines.reduce((first, second) -> second);
  }

  private static List<String> tail(Path file) {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long from = Math.max(0, in.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) (in.length() - from)];
      in.seek(from);
      in.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
