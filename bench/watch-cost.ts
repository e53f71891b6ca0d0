import { sandbox, truth } from '../test/program.ts'
import { cost, entry, prepare, program } from './outside.ts'
import { peersHere } from './peers.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * What it costs to watch 50 idle children. The kernel's account of a watcher that waits for its job
 * holds the job's CPU too, so what the job says it used itself (a few milliseconds) is taken off.
 */
const seconds = Number(process.env['JOBMETER_SECONDS'] ?? 15)
/** For `run`, such as `--metrics all`, which may cost a little more. */
const options = process.argv.slice(2)
const most = options.length === 0 ? { percent: 0.8, megabytes: 56 } : { percent: 1, megabytes: 75 }
const rates = [
  { hertz: 1, targetPercent: most.percent },
  { hertz: 10, targetPercent: 2.5 },
]

prepare()
using box = sandbox()
const report = box.path('truth')
const job = [program('idle-children'), '50', String(seconds * 1000), report]
const rows: (string | number)[][] = [['', '% of a core', 'resident MB', 'looks missing']]
const verdicts: (() => void)[] = []

function watch(name: string, command: readonly string[]) {
  const seen = cost(command, box.path('cost'), box.env)
  const percent = (100 * (seen.cpuSeconds - truth(report).cpuSeconds)) / seconds
  const megabytes = seen.maxRssBytes / 2 ** 20
  return { name, percent, megabytes }
}

/** Regular looks that were due while the job ran and that no sample stands for. */
async function missingLooks(intervalSeconds: number) {
  const times = await box.sampleTimes()
  const slots = new Set(times.map((time) => Math.floor(time / intervalSeconds + 0.1)))
  const due = Math.ceil(seconds / intervalSeconds) - 1
  const missing = Array.from({ length: due }, (_, at) => at + 1).filter((slot) => !slots.has(slot))
  return { due, missing: missing.length }
}

for (const { hertz, targetPercent } of rates) {
  const run = [
    process.execPath,
    entry,
    'run',
    ...options,
    '--interval',
    String(1 / hertz),
    '--',
    ...job,
  ]
  const { name, percent, megabytes } = watch(`jobmeter ${hertz} Hz`, run)
  const { missing, due } = await missingLooks(1 / hertz)
  rows.push([name, rounded(percent), rounded(megabytes), `${missing} of ${due}`])
  verdicts.push(() => {
    verdict(`CPU at ${hertz} Hz`, percent, targetPercent, ' % of a core')
    verdict(`resident at ${hertz} Hz`, megabytes, most.megabytes, ' MB')
    verdict(`looks missing at ${hertz} Hz`, missing, 0, '')
  })
}
for (const peer of peersHere()) {
  for (const { hertz } of rates) {
    const command = peer.command(job, 1 / hertz, box.path(`notes-${hertz}-`))
    const { name, percent, megabytes } = watch(`${peer.tool} ${hertz} Hz`, command)
    rows.push([name, rounded(percent), rounded(megabytes), ''])
  }
}
printTable(rows)
for (const say of verdicts) say()
