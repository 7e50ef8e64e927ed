package dev.braid.worker.state;

import dev.braid.codec.DenseCodec;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.wire.DamagedStateException;
import dev.braid.wire.StateChecksum;
import dev.braid.worker.report.EpochSums;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A rank's part of a checkpoint: its share of the state that is the same at all ranks, and its own
 * state.
 *
 * <p>Replicas are identical between two rounds of a synchronous exchange, so one copy of the model
 * is enough. Each of the n ranks that have the model (all, or the members of the view) writes one
 * of n parts of each vector. Every rank reads all parts, whatever the number of ranks that the job
 * continues with. Replicas of an asynchronous exchange differ, because each has added the same
 * gradients in another order: every rank writes its whole replica. With servers, each server writes
 * the range that it serves, and the other ranks write nothing.
 *
 * @param role the rank and the run that have written this part
 * @param quiet whether the loop was held; if not, the part belongs to an aborted checkpoint
 * @param isCurrent whether the rank has the model that is saved; a rank that is excluded from the
 *     view has an old one, and saves nothing of it
 * @param model the rank's part of the model's vectors
 * @param sums the rank's own sums since the epoch began
 * @param optimiser the optimiser's settings in words
 * @param exchangeStates the rank's own states of the exchange, by name
 */
public record ReplicaPart(
    Role role,
    boolean quiet,
    boolean isCurrent,
    SavedPosition position,
    SavedVectors model,
    EpochSums sums,
    String optimiser,
    SortedMap<String, byte[]> exchangeStates) {

  /** Name of this state in error messages. */
  static final String NAME = "the workers' replicas";

  private static final int MAGIC = 0x42524149;
  private static final int VERSION = 13;

  private static final int MAX_VECTORS = 16;

  /** Maximum size of the vectors, in bytes; leaves room in an array for the rest of the part. */
  private static final long MAX_VECTOR_BYTES = 2_000_000_000;

  /**
   * Fails if a rank's part of the model is too large: it must fit into one array of bytes.
   *
   * @param vectors number of vectors: weights and updater state
   * @param elements number of elements that the rank writes of each vector
   * @param stateBytes size of the exchange's states, in bytes
   * @throws IOException if the part is too large
   */
  public static void checkFits(int vectors, int elements, long stateBytes) throws IOException {
    long bytes = (long) vectors * elements * Float.BYTES + stateBytes;
    if (bytes > MAX_VECTOR_BYTES) {
      throw new IOException(
          ("a worker's share of %d bytes (%d vectors of %d parameters, and %d bytes of its "
                  + "exchange) exceeds the maximum for a checkpoint, %d; use more `workers`, with "
                  + "an exchange that keeps all replicas equal")
              .formatted(bytes, vectors, elements, stateBytes, MAX_VECTOR_BYTES));
    }
  }

  public byte[] toBytes() throws IOException {
    long stateBytes = exchangeStates.values().stream().mapToLong(state -> state.length).sum();
    int vectors = model.slices().size();
    int elements = model.range().length();
    checkFits(vectors, elements, stateBytes);
    byte[] head = head();
    int values = vectors * elements * Float.BYTES;
    int length = Math.addExact(head.length + StateChecksum.BYTES, values);
    ByteBuffer bytes = ByteBuffer.allocate(length).put(head);
    model.slices().forEach(slice -> DenseCodec.write(slice, bytes));
    StateChecksum.seal(bytes.array());
    return bytes.array();
  }

  /** Returns the bytes of everything except the vectors' values. */
  private byte[] head() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(MAGIC);
    out.writeInt(VERSION);
    role.write(out);
    out.writeBoolean(quiet);
    out.writeBoolean(isCurrent);
    position.write(out);
    out.writeInt(model.length());
    out.writeByte(model.kind().code());
    out.writeInt(model.range().start());
    out.writeInt(model.range().end());
    sums.write(out);
    out.writeUTF(optimiser);
    out.writeByte(exchangeStates.size());
    for (Map.Entry<String, byte[]> state : exchangeStates.entrySet()) {
      out.writeUTF(state.getKey());
      out.writeInt(state.getValue().length);
      out.write(state.getValue());
    }
    out.writeInt(model.slices().size());
    return bytes.toByteArray();
  }

  public static ReplicaPart fromBytes(byte[] bytes) throws IOException {
    DataInputStream in = StateChecksum.open(NAME, bytes);
    checkVersion(in);
    Role role = Role.read(in);
    boolean quiet = in.readBoolean();
    boolean isCurrent = in.readBoolean();
    SavedPosition position = SavedPosition.read(in);
    int length = in.readInt();
    SavedVectors.Kind kind = SavedVectors.Kind.of(in.readByte());
    Range range = new Range(in.readInt(), in.readInt());
    EpochSums sums = EpochSums.read(in);
    String optimiser = in.readUTF();
    SortedMap<String, byte[]> exchangeStates = new TreeMap<>();
    for (int i = in.readUnsignedByte(); i > 0; i--) {
      String name = in.readUTF();
      byte[] state = new byte[checked(in.readInt(), in.available())];
      in.readFully(state);
      exchangeStates.put(name, state);
    }
    int vectors = checked(in.readInt(), MAX_VECTORS);
    List<Slice> slices = new ArrayList<>();
    DenseCodec codec = new DenseCodec();
    for (int i = 0; i < vectors; i++) {
      int elements = checked(range.length(), in.available() / Float.BYTES);
      Slice slice = Slice.view(new float[elements], 0, elements);
      codec.read(slice, in);
      slices.add(slice);
    }
    return new ReplicaPart(
        role,
        quiet,
        isCurrent,
        position,
        new SavedVectors(kind, length, range, slices),
        sums,
        optimiser,
        exchangeStates);
  }

  private static void checkVersion(DataInputStream in) throws IOException {
    int magic = in.readInt();
    if (magic != MAGIC) {
      throw new IOException(String.format("worker state of kind %x: must be %x", magic, MAGIC));
    }
    int version = in.readInt();
    if (version != VERSION) {
      throw new StateVersionException("the workers' state", version, VERSION);
    }
  }

  private static int checked(int count, int limit) throws IOException {
    if (count < 0 || count > limit) {
      throw new DamagedStateException(NAME, count + " elements: must be 0 to " + limit);
    }
    return count;
  }
}
