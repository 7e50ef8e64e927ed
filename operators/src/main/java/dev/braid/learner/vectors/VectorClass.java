package dev.braid.learner.vectors;

import java.lang.reflect.InvocationTargetException;
import java.util.function.Supplier;

/**
 * A class that computes in vectors, where the JDK's module that it needs is there.
 *
 * @param lanes how many elements a vector has
 * @param instances makes one
 */
public record VectorClass<T>(int lanes, Supplier<T> instances) {

  private static final String MODULE = "jdk.incubator.vector";

  /**
   * Loads it, and the module if the process has not been started with it.
   *
   * <p>With {@code --add-modules jdk.incubator.vector} a JVM prints a warning at each start, ahead
   * of all that a program has to say. A JDK that loads the module itself, as it does for agents,
   * prints none; that takes {@code --add-exports java.base/jdk.internal.module=ALL-UNNAMED}, which
   * Braid's launchers and its configuration for clusters have.
   *
   * @param type what it is one of
   * @param name its name: what is compiled without the module cannot name it otherwise
   * @throws ReflectiveOperationException if there is no such module, or it may not be loaded
   * @throws LinkageError if it is another than that which the class was compiled with
   */
  public static <T> VectorClass<T> load(Class<T> type, String name)
      throws ReflectiveOperationException {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      loadModule();
    }
    Class<? extends T> found = Class.forName(name).asSubclass(type);
    int lanes = found.getField("LANES").getInt(null);
    return new VectorClass<>(lanes, () -> create(found));
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

  private static <T> T create(Class<? extends T> type) {
    try {
      return type.getConstructor().newInstance();
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One more. */
  public T create() {
    return instances.get();
  }
}
