package dev.braid.files;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Writes files that exist completely or not at all. A file is written under another name in the
 * same folder, forced to the disk, and then renamed. A reader finds the previous file or the new
 * one, even after a crash of the machine.
 *
 * <p>A file has the mode that any other program would give it, according to the user's umask. It
 * does not have the mode of a temporary file, which no other user may read.
 */
public final class WholeFile {

  private WholeFile() {}

  /** The content of a file. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Forces a file, or a folder's list of files, to the disk, so that it survives a crash of the
   * machine.
   */
  @FunctionalInterface
  interface Disk {
    void force(java.nio.file.Path path) throws IOException;
  }

  /**
   * Writes a file, replacing an older one, and creates its folder if necessary.
   *
   * @param place a local path, or a URI of a file system that Flink knows
   * @throws IOException if the file cannot be written; then nothing of it is left, and an older one
   *     is unchanged
   */
  public static void write(String place, Content content) throws IOException {
    var unused = write(new Path(place), content, true);
  }

  /**
   * Writes a file, unless another program has written one with this name first. Such a file is not
   * missing at any moment. If the file system replaces files atomically, it may be replaced.
   *
   * @param place a local path, or a URI of a file system that Flink knows
   * @return whether this file was written
   * @throws IOException if the file cannot be written
   */
  public static boolean create(String place, Content content) throws IOException {
    return write(new Path(place), content, false);
  }

  private static boolean write(Path target, Content content, boolean mayReplace)
      throws IOException {
    if (FileSystem.get(target.toUri()).isDistributedFS()) {
      return writeDistributed(target, content, mayReplace);
    }
    write(java.nio.file.Path.of(target.toUri().getPath()), content);
    return true;
  }

  /** Writes a file on a disk of this machine, as {@link #write(String, Content)} does. */
  public static void write(java.nio.file.Path path, Content content) throws IOException {
    write(path, content, WholeFile::force);
  }

  /**
   * Creates a folder in the machine's temporary folder, for results that cannot be written to their
   * place. It has the mode of any other folder, so that users who may read results may read them
   * there.
   */
  public static java.nio.file.Path newTemporaryFolder(String prefix) throws IOException {
    String name = prefix + UUID.randomUUID();
    return Files.createDirectory(java.nio.file.Path.of(System.getProperty("java.io.tmpdir"), name));
  }

  static void write(java.nio.file.Path path, Content content, Disk disk) throws IOException {
    java.nio.file.Path target = path.toAbsolutePath();
    java.nio.file.Path folder = target.getParent();
    Files.createDirectories(folder);
    // The temporary name is in the same folder, because a rename is atomic only within a file
    // system.
    java.nio.file.Path part = folder.resolve(partOf(target.getFileName().toString()));
    try {
      try (OutputStream out =
          new BufferedOutputStream(
              Files.newOutputStream(
                  part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
        content.writeTo(out);
      }
      // Without this, the new name could refer to an empty file after a crash.
      disk.force(part);
      checkWanted(target);
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
    try {
      disk.force(folder);
    } catch (IOException e) {
      // Some file systems cannot force a folder. Then the older file, also complete, may reappear
      // after a crash, which is no reason to report the new one as unwritten.
    }
  }

  private static void force(java.nio.file.Path path) throws IOException {
    StandardOpenOption mode =
        Files.isDirectory(path) ? StandardOpenOption.READ : StandardOpenOption.WRITE;
    try (FileChannel channel = FileChannel.open(path, mode)) {
      channel.force(true);
    }
  }

  private static boolean writeDistributed(Path target, Content content, boolean mayReplace)
      throws IOException {
    FileSystem fileSystem = FileSystem.get(target.toUri());
    fileSystem.mkdirs(target.getParent());
    Path part = new Path(target.getParent(), partOf(target.getName()));
    boolean isOnlyCopy = false;
    try {
      // These file systems keep a file once it is closed, so it need not be forced.
      try (OutputStream out =
          new BufferedOutputStream(fileSystem.create(part, FileSystem.WriteMode.NO_OVERWRITE))) {
        content.writeTo(out);
      }
      checkWanted(target);
      // Where rename does not replace, there is a moment without the file, but never one with half
      // of it.
      isOnlyCopy = mayReplace && fileSystem.delete(target, false);
      if (!fileSystem.rename(part, target)) {
        throw new IOException(target + ": could not be renamed from " + part);
      }
      return true;
    } catch (IOException | RuntimeException e) {
      if (!isOnlyCopy) {
        removePart(fileSystem, part, e);
      }
      if (!mayReplace && fileSystem.exists(target)) {
        return false;
      }
      throw e;
    }
  }

  private static void removePart(FileSystem fileSystem, Path part, Exception failure) {
    try {
      fileSystem.delete(part, false);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Returns a temporary name that no other run uses, even in the same folder. */
  private static String partOf(String name) {
    return "." + name + "-" + UUID.randomUUID() + ".part";
  }

  /**
   * Fails if this thread was interrupted: after a caller has abandoned a slow disk, its write must
   * not replace a newer file.
   */
  private static void checkWanted(Object target) throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException(target + ": writing was interrupted");
    }
  }

  /** Returns why a file could not be written, in a few words for the user. */
  public static String reason(IOException failure) {
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof FileAlreadyExistsException exists) {
      return exists.getFile() + " is not a folder";
    }
    if (failure instanceof NoSuchFileException) {
      return "the folder does not exist and cannot be created";
    }
    String reason =
        failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
    return reason == null ? failure.getClass().getSimpleName() : reason;
  }
}
