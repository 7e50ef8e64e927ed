import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Follows tutorials as a reader would: saves their files, types their commands in the terminals that
 * the text names, and presses Ctrl-C. Fails if a command does.
 *
 * <p>From the repository's folder: {@code java .ci/Tutorial.java PAGE...}
 */
final class Tutorial {

  private static final Pattern COMMAND =
      Pattern.compile("(\\./braid|java|mvn|mkdir|cd|printf|echo|kill|rm|LC_ALL=C) .*", Pattern.DOTALL);

  private static final Pattern FILE = Pattern.compile("(?s).*Save this .*?as\\s+`([^`]+)`.*");
  private static final Pattern TERMINAL =
      Pattern.compile("(first|second|third|fourth|fifth|sixth)\\s+terminal");
  /** A model that a command writes, as the text says. */
  private static final Pattern MODEL = Pattern.compile("`(out/[^`]*model\\.zip)`");

  private static final Pattern CTRL_C = Pattern.compile("Ctrl-C\\s+in\\s+the\\s+" + TERMINAL);

  /**
   * Commands that run while the reader types others, and the output for which the reader waits. A
   * command without output writes into a topic, which it creates.
   */
  private static final Map<Pattern, Pattern> LASTING =
      Map.of(
          Pattern.compile("\\./braid kafka.*"), Pattern.compile("Kafka at "),
          Pattern.compile("java .* write"), Pattern.compile(""),
          Pattern.compile("java .* scores"), Pattern.compile("\"version\""),
          Pattern.compile("\\./braid train .*--publish.*"), Pattern.compile("window +3 "),
          Pattern.compile("\\./braid score .*"), Pattern.compile("records scored"),
          Pattern.compile("\\./braid flink run .* train .*"), Pattern.compile("epoch +\\d"));

  /** Placeholders in commands. Each stands for its last match in the output so far. */
  private static final Map<String, Pattern> WORDS =
      Map.of(
          "JOB", Pattern.compile("\\b([0-9a-f]{32}) :"),
          "SAVEPOINT", Pattern.compile("Path: (\\S+)"));

  /** The reader's folder links to these parts of the repository, and to its modules. */
  private static final List<String> FILES =
      List.of(".mvn", "braid", "conf", "docs", "examples", "pom.xml");

  /** Folder of a module in the repository's pom.xml, or the one that the module is in. */
  private static final Pattern MODULE = Pattern.compile("<module>([^/<]+)");

  /** Folder of the broker in a terminal. */
  private static final Pattern BROKER = Pattern.compile("Kafka at .*, data in (\\S+)");

  private static final long PATIENCE_SECONDS = 600;

  private record Running(String command, Process process, Path output) {

    String printed() throws IOException {
      return Files.readString(output);
    }

    IllegalStateException failed(String how) throws IOException {
      return new IllegalStateException("'" + command + "' " + how + ":\n" + printed());
    }

    void waitFor(Pattern text) throws IOException, InterruptedException {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (!text.matcher(printed()).find()) {
        if (!process.isAlive() || System.nanoTime() > end) {
          throw failed("has not printed '" + text + "'");
        }
        Thread.sleep(100);
      }
    }

    /** Waits until it ends. */
    int end() throws IOException, InterruptedException {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw failed("does not end");
      }
      return process.exitValue();
    }

