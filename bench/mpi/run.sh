#!/bin/sh
# OpenMPI's MPI_Allreduce over its TCP transport on loopback, or over shared memory, the yardstick of
# Braid's allreduce.
#
#   bench/mpi/run.sh [ranks ...]                 default: 2 4 8 16
#   LENGTHS="1000 2000" bench/mpi/run.sh 8       default: 407050 10000000
#   TRANSPORT=vader bench/mpi/run.sh             shared memory; default: tcp
#
# Prints one line a length: ranks length median_ms min_ms max_ms; lines with # are comments.
# Exits with 0 and "skipped: ..." where OpenMPI is not installed.
set -eu

ranks=${*:-2 4 8 16}
lengths=${LENGTHS:-407050 10000000}
transport=${TRANSPORT:-tcp}
here=$(cd "$(dirname "$0")" && pwd)

for tool in mpicc mpirun; do
  if ! command -v "$tool" >/dev/null 2>&1; then
    echo "skipped: no $tool here (Debian: apt-get install openmpi-bin libopenmpi-dev)"
    exit 0
  fi
done

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT INT TERM
mpicc -O3 -o "$build/allreduce" "$here/allreduce.c"

as_root=
if [ "$(id -u)" -eq 0 ]; then
  as_root=--allow-run-as-root
fi

cores=$(nproc)
echo "# $(mpirun --version | head -n 1), $transport, $cores cores, load $(cut -d' ' -f1 /proc/loadavg)"
echo "# ranks length median_ms min_ms max_ms"
for n in $ranks; do
  # A rank that waits spins. That is fastest where every rank has a core of its own; where ranks
  # share cores, spinning is 20 times slower than giving the core away.
  yield=0
  if [ "$n" -gt "$cores" ]; then
    yield=1
  fi
  # shellcheck disable=SC2086 # several lengths, perhaps no option
  mpirun -n "$n" $as_root --oversubscribe --bind-to none \
    --mca pml ob1 --mca btl "$transport,self" --mca btl_tcp_if_include lo \
    --mca mpi_yield_when_idle "$yield" \
    "$build/allreduce" $lengths
done
