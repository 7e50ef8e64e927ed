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
 * Files that are there whole or not at all: written beside their place, brought to the disk, then
 * renamed. A reader, and whoever comes after a crash of the machine, finds the file that was there
 * before, or the new one.
 *
 * <p>A file has the mode that any other program would give it, as the user's umask says, and not
 * that of a temporary file, which nobody else may read.
 */
public final class WholeFile {

  private WholeFile() {}

  /** What a file consists of. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Makes a file, or what a folder lists, outlast a crash of the machine. */
  @FunctionalInterface
  interface Disk {
    void force(java.nio.file.Path path) throws IOException;
  }

  /**
   * Writes a file, and its folder where that is not there yet; an older file goes.
   *
   * @param place a local path, or a URI of a file system that Flink knows
   * @throws IOException if the file cannot be written; then nothing of it is left, and an older one
   *     is as it was
   */
  public static void write(String place, Content content) throws IOException {
    Path target = new Path(place);
    if (FileSystem.get(target.toUri()).isDistributedFS()) {
      writeDistributed(target, content);
    } else {
      write(java.nio.file.Path.of(target.toUri().getPath()), content);
    }
  }

  /** Writes a file on a disk of this machine, as {@link #write(String, Content)} does. */
  public static void write(java.nio.file.Path path, Content content) throws IOException {
    write(path, content, WholeFile::force);
  }

  /**
   * Makes a new folder among the machine's temporary ones, where results cannot be written to their
   * place. It has the mode of any other, so that whoever may read results may read them there.
   */
  public static java.nio.file.Path newTemporaryFolder(String prefix) throws IOException {
    String name = prefix + UUID.randomUUID();
    return Files.createDirectory(java.nio.file.Path.of(System.getProperty("java.io.tmpdir"), name));
  }

  static void write(java.nio.file.Path path, Content content, Disk disk) throws IOException {
    java.nio.file.Path target = path.toAbsolutePath();
    java.nio.file.Path folder = target.getParent();
    Files.createDirectories(folder);
    // In the same folder, since a rename is atomic within a file system only.
    java.nio.file.Path part = folder.resolve(partOf(target.getFileName().toString()));
    try {
      try (OutputStream out =
          new BufferedOutputStream(
              Files.newOutputStream(
                  part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
        content.writeTo(out);
      }
      // Else a crash could leave the new name on an empty file.
      disk.force(part);
      checkWanted(target);
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
    try {
      disk.force(folder);
    } catch (IOException e) {
      // Some file systems cannot do this for a folder. Then the older file, whole as well, may come
      // back after a crash: no reason to call the new one unwritten.
    }
  }

  private static void force(java.nio.file.Path path) throws IOException {
    StandardOpenOption mode =
        Files.isDirectory(path) ? StandardOpenOption.READ : StandardOpenOption.WRITE;
    try (FileChannel channel = FileChannel.open(path, mode)) {
      channel.force(true);
    }
  }

  private static void writeDistributed(Path target, Content content) throws IOException {
    FileSystem fileSystem = FileSystem.get(target.toUri());
    fileSystem.mkdirs(target.getParent());
    Path part = new Path(target.getParent(), partOf(target.getName()));
    boolean isOnlyCopy = false;
    try {
      // What is closed there is kept: such file systems need not be told to.
      try (OutputStream out =
          new BufferedOutputStream(fileSystem.create(part, FileSystem.WriteMode.NO_OVERWRITE))) {
        content.writeTo(out);
      }
      checkWanted(target);
      // Where rename does not replace, there is a moment without the file: never one with half.
      isOnlyCopy = fileSystem.delete(target, false);
      if (!fileSystem.rename(part, target)) {
        throw new IOException(target + ": could not be renamed from " + part);
      }
    } catch (IOException | RuntimeException e) {
      if (!isOnlyCopy) {
        removePart(fileSystem, part, e);
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

  /** Of a name that no other run has, even one into the same folder. */
  private static String partOf(String name) {
    return "." + name + "-" + UUID.randomUUID() + ".part";
  }

  /** Whoever gave a slow disk up must not have a newer file replaced, once it answers. */
  private static void checkWanted(Object target) throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException(target + ": writing was interrupted");
    }
  }

  /** Why a file could not be written, in a few words for the user. */
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
