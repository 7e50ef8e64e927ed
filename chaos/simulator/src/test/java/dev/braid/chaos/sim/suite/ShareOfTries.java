package dev.braid.chaos.sim.suite;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AroundTryHook;
import net.jqwik.api.lifecycle.Lifespan;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.Store;
import net.jqwik.api.lifecycle.TryExecutionResult;
import net.jqwik.api.lifecycle.TryExecutor;
import net.jqwik.api.lifecycle.TryLifecycleContext;

/**
 * Ends the properties of the simulator's tests after a share of their tries, in percent {@code
 * -Dbraid.test.tries}: all of them with {@code -Pthorough}, a tenth in every other build. Dozens of
 * exchanges run through the same suites, each time with other seeds, so that a build still has
 * thousands of scenarios. A failure prints its seed, with which it recurs after as many tries.
 */
public final class ShareOfTries implements AroundTryHook {

  private static final int PERCENT = Integer.getInteger("braid.test.tries", 100);
  private static final int LEAST = 3;

  /** Returns the share in percent, at most 100. */
  public static int percent() {
    return Math.min(100, PERCENT);
  }

  private static final class Count {
    private int satisfied;
    private boolean hasFailed;
  }

  @Override
  public boolean appliesTo(Optional<AnnotatedElement> element) {
    return element.filter(ShareOfTries::isOfTheSimulator).isPresent();
  }

  private static boolean isOfTheSimulator(AnnotatedElement element) {
    return element instanceof Method method
        && method.getDeclaringClass().getPackageName().startsWith("dev.braid.chaos.sim");
  }

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public TryExecutionResult aroundTry(
      TryLifecycleContext context, TryExecutor execution, List<Object> parameters) {
    TryExecutionResult result = execution.execute(parameters);
    Count count = Store.getOrCreate(ShareOfTries.class, Lifespan.PROPERTY, Count::new).get();
    if (result.isFalsified()) {
      // The following tries look for a simpler failure.
      count.hasFailed = true;
    }
    if (!result.isSatisfied() || count.hasFailed || ++count.satisfied < wanted(context)) {
      return result;
    }
    return TryExecutionResult.satisfied(true);
  }

  private static int wanted(TryLifecycleContext context) {
    int tries = context.findAnnotation(Property.class).map(Property::tries).orElse(1);
    return Math.max(LEAST, tries * PERCENT / 100);
  }
}
