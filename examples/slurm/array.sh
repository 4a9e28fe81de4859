#!/bin/sh
# A plan in 50 parts, each a task of a job array that writes its own file:
#
#     sbatch examples/slurm/array.sh depths.toml
#     contienda lab merge depths.*-of-50.sqlite -o depths.sqlite      # when all have ended
#
# A task that was killed at its time limit goes on where it was when it is submitted again:
#     SHARDS=50 sbatch --array=7 examples/slurm/array.sh depths.toml
#SBATCH --job-name=contienda
#SBATCH --array=1-50
#SBATCH --cpus-per-task=2
#SBATCH --time=01:00:00
#SBATCH --requeue

# Outside of Slurm, a shell does as well:
#     for task in $(seq 50); do contienda lab run depths.toml --shard $task/50; done
exec contienda lab run "$1" --shard "$SLURM_ARRAY_TASK_ID/${SHARDS:-$SLURM_ARRAY_TASK_COUNT}" \
  --threads "${SLURM_CPUS_PER_TASK:-1}"
