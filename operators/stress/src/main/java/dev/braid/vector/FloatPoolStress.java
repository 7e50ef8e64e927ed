package dev.braid.vector;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * Values that a receiver has written into an array before its release do not show up later in the
 * array of the next borrower.
 */
@JCStressTest
@Outcome(id = "7, true", expect = Expect.ACCEPTABLE, desc = "the array that was given back")
@Outcome(id = "7, false", expect = Expect.ACCEPTABLE, desc = "another array")
@Outcome(expect = Expect.FORBIDDEN, desc = "two have the same array")
@State
public class FloatPoolStress {

  private final FloatPool pool = new FloatPool(1, 1);
  private final Slice given = pool.lend(1);
  private Slice borrowed;

  @Actor
  public void receiver() {
    given.array()[0] = 5;
    given.release();
  }

  @Actor
  public void sender() {
    borrowed = pool.lend(1);
    borrowed.array()[0] = 7;
  }

  @Arbiter
  public void later(IZ_Result result) {
    result.r1 = (int) borrowed.array()[0];
    result.r2 = borrowed.array() == given.array();
  }
}
