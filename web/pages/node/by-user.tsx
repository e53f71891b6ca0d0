import { amountText } from '../../../src/render/node/usage-labels.ts'
import { exactShare } from '../../../src/render/units/figures.ts'
import type { NodeJobs } from '../../../src/server/schemas/node.ts'

type SeenJob = NodeJobs['jobs'][number]

const shown = 8

/** Who used how much of all that these jobs used. */
export function ByUser({ jobs }: { readonly jobs: readonly SeenJob[] }) {
  const sums = new Map<string, { jobs: number; seconds: number }>()
  for (const { user, cpu_seconds: seconds } of jobs) {
    const sum = sums.get(user) ?? { jobs: 0, seconds: 0 }
    sums.set(user, { jobs: sum.jobs + 1, seconds: sum.seconds + Math.max(0, seconds ?? 0) })
  }
  const whole = [...sums.values()].reduce((sum, { seconds }) => sum + seconds, 0)
  const users = [...sums].toSorted(([, a], [, b]) => b.seconds - a.seconds).slice(0, shown)
  return (
    <ul class="by-user" aria-label="By user">
      {users.map(([user, { jobs: count, seconds }]) => (
        <li key={user}>
          <span>
            <strong>{user}</strong>{' '}
            <small>
              {count} {count === 1 ? 'job' : 'jobs'}
            </small>
          </span>
          <span class="track" aria-hidden="true">
            <span class="fill" style={{ width: `${whole > 0 ? (100 * seconds) / whole : 0}%` }} />
          </span>
          <small>
            {amountText('cpu', seconds)} core-hours{whole > 0 && `, ${exactShare(seconds / whole)}`}
          </small>
        </li>
      ))}
    </ul>
  )
}
