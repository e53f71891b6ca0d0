import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programs } from '../workloads/compile.ts'

/** The library that stands in for NVML (`nvml.c`), built before the tests. */
export const standIn = join(programs, 'nvml')

export const standInMissing = !existsSync(standIn)

type Figures = Readonly<Record<string, string | number>>

const gibibyte = 2 ** 30

/** A card of the kind of an H200, at rest, unless told otherwise. */
export const card = (index: number, figures: Figures = {}): string =>
  line(`card ${index}`, {
    uuid: `GPU-${index}000`,
    name: 'NVIDIA_H200',
    util: 0,
    memutil: 0,
    used: gibibyte,
    total: 140 * gibibyte,
    temp: 30,
    power: 75_000,
    limit: 700_000,
    clock: 345,
    maxclock: 1980,
    throttle: 1,
    energy: 1_000_000,
    ecc: 0,
    gpm: 1,
    mig: 0,
    ...figures,
  })

export const processOn = (index: number, figures: Figures): string =>
  line(`process ${index}`, figures)

export const instanceOf = (index: number, figures: Figures): string =>
  line(`instance ${index}`, figures)

export const gpm = (index: number, figures: Figures): string => line(`gpm ${index}`, figures)

const line = (head: string, figures: Figures): string =>
  [head, ...Object.entries(figures).map(([name, value]) => `${name}=${value}`)].join(' ')

/** What the library answers from now on; never half of it. */
export function setState(path: string, lines: readonly string[]): void {
  writeFileSync(`${path}.new`, `${lines.join('\n')}\n`)
  renameSync(`${path}.new`, path)
}
