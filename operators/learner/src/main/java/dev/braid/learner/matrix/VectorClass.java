package dev.braid.learner.matrix;

import java.lang.reflect.InvocationTargetException;
import java.util.function.Supplier;

/**
 * The multiplier that computes with the JDK's vectors. It can be loaded only if the JVM has been
 * started with {@code --add-modules jdk.incubator.vector}.
 *
 * @param lanes number of elements in a vector
 * @param instances creates an instance
 */
record VectorClass(int lanes, Supplier<MatrixMultiplier> instances) {

  /** Code that is compiled without the module can refer to the class only by name. */
  private static final String NAME = "dev.braid.learner.matrix.simd.VectorMultiplier";

  /**
   * Loads the class.
   *
   * @throws ReflectiveOperationException if it cannot be loaded
   * @throws LinkageError if the process does not have the module, or another version of it
   */
  static VectorClass load() throws ReflectiveOperationException {
    Class<? extends MatrixMultiplier> found =
        Class.forName(NAME).asSubclass(MatrixMultiplier.class);
    return new VectorClass(found.getField("LANES").getInt(null), () -> create(found));
  }

  /** Creates an instance. */
  MatrixMultiplier create() {
    return instances.get();
  }

  private static MatrixMultiplier create(Class<? extends MatrixMultiplier> type) {
    try {
      return type.getConstructor().newInstance();
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
