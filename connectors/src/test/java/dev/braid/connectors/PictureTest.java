package dev.braid.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PictureTest {

  private static Picture grey(int height, int width, int... pixels) {
    byte[] planes = new byte[pixels.length];
    for (int i = 0; i < planes.length; i++) {
      planes[i] = (byte) pixels[i];
    }
    return new Picture(planes.length / height / width, height, width, planes);
  }

  private static int[] values(Picture picture) {
    int[] values = new int[picture.planes().length];
    Arrays.setAll(values, i -> picture.planes()[i] & 0xff);
    return values;
  }

  /** Two old pixels are at 0.5 and 1.5, four new ones at 0.25, 0.75, 1.25, 1.75. */
  @Test
  void largerImagesAreInterpolatedBetweenThePixelsCentres() {
    assertThat(values(grey(1, 2, 0, 200).resized(1, 4))).containsExactly(0, 50, 150, 200);
    assertThat(values(grey(2, 1, 0, 200).resized(4, 1))).containsExactly(0, 50, 150, 200);
  }

  /**
   * A new pixel at 1 extends by 2 to both sides: weights 3, 3, 1 of 7, because one pixel is beyond
   * the border.
   */
  @Test
  void smallerImagesAreMeansOfAllThatTheyCover() {
    assertThat(values(grey(1, 4, 0, 80, 160, 240).resized(1, 2))).containsExactly(57, 183);
    assertThat(values(grey(2, 2, 0, 100, 100, 200).resized(1, 1))).containsExactly(100);
  }

  @Test
  void whatIsTheSameEverywhereStaysSo() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 200; i++) {
      int height = 1 + random.nextInt(20);
      int width = 1 + random.nextInt(20);
      int[] pixels = new int[3 * height * width];
      int plane = height * width;
      Arrays.setAll(pixels, k -> 255 - k / plane * 100);
      Picture resized =
          grey(height, width, pixels).resized(1 + random.nextInt(30), 1 + random.nextInt(30));
      assertThat(resized.channels()).isEqualTo(3);
      int newPlane = resized.height() * resized.width();
      int[] found = values(resized);
      for (int k = 0; k < found.length; k++) {
        assertThat(found[k]).isEqualTo(255 - k / newPlane * 100);
      }
    }
  }

  @Test
  void coloursBecomeAsLightAsTheyAreAndGreysColours() {
    Picture colours = grey(1, 2, 255, 10, 0, 20, 0, 30);
    assertThat(values(colours.with(1))).containsExactly(76, 18);
    assertThat(values(grey(1, 2, 7, 8).with(3))).containsExactly(7, 8, 7, 8, 7, 8);
    assertThat(colours.with(3)).isSameAs(colours);
    assertThat(colours.resized(1, 2)).isSameAs(colours);
  }
}
