package dev.braid.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BandwidthUseTest {

  @Test
  void whatIsPacked_isUnpackedAsFloat32() {
    for (double rate : new double[] {0, 1e-3, 33.25, 1e6}) {
      for (double bytes : new double[] {1, 25e6, 1.25e9, 1e12}) {
        BandwidthUse use = new BandwidthUse(5, (float) rate, (float) bytes);
        assertThat(BandwidthUse.unpack(5, use.packed())).isEqualTo(use);
      }
    }
  }
}
