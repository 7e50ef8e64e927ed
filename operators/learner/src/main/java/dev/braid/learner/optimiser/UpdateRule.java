package dev.braid.learner.optimiser;

/**
 * The arithmetic of an optimiser. A step of each is one pass over weights, state and gradient, in
 * loops that the JIT compiler vectorises. It vectorises a loop with one index, but not a loop whose
 * arrays have different indices, because one element's result might be the next one's operand.
 *
 * <p>Coefficients are rounded to float where ND4J rounds them (libnd4j computes in the gradient's
 * type), since {@code 1 - 0.999} has a relative difference of 1e-5 between float and double. Powers
 * come from {@link StrictMath}, so that ranks on different processors agree. The division by the
 * number of samples is done once, because one division per element would take as long as all the
 * rest.
 */
interface UpdateRule {

  /** Returns the number of state vectors. */
  int stateVectors();

  /**
   * Returns the change that a step makes.
   *
   * @param rate learning rate of the step
   */
  Change step(float rate, Step step);

  /** Returns the change of the state that a single step makes, without that of the weights. */
  Change remember(float rate, Step step);

  /** The change of weights and state by one step, with its coefficients. */
  @FunctionalInterface
  interface Change {

    /**
     * Changes the elements from {@code start} to {@code end}, which should be few enough to stay in
     * the cache between two loops. The compiler vectorises each of two loops, but not one loop that
     * does the work of both, which takes 2.5 times as long.
     */
    void over(float[] weights, float[][] state, float[] gradient, int start, int end);
  }

  /** Plain gradient descent: {@code w ← w − η·g}, with g the mean gradient. It has no state. */
  record Sgd() implements UpdateRule {
    @Override
    public int stateVectors() {
      return 0;
    }

    @Override
    public Change step(float rate, Step step) {
      float share = rate / step.samples();
      return (weights, state, gradient, start, end) ->
          descend(weights, gradient, start, end, share);
    }

    @Override
    public Change remember(float rate, Step step) {
      return (weights, state, gradient, start, end) -> {};
    }

    private static void descend(float[] weights, float[] gradient, int start, int end, float rate) {
      for (int i = start; i < end; i++) {
        weights[i] -= gradient[i] * rate;
      }
    }
  }

  /** Nesterov momentum (1983), as ND4J computes it. The state is the velocity. */
  record Momentum(float momentum) implements UpdateRule {
    @Override
    public int stateVectors() {
      return 1;
    }

    @Override
    public Change step(float rate, Step step) {
      if (step.gradients() > 1) {
        Shares shares = shares(rate, step);
        return (weights, state, gradient, start, end) ->
            combine(weights, state[0], gradient, start, end, shares);
      }
      float share = rate / step.samples();
      return (weights, state, gradient, start, end) ->
          descend(weights, state[0], gradient, start, end, share, momentum);
    }

    @Override
    public Change remember(float rate, Step step) {
      float share = rate / step.samples();
      return (weights, state, gradient, start, end) ->
          changeVelocity(state[0], gradient, start, end, share, momentum);
    }

    /**
     * Coefficients of several steps in one pass: those of the old velocity and of the gradient in
     * the change of the weights ({@code weightsOfVelocity}, {@code weightsOfGradient}), and in the
     * new velocity ({@code kept}, {@code added}).
     */
    private record Shares(
        float weightsOfVelocity, float weightsOfGradient, float kept, float added) {}

    /**
     * Returns the coefficients of several steps, which exist because the steps are linear in
     * velocity and gradient. With g the mean gradient's part of a step, each step is v ← μ·v − g
     * and w ← w − μ·v(before) + (1 + μ)·v.
     */
    private Shares shares(float rate, Step step) {
      double part = (double) rate / step.samples() / step.gradients();
      double kept = 1;
      double added = 0;
      double weightsOfVelocity = 0;
      double weightsOfGradient = 0;
      for (int i = 0; i < step.gradients(); i++) {
        double keptNext = momentum * kept;
        double addedNext = momentum * added - part;
        weightsOfVelocity += momentum * keptNext;
        weightsOfGradient += -momentum * added + (1 + momentum) * addedNext;
        kept = keptNext;
        added = addedNext;
      }
      return new Shares(
          (float) weightsOfVelocity, (float) weightsOfGradient, (float) kept, (float) added);
    }

    private static void combine(
        float[] weights, float[] velocity, float[] gradient, int start, int end, Shares shares) {
      float weightsOfVelocity = shares.weightsOfVelocity;
      float weightsOfGradient = shares.weightsOfGradient;
      float kept = shares.kept;
      float added = shares.added;
      for (int i = start; i < end; i++) {
        float v = velocity[i];
        float g = gradient[i];
        weights[i] += weightsOfVelocity * v + weightsOfGradient * g;
        velocity[i] = kept * v + added * g;
      }
    }

