import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noRequirements } from '../../../model/job.ts'
import { allocationOptions, jobOptions, wordsIn } from './sbatch-options.ts'

const scheduler = {
  name: 'gpu',
  account: 'physics',
  partition: 'long',
  nodes: 4,
  walltime: '1-12:00:00',
  mem: '180g',
  gres: 'gpu:2',
  qos: 'high',
  ntasks_per_node: 2,
  tmp: '10g',
  extra: `--constraint="a100 & ib" --exclusive`,
}

describe('what Slurm is asked for', () => {
  it('is what the job asks for, then what its scheduler says', () => {
    const requirements = { cpus: 1.5, memoryBytes: 1_000_000_000, gpus: 1, runtimeSeconds: 61 }
    expect(
      jobOptions({
        requirements,
        nodes: 2,
        scheduler,
        defaults: { wckey: 'x', oversubscribe: true },
      }),
    ).toEqual([
      '--wckey=x',
      '--oversubscribe',
      '--account=physics',
      '--partition=long',
      '--qos=high',
      '--tmp=10240M',
      '--nodes=2',
      '--ntasks-per-node=1',
      '--cpus-per-task=2',
      '--mem=954M',
      '--time=2',
      '--gres=gpu:1',
      '--constraint=a100 & ib',
      '--exclusive',
    ])
    const silent = jobOptions({
      requirements: noRequirements,
      nodes: null,
      scheduler,
      defaults: {},
    })
    expect(silent).toEqual(expect.arrayContaining(['--mem=184320M', '--time=2160', '--gres=gpu:2']))
    const none = { ...noRequirements, gpus: 0 }
    expect(
      jobOptions({ requirements: none, nodes: null, scheduler, defaults: {} }).join(' '),
    ).not.toContain('gres')
    expect(
      jobOptions({ requirements: noRequirements, nodes: null, scheduler: undefined, defaults: {} }),
    ).toEqual(['--nodes=1', '--ntasks-per-node=1'])
  })

  it('is never less than the job asks for', () => {
    const amounts = fc.record({
      cpus: fc.double({ min: 0.01, max: 512, noNaN: true }),
      memoryBytes: fc.integer({ min: 1, max: 2 ** 45 }),
      gpus: fc.constant(null),
      runtimeSeconds: fc.integer({ min: 1, max: 10_000_000 }),
    })
    fc.assert(
      fc.property(amounts, (requirements) => {
        const options = jobOptions({ requirements, nodes: null, scheduler, defaults: {} })
        const told = (name: string): number =>
          Number.parseInt(
            options.find((option) => option.startsWith(`--${name}=`))?.split('=')[1] ?? '',
          )
        expect(told('cpus-per-task')).toBeGreaterThanOrEqual(requirements.cpus)
        expect(told('mem') * 2 ** 20).toBeGreaterThanOrEqual(requirements.memoryBytes)
        expect(told('time') * 60).toBeGreaterThanOrEqual(requirements.runtimeSeconds)
      }),
    )
  })

  it('is a whole allocation for workers', () => {
    expect(
      allocationOptions(scheduler, { defaults: {}, mostCpus: 8, mostMemoryBytes: 2 ** 40 }),
    ).toEqual([
      '--account=physics',
      '--partition=long',
      '--qos=high',
      '--tmp=10240M',
      '--nodes=4',
      '--ntasks-per-node=2',
      '--mem=184320M',
      '--time=2160',
      '--gres=gpu:2',
      '--constraint=a100 & ib',
      '--exclusive',
    ])
  })

  it('has room for the largest job where nobody said how many CPUs', () => {
    const cpus = { defaults: {}, mostCpus: 1.5, mostMemoryBytes: null }
    expect(allocationOptions(undefined, cpus)).toContain('--cpus-per-task=2')
    for (const extra of ['--exclusive', '-c 8', '--ntasks=4'])
      expect(allocationOptions({ name: 'x', extra }, cpus).join(' ')).not.toContain('=2')
  })

  it('has room for the largest job where nobody said how much memory', () => {
    const memory = { defaults: {}, mostCpus: 1, mostMemoryBytes: 600e6 }
    expect(allocationOptions(undefined, memory)).toContain('--mem=573M')
    for (const extra of ['--mem=1g', '--mem-per-cpu=1g'])
      expect(allocationOptions({ name: 'x', extra }, memory).join(' ')).not.toContain('=573M')
    const silent = { ...memory, mostMemoryBytes: null }
    expect(allocationOptions(undefined, silent).join(' ')).not.toContain('--mem')
  })

  it('has further words parted as a shell does', () => {
    expect(wordsIn(`a  "b c" --d='e f'g`)).toEqual(['a', 'b c', '--d=e fg'])
    expect(wordsIn(undefined)).toEqual([])
    const word = fc.stringMatching(/^[^\s"']+$/)
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(wordsIn(words.join(' '))).toEqual(words)
        expect(wordsIn(words.map((each) => `"${each} x"`).join(' '))).toEqual(
          words.map((each) => `${each} x`),
        )
      }),
    )
  })
})
