/** Where attempts are that were handed to an executor, in words. */
export const placeWords = (executor: string): string =>
  executor === 'slurm' ? 'in Slurm' : `in the ${executor}`

/** Why an attempt that was handed to an executor has not begun; `because` is the executor's own word, where it gives one. */
export const waitsText = (executor: string, because = ''): string =>
  `waits ${placeWords(executor)}${because === '' ? '' : `: ${because}`}`

/** Jobs of a workflow that may still run where they were handed to, though their runner is gone. */
export interface LeftElsewhere {
  readonly workflowId: number
  readonly executor: string
  readonly jobs: number
}
