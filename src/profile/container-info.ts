import { findContainer, reachableEngines } from '../launch/container/reachable-engines.ts'
import { megabyte } from '../model/bytes.ts'
import { whyNot } from '../model/reading.ts'
import type { Inspected } from '../sensors/container/inspected.ts'
import { utcTime } from '../render/units/iso-time.ts'
import { backgroundSystem } from '../system/background-system.ts'

/**
 * A container as its daemon describes it. What is not set or not known is null.
 *
 * @see ContainerResourceMonitor
 */
export interface ContainerInfo {
  readonly engine: 'docker' | 'podman'
  readonly id: string
  readonly name: string
  readonly image: string
  readonly command: readonly string[]
  readonly running: boolean
  readonly pid: number | null
  /** ISO times in UTC. */
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly exit_code: number | null
  readonly oom_killed: boolean
  readonly limits: {
    readonly cpus: number | null
    readonly memory_mb: number | null
    readonly memory_reservation_mb: number | null
    readonly pids: number | null
  }
}

export async function containerInfo(name: string): Promise<ContainerInfo> {
  const apis = reachableEngines(backgroundSystem(), process.env)
  if (apis.kind !== 'ok')
    throw new Error(`no engine of containers can be asked for ${name}: ${whyNot(apis)}`)
  const found = await findContainer(apis.value, name)
  if (found.kind === 'unavailable')
    throw new Error(`there is no container ${name} (${whyNot(found)})`)
  if (found.kind !== 'ok') throw new Error(`container ${name} was not found: ${whyNot(found)}`)
  return infoOf(found.value.inspected, found.value.api.engine)
}

function infoOf(inspected: Inspected, engine: ContainerInfo['engine']): ContainerInfo {
  const { limits } = inspected
  return {
    engine,
    id: inspected.id,
    name: inspected.name,
    image: inspected.image,
    command: inspected.command,
    running: inspected.isRunning,
    pid: inspected.pid,
    started_at: utcTime(inspected.startedAt),
    finished_at: utcTime(inspected.finishedAt),
    exit_code: inspected.exitCode,
    oom_killed: inspected.isOomKilled,
    limits: {
      cpus: limits.cpus,
      memory_mb: inMegabytes(limits.memoryBytes),
      memory_reservation_mb: inMegabytes(limits.memoryReservationBytes),
      pids: limits.pids,
    },
  }
}

const inMegabytes = (bytes: number | null): number | null =>
  bytes === null ? null : bytes / megabyte
