package dev.braid.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SliceTest {

  private final float[] array = {0, 1, 2, 3, 4};

  @Test
  void view_sharesTheArray_andACopyDoesNot() {
    Slice slice = Slice.view(array, new Range(1, 4));
    float[] copy = slice.toArray();
    array[1] = 9;
    assertThat(slice.array()[slice.offset()]).isEqualTo(9);
    assertThat(copy).containsExactly(1, 2, 3);
  }

  @Test
  void lentSlice_goesHomeOnce_howeverOftenItIsReleased() {
    List<float[]> home = new ArrayList<>();
    Slice slice = Slice.lent(array, 0, 2, home::add);
    slice.release();
    slice.release();
    assertThat(home).containsExactly(array);
  }

  @Test
  void windowWithoutElements_isAllowedAnywhere() {
    assertThat(Slice.view(array, 2, 0).toArray()).isEmpty();
    assertThat(Slice.view(array, array.length, 0).toArray()).isEmpty();
  }

  @Test
  void windowOutsideTheArray_isRefused() {
    assertThatThrownBy(() -> Slice.view(array, 3, 3))
        .hasMessageContaining("slice of 3 at 3 in an array of 5");
    assertThatThrownBy(() -> Slice.view(array, Integer.MAX_VALUE, 5))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Slice.view(array, 2, -1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Slice.view(array, -1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
