/** The thread on which a worker computes, and how work comes to it. */
package dev.braid.worker.compute;
