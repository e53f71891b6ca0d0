import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseFdinfo } from './fdinfo.ts'

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/gpu', name), 'utf8')

describe('fdinfo of a card', () => {
  it('tells times of engines and memory, as amdgpu writes it', () => {
    expect(parseFdinfo(fixture('fdinfo-amdgpu-6.8.txt'))).toEqual({
      card: '0000:03:00.0',
      clientId: '26',
      engineNanoseconds: new Map([
        ['gfx', 4e9],
        ['compute', 2.5e8],
      ]),
      engineCycles: new Map(),
      memoryBytes: 1_024_000 * 1024,
    })
  })

  it('tells cycles where it tells no times, as xe writes it', () => {
    expect(parseFdinfo(fixture('fdinfo-xe-6.11.txt'))).toEqual({
      card: '0000:03:00.0',
      clientId: '3',
      engineNanoseconds: new Map(),
      engineCycles: new Map([
        ['rcs', { busy: 28_257_900, total: 7_655_183_225 }],
        ['ccs', { busy: 100, total: 7_655_183_225 }],
      ]),
      memoryBytes: 23_992 * 1024,
    })
  })

  it('has no memory of its own on a card that shares the machine’s, as i915 writes it', () => {
    const client = parseFdinfo(fixture('fdinfo-i915-6.8.txt'))
    expect(client?.memoryBytes).toBeNaN()
    expect(client?.engineNanoseconds.get('render')).toBe(662_066_921)
    expect(client?.engineNanoseconds.get('video')).toBe(50)
  })

  it('is told from that of other files', () => {
    expect(parseFdinfo('pos:\t0\nflags:\t0100002\nmnt_id:\t26\n')).toBeUndefined()
  })

  it('never gives a figure that is none, whatever is in it', () => {
    const key = fc.constantFrom(
      'drm-driver',
      'drm-engine-gfx',
      'drm-engine-capacity-gfx',
      'drm-cycles-rcs',
      'drm-total-cycles-rcs',
      'drm-memory-vram',
      'drm-resident-vram0',
      'drm-pdev',
    )
    const value = fc.oneof(
      fc.string(),
      fc.nat().map(String),
      fc.nat().map((number) => `${number} ns`),
      fc.nat().map((number) => `${number} KiB`),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value)), (lines) => {
        const client = parseFdinfo(lines.map(([name, told]) => `${name}:\t${told}`).join('\n'))
        if (client === undefined) return
        const figures = [
          ...client.engineNanoseconds.values(),
          ...[...client.engineCycles.values()].flatMap(({ busy, total }) => [busy, total]),
        ]
        for (const figure of figures) expect(figure).toBeGreaterThanOrEqual(0)
        expect(Number.isNaN(client.memoryBytes) || client.memoryBytes >= 0).toBe(true)
      }),
      { seed: 3, numRuns: 1000 },
    )
  })
})
