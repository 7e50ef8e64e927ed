/**
 * Products of dense matrices, of layers whose inputs are not sparse: in the JDK's vectors where a
 * process has them, and in OpenBLAS elsewhere.
 */
package dev.braid.learner.matrix;
