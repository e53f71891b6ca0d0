import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseFdinfo } from './fdinfo.ts'

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/gpu', name), 'utf8')

describe('fdinfo of a card', () => {
  it('tells times of engines and memory, as amdgpu writes it', () => {
    expect(parseFdinfo(fixture('fdinfo-amdgpu-drawing.txt'))).toEqual({
      card: '0000:08:00.0',
      clientId: '217',
      engineNanoseconds: new Map([['gfx', 107_322_799]]),
      engineCycles: new Map(),
      memoryBytes: 2068 * 1024,
    })
  })

  it('tells memory once where it is told by the old names as well, as newer kernels do', () => {
    const told = ['total', 'resident', 'memory'].map((kind) => `drm-${kind}-vram:\t286604 KiB`)
    const text = ['drm-driver:\tamdgpu', ...told, 'drm-shared-vram:\t19808 KiB'].join('\n')
    expect(parseFdinfo(text)?.memoryBytes).toBe(286_604 * 1024)
  })

  it('tells of no engine where it is ROCm’s queues that work', () => {
    expect(parseFdinfo(fixture('fdinfo-amdgpu-rocm.txt'))).toEqual({
      card: '0000:83:00.0',
      clientId: '1203108',
      engineNanoseconds: new Map(),
      engineCycles: new Map(),
      memoryBytes: 76 * 1024,
    })
  })

  it('tells cycles where it tells no times, as xe writes it', () => {
    expect(parseFdinfo(fixture('fdinfo-xe-discrete.txt'))).toMatchObject({
      card: '0000:03:00.0',
      clientId: '3',
      engineNanoseconds: new Map(),
      memoryBytes: 23_992 * 1024,
    })
    const client = parseFdinfo(fixture('fdinfo-xe-discrete.txt'))
    expect([...(client?.engineCycles.keys() ?? [])]).toEqual(['rcs', 'bcs', 'vcs', 'vecs', 'ccs'])
    expect(client?.engineCycles.get('rcs')).toEqual({ busy: 28_257_900, total: 7_655_183_225 })
  })

  it('adds up the memory of two tiles, and shares cycles among as many engines as there are', () => {
    expect(parseFdinfo(fixture('fdinfo-xe-max.txt'))).toEqual({
      card: '0000:4d:00.0',
      clientId: '173',
      engineNanoseconds: new Map(),
      engineCycles: new Map([
        ['bcs', { busy: 395 / 16, total: 24_339_816_184 }],
        ['ccs', { busy: 163, total: 24_339_816_184 }],
      ]),
      memoryBytes: (65_072_580 + 63_753_540) * 1024,
    })
  })

  it('has memory of its own on a card that has some, as i915 writes it', () => {
    expect(parseFdinfo(fixture('fdinfo-i915-arc-a310.txt'))).toEqual({
      card: '0000:3d:00.0',
      clientId: '36',
      engineNanoseconds: new Map([
        ['render', 52_044_119_560],
        ['copy', 0],
        ['video', 3.5],
        ['compute', 0],
      ]),
      engineCycles: new Map(),
      memoryBytes: 2_698_140 * 1024,
    })
  })

  it('has none on a card that shares the machine’s', () => {
    const client = parseFdinfo(fixture('fdinfo-i915-integrated.txt'))
    expect(client?.memoryBytes).toBeNaN()
    expect(client?.engineNanoseconds.get('render')).toBe(346_249)
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
