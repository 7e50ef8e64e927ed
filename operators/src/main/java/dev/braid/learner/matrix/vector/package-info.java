/**
 * What is written with vectors of the JDK's incubator module {@code jdk.incubator.vector}: compiled
 * by itself, and found by name where that module is there.
 */
package dev.braid.learner.matrix.vector;
