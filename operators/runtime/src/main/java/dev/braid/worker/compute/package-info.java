/** The thread on which a worker computes, and the queue that brings work to it. */
package dev.braid.worker.compute;
