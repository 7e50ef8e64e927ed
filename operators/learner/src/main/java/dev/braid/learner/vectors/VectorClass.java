package dev.braid.learner.vectors;

import java.lang.reflect.InvocationTargetException;
import java.util.function.Supplier;

/**
 * A class that computes with the JDK's vectors. It can be loaded only if the JDK has the vector
 * module.
 *
 * @param lanes number of elements in a vector
 * @param instances creates an instance of the class
 */
public record VectorClass<T>(int lanes, Supplier<T> instances) {

  private static final String MODULE = "jdk.incubator.vector";

  /**
   * Loads the class, and the module if the process was not started with it.
   *
   * <p>With {@code --add-modules jdk.incubator.vector} a JVM prints a warning at each start, before
   * any output of the program. A JDK that loads the module at run time, as it does for agents,
   * prints none. That needs {@code --add-exports java.base/jdk.internal.module=ALL-UNNAMED}, which
   * Braid's launchers and its configuration for clusters contain.
   *
   * @param type supertype of the class
   * @param name name of the class: code that is compiled without the module can refer to it only by
   *     name
   * @throws ReflectiveOperationException if the module does not exist or may not be loaded
   * @throws LinkageError if the module differs from the one that the class was compiled with
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
      // The cause names the module; the wrapping exception does not.
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

  /** Creates an instance. */
  public T create() {
    return instances.get();
  }
}
