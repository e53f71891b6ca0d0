/**
 * A small job with something to see: it prepares data on disk, trains with two processes whose memory grows,
 * evaluates on one core and waits for a result. About nine seconds.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const megabyte = 2 ** 20

if (process.argv[2] === 'worker') await train()
else await main()

async function main(): Promise<void> {
  say('preparing 96 MB of data')
  prepare()
  say('training with two processes')
  const workers = [1, 2].map(() => fork(import.meta.filename, ['worker']))
  await Promise.all(workers.map((worker) => once(worker, 'exit')))
  say('evaluating')
  burn(1500)
  say('waiting for the result to arrive')
  await pause(1200)
}

function prepare(): void {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-demo-'))
  const file = join(directory, 'data')
  const descriptor = openSync(file, 'w')
  const block = Buffer.alloc(megabyte, 'jobmeter')
  for (let written = 0; written < 96; written++) writeSync(descriptor, block)
  fsyncSync(descriptor)
  closeSync(descriptor)
  readFileSync(file)
  rmSync(directory, { recursive: true })
}

async function train(): Promise<void> {
  const model: Buffer[] = []
  for (let epoch = 0; epoch < 12; epoch++) {
    model.push(Buffer.alloc(10 * megabyte, epoch + 1))
    burn(330)
    await pause(20)
  }
}

function burn(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end) Math.sqrt(Math.random())
}

function say(what: string): void {
  console.log(`  demo job: ${what} …`)
}
