import fc from 'fast-check'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'vitest'
import { sandbox } from '../program.ts'

const kills = 100

const told = (output: string): number[] =>
  [...output.matchAll(/^round (\d+):/gm)].map(([, number]) => Number(number))

describe('an agent that is killed', () => {
  // Half of its life it waits: two of them, each with a database of its own.
  it.concurrent.for([0, 1])(
    'neither loses nor doubles a round (%i)',
    { timeout: 400_000 },
    async (part, { expect }) => {
      using box = sandbox()
      const db = box.path('node.db')
      // After how many milliseconds of life, from the first round on: another moment of a round each time.
      const [all = []] = fc.sample(
        fc.array(fc.integer({ min: 0, max: 180 }), { minLength: kills, maxLength: kills }),
        1,
      )
      const moments = all.filter((_, at) => at % 2 === part)
      const seen: number[] = []
      for (const moment of moments) {
        const agent = box.start(['agent', '--verbose', '--interval', '0.1s', '--db', db])
        await agent.saw('round ')
        await new Promise((resolve) => setTimeout(resolve, moment))
        agent.signal('SIGKILL')
        const { stdout, signal } = await agent.ended
        expect(signal).toBe('SIGKILL')
        seen.push(...told(stdout))
      }
      using database = new DatabaseSync(db, { readOnly: true })
      const rowsOf = (sql: string) => database.prepare(sql).all() as Record<string, number>[]
      const numbers = rowsOf('SELECT number FROM round ORDER BY number').map(({ number }) => number)
      expect(numbers).toEqual(numbers.map((_, at) => at + 1))
      // What was told is there, once; a round that was kept and not told yet is no loss.
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen.filter((number) => number > numbers.length)).toEqual([])
      expect(numbers.length).toBeGreaterThanOrEqual(moments.length)
      const sums = [
        'round',
        'node_5m',
        'node_hour',
        'job_raw',
        'job_5m',
        'job_hour',
        'usage_hour',
        'usage_user_hour',
        'job',
      ].map((table) => rowsOf(`SELECT sum(cpu_us) AS sum FROM ${table}`)[0]?.['sum'])
      // A millionth of a second for each row is lost in rounding.
      const rows = rowsOf('SELECT count(*) AS count FROM job_raw')[0]?.['count'] ?? 0
      const [ofNodes = 0] = sums
      expect(sums.slice(1, 3)).toEqual([ofNodes, ofNodes])
      expect(new Set(sums.slice(3)).size).toBe(1)
      expect(Math.abs((sums[3] ?? 0) - ofNodes)).toBeLessThanOrEqual(rows)
      process.stderr.write(
        `${moments.length} kills: ${numbers.length} rounds, ${seen.length} of them told\n`,
      )
    },
  )
})
