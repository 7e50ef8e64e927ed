/** Scoring with a saved model, next to ONNX Runtime. */
package dev.braid.bench.scoring;
