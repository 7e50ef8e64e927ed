package dev.braid.job.restore;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests with a checkpoint from which a run is to resume. */
abstract class CheckpointCase {

  @TempDir Path folder;

  WrittenCheckpoint checkpoint;

  @BeforeEach
  void writeCheckpoint() throws IOException {
    checkpoint = WrittenCheckpoint.in(folder);
  }

  /** Checks whether a run with these options may resume from the checkpoint; throws if not. */
  final void check(String... options) throws IOException {
    RestoringRun.check(checkpoint, options);
  }
}
