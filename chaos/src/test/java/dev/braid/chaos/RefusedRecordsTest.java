package dev.braid.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RefusedRecordsTest {

  private final RefusedRecords refused = new RefusedRecords(0);

  @Test
  void saysOfTheFirstWhatIsWrong() {
    assertThat(refused.add("chaos/0/17", "not JSON")).isTrue();
    assertThat(lines()).containsExactly("record chaos/0/17 is not a valid chaos event: not JSON");
  }

  @Test
  void thousandsAreAFewLines() {
    int told = 0;
    for (int i = 0; i < 123_456; i++) {
      told += refused.add("chaos/0/" + i, "not JSON") ? 1 : 0;
    }
    assertThat(told).isEqualTo(8);
    assertThat(lines())
        .containsExactly(
            "record chaos/0/0 is not a valid chaos event: not JSON",
            "record chaos/0/1 is not a valid chaos event: not JSON",
            "record chaos/0/2 is not a valid chaos event: not JSON",
            "10 records are not valid chaos events so far",
            "100 records are not valid chaos events so far",
            "1,000 records are not valid chaos events so far",
            "10,000 records are not valid chaos events so far",
            "100,000 records are not valid chaos events so far");
  }

  @Test
  void whatARecordSaysIsNoCommandToATerminal() {
    refused.add("chaos/0/17", "unexpected \u001b[2J\u009b1m" + "x".repeat(1000));
    assertThat(lines().get(0))
        .startsWith(
            "record chaos/0/17 is not a valid chaos event: unexpected \\u001b[2J\\u009b1mxxx")
        .hasSize(300);
  }

  private List<String> lines() {
    return FaultReport.parse(refused.toJson()).ranks().get(0).recent();
  }
}
