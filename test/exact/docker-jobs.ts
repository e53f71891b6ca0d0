import { beforeAll } from 'vitest'
import { startDocker, whyNoDocker, type Docker } from '../docker.ts'
import type { Ended, HistoryRecord, Sandbox } from '../program.ts'

/** What these tests read of a record besides. */
export interface ContainerRecord extends HistoryRecord {
  readonly detailed_profile: { readonly container_stats: Record<string, string> }
  readonly bound_by: { readonly kind: string; readonly sentence: string }
  readonly unmeasured: Readonly<Record<string, string>>
}

export const missing = whyNoDocker()

/** The daemon of a file of tests, which starts it by `useDocker`. */
export let docker: Docker

export function useDocker(): void {
  beforeAll(async () => {
    if (missing !== undefined) return
    docker = await startDocker()
    return () => docker.stop()
  })
}

export const dockerRun = (...words: readonly string[]): readonly string[] => [
  'docker',
  'run',
  '--rm',
  '--network=none',
  ...words,
]

export const asClient = () => ({ env: { DOCKER_HOST: docker.host } })

export const running = (): readonly string[] =>
  docker.docker('ps', '-q').split('\n').filter(Boolean)

export async function run(
  box: Sandbox,
  ...args: readonly string[]
): Promise<{ ended: Ended; record: ContainerRecord }> {
  const { ended, record } = await box.run(args, asClient())
  return { ended, record: record as ContainerRecord }
}

/** Until something was written down of what is watched. */
export async function untilSampled(box: Sandbox): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const times = await box.sampleTimes().catch(() => [])
    if (times.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('nothing was sampled')
}

export const usageOf = ({ usage }: ContainerRecord): Readonly<Record<string, number | null>> =>
  usage
