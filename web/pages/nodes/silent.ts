import type { WalledNode } from '../../../src/server/schemas/node-curve.ts'
import { momentSeconds } from '../../moment.ts'

/** So many rounds may be late, and never less than this, before a node counts as silent. */
const lateRounds = 3
const leastSeconds = 180

/** Whether a node was not heard of for longer than its agent takes between looks. */
export function isSilent(
  { at, seconds }: Pick<WalledNode, 'at' | 'seconds'>,
  now: number,
): boolean {
  const last = momentSeconds(at)
  return last === null || now - last > Math.max(leastSeconds, lateRounds * seconds)
}
