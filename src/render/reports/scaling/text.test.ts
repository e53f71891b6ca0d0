import { describe, expect, it } from 'vitest'
import { poisson } from '../../../../test/golden/render/crafted-records.ts'
import type { JobRecord } from '../../../model/record.ts'
import { scalingRuns } from '../../../analysis/compare/scaling-runs.ts'
import { scaling } from '../../../analysis/compare/scaling.ts'
import { displayWidth } from '../../text/display-width.ts'
import { scalingJson } from './json.ts'
import { scalingMarkdown } from './markdown.ts'
import { scalingText } from './text.ts'
import { plainStyle } from '../../text/style.ts'

describe('how a job scales', () => {
  const name = 'a_job_with_a_name_that_is_longer_than_half_of_a_line_of_a_terminal'
  const records = [{ ...poisson, name }]
  const chosen = scalingRuns(records, undefined)
  const json = scalingJson(records, chosen, scaling(chosen.runs))
  const widest = (text: string): number => Math.max(...text.split('\n').map(displayWidth))

  it('fits on a terminal, and is whole in a file', () => {
    const shown = scalingText(json, plainStyle, 80)
    expect(widest(shown)).toBeLessThanOrEqual(80)
    expect(shown).toContain(poisson.taskId.slice(0, 8))
    expect(shown).not.toContain(name)
    expect(scalingText(json, plainStyle)).toContain(name)
  })

  it('says why runs cannot be compared', () => {
    const at = (cpus: number) => ({
      ...poisson,
      params: { mesh: 64 * cpus },
      requirements: { ...poisson.requirements, cpus },
    })
    const chosenOfTwo = scalingRuns([at(1), at(2)], undefined)
    const told = scalingJson([at(1), at(2)], chosenOfTwo, scaling(chosenOfTwo.runs))
    const shown = scalingText(told, plainStyle)
    expect(shown).toContain('How it scales is not known')
    expect(shown).toContain('Left out: 1 run. It has another value of mesh.')
    expect(scalingText(json, plainStyle)).not.toContain('Left out')
  })

  it('answers first, and tells once what can be said of no run', () => {
    const [one, two] = [1, 2].map((cpus) => ({
      ...poisson,
      taskId: `0000000${cpus}`,
      requirements: { ...poisson.requirements, cpus },
    }))
    if (one === undefined || two === undefined) throw new Error('there are two')
    const taken = scalingRuns([one, two], undefined)
    const told = scalingJson([one, two], taken, scaling(taken.runs))
    for (const text of [scalingText(told, plainStyle), scalingMarkdown(told)]) {
      expect(text.indexOf('Serial fraction')).toBeLessThan(text.indexOf('Verdict'))
      expect(text.match(/\bgpus\b/g)).toHaveLength(1)
      expect(text).toContain('Share not known: gpus')
    }
    expect(told.runs.flatMap(({ shares }) => shares)).toHaveLength(8)
    const alone = scalingText(json, plainStyle)
    expect(alone.indexOf('Verdict')).toBe(alone.indexOf('\n') - 'Verdict'.length)
    expect(alone).toMatch(/gpus +–/)
  })

  it('says which parameters it took for the number of workers', () => {
    const at = (cpus: number, params = { par: cpus }) => ({
      ...poisson,
      params,
      requirements: { ...poisson.requirements, cpus },
    })
    const sentences = (runs: readonly JobRecord[]): string => {
      const taken = scalingRuns(runs, undefined)
      return scalingText(scalingJson(runs, taken, scaling(taken.runs)), plainStyle)
    }
    const both = sentences([at(1), at(2)])
    expect(both).toContain('Workers are counted by the CPU request, which par repeats in all runs.')
    const [low, high] = [at(1, { par: 5 }), at(2, { par: 5 })]
    const apart = sentences([low, high, at(2), at(2)])
    expect(apart).toContain('Workers are counted by the CPU request.')
    expect(apart).toContain('Left out: 2 runs. Each has another value of par.')
  })

  it('gives no advice by runs that had to wait for CPU time', () => {
    const runs = [1, 2].map((workers) => ({ taskId: 'x', workers, seconds: 10 }))
    const told = (starved: number): string => {
      const given = { workersFrom: 'CPU request', echoes: [], runs, starved, leftOut: [] }
      return scalingText(scalingJson([], given, scaling(runs)), plainStyle)
    }
    expect(told(0)).toContain('More than 2 workers would be a waste')
    expect(told(1)).not.toContain('would be a waste')
    expect(told(1)).toContain('1 of 2 runs had to wait for CPU time')
  })

  const sentencesOf = (seconds: readonly (readonly [number, number])[], starved = 0): string => {
    const runs = seconds.map(([workers, lasted]) => ({ taskId: 'x', workers, seconds: lasted }))
    const given = { workersFrom: 'CPU request', echoes: [], runs, starved, leftOut: [] }
    return scalingText(scalingJson([], given, scaling(runs)), plainStyle).replaceAll(/\s+/g, ' ')
  }

  it('blames no bandwidth for the spread of repeats, of two numbers of workers, or of starved runs', () => {
    const odd = [
      [1, 1000],
      [2, 900],
      [4, 250],
    ] as const
    const wild = [[2, 300] as const, [2, 1500] as const]
    expect(sentencesOf([...odd, ...odd])).toContain('such as memory bandwidth')
    expect(sentencesOf(odd)).toContain('fits poorly')
    expect(sentencesOf(odd)).not.toContain('such as memory bandwidth')
    for (const said of [
      sentencesOf([...odd, ...odd], 1),
      sentencesOf([...odd, ...odd, ...wild]),
      sentencesOf([...odd.slice(0, 2), ...wild]),
    ])
      expect(said).not.toContain('fits poorly')
  })

  it('says what each serial fraction is where two are shown', () => {
    const spread = sentencesOf([
      [1, 100],
      [2, 60],
      [2, 90],
      [2, 61],
    ])
    expect(spread).toContain('least squares over all runs')
    expect(spread).toContain('In the table is what the median of each number of workers says')
    const alike = sentencesOf([
      [1, 100],
      [2, 60],
    ])
    expect(alike).not.toContain('In the table')
  })
})
