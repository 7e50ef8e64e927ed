/** Exports models as graphs of ONNX operators, with which other programs can score samples. */
package dev.braid.learner.onnx;
