import type { LastSeen } from '../meter/follow-request.ts'
import { withMemoryLimit, withMemoryLimitMet, type Usage } from '../model/usage.ts'
import type { EndedBy } from './ending.ts'
import type { JobCgroup } from './job-cgroup.ts'

/** The memory limit of a running job: who holds the job to it, and whether the job met it. */
export class MemoryLimit {
  readonly bytes: number
  readonly #isOfKernel: boolean

  /** To be made after the start: the launcher itself must not meet it. */
  constructor(bytes: number, cgroup: Pick<JobCgroup, 'limitMemory'> | null) {
    this.bytes = bytes
    this.#isOfKernel = cgroup?.limitMemory(bytes).kind === 'ok'
  }

  /** What we have to watch, because no kernel enforces it; null where one does. */
  get watchedBytes(): number | null {
    return this.#isOfKernel ? null : this.bytes
  }

  /** Whether the kernel killed for it: its killer also comes where the whole machine runs out of memory. */
  isMetInKernel({ oomKills, limitHits }: Pick<LastSeen, 'oomKills' | 'limitHits'>): boolean {
    return this.#isOfKernel && oomKills > 0 && limitHits > 0
  }

  /** The usage with the limit, where anybody held the job to it, and with the fact that it met it. */
  noteIn(
    usage: Usage,
    seen: Readonly<LastSeen>,
    { endedBy, requestedBytes }: { endedBy: EndedBy | null; requestedBytes: number | null },
  ): Usage {
    const isHeld = this.#isOfKernel || !Number.isNaN(seen.memoryBytes)
    const isApart = isHeld && this.bytes !== requestedBytes
    const limited = isApart ? withMemoryLimit(usage, this.bytes) : usage
    if (endedBy?.kind === 'memory')
      return withMemoryLimitMet(limited, this.bytes, 'looks at its processes')
    return this.isMetInKernel(seen)
      ? withMemoryLimitMet(limited, this.bytes, 'the memory events of its cgroup')
      : limited
  }
}
