import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextCommand } from '../../web/pages/job/next-command.ts'

const sizing = (
  unit: 'cores' | 'bytes' | 'seconds',
  better: number | null,
  now: number | null,
) => ({
  requirement: 'train',
  jobs: 1,
  resource_type: unit,
  requested: '',
  recommended: '',
  change: '',
  reason: '',
  confidence: '',
  attempts: 1,
  unit,
  requested_value: now,
  recommended_value: better,
  least_used_value: null,
  most_used_value: null,
})

const words = (commandLine: string): string[] =>
  spawnSync('sh', ['-c', `printf '%s\\0' ${commandLine}`])
    .stdout.toString()
    .split('\0')
    .slice(0, -1)

describe('the command for next time', () => {
  it('asks for what was recommended, and else for what was asked for before', () => {
    const job = { name: 'train', command: ['python', 'train.py'], tags: ['nightly'] }
    expect(
      nextCommand(job, [
        sizing('cores', 2, 4),
        sizing('bytes', 1.5 * 2 ** 20, null),
        sizing('seconds', null, 600),
      ]),
    ).toBe(
      'jobmeter run --name train --tag nightly --cpus 2 --memory 2m --runtime 10m -- python train.py',
    )
  })

  it('is read by a shell as it was meant, whatever a job is called', () => {
    const text = fc.string({
      unit: fc.constantFrom(...`ab "'$\`\\;&|<>*?~#()[]{}!=-%`.split('')),
      minLength: 1,
    })
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1, maxLength: 3 }), (name, command) => {
        const line = nextCommand({ name, command, tags: [] }, [])
        expect(words(line)).toEqual(['jobmeter', 'run', '--name', name, '--', ...command])
      }),
      { numRuns: 30 },
    )
  })
})
