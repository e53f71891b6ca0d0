import { requestVariable, taskVariable } from '../../model/task-mark.ts'
import { isJobNumber } from '../slurm/job-number.ts'
import { noMarks, type ProcessMarks } from './seen-process.ts'

/** What each variable may hold; the names are matched in one pass over the text. */
const wanted = {
  [taskVariable]: /^[0-9a-f]{1,64}$/,
  [requestVariable]: /^[\w=,.]{1,200}$/,
  SLURM_JOB_ID: { test: isJobNumber },
  SLURM_JOB_NAME: /^./s,
  NVIDIA_VISIBLE_DEVICES: /^[\w,:-]{1,1000}$/,
}
const anyOfThem = new RegExp(`(?:^|\\0)(${Object.keys(wanted).join('|')})=([^\\0]*)(?=\\0)`, 'g')

/** Users choose it, and it is kept for as long as the job: nobody reads more. */
const longestName = 200
const shortened = (name: string): string =>
  Array.from(name.slice(0, 2 * longestName))
    .slice(0, longestName)
    .join('')

/** What the text of an environment says of the job around a process. */
export function marksIn(environment: string): ProcessMarks {
  const found: Partial<Record<keyof typeof wanted, string>> = {}
  for (const [, name, value = ''] of environment.matchAll(anyOfThem)) {
    const variable = name as keyof typeof wanted
    // The first one counts, as it does for programs that look for it.
    if (wanted[variable].test(value)) found[variable] ??= value
  }
  if (Object.keys(found).length === 0) return noMarks
  const name = found.SLURM_JOB_NAME
  return {
    taskId: found[taskVariable] ?? null,
    slurmJobId: found.SLURM_JOB_ID ?? null,
    // The text has a character for each byte.
    slurmJobName: name === undefined ? null : shortened(Buffer.from(name, 'latin1').toString()),
    request: found[requestVariable] ?? null,
    visibleGpus: found.NVIDIA_VISIBLE_DEVICES ?? null,
  }
}
