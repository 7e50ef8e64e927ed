/*
 * Times MPI_Allreduce (sum of floats) for each vector length on the command line.
 *
 * Prints one line a length: ranks, length, median, least and most milliseconds of a round. A round
 * takes as long as its slowest rank, and begins at a barrier. The gradient stays as it is (sendbuf
 * is not recvbuf), as it does in Braid, which may have to contribute it again; and it is written
 * anew before each round, outside the measured time, as a learner would.
 *
 * Exit code 1 where a sum is wrong.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM_UP_ROUNDS = 20, LEAST_ROUNDS = 20, MOST_ROUNDS = 200 };

/* A length is measured for about this long, within the limits above. */
static const double MEASURED_SECONDS = 3;

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a;
  double y = *(const double *)b;
  return (x > y) - (x < y);
}

static void fill(float *gradient, int length, int rank, int round) {
  for (int i = 0; i < length; i++) {
    gradient[i] = (float)((i + rank + round) % 16);
  }
}

/* Small whole numbers: the sum is exact, in whatever order it was added up. */
static int is_sum(const float *sum, int length, int ranks, int round) {
  for (int i = 0; i < length; i++) {
    float expected = 0;
    for (int rank = 0; rank < ranks; rank++) {
      expected += (float)((i + rank + round) % 16);
    }
    if (sum[i] != expected) {
      return 0;
    }
  }
  return 1;
}

/* Milliseconds of a round at its slowest rank; known to rank 0 only. */
static double timed_round(const float *gradient, float *sum, int length) {
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  MPI_Allreduce(gradient, sum, length, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  double own = (MPI_Wtime() - begin) * 1e3;
  double slowest = 0;
  MPI_Reduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return slowest;
}

static void measure(int length, int ranks, int rank) {
  float *gradient = malloc(sizeof(float) * (size_t)length);
  float *sum = malloc(sizeof(float) * (size_t)length);
  double millis[MOST_ROUNDS];
  if (!gradient || !sum) {
    fprintf(stderr, "no memory for two vectors of %d floats\n", length);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }

  double warm = 0;
  for (int round = 0; round < WARM_UP_ROUNDS; round++) {
    fill(gradient, length, rank, round);
    warm += timed_round(gradient, sum, length);
    if (round == 0 && !is_sum(sum, length, ranks, round)) {
      fprintf(stderr, "rank %d: the sum of %d floats is wrong\n", rank, length);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }

  /* Rank 0 alone knows the times, so it decides how many rounds there will be. */
  int rounds = (int)(MEASURED_SECONDS * 1e3 / (warm / WARM_UP_ROUNDS + 1e-6));
  rounds = rounds < LEAST_ROUNDS ? LEAST_ROUNDS : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
  MPI_Bcast(&rounds, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int round = 0; round < rounds; round++) {
    fill(gradient, length, rank, round);
    millis[round] = timed_round(gradient, sum, length);
  }

  if (rank == 0) {
    qsort(millis, (size_t)rounds, sizeof(double), ascending);
    double median = (millis[(rounds - 1) / 2] + millis[rounds / 2]) / 2;
    printf("%d %d %.3f %.3f %.3f\n", ranks, length, median, millis[0], millis[rounds - 1]);
    fflush(stdout);
  }
  free(gradient);
  free(sum);
}

int main(int argc, char **argv) {
  int rank;
  int ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 1; i < argc; i++) {
    int length = atoi(argv[i]);
    if (length < 1) {
      if (rank == 0) {
        fprintf(stderr, "%s: a length is a whole number from 1 on, for example 407050\n", argv[i]);
      }
      MPI_Finalize();
      return 2;
    }
    measure(length, ranks, rank);
  }
  MPI_Finalize();
  return 0;
}
