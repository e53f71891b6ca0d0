/**
 * Runs real loads on a real card under jobmeter, with `nvidia-smi` beside it, and writes all that both say to one file:
 *
 *   node test/gpu/on-card.ts OUT.json [SECONDS]
 *
 * Needs a built checkout, python3 with PyTorch, and an NVIDIA card. Nothing is fetched. It fails where a verdict is not
 * the one that its load was made for.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '../..')
const program = join(repository, 'bin/jobmeter.cjs')
const loads = join(import.meta.dirname, 'loads')
const [out = 'on-card.json', secondsText = '6'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'jobmeter-on-card-'))
const ledger = join(folder, 'ledger.db')

/** Each load with the verdict that it was made for. */
const expected = {
  matrix_product: ['gpu-tensor'],
  stream: ['gpu-memory'],
  tiny_kernels: ['gpu-launches'],
  slow_loader: ['gpu-data-loading'],
  idle_holder: ['gpu-idle'],
} as const

interface Asked {
  readonly code: number | null
  readonly text: string
  readonly error: string
}

function ask(command: string, args: readonly string[]): Promise<Asked> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: repository })
    let [text, error] = ['', '']
    child.stdout.on('data', (part: Buffer) => (text += part.toString()))
    child.stderr.on('data', (part: Buffer) => (error += part.toString()))
    child.on('error', (trouble) => resolve({ code: null, text, error: String(trouble) }))
    child.on('close', (code) => resolve({ code, text, error }))
  })
}

interface Told {
  readonly load: string
  readonly record?: {
    readonly task_id: string
    readonly bound_by: { readonly kind: string; readonly sentence: string }
    readonly usage: Readonly<Record<string, number | null>>
  }
  readonly series?: unknown
  readonly report?: string
  readonly failed?: Asked
}

/** What a job's record says, and its series. */
async function measured(load: string): Promise<Told> {
  const job = ['python3', join(loads, `${load}.py`), secondsText]
  const run = await ask(process.execPath, [
    program,
    'run',
    '--db',
    ledger,
    '--format',
    'json',
    '--interval',
    '0.5',
    '--',
    ...job,
  ])
  // Before it stands what the job itself wrote there.
  const at = run.error.search(/\{\s*"task_id"/)
  try {
    const record = JSON.parse(run.error.slice(at)) as NonNullable<Told['record']>
    const id = record.task_id
    const series = await ask(process.execPath, [
      program,
      'series',
      id,
      '--db',
      ledger,
      '--format',
      'json',
    ])
    const report = await ask(process.execPath, [program, 'reports', 'job', id, '--db', ledger])
    return { load, record, series: parsed(series.text), report: report.text }
  } catch {
    return { load, failed: run }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const queried = [
  'timestamp',
  'index',
  'uuid',
  'utilization.gpu',
  'utilization.memory',
  'memory.used',
  'memory.total',
  'temperature.gpu',
  'power.draw',
  'clocks.sm',
]

/** `nvidia-smi` five times a second, until the work is done. */
async function beside<T>(work: () => Promise<T>): Promise<{ done: T; nvidiaSmi: string[] }> {
  const args = [`--query-gpu=${queried.join(',')}`, '--format=csv,noheader,nounits', '-lms', '200']
  const child = spawn('nvidia-smi', args)
  let text = ''
  child.stdout.on('data', (part: Buffer) => (text += part.toString()))
  child.on('error', () => {})
  const done = await work()
  child.kill()
  return { done, nvidiaSmi: text.trimEnd().split('\n') }
}

const results: unknown[] = []
const wrong: string[] = []
for (const [load, kinds] of Object.entries(expected)) {
  const { done, nvidiaSmi } = await beside(() => measured(load))
  results.push({ ...done, queried, nvidiaSmi })
  const kind = done.record?.bound_by.kind
  const isRight = (kinds as readonly (string | undefined)[]).includes(kind)
  if (!isRight) wrong.push(`${load}: ${kind}, not ${kinds.join(' or ')}`)
  console.log(
    `${isRight ? 'ok   ' : 'WRONG'} ${load}: ${done.record?.bound_by.sentence ?? 'no record'}`,
  )
}

// Two jobs at once on one card: each is to get its own memory and share.
const pair = await beside(() => Promise.all([measured('matrix_product'), measured('idle_holder')]))
results.push({ pair: pair.done, queried, nvidiaSmi: pair.nvidiaSmi })
for (const { load, record } of pair.done) {
  const usage = record?.usage ?? {}
  const kind = record?.bound_by.kind
  const kinds: readonly (string | undefined)[] = expected[load as keyof typeof expected]
  if (!kinds.includes(kind)) wrong.push(`pair ${load}: ${kind}, not ${kinds.join(' or ')}`)
  console.log(
    `pair  ${load}: ${usage['gpu_memory_peak_bytes']} bytes, ${usage['gpu_utilization_percent_mean']} %, ${usage['gpu_busy_seconds']} s, ${usage['gpu_energy_joules']} J`,
  )
}

const doctor = await ask(process.execPath, [program, 'doctor', '--db', ledger])
const smi = spawnSync('nvidia-smi', ['-q', '-d', 'UTILIZATION,POWER,CLOCK,PERFORMANCE'])
writeFileSync(
  out,
  JSON.stringify(
    { wrong, results, doctor: doctor.text, nvidiaSmiQuery: String(smi.stdout) },
    null,
    1,
  ),
)
rmSync(folder, { recursive: true, force: true })
console.log(`written to ${out}`)
for (const line of wrong) console.error(line)
process.exitCode = wrong.length > 0 ? 1 : 0
