import type { Misfit } from '../../model/plan.ts'
import type { RunNotice } from '../../model/run-notice.ts'
import { absentInputsText } from './absent-inputs.ts'
import { mendingText } from './mending-text.ts'
import { misfitLines } from './misfit-text.ts'

const nothingMended = { changed: [], added: [], following: [], removed: [] }

export function noticeText(notice: RunNotice): string {
  switch (notice.kind) {
    case 'leftovers ended':
      return `killed what a killed runner had left of interrupted jobs: process ${notice.pids.join(', ')}`
    case 'resuming':
      return mendingText({ ...notice, ...nothingMended })
    case 'mended':
      return mendingText({ ...notice, ...notice.mending })
    case 'inputs changed':
      return `${notice.paths.join(', ')} changed since the last run; ${notice.jobs} jobs run again`
    case 'inputs absent':
      return absentInputsText(notice.absent)
    case 'output elsewhere':
      return `${notice.asked} has the logs of another ledger; those of this run go to ${notice.directory}`
  }
}

export function unfitJobsText(misfits: readonly Misfit[], workflowId: number): string {
  const jobs = new Set(misfits.map(({ job }) => job)).size
  return [
    `${jobs === 1 ? 'a job' : `${jobs} jobs`} can never start here, and nothing was started:`,
    ...misfitLines(misfits),
    `Ask for less and jobmeter run FILE --resume ${workflowId}, or say with --cpus, --memory or --gpus what may be used`,
  ].join('\n')
}
