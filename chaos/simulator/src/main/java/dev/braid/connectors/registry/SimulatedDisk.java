package dev.braid.connectors.registry;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.flink.api.common.io.InputStreamFSInputWrapper;
import org.apache.flink.core.fs.BlockLocation;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;

/**
 * A distributed file system in memory, for one registry. A file is visible once it is closed, and a
 * rename does not replace a file. Between two steps of any request, other programs may act, or the
 * request may fail.
 */
public final class SimulatedDisk implements AutoCloseable {

  /** Place of the registry. */
  public static final String PLACE = "simulated:///registry";

  /** The disk that the code on this thread uses. Flink keeps its file systems for ever. */
  private static final ThreadLocal<SimulatedDisk> CURRENT = new ThreadLocal<>();

  /** Actions of other programs between two steps of a request. */
  @FunctionalInterface
  public interface Steps {

    /**
     * Lets other programs act.
     *
     * @throws IOException if the request fails after this step
     */
    void between() throws IOException;
  }

  private record Content(byte[] bytes, long millis) {}

  private final Steps steps;
  private final LongSupplier clock;
  private final boolean isTorn;
  private final SortedMap<String, Content> files = new TreeMap<>();

  /**
   * Creates an empty disk that the registries of this thread use until it is closed.
   *
   * @param clock time in ms since 1970
   * @param isTorn whether others can see half of a file that is renamed, which is a mistake
   */
  public SimulatedDisk(Steps steps, LongSupplier clock, boolean isTorn) {
    this.steps = steps;
    this.clock = clock;
    this.isTorn = isTorn;
    CURRENT.set(this);
  }

  @Override
  public void close() {
    CURRENT.remove();
  }

  /** Removes the files of a version, but not its description, which is a mistake. */
  public void removeFiles(int number) throws IOException {
    var unused = delete(new Path(PLACE, ModelVersion.name(number)).getPath());
    steps.between();
  }

  private List<String> under(String path) {
    Predicate<String> isUnder = name -> name.equals(path) || name.startsWith(path + "/");
    return files.keySet().stream().filter(isUnder).toList();
  }

  private Content content(String path) throws IOException {
    return Optional.ofNullable(files.get(path)).orElseThrow(() -> new FileNotFoundException(path));
  }

  private void put(String path, byte[] bytes) {
    files.put(path, new Content(bytes, clock.getAsLong()));
  }

  private boolean delete(String path) throws IOException {
    List<String> found = under(path);
    for (String file : found) {
      files.remove(file);
      steps.between();
    }
    return !found.isEmpty();
  }

  private boolean rename(String from, String to) throws IOException {
    if (files.containsKey(to)) {
      return false;
    }
    byte[] bytes = content(from).bytes();
    if (isTorn) {
      put(to, Arrays.copyOf(bytes, bytes.length / 2));
      steps.between();
    }
    put(to, bytes);
    files.remove(from);
    return true;
  }

  /** A file, or a folder with the time of its latest file. */
  private record Status(Path path, long bytes, long millis, boolean isFolder)
      implements FileStatus {

    @Override
    public long getLen() {
      return bytes;
    }

    @Override
    public long getBlockSize() {
      return bytes;
    }

    @Override
    public short getReplication() {
      return 1;
    }

    @Override
    public long getModificationTime() {
      return millis;
    }

    @Override
    public long getAccessTime() {
      return millis;
    }

    @Override
    public boolean isDir() {
      return isFolder;
    }

    @Override
    public Path getPath() {
      return path;
    }
  }

  /** A file that is visible once it is closed. */
  private static final class NewFile extends FSDataOutputStream {

    private final String path;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    NewFile(String path) {
      this.path = path;
    }

    @Override
    public void write(int value) {
      bytes.write(value);
    }

    @Override
    public void write(byte[] values, int offset, int length) {
      bytes.write(values, offset, length);
    }

    @Override
    public long getPos() {
      return bytes.size();
    }

    @Override
    public void flush() {}

    @Override
    public void sync() {}

    @Override
    public void close() throws IOException {
      SimulatedDisk disk = CURRENT.get();
      disk.steps.between();
      disk.put(path, bytes.toByteArray());
      disk.steps.between();
    }
  }

  /** The disks of all threads, as Flink's file system. */
  private static final class Disks extends FileSystem {

    private final URI uri;

    Disks(URI uri) {
      this.uri = uri;
    }

    /** Returns the disk of this thread at the beginning of a request. */
    private static SimulatedDisk disk() throws IOException {
      SimulatedDisk disk = CURRENT.get();
      disk.steps.between();
      return disk;
    }

    @Override
    public URI getUri() {
      return uri;
    }

    @Override
    public Path getWorkingDirectory() {
      return new Path(PLACE);
    }

    @Override
    public Path getHomeDirectory() {
      return new Path(PLACE);
    }

    @Override
    public boolean isDistributedFS() {
      return true;
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
      return status(disk(), path.getPath());
    }

    private static Status status(SimulatedDisk disk, String path) throws IOException {
      List<String> found = disk.under(path);
      if (found.isEmpty()) {
        throw new FileNotFoundException(path);
      }
      long millis = found.stream().mapToLong(file -> disk.files.get(file).millis()).max().orElse(0);
      Content content = disk.files.get(path);
      return new Status(
          new Path(path), content == null ? 0 : content.bytes().length, millis, content == null);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) {
      return new BlockLocation[0];
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
      return open(path);
    }

    @Override
    public FSDataInputStream open(Path path) throws IOException {
      return new InputStreamFSInputWrapper(
          new ByteArrayInputStream(disk().content(path.getPath()).bytes()));
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
      SimulatedDisk disk = disk();
      String folder = path.getPath() + "/";
      List<String> names =
          disk.under(path.getPath()).stream()
              .filter(file -> file.startsWith(folder))
              .map(file -> file.substring(folder.length()).replaceAll("/.*", ""))
              .distinct()
              .toList();
      FileStatus[] found = new FileStatus[names.size()];
      for (int i = 0; i < found.length; i++) {
        found[i] = status(disk, folder + names.get(i));
      }
      return found;
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
      return disk().delete(path.getPath());
    }

    @Override
    public boolean mkdirs(Path path) {
      return true;
    }

    @Override
    public FSDataOutputStream create(Path path, WriteMode mode) {
      return new NewFile(path.getPath());
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
      SimulatedDisk disk = disk();
      boolean isDone = disk.rename(from.getPath(), to.getPath());
      disk.steps.between();
      return isDone;
    }
  }

  /** Registers the file system with Flink. */
  public static final class Factory implements FileSystemFactory {
    @Override
    public String getScheme() {
      return URI.create(PLACE).getScheme();
    }

    @Override
    public FileSystem create(URI uri) {
      return new Disks(uri);
    }
  }
}
