import type { Requirements } from '../../../model/job.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What is true of a place, and of no other: a job that was ordered elsewhere has it from where it runs. */
const ofPlace =
  /^(SLURM_|SLURMD_|TMPDIR$|XDG_RUNTIME_DIR$|HOSTNAME$|GPU_DEVICE_ORDINAL$|ZE_AFFINITY_MASK$)/
const gpuLists = ['CUDA_VISIBLE_DEVICES', 'ROCR_VISIBLE_DEVICES']

/**
 * The environment of a job that runs elsewhere than where it was ordered: as ordered, but for what names things of a place.
 * Which GPUs it gets is for that place to say.
 */
export function environmentThere(
  ordered: Environment,
  there: Environment,
  { gpus }: Requirements,
): Environment {
  const environment: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(ordered))
    if (!ofPlace.test(name)) environment[name] = value
  for (const [name, value] of Object.entries(there))
    if (ofPlace.test(name)) environment[name] = value
  for (const name of gpuLists) {
    delete environment[name]
    const list = gpus === 0 ? '' : there[name]
    if (list !== undefined) environment[name] = list
  }
  return environment
}
