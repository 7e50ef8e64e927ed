/** Models as graphs of ONNX operators, for other programs to score samples with. */
package dev.braid.learner.onnx;
