import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { card, setState, standIn, standInMissing } from '../../test/nvml/stand-in.ts'

let folder = ''
let state = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-ready-'))
  state = join(folder, 'state')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A program of its own with an NVIDIA driver: this one has a test runner that keeps its event loop going. */
async function runProgram(script: string): Promise<[code: number | null, printed: string]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, JOBMETER_NVML: standIn, JOBMETER_NVML_STATE: state },
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: folder,
  })
  const printed = text(child.stdout)
  const [code] = (await once(child, 'exit')) as [number | null]
  return [code, await printed]
}

const importOf = (name: string, path: string): string =>
  `import { ${name} } from ${JSON.stringify(new URL(path, import.meta.url).href)}\n`
const importMeter = importOf('LiveMeter', './live-meter.ts')

describe.skipIf(standInMissing)('a program that has nothing else to do', () => {
  it('goes on while it waits for the cards to be found, and ends by itself after that', async () => {
    setState(state, [card(0, { util: 42 })])
    const script = `${importMeter}
      const meter = LiveMeter.start({ metrics: ['gpu'] })
      await meter.ready()
      console.log(meter.look().metrics.gpu_0_util)`
    expect(await runProgram(script)).toEqual([0, '42\n'])
  })

  it('goes on when a profiler or a callback of a training waits for them', async () => {
    setState(state, [card(0, { util: 42 })])
    const script = `${importOf('ResourceProfiler', './resource-profiler.ts')}
      ${importOf('ResourceMonitorCallback', '../training/resource-monitor-callback.ts')}
      const profiler = new ResourceProfiler()
      profiler.startProfiling()
      await profiler.ready()
      console.log(profiler.look().metrics.gpu_0_util)
      profiler.stopProfiling()
      await new ResourceMonitorCallback().onTrainStart()
      console.log('trained')`
    expect(await runProgram(script)).toEqual([0, '42\ntrained\n'])
  })

  it('ends at once where nobody waits, though the driver does not answer', async () => {
    setState(state, ['driver loaded=1 hang=1', card(0)])
    const script = `${importMeter}
      LiveMeter.start({ metrics: ['gpu'] })
      process.on('exit', () => console.log(performance.now() < 60_000 ? 'soon' : 'late'))`
    expect(await runProgram(script)).toEqual([0, 'soon\n'])
  })
})
