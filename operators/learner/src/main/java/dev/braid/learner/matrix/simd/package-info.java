/**
 * Dense products with vectors of the JDK's incubator module {@code jdk.incubator.vector}. The
 * package is compiled separately, and loaded by name if the module is present.
 */
package dev.braid.learner.matrix.simd;
