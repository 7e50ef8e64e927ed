package dev.braid.run.result;

import com.fasterxml.jackson.databind.JsonNode;
import dev.braid.connectors.file.BoundedInput;
import dev.braid.files.PlacedFile;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A history that was read: the run as it was reported so far.
 *
 * @param head how it was started
 * @param evaluations evaluation of each epoch, in order
 * @param outcome how it ended; empty if it is still running, failed or was interrupted
 */
public record RunHistory(Head head, List<Evaluation> evaluations, Optional<Outcome> outcome) {

  private static final long MAX_BYTES = 64 << 20;

  /**
   * The first line.
   *
   * @param options options by their names on the command line
   * @param workers number of workers: as many as were asked for, unless Flink had another number of
   *     slots
   * @param nativeLibrary native library of the process that reports; {@code machine} and {@code
   *     java} are of that process, too
   * @param started an instant, in ISO 8601
   * @param data checksums of the data; several if the run resumed with other samples
   * @param chunkLength maximum number of values in a message; 0 before workers have begun
   * @param math kernels with which workers compute; with more than one, gradients of different bits
   *     have gone into the model
   */
  public record Head(
      JsonNode options,
      int workers,
      String braid,
      String flink,
      String java,
      String machine,
      String nativeLibrary,
      String started,
      List<String> data,
      int chunkLength,
      List<MathUse> math) {

    /** Returns a copy with what workers reported when they began. */
    public Head with(int count, WorkersMath workersMath) {
      return new Head(
          options,
          count,
          braid,
          flink,
          java,
          machine,
          nativeLibrary,
          started,
          data,
          workersMath.chunkLength(),
          workersMath.uses());
    }

    /** Returns the samples that the model was evaluated on. */
    public EvaluatedSet evaluated() {
      return EvaluatedSet.of(options::has);
    }

    /** Returns an option as it could be typed; empty if it was not given. */
    public Optional<String> option(String name) {
      return Optional.ofNullable(options.get(name)).map(JsonNode::asText);
    }
  }

  /**
   * Reads the file that a run wrote.
   *
   * @throws InvalidHistoryException if it cannot be read or is not a history
   */
  public static RunHistory read(Path file) {
    // A relative path with a colon would be parsed as a URI.
    Path place = file.toString().contains(":") ? file.toAbsolutePath() : file;
    return read(new PlacedFile(place.toString()));
  }

  /** Reads a history of any file system. */
  public static RunHistory read(PlacedFile file) {
    List<String> lines = lines(file);
    int number = 1;
    try {
      Head head = Json.readStrictly(lines.get(0), Head.class);
      List<Evaluation> evaluations = new ArrayList<>();
      Optional<Outcome> outcome = Optional.empty();
      for (String line : lines.subList(1, lines.size())) {
        number++;
        if (outcome.isPresent()) {
          throw new IllegalArgumentException("a line after the last one");
        }
        if (Json.read(line, JsonNode.class).has("digest")) {
          outcome = Optional.of(Json.readStrictly(line, Outcome.class));
        } else {
          evaluations.add(Json.readStrictly(line, Evaluation.class));
        }
      }
      return new RunHistory(head, List.copyOf(evaluations), outcome);
    } catch (IllegalArgumentException e) {
      throw new InvalidHistoryException(
          file + ": line " + number + " is not from a history of this version of Braid", e);
    }
  }

  private static List<String> lines(PlacedFile file) {
    try {
      if (file.bytes() > MAX_BYTES) {
        throw new InvalidHistoryException(
            file + ": " + file.bytes() + " bytes; a history has at most " + MAX_BYTES);
      }
      return lines(file.open(), file);
    } catch (FileNotFoundException e) {
      throw new InvalidHistoryException(file + ": no such file", e);
    } catch (UncheckedIOException e) {
      boolean isNoText = e.getCause() instanceof CharacterCodingException;
      throw new InvalidHistoryException(file + (isNoText ? ": not UTF-8" : ": cannot be read"), e);
    } catch (IOException e) {
      throw new InvalidHistoryException(file + ": cannot be read", e);
    }
  }

  /** Reads the lines; the file may grow while it is read. */
  private static List<String> lines(InputStream opened, PlacedFile file) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new BoundedInput(
                    opened,
                    MAX_BYTES,
                    () ->
                        new InvalidHistoryException(
                            file + ": more than the " + MAX_BYTES + " bytes of a history")),
                StandardCharsets.UTF_8.newDecoder()))) {
      List<String> lines = reader.lines().toList();
      if (lines.isEmpty()) {
        throw new InvalidHistoryException(file + ": is empty");
      }
      return lines;
    }
  }
}
