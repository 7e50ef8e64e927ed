package example;

/** A record of the topic: three measured values, and which of two kinds they are of. */
public class Reading {
  public long id;
  public double x1;
  public double x2;
  public double x3;
  public int label;
}
