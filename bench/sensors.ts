import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { optionalGauges } from '../src/meter/gauges/optional/optional.ts'
import type { Gauge } from '../src/meter/gauges/gauge.ts'
import { shippedGauges } from '../src/meter/gauges/shipped.ts'
import { ok } from '../src/model/reading.ts'
import { realSystem } from '../src/system/real.ts'
import type { System } from '../src/system/system.ts'
import { followed } from './followed.ts'
import { floorMicroseconds, prepare, program } from './outside.ts'
import { median } from '../src/analysis/statistics/median.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * What each gauge adds to a full look at 50 and at 1,000 processes, of which nobody rests: the CPU time of a look with the
 * gauge over that of a look without it, one after the other, all others being as they are by default. Then what a look
 * may cost with everything measured, against C that keeps its descriptors and reads `stat` and `io`, and the bars of
 * watch-cost.
 */
const rounds = 15
const looksPerRound = 20
const families = [50, 1000]

const real = realSystem({ ownsProcess: false })
let ahead = 0

/** A counter for machines that have none: the file of another figure, which takes as long to read. */
const counter = '/sys/class/powercap/intel-rapl:0/energy_uj'
const madeUp: Readonly<Record<string, string>> = {
  '/sys/class/powercap/intel-rapl:0/name': 'package-0',
  '/sys/class/powercap/intel-rapl:0/max_energy_range_uj': '262143328850',
}

/** As in sample-cost: a clock that leaps ahead at each look, and no file that tells who rests. */
const system: System = {
  ...real,
  clock: { ...real.clock, monotonicSeconds: () => real.clock.monotonicSeconds() + ahead },
  files: {
    ...real.files,
    open: (path) => {
      if (path.endsWith('/schedstat')) return -1
      return real.files.open(path === counter ? '/proc/sys/kernel/pid_max' : path)
    },
    list: (path) => (path === '/sys/class/powercap' ? ok(['intel-rapl:0']) : real.files.list(path)),
    readText: (path) => {
      const text = madeUp[path]
      return text === undefined ? real.files.readText(path) : ok(text)
    },
  },
}

const follow = (gauges: readonly Gauge[], rootPid: number) => ({
  ...followed(system, rootPid, gauges),
  costs: [] as number[],
})

type Followed = ReturnType<typeof follow>

function look({ meter, job, costs }: Followed): void {
  const before = process.cpuUsage()
  for (let count = 0; count < looksPerRound; count++) {
    ahead += 1
    meter.refresh(job)
  }
  const spent = process.cpuUsage(before)
  costs.push((spent.user + spent.system) / looksPerRound)
}

/** The median of the ratios of looks that followed each other: what else the machine does cancels out. */
function compare(full: Followed, lean: Followed) {
  for (let round = 0; round <= rounds; round++) {
    look(round % 2 === 0 ? full : lean)
    look(round % 2 === 0 ? lean : full)
    // The first round only warms up.
    if (round === 0) for (const { costs } of [full, lean]) costs.length = 0
  }
  const ratios = full.costs.map((cost, index) => cost / (lean.costs[index] ?? Number.NaN))
  return {
    ratio: median(ratios),
    added: median(full.costs) - median(lean.costs),
    whole: median(full.costs),
  }
}

async function measureFamily(processes: number) {
  const idle = spawn(program('idle-children'), [String(processes), '600000', '-'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(idle.stdout, 'data')
  const rootPid = idle.pid ?? 0
  const rows = [...shippedGauges, ...optionalGauges].map((gauge) => {
    const others = shippedGauges.filter(({ name }) => name !== gauge.name)
    const full = follow([...others, gauge], rootPid)
    const lean = follow(others, rootPid)
    const { ratio, added, whole } = compare(full, lean)
    for (const { meter } of [full, lean]) meter.close()
    return [`${processes} processes, ${gauge.name}`, rounded(ratio), rounded(added), rounded(whole)]
  })
  const everything = follow([...shippedGauges, ...optionalGauges], rootPid)
  const usual = follow(shippedGauges, rootPid)
  const { ratio, added, whole } = compare(everything, usual)
  const family = { parentPid: rootPid, children: processes }
  const timesFloor = Array.from({ length: rounds }, () => {
    const floor = floorMicroseconds(family, ['stat', 'io'], looksPerRound)
    look(everything)
    return (everything.costs.at(-1) ?? Number.NaN) / floor
  })
  for (const { meter } of [everything, usual]) meter.close()
  idle.kill()
  const name = `${processes} processes, all over the default`
  rows.push([name, rounded(ratio), rounded(added), rounded(whole)])
  return { rows, timesFloor: median(timesFloor) }
}

prepare()
const rows: (string | number)[][] = [['', 'with / without', 'µs added a look', 'µs a look with it']]
let timesFloor = Number.NaN
for (const processes of families) {
  const measured = await measureFamily(processes)
  rows.push(...measured.rows)
  timesFloor = measured.timesFloor
}
printTable(rows)
verdict(`a look at ${families.at(-1)} processes with everything`, timesFloor, 2, ' × C')
const watching = join(import.meta.dirname, 'watch-cost.ts')
const ended = spawnSync(process.execPath, [watching, '--metrics', 'all'], { stdio: 'inherit' })
process.exitCode = ended.status === 0 ? process.exitCode : 1
