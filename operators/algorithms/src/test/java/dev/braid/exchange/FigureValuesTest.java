package dev.braid.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class FigureValuesTest {

  private static FigureValues values(double sums, double partitions, double sets, double children) {
    FigureValues values = new FigureValues();
    values.set(Figure.SUMS, sums);
    values.set(Figure.PARTITIONS, partitions);
    values.set(Figure.DECODED_SETS, sets);
    values.set(Figure.TREE_CHILDREN, children);
    values.set(Figure.PLANNED_TIME, children / 2);
    return values;
  }

  @Test
  void totalsSinceAReadingAreDifferences() {
    assertThat(values(7, 3, 4, 2).since(values(5, 2, 1, 3))).isEqualTo(values(2, 3, 4, 2));
  }

  @Test
  void figuresAreAddedUpAsDeclared() {
    assertThat(values(7, 3, 4, 2).plus(values(5, 2, 1, 3))).isEqualTo(values(12, 5, 4, 3));
    assertThat(values(7, 3, 4, 2).plus(values(5, 2, 6, 0))).isEqualTo(values(12, 5, 6, 2));
  }

  @Test
  void stateWithFewerFiguresIsRead_andWithMoreIsRefused() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    values(7, 3, 4, 2).write(out);
    out.writeInt(2);
    out.writeDouble(0.5);
    out.writeDouble(8);
    out.writeInt(Figure.ALL.size() + 1);
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    assertThat(FigureValues.read(in)).isEqualTo(values(7, 3, 4, 2));
    assertThat(FigureValues.read(in)).isEqualTo(new FigureValues(0.5, 8));
    assertThatThrownBy(() -> FigureValues.read(in)).isInstanceOf(IOException.class);
  }
}
