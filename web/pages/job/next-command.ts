import type { RecordJson } from '../../../src/render/record/record-json.ts'
import { commandLine } from '../../../src/render/text/printable.ts'
import { askedSeconds } from '../../../src/render/units/figures.ts'
import type { JobRecommendation } from '../../../src/server/schemas/requests.ts'

type Sizing = JobRecommendation['recommendations'][number]

const megabyte = 2 ** 20

/** How the command line writes what to ask for; a request is never less than what was recommended. */
const words: Readonly<Record<Sizing['unit'], (value: number) => readonly [string, string]>> = {
  cores: (value) => ['--cpus', String(value)],
  bytes: (value) => ['--memory', `${Math.ceil(value / megabyte)}m`],
  seconds: (value) => ['--runtime', askedSeconds(value)],
}

/** The command as it should be run next time, ready to be pasted. */
export function nextCommand(
  { name, command, tags }: Pick<RecordJson, 'name' | 'command' | 'tags'>,
  recommendations: readonly Sizing[],
): string {
  const requests = recommendations.flatMap(
    ({ unit, recommended_value: better, requested_value: now }) => {
      const value = better ?? now
      return value === null ? [] : words[unit](value)
    },
  )
  return commandLine([
    'jobmeter',
    'run',
    '--name',
    name,
    ...tags.flatMap((tag) => ['--tag', tag]),
    ...requests,
    '--',
    ...command,
  ])
}