    private static void changeVelocity(
        float[] velocity, float[] gradient, int start, int end, float rate, float momentum) {
      for (int i = start; i < end; i++) {
        velocity[i] = momentum * velocity[i] - gradient[i] * rate;
      }
    }

    private static void descend(
        float[] weights,
        float[] velocity,
        float[] gradient,
        int start,
        int end,
        float rate,
        float momentum) {
      float ahead = -momentum - 1;
      for (int i = start; i < end; i++) {
        float kept = momentum * velocity[i];
        float next = kept - gradient[i] * rate;
        velocity[i] = next;
        weights[i] -= kept + ahead * next;
      }
    }
  }

  /**
   * Adam (Kingma and Ba, 2015). The state is two vectors: the mean of the gradients, and the mean
   * of their squares. AMSGrad (Reddi et al., 2018) has a third vector, the largest mean of squares
   * so far, and divides by that.
   */
  record Adam(float beta1, float beta2, float epsilon, boolean keepsLargest) implements UpdateRule {
    @Override
    public int stateVectors() {
      return keepsLargest ? 3 : 2;
    }

    @Override
    public Change step(float rate, Step step) {
      Change averages = remember(rate, step);
      float corrected = corrected(rate, step.number());
      int divisor = stateVectors() - 1;
      return (weights, state, gradient, start, end) -> {
        averages.over(weights, state, gradient, start, end);
        descend(weights, state[0], state[divisor], start, end, corrected, epsilon);
      };
    }

    @Override
    public Change remember(float rate, Step step) {
      float share = 1f / step.samples();
      return (weights, state, gradient, start, end) -> {
        average(state[0], state[1], gradient, start, end, share, beta1, beta2);
        if (keepsLargest) {
          keepLargest(state[2], state[1], start, end);
        }
      };
    }

    /** Returns the learning rate, including both bias corrections. */
    private float corrected(float rate, long step) {
      float beta1Power = (float) StrictMath.pow(beta1, (double) (step + 1));
      float beta2Power = (float) StrictMath.pow(beta2, (double) (step + 1));
      return (float) (rate * (float) Math.sqrt(1.0 - beta2Power) / (1.0 - beta1Power));
    }

    private static void average(
        float[] mean,
        float[] square,
        float[] gradient,
        int start,
        int end,
        float share,
        float beta1,
        float beta2) {
      float newMean = 1 - beta1;
      float newSquare = 1 - beta2;
      for (int i = start; i < end; i++) {
        float g = gradient[i] * share;
        mean[i] = beta1 * mean[i] + g * newMean;
        square[i] = beta2 * square[i] + g * g * newSquare;
      }
    }

    private static void keepLargest(float[] largest, float[] values, int start, int end) {
      for (int i = start; i < end; i++) {
        largest[i] = Math.max(largest[i], values[i]);
      }
    }

    private static void descend(
        float[] weights,
        float[] mean,
        float[] square,
        int start,
        int end,
        float rate,
        float epsilon) {
      for (int i = start; i < end; i++) {
        weights[i] -= mean[i] * rate / ((float) Math.sqrt(square[i]) + epsilon);
      }
    }
  }

  /**
   * RMSProp (Tieleman and Hinton, 2012). The state is the running mean of squared gradients; the
   * step is divided by its square root.
   */
  record RmsProp(float decay, float epsilon) implements UpdateRule {
    @Override
    public int stateVectors() {
      return 1;
    }

    @Override
    public Change step(float rate, Step step) {
      Change average = remember(rate, step);
      float share = rate / step.samples();
      return (weights, state, gradient, start, end) -> {
        average.over(weights, state, gradient, start, end);
        descend(weights, state[0], gradient, start, end, share, epsilon);
      };
    }

    @Override
    public Change remember(float rate, Step step) {
      float share = 1f / step.samples();
      return (weights, state, gradient, start, end) ->
          average(state[0], gradient, start, end, share, decay);
    }

    private static void average(
        float[] square, float[] gradient, int start, int end, float share, float decay) {
      float added = 1 - decay;
      for (int i = start; i < end; i++) {
        float g = gradient[i] * share;
        square[i] = decay * square[i] + g * g * added;
      }
    }

    private static void descend(
        float[] weights,
        float[] square,
        float[] gradient,
        int start,
        int end,
        float rate,
        float epsilon) {
      for (int i = start; i < end; i++) {
        weights[i] -= gradient[i] * rate / ((float) Math.sqrt(square[i]) + epsilon);
      }
    }
  }
}
