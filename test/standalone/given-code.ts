import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import vm from 'node:vm'

/**
 * given-code.ts PROGRAM CODE FLIP…: starts the program `run` once for each bit turned over in a file of kept code, as
 * far as the moment when V8 is handed the first of its files, and prints the flips after which V8 would have been given
 * kept code. `none` among the flips turns no bit over.
 */
const [program = '', code = '', ...flips] = process.argv.splice(2)
process.argv.push('run')

class Handed extends Error {
  readonly isKept: boolean
  constructor(isKept: boolean) {
    super('V8 has got it')
    this.isKept = isKept
  }
}

Object.assign(vm, {
  Script: function handOver(_source: string, { cachedData }: vm.ScriptOptions): never {
    throw new Handed(cachedData !== undefined)
  },
})

const require = createRequire(import.meta.url)

function isGivenKeptCode(): boolean {
  try {
    require(program)
  } catch (error) {
    if (error instanceof Handed) return error.isKept
    throw error
  }
  throw new Error('V8 was handed nothing')
}

const whole = readFileSync(code)
chmodSync(code, 0o644)
const given: string[] = []
for (const flip of flips) {
  const bytes = Buffer.from(whole)
  const bit = Number(flip)
  if (flip !== 'none') bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  writeFileSync(code, bytes)
  if (isGivenKeptCode()) given.push(flip)
  delete require.cache[program]
  process.removeAllListeners('SIGUSR1')
  // What it does in the background at its start is over before the next one.
  await new Promise((resolve) => setImmediate(resolve))
}
process.stdout.write(JSON.stringify(given))
