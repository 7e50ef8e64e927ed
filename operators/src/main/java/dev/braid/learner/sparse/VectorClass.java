package dev.braid.learner.sparse;

import java.lang.reflect.InvocationTargetException;
import java.util.function.Supplier;

/**
 * The class with products in vectors, where the JDK's module that it needs is there.
 *
 * @param lanes how many elements a vector has
 */
record VectorClass(int lanes, Supplier<SparseProduct> products) {

  private static final String MODULE = "jdk.incubator.vector";
  private static final String CLASS = "dev.braid.learner.sparse.vector.VectorProduct";

  /**
   * Loads it, and the module if the process has not been started with it.
   *
   * <p>With {@code --add-modules jdk.incubator.vector} a JVM prints a warning at each start, ahead
   * of all that a program has to say. A JDK that loads the module itself, as it does for agents,
   * prints none; that takes {@code --add-exports java.base/jdk.internal.module=ALL-UNNAMED}, which
   * Braid's launchers and its configuration for clusters have.
   *
   * @throws ReflectiveOperationException if there is no such module, or it may not be loaded
   * @throws LinkageError if it is another than that which the class was compiled with
   */
  static VectorClass load() throws ReflectiveOperationException {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      loadModule();
    }
    Class<? extends SparseProduct> product = Class.forName(CLASS).asSubclass(SparseProduct.class);
    int lanes = product.getField("LANES").getInt(null);
    return new VectorClass(lanes, () -> create(product));
  }

  private static void loadModule() throws ReflectiveOperationException {
    Class<?> modules = Class.forName("jdk.internal.module.Modules");
    try {
      modules.getMethod("loadModule", String.class).invoke(null, MODULE);
    } catch (InvocationTargetException e) {
      // The JDK's own exception names the module, this one nothing.
      throw new ReflectiveOperationException(e.getCause());
    }
  }

  private static SparseProduct create(Class<? extends SparseProduct> product) {
    try {
      return product.getConstructor().newInstance();
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  SparseProduct product() {
    return products.get();
  }

  /** Whether rows of so many elements fill a vector. */
  boolean takes(int width) {
    return width >= lanes;
  }
}
