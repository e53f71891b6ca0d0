import type { QueueShare } from '../../model/queue.ts'
import { printable } from '../text/printable.ts'
import { table } from '../text/table.ts'

export function queueShareText(shares: readonly QueueShare[]): string {
  if (shares.length === 0) return 'All users have the same share of the queue.\n'
  const rows = shares.map(({ user, weight }) => [printable(user), String(weight)])
  const text = table(
    [
      { header: 'User', align: 'left' },
      { header: 'Weight', align: 'right' },
    ],
    rows,
  )
  return `${text.trimEnd()}\n`
}
