import { count } from '../../model/count.ts'
import type { Misfit } from '../../model/plan.ts'
import type { RunNotice } from '../../model/run-notice.ts'
import { absentInputsText } from './absent-inputs.ts'
import { keptSettingsText } from './kept-settings-text.ts'
import { mendingText } from './mending-text.ts'
import { misfitLines } from './misfit-text.ts'

const nothingMended = { changed: [], added: [], following: [], removed: [] }

export function noticeText(notice: RunNotice): string {
  switch (notice.kind) {
    case 'leftovers ended':
      return `killed processes that a killed runner left behind: ${notice.pids.join(', ')}`
    case 'containers ended':
      return `killed containers that an earlier run left behind: ${shortIds(notice.ids)}`
    case 'containers unknown':
      return `cannot tell whether an earlier run left containers running: ${notice.why.join('; ')}. Those that jobmeter started have the label jobmeter.task`
    case 'settings kept':
      return keptSettingsText(notice.kept)
    case 'resuming':
      return mendingText({ ...notice, ...nothingMended })
    case 'mended':
      return mendingText({ ...notice, ...notice.mending })
    case 'inputs changed':
      return `${notice.paths.join(', ')} changed since the last run; ${count(notice.jobs, 'job')} will run again`
    case 'inputs absent':
      return absentInputsText(notice.absent)
    case 'output elsewhere':
      return `${notice.asked} holds the logs of another ledger; the logs of this run go to ${notice.directory}`
  }
}

const mostNamed = 5

/** That they start containers is only read from their words, in which it may be quoted. */
export function hiddenContainersText(
  hidden: readonly { readonly job: string; readonly engine: string }[],
): string {
  const [first] = hidden
  const names = hidden.slice(0, mostNamed).map(({ job }) => job)
  const more = hidden.length > mostNamed ? ` and ${hidden.length - mostNamed} more` : ''
  const which = `(${names.join(', ')}${more})`
  const run = `"${first?.engine} run"`
  const seems =
    hidden.length === 1
      ? `a script ${which} seems to start a container with ${run}`
      : `scripts ${which} seem to start containers with ${run}`
  return `${seems}. Such a container is neither measured nor ended with its job, and --resume does not find it: make ${run} the whole command, without shell syntax outside of quotes, or use the key container`
}

/** As `docker ps` writes them. */
const shortIds = (ids: readonly string[]): string => ids.map((id) => id.slice(0, 12)).join(', ')

/** `resume`: the command that goes on with the file once it asks for less. */
export function unfitJobsText(misfits: readonly Misfit[], resume: string): string {
  const jobs = new Set(misfits.map(({ job }) => job)).size
  return [
    `${jobs === 1 ? 'a job' : `${jobs} jobs`} can never start here, and nothing was started:`,
    ...misfitLines(misfits),
    `Ask for less, then run: ${resume}. Or say what may be used with --cpus, --memory or --gpus`,
  ].join('\n')
}
