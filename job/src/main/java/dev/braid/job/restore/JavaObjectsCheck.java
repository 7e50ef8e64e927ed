package dev.braid.job.restore;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamConstants;

/**
 * Check of the one part of a checkpoint's metadata that Flink writes and reads as a Java object:
 * its kind, and how it is treated when the job ends. Another object there would run code when it is
 * read.
 *
 * <p>The start of that part is known only after reading everything before it, which Flink does in
 * one go. This check therefore looks for the mark of Java's object streams. At each mark, it reads
 * an object with a filter that permits only a few of Flink's own classes. Where there is no mark,
 * Flink's reader would fail.
 */
final class JavaObjectsCheck {

  private static final ObjectInputFilter KNOWN =
      ObjectInputFilter.Config.createFilter(
          "maxdepth=8;maxrefs=100;maxarray=0;maxbytes=65536;"
              + "org.apache.flink.runtime.checkpoint.CheckpointProperties;"
              + "org.apache.flink.runtime.checkpoint.CheckpointType;"
              + "org.apache.flink.runtime.checkpoint.SavepointType;"
              + "org.apache.flink.runtime.checkpoint.SavepointType$PostCheckpointAction;"
              + "org.apache.flink.runtime.checkpoint.SnapshotType$SharingFilesStrategy;"
              + "org.apache.flink.core.execution.SavepointFormatType;"
              + "java.lang.Enum;!*");

  private static final int MARK =
      Short.toUnsignedInt(ObjectStreamConstants.STREAM_MAGIC) << Short.SIZE
          | ObjectStreamConstants.STREAM_VERSION;

  private JavaObjectsCheck() {}

  /**
   * Checks the content of a file {@code _metadata}.
   *
   * @throws InvalidClassException if it contains an object of another class
   */
  static void check(byte[] metadata) throws InvalidClassException {
    int last = 0;
    for (int i = 0; i < metadata.length; i++) {
      last = last << Byte.SIZE | Byte.toUnsignedInt(metadata[i]);
      if (last == MARK) {
        int place = i + 1 - Integer.BYTES;
        read(new ByteArrayInputStream(metadata, place, metadata.length - place));
      }
    }
  }

  private static void read(InputStream in) throws InvalidClassException {
    try (ObjectInputStream objects = new ObjectInputStream(in)) {
      objects.setObjectInputFilter(KNOWN);
      var unused = objects.readObject();
    } catch (InvalidClassException e) {
      throw e;
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      // No object begins here, or only one that this process could not create.
    }
  }
}
