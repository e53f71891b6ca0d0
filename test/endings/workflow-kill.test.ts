import { describe, expect, it } from 'vitest'
import { cannotGoElsewhere, elsewhere } from '../workflow/namespaces.ts'
import { workflowStorm } from './workflow-storm.ts'

const why = cannotGoElsewhere()
const kills = Number(process.env['JOBMETER_KILLS'] ?? 12)

describe('kill -9 of the runner of a workflow', () => {
  it(
    'at random moments: every job succeeds exactly once, and no result is lost or doubled',
    async () => {
      const storm = await workflowStorm(kills)
      expect(storm.problems).toEqual([])
      expect(storm.kills).toBe(kills)
      expect(storm.successes).toBe(200 * storm.diamonds)
      // A storm that hit nothing while it ran would prove nothing.
      expect(storm.interrupted).toBeGreaterThan(0)
    },
    60_000 + kills * 1000,
  )

  it.skipIf(why !== undefined).each(elsewhere)(
    `while others look on $name (${why ?? 'all can be made'}): the same`,
    async (looker) => {
      const storm = await workflowStorm(Math.ceil(kills / 4), looker)
      expect(storm.problems).toEqual([])
      expect(storm.successes).toBe(200 * storm.diamonds)
    },
    60_000 + kills * 1000,
  )
})
