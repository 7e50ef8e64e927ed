package dev.braid.learner.onnx.reader;

import dev.braid.learner.structure.ImageShape;
import java.util.Arrays;
import org.deeplearning4j.nn.conf.ConvolutionMode;

/**
 * The window of a convolution or a pooling over an image, by height and width.
 *
 * @param padding above, left, below, right
 * @param mode {@code Same} if the padding follows from the size of the image
 */
record OnnxWindow(int[] kernel, int[] stride, int[] dilation, int[] padding, ConvolutionMode mode) {

  /** Highest length of a kernel, stride, dilation or padding. */
  static final int MAX_LENGTH = 1 << 12;

  static OnnxWindow of(OnnxNode node, int[] kernel) {
    ConvolutionMode mode =
        switch (node.word("auto_pad", "NOTSET")) {
          case "NOTSET", "VALID" -> ConvolutionMode.Truncate;
          case "SAME_UPPER" -> ConvolutionMode.Same;
          default -> throw node.refused("auto_pad: must be NOTSET, VALID or SAME_UPPER");
        };
    OnnxWindow window =
        new OnnxWindow(
            kernel,
            node.lengths("strides", 1, 1, 1),
            node.lengths("dilations", 1, 1, 1),
            node.word("auto_pad", "NOTSET").equals("NOTSET")
                ? node.lengths("pads", 0, 0, 0, 0, 0)
                : new int[4],
            mode);
    if (mode == ConvolutionMode.Same && window.isDilated()) {
      throw node.refused("SAME_UPPER with dilations: must have pads instead");
    }
    return window;
  }

  boolean isDilated() {
    return dilation[0] != 1 || dilation[1] != 1;
  }

  /** Returns whether the padding is the same at both ends of each dimension. */
  boolean isSymmetric() {
    return padding[0] == padding[2] && padding[1] == padding[3];
  }

  /** Returns the padding above and left. */
  int[] firstPadding() {
    return Arrays.copyOf(padding, 2);
  }

  OnnxWindow withoutPadding() {
    return new OnnxWindow(kernel, stride, dilation, new int[4], mode);
  }

  /**
   * Returns the shape of the result.
   *
   * @param channels number of channels of the result
   */
  ImageShape over(OnnxNode node, ImageShape image, int channels) {
    return new ImageShape(
        channels, positions(node, 0, image.height()), positions(node, 1, image.width()));
  }

  private int positions(OnnxNode node, int axis, int side) {
    if (mode == ConvolutionMode.Same) {
      return (side + stride[axis] - 1) / stride[axis];
    }
    long seen = (kernel[axis] - 1L) * dilation[axis] + 1;
    long free = (long) side + padding[axis] + padding[axis + 2] - seen;
    if (free < 0) {
      throw node.refused("a window of %d in a dimension of %d: too large".formatted(seen, side));
    }
    if (node.whole("ceil_mode", 0) != 0 && free % stride[axis] != 0) {
      throw node.refused(
          ("ceil_mode with a stride of %d that does not divide the %d places of the window; use "
                  + "ceil_mode=False")
              .formatted(stride[axis], free));
    }
    return Math.toIntExact(free / stride[axis] + 1);
  }
}
