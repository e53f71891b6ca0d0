import { get } from 'node:http'
import type { RecordJson } from '../src/render/record/record-json.ts'
import { sandbox, type Sandbox } from '../test/program.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * What a server and its clients change for the jobs that they follow: the same ten jobs alone, and beside `jobmeter serve`
 * with 50 live clients, in turn. The CPU time that jobmeter itself used to watch them, and what it says that they used.
 */
const jobs = 10
const clients = 50
const turns = Number(process.env['JOBMETER_TURNS'] ?? 4)
const seconds = Number(process.env['JOBMETER_SECONDS'] ?? 12)

/** Some idle children, and a fixed amount of work. */
const program = `
  for child in 1 2 3 4 5; do sleep ${seconds} & done
  i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done
  wait`

interface Turn {
  readonly ownSeconds: number
  readonly jobSeconds: number
  readonly samples: number
}

async function turn(box: Sandbox): Promise<Turn> {
  const started = Array.from({ length: jobs }, () =>
    box.start(['run', '--quiet', '--format', 'json', '--', 'sh', '-c', program], {
      timeoutMs: (seconds + 60) * 1000,
    }),
  )
  const ended = await Promise.all(started.map(({ ended: end }) => end))
  const records = ended.map(({ stderr }) => JSON.parse(stderr) as RecordJson)
  const sum = (figure: (record: RecordJson) => number): number =>
    records.reduce((total, record) => total + figure(record), 0)
  return {
    ownSeconds: sum((record) => record.samples.own_cpu_seconds ?? 0),
    jobSeconds: sum((record) => record.usage.cpu_total_seconds ?? 0),
    samples: sum((record) => record.samples.collected),
  }
}

async function servedTurn(box: Sandbox): Promise<Turn> {
  const served = box.start(['serve', '--listen', '127.0.0.1:0', '--log', 'off'], {
    timeoutMs: (seconds + 120) * 1000,
  })
  const address = new URL((await served.saw('\n')).trim())
  const headers = { authorization: `Bearer ${address.searchParams.get('token') ?? ''}` }
  const { port } = address
  for (let client = 0; client < clients; client += 1)
    get({ host: '127.0.0.1', port, path: '/api/v1/events', headers, agent: false }, (answer) =>
      answer.resume(),
    )
  const seen = await turn(box)
  served.signal('SIGTERM')
  await served.ended
  return seen
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

using box = sandbox()
const alone: Turn[] = []
const followed: Turn[] = []
for (let round = 0; round < turns; round += 1) {
  alone.push(await turn(box))
  followed.push(await servedTurn(box))
}
const row = (name: string, seen: readonly Turn[]): (string | number)[] => [
  name,
  rounded(median(seen.map(({ ownSeconds }) => ownSeconds))),
  rounded(median(seen.map(({ jobSeconds }) => jobSeconds))),
  median(seen.map(({ samples }) => samples)),
]
printTable([
  ['', 'own CPU s', 'CPU s of the jobs', 'samples'],
  row('alone', alone),
  row(`beside serve and ${clients} clients`, followed),
])
const ratio = (figure: (seen: Turn) => number): number =>
  median(followed.map(figure)) / median(alone.map(figure))
verdict(
  'watching, followed against alone',
  ratio(({ ownSeconds }) => ownSeconds),
  1.1,
  ' ×',
)
verdict(
  'the jobs themselves',
  ratio(({ jobSeconds }) => jobSeconds),
  1.1,
  ' ×',
)
