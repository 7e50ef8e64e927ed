/**
 * Computations with vectors of the JDK's incubator module, where a process has that module and
 * vectors are faster than loops.
 */
package dev.braid.learner.vectors;
