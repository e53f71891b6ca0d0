/**
 * Runs a real training with PyTorch Lightning under ResourceMonitorCallback, with `nvidia-smi` beside it, and compares what both say:
 *
 *   node test/gpu/train-lightning.ts OUT [SECONDS_AN_EPOCH] [PYTHON]
 *
 * Needs a built checkout and a Python with PyTorch and pytorch-lightning. Nothing is fetched. OUT then holds console.txt,
 * warnings.txt, resource_logs/epoch_*.csv, logger/, training.json, nvidia-smi.csv and check.json. It fails where something
 * does not agree; without a card only what needs none is compared.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkTraining } from './training-checks.ts'

const repository = join(import.meta.dirname, '../..')
const [out = 'train-lightning', seconds = '12', python = 'python3'] = process.argv.slice(2)
mkdirSync(out, { recursive: true })

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(command: string, args: readonly string[]): { ended: Promise<Ended>; stop(): void } {
  const env = {
    ...process.env,
    JOBMETER_PROGRAM: `${process.execPath} ${repository}/bin/jobmeter.cjs`,
  }
  const child = spawn(command, args, { env })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()))
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()))
  const ended = new Promise<Ended>((resolve) => {
    child.on('error', (error) => resolve({ code: null, stdout, stderr: String(error) }))
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
  return { ended, stop: () => child.kill('SIGTERM') }
}

const hasCard =
  spawnSync('nvidia-smi', ['-L'], { encoding: 'utf8' }).stdout?.startsWith('GPU') ?? false
// In UTC and to the millisecond, which nvidia-smi's own clock is not: each line is stamped here when it comes.
const query = 'index,utilization.gpu,memory.used,memory.total,temperature.gpu,power.draw'
const smiSamples: string[] = []
const smi = hasCard
  ? spawn('nvidia-smi', [`--query-gpu=${query}`, '--format=csv,noheader,nounits', '-lms', '200'])
  : undefined
smi?.stdout.on('data', (part: Buffer) => {
  for (const line of part.toString().split('\n'))
    if (line !== '') smiSamples.push(`${new Date().toISOString()}, ${line}`)
})
const training = await run(python, [join(import.meta.dirname, 'train-lightning.py'), out, seconds])
  .ended
smi?.kill('SIGTERM')
writeFileSync(join(out, 'console.txt'), training.stdout)
writeFileSync(join(out, 'warnings.txt'), training.stderr)
if (hasCard)
  writeFileSync(join(out, 'nvidia-smi.csv'), `timestamp, ${query}\n${smiSamples.join('\n')}\n`)
if (training.code !== 0) throw new Error(`the training failed: ${training.stderr}`)

const checks = checkTraining(out)
writeFileSync(join(out, 'check.json'), `${JSON.stringify(checks, null, 2)}\n`)
for (const { what, ours, theirs, agrees } of checks)
  console.log(
    `${agrees ? 'agrees' : 'DIFFERS'}  ${what}: ${ours.toFixed(2)} against ${theirs.toFixed(2)}`,
  )
if (checks.some(({ agrees }) => !agrees)) process.exitCode = 1
