package dev.braid.connectors.stream;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.Lineage;
import dev.braid.connectors.lineage.LineageEntry;
import dev.braid.connectors.lineage.LineageEntry.Resumed;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;

/**
 * An append to a lineage that one thread executes, once: the worker thread, or the thread that
 * closes the enumerator while the append waits for the worker thread.
 */
final class LineageAppend {

  private final Lineage lineage;
  private final List<LineageEntry> lines;
  private final String run;
  private boolean hasBegun;
  private boolean isDone;

  /** Prepares an append by the job with id {@code run}. */
  LineageAppend(Lineage lineage, List<LineageEntry> lines, String run) {
    this.lineage = lineage;
    this.lines = lines;
    this.run = run;
  }

  /**
   * Appends, unless another thread has begun to append; in that case waits for that thread.
   *
   * @return whether the lines are in the lineage
   * @throws InvalidDataException if another job continues the lineage
   * @throws IOException if the append fails in this thread
   */
  synchronized boolean run() throws IOException {
    if (!hasBegun) {
      hasBegun = true;
      append();
      isDone = true;
    }
    return isDone;
  }

  /**
   * Appends. If an earlier enumerator of the same job has written last, a restart continues with
   * its deals. If another job continues the lineage, that job keeps it.
   */
  private void append() throws IOException {
    try {
      lineage.append(lines);
    } catch (FileAlreadyExistsException e) {
      for (LineageEntry entry : lineage.entries(lineage.size())) {
        if (entry instanceof Resumed other && !other.run().equals(run)) {
          InvalidDataException replaced = lineage.continuedBy(other.run());
          var unused = replaced.initCause(e);
          throw replaced;
        }
      }
      throw e;
    }
  }
}
