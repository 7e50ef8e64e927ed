package dev.braid.job.restore;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test with a checkpoint, from which a run is to go on. */
abstract class CheckpointCase {

  @TempDir Path folder;

  WrittenCheckpoint checkpoint;

  @BeforeEach
  void writeCheckpoint() throws IOException {
    checkpoint = WrittenCheckpoint.in(folder);
  }

  /** Whether a run with these options may go on from it; throws if not. */
  final void check(String... options) throws IOException {
    RestoringRun.check(checkpoint, options);
  }
}
