package dev.braid.connectors.record;

import dev.braid.learner.Shape;
import java.io.Serializable;

/** The conversion of a topic's records to samples. It is part of the job. */
public interface SampleForm extends Serializable {

  /** Returns the shape of the samples. */
  Shape shape();

  /** Returns the share of the samples that is held out, {@code 0 <= holdout < 1}. */
  double holdout();

  /** Returns whether samples have weights. */
  boolean isWeighted();

  /** Returns a text that differs if samples of the same records would differ. */
  String fingerprint();

  /** Returns a new decoder, which belongs to one thread. */
  SampleDecoder decoder();
}
