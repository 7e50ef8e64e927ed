/** Products with matrices of mostly zeros, which use only the elements that are not 0. */
package dev.braid.learner.sparse;
