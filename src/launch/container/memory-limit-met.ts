import type { LastSeen } from '../../meter/follow-request.ts'
import type { Measured } from '../../model/measured.ts'
import { nearMemoryLimit, withMemoryLimitMet, type Usage } from '../../model/usage.ts'

/** What the kernel counted of a container, as of the last reading. */
type Counted = Pick<LastSeen, 'oomKills' | 'limitHits'>

/**
 * The usage of a container of which processes were killed for memory, with the limit if they were killed at it: the kernel's
 * killer also comes where the whole machine runs out of memory.
 */
export function noteLimitMet(
  usage: Usage,
  limitBytes: number,
  { oomKills, limitHits }: Counted,
): Usage {
  if (limitHits > 0)
    return withMemoryLimitMet(usage, limitBytes, 'the memory events of the cgroup of its container')
  const isElsewhere = oomKills > 0 && limitHits === 0
  // Most often the cgroup was gone before the kill could be read: the peak of before must tell.
  return !isElsewhere && peakBytes(usage) >= nearMemoryLimit * limitBytes
    ? withMemoryLimitMet(usage, limitBytes, 'the memory peak of its container, near the limit')
    : usage
}

/** Of all that counts towards the limit, at least. */
function peakBytes(usage: Usage): number {
  const { cgroupMemoryPeakBytes: whole, containerMemoryPeakBytes: held } = usage as Usage & {
    readonly containerMemoryPeakBytes?: Measured
  }
  return Math.max(whole.value ?? 0, held?.value ?? 0)
}
