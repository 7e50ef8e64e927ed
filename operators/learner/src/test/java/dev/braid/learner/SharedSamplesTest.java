package dev.braid.learner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SharedSamplesTest {

  private static final String NAME = SharedSamplesTest.class.getName();

  private final AtomicInteger readings = new AtomicInteger();

  @Test
  void manyAtOnceReadOnce() {
    int users = 16;
    CompletableFuture<Void> allAreThere = new CompletableFuture<>();
    AtomicInteger there = new AtomicInteger();
    Stream<CompletableFuture<Samples>> seen =
        Stream.generate(
                () ->
                    CompletableFuture.supplyAsync(
                        () -> {
                          try (SharedSamples shared = SharedSamples.use(NAME, this::read)) {
                            if (there.incrementAndGet() == users) {
                              allAreThere.complete(null);
                            }
                            allAreThere.join();
                            return shared.get();
                          } catch (IOException e) {
                            throw new UncheckedIOException(e);
                          }
                        },
                        command -> new Thread(command).start()))
            .limit(users);
    assertThat(seen.toList().stream().map(CompletableFuture::join).distinct()).hasSize(1);
    assertThat(readings).hasValue(1);
  }

  @Test
  void whatNobodyUsesIsReadAnew() throws IOException {
    SharedSamples first = SharedSamples.use(NAME, this::read);
    SharedSamples second = SharedSamples.use(NAME, this::read);
    assertThat(second.get()).isSameAs(first.get());
    first.close();
    first.close();
    try (SharedSamples third = SharedSamples.use(NAME, this::read)) {
      assertThat(third.get()).isSameAs(second.get());
    }
    second.close();
    try (SharedSamples later = SharedSamples.use(NAME, this::read)) {
      assertThat(later.get()).isNotSameAs(second.get());
    }
    assertThat(readings).hasValue(2);
  }

  @Test
  void whatCannotBeReadIsToldToAll_andTriedAgainByOthers() throws IOException {
    Callable<Samples> broken =
        () -> {
          throw new IllegalStateException("row 3");
        };
    try (SharedSamples one = SharedSamples.use(NAME, broken);
        SharedSamples other = SharedSamples.use(NAME, this::read)) {
      assertThatThrownBy(one::get).isInstanceOf(IllegalStateException.class).hasMessage("row 3");
      assertThatThrownBy(other::get).isInstanceOf(IllegalStateException.class).hasMessage("row 3");
    }
    try (SharedSamples later = SharedSamples.use(NAME, this::read)) {
      assertThat(later.get().size()).isEqualTo(1);
    }
  }

  private Samples read() {
    readings.incrementAndGet();
    return new MatrixSamples(new float[] {1}, new int[] {0}, Shape.rows(1, 2));
  }
}
