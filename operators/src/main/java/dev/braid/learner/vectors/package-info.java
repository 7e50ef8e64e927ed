/**
 * What is computed in vectors of the JDK's incubator module where a process has that, and where it
 * is faster than in loops.
 */
package dev.braid.learner.vectors;
