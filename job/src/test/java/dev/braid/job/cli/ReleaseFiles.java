package dev.braid.job.cli;

import dev.braid.job.Main;
import dev.braid.job.console.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/**
 * Generator of a release's additional files: completion for bash and zsh, and the text of a manual
 * page for each command, for Asciidoctor. The Maven profile {@code release} runs it.
 */
final class ReleaseFiles {

  private ReleaseFiles() {}

  /**
   * Writes the files.
   *
   * @param args the folder
   */
  public static void main(String[] args) throws IOException {
    CommandLine braid = Main.commandLine(new Terminal(System.out, false, false, () -> 80));
    Path folder = Path.of(args[0]);
    Path completion = Files.createDirectories(folder.resolve("completion"));
    Files.writeString(completion.resolve("braid"), AutoComplete.bash("braid", braid));
    Path pages = Files.createDirectories(folder.resolve("pages"));
    int code =
        ManPageGenerator.generateManPage(
            pages.toFile(), null, new boolean[0], true, braid.getCommandSpec());
    if (code != 0) {
      throw new IOException(pages + ": no manual pages, exit code " + code);
    }
  }
}
