import { describe, expect, it } from 'vitest'
import { poisson, usageOf } from '../../../../test/golden/render/crafted-records.ts'
import { costReport } from '../../../analysis/cost/cost-report.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../../model/measured.ts'
import type { Prices } from '../../../model/prices.ts'
import type { JobRecord } from '../../../model/record.ts'
import { plainStyle } from '../../text/style.ts'
import { costCsv } from './csv.ts'
import { costJson } from './json.ts'
import { costText } from './text.ts'

const prices: Prices = {
  currency: 'EUR',
  coreHour: 0.1,
  memoryGbHour: null,
  gpuHour: {},
  kwh: null,
  storageGbMonth: null,
  carbonGramsPerKwh: 400,
  wattsPerCore: null,
}

const withEnergy = (name: string, energyJoules: Measured): JobRecord => ({
  ...poisson,
  name,
  usage: Object.assign(usageOf({ cpuTotalSeconds: 3600 }), { energyJoules }),
})

const known = withEnergy('known', measured(3_600_000, 'RAPL'))
const partly = withEnergy('partly', atLeast(3_600_000, 'RAPL'))
const unknown = withEnergy('unknown', unmeasured('no counters'))

const lineOf = (text: string, name: string): string =>
  text.split('\n').find((line) => line.startsWith(name)) ?? ''

describe('the energy in a report of costs', () => {
  it('says "at least" where some of it is not known, of each job and of all', () => {
    const text = costText(costReport([known, partly], prices), plainStyle)
    expect(lineOf(text, 'known')).not.toContain('at least')
    expect(lineOf(text, 'partly')).toMatch(/at least .+ at least 400\.0 g$/)
    expect(lineOf(text, 'Total')).toMatch(/at least .+ at least 800\.0 g$/)
  })

  it('says how many have none, and that the sum is a lower bound then', () => {
    const report = costReport([known, unknown], prices)
    const text = costText(report, plainStyle)
    expect(lineOf(text, 'Total')).toMatch(/at least 400\.0 g$/)
    expect(text).toContain('The energy of 1 of 2 attempts is not known.')
    expect(costJson(report, null)).toMatchObject({
      jobs_without_energy: 1,
      energy_is_lower_bound: true,
      jobs: [{ energy_is_lower_bound: false }, { energy_is_lower_bound: false }],
    })
  })

  it('is no lower bound where none is known', () => {
    expect(costJson(costReport([unknown], prices), null)).toMatchObject({
      energy_joules: null,
      energy_is_lower_bound: false,
      jobs: [{ energy_is_lower_bound: false }],
    })
  })

  it('is flagged for scripts', () => {
    const [head = '', line = ''] = costCsv(costReport([partly], prices)).split('\n')
    const at = head.split(',').indexOf('energy_is_lower_bound')
    expect(line.split(',')[at]).toBe('true')
  })
})