    void interrupt() throws IOException, InterruptedException {
      if (process.isAlive()) {
        new ProcessBuilder("kill", "-INT", "--", "-" + process.pid()).inheritIO().start().waitFor();
        end();
      }
    }
  }

  private final Path folder;
  private final Map<String, Running> lasting = new LinkedHashMap<>();
  private final StringBuilder printed = new StringBuilder();
  private final StringBuilder text = new StringBuilder();
  private String terminal = "first";
  private int commands;

  private Tutorial(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] pages) throws Exception {
    Path repository = Path.of("").toAbsolutePath();
    for (String page : pages) {
      Path folder = Files.createTempDirectory("braid-tutorial");
      for (String file : linked(repository)) {
        Files.createSymbolicLink(folder.resolve(file), repository.resolve(file));
      }
      long start = System.nanoTime();
      Tutorial tutorial = new Tutorial(folder);
      tutorial.follow(Files.readAllLines(Path.of(page)));
      System.out.printf(
          "%s: %d commands, %d s%n",
          page, tutorial.commands, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
    }
  }

  /**
   * Returns the parts of the repository that the reader's folder links to; what commands write
   * stays in the folder.
   */
  private static Set<String> linked(Path repository) throws IOException {
    Set<String> all = new TreeSet<>(FILES);
    MODULE
        .matcher(Files.readString(repository.resolve("pom.xml")))
        .results()
        .forEach(module -> all.add(module.group(1)));
    return all;
  }

  private void follow(List<String> lines) throws IOException, InterruptedException {
    try {
      List<String> block = new ArrayList<>();
      boolean isFenced = false;
      for (String line : lines) {
        if (line.startsWith("```")) {
          take(block);
          isFenced = !isFenced;
        } else if (isFenced || line.startsWith("    ") || (line.isEmpty() && !block.isEmpty())) {
          block.add(isFenced || line.isEmpty() ? line : line.substring(4));
        } else {
          take(block);
          text.append(line).append('\n');
        }
      }
      take(block);
      if (commands == 0) {
        throw new IllegalStateException("no command found");
      }
      for (Matcher model = MODEL.matcher(String.join("\n", lines)); model.find(); ) {
        if (Files.size(folder.resolve(model.group(1))) == 0) {
          throw new IllegalStateException(model.group(1) + " is empty");
        }
      }
    } finally {
      close();
    }
  }

  /** Takes a block of code, after the text before it. */
  private void take(List<String> block) throws IOException, InterruptedException {
    String content = String.join("\n", block).stripTrailing() + "\n";
    block.clear();
    if (content.isBlank()) {
      return;
    }
    String before = text.toString();
    text.setLength(0);
    for (Matcher key = CTRL_C.matcher(before); key.find(); ) {
      interrupt(key.group(1));
    }
    for (Matcher place = TERMINAL.matcher(before); place.find(); ) {
      terminal = place.group(1);
    }
    if (before.contains("training has ended")) {
      Running training = lasting.remove("first");
      if (training.end() != 0) {
        throw training.failed("failed");
      }
    }
    Matcher file = FILE.matcher(before);
    boolean isPatient = before.contains("after about a minute");
    boolean hasProblem = before.contains("with exit code 1:");
    if (file.matches()) {
      Path path = folder.resolve(file.group(1));
      Files.createDirectories(path.getParent());
      Files.writeString(path, content);
      return;
    }
    // What a command prints is a paragraph of the same block.
    for (String paragraph : content.split("\n\n+")) {
      if (paragraph.lines().allMatch(line -> COMMAND.matcher(line).matches())) {
        List<String> lines = paragraph.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
          type(lines.get(i), isPatient, hasProblem && i == lines.size() - 1 ? 1 : 0);
        }
      } else if (COMMAND.matcher(paragraph).matches()) {
        type(paragraph, isPatient, 0);
      }
    }
  }

  private void type(String command, boolean isPatient, int code)
      throws IOException, InterruptedException {
    commands++;
    String typed = command;
    for (Map.Entry<String, Pattern> word : WORDS.entrySet()) {
      if (typed.matches("(?s).*\\b" + word.getKey() + "\\b.*")) {
        List<String> found =
            word.getValue().matcher(printed).results().map(match -> match.group(1)).toList();
        typed = typed.replaceAll("\\b" + word.getKey() + "\\b", found.get(found.size() - 1));
      }
    }
    System.out.println("== " + terminal + " terminal: " + typed.lines().findFirst().orElseThrow());
    for (Map.Entry<Pattern, Pattern> kind : LASTING.entrySet()) {
      if (kind.getKey().matcher(typed).matches()) {
        Running before = lasting.remove(terminal);
        if (before != null) {
          before.end();
        }
        Running running = start(typed);
        lasting.put(terminal, running);
        running.waitFor(kind.getValue());
        if (kind.getValue().pattern().isEmpty()) {
          waitForTopic(running);
        }
        return;
      }
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    Running done = start(typed);
    while (done.end() != code) {
      if (!isPatient || System.nanoTime() > end) {
        throw done.failed("failed");
      }
      TimeUnit.SECONDS.sleep(1);
      done = start(typed);
    }
    printed.append(done.printed());
  }

  /** Waits until the broker has a topic. */
  private void waitForTopic(Running writing) throws IOException, InterruptedException {
    Matcher broker = BROKER.matcher(lasting.get("first").printed());
    if (!broker.find()) {
      throw new IllegalStateException("no broker runs in the first terminal");
    }
    Path data = Path.of(broker.group(1), "data");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!hasTopic(data)) {
      if (!writing.process().isAlive() || System.nanoTime() > end) {
        throw writing.failed("has created no topic");
      }
      Thread.sleep(100);
    }
    // The client of the next command takes seconds to start; meanwhile the broker is ready.
    TimeUnit.SECONDS.sleep(1);
  }

  /** Returns whether there is a folder of a partition, such as orders-0; not of Kafka's own. */
  private static boolean hasTopic(Path data) throws IOException {
    try (Stream<Path> folders = Files.list(data)) {
      return folders
          .map(folder -> folder.getFileName().toString())
          .anyMatch(name -> name.matches("[^_].*-\\d+"));
    }
  }

  private Running start(String command) throws IOException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    // A group of its own, for Ctrl-C.
    Process process =
        new ProcessBuilder("setsid", "bash", "-c", command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new Running(command, process, output);
  }

  private void interrupt(String name) throws IOException, InterruptedException {
    Running running = lasting.remove(name);
    if (running == null) {
      throw new IllegalStateException("nothing runs in the " + name + " terminal");
    }
    running.interrupt();
    printed.append(running.printed());
  }

  /** Ends what the reader's terminals still run, the last first. */
  private void close() throws IOException, InterruptedException {
    List<String> names = new ArrayList<>(lasting.keySet());
    for (int i = names.size() - 1; i >= 0; i--) {
      interrupt(names.get(i));
    }
  }
}
