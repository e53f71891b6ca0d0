import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lammps, poisson, running, usageOf } from '../../../test/golden/render/crafted-records.ts'
import { detailsText } from './details-text.ts'
import { recordJson } from './record-json.ts'
import { plainStyle } from '../text/style.ts'

const documented = new URL('../../../test/golden/render/details-documented.txt', import.meta.url)

describe('detailsText', () => {
  it('starts with the documented details to the letter', () => {
    const text = detailsText(poisson, plainStyle, 'utc')
    // The documented times have no zone; ours say which one they are in.
    const zoneless = text.replaceAll(/(?<=\.\d{6})Z$/gm, '')
    expect(zoneless.startsWith(`${readFileSync(documented, 'utf8')}\n`)).toBe(true)
  })

  it('goes on with all that is known', async () => {
    const text = detailsText(poisson, plainStyle, 'utc')
    await expect(text).toMatchFileSnapshot('../../../test/golden/render/details.txt')
  })

  it('shows why a job failed and what it left behind', () => {
    const text = detailsText(
      { ...lammps, signal: 'SIGTERM', stragglers: [{ pid: 7, command: 'sleep\t9' }] },
      plainStyle,
      'utc',
    )
    expect(text).toContain('Error:\n  Simulation failed with non-zero exit code...\n')
    expect(text).toContain('  Signal: SIGTERM\n')
    expect(text).toContain(String.raw`  Left Behind: 7 sleep\t9`)
  })

  it('says why a figure is missing, and never shows 0 for it', () => {
    const text = detailsText(running, plainStyle, 'utc')
    expect(text).toContain('  Memory Peak: not measured (it still runs)\n')
    expect(text).toContain('  Ended: –\n')
    expect(text).not.toMatch(/: 0(\.00)?s/)
  })

  it('shows less than a megabyte in a smaller unit, as the summary does', () => {
    const record = { ...poisson, usage: usageOf({ memoryPeakBytes: 512 * 1024 }) }
    expect(detailsText(record, plainStyle, 'utc')).toContain('  Memory Peak: 512.0 KB\n')
  })

  it('shows the figures of the JSON, rounded, and nothing measured as 0', () => {
    const seconds = fc.double({ min: 1e-6, max: 1e7, noNaN: true })
    const bytes = fc.integer({ min: 2 ** 20, max: 2 ** 50 })
    fc.assert(
      fc.property(seconds, seconds, bytes, (durationSeconds, cpuUserSeconds, memoryPeakBytes) => {
        const usage = usageOf({ cpuUserSeconds, memoryPeakBytes })
        const record = { ...poisson, durationSeconds, usage }
        const text = detailsText(record, plainStyle, 'utc')
        const json = recordJson(record)
        const shown = (label: string) => Number(new RegExp(`${label}: ([\\d.]+)`).exec(text)?.[1])
        for (const [label, figure] of [
          ['Duration', json.duration_seconds],
          ['CPU User Time', json.resource_usage.cpu_user_seconds],
          ['Memory Peak', json.resource_usage.memory_peak_mb],
        ] as const) {
          expect(figure).toBeGreaterThan(0)
          expect(shown(label)).toBeGreaterThan(0)
          // Half of the last digit, and what two doubles of that size cannot tell apart.
          const indistinct = 2 * Number.EPSILON * (figure ?? 0) + 1e-9
          expect(Math.abs(shown(label) - (figure ?? 0))).toBeLessThanOrEqual(0.005 + indistinct)
        }
      }),
    )
  })

  it('lets no control character through, whoever wrote the text', () => {
    const nasty = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(nasty, nasty, (a, b) => {
        const text = detailsText(
          {
            ...lammps,
            tool: a,
            script: b,
            params: { [a]: b },
            command: [a, b],
            reason: a,
            user: b,
          },
          plainStyle,
          'utc',
        )
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      }),
    )
  })
})
