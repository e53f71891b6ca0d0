import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failed, ok, type Reading } from '../../model/reading.ts'
import { fakeSystem } from '../../system/fake.ts'
import { findSources } from './sources.ts'

const output = readFileSync(
  join(import.meta.dirname, '../../../test/fixtures/gpu/intel-gpu-top-arc-a380.json'),
  'utf8',
)

/** A container that has a card's device file and nothing of sysfs, with a tool that answers so. */
function container(answer: (args: readonly string[]) => Reading<string>) {
  const system = fakeSystem({ files: { '/dev/dri/renderD128': '' } })
  return { ...system, toolOutput: (command: readonly string[]) => Promise.resolve(answer(command)) }
}

describe('cards that only a tool tells of', () => {
  it('are told of by a version that knows how to stop by itself', async () => {
    const asked: string[] = []
    const found = await findSources(
      container((command) => {
        asked.push(command.join(' '))
        return ok(output)
      }),
    )
    expect(found[2]).toMatchObject({ vendor: 'Intel', reading: { kind: 'ok' } })
    expect(asked).toEqual(['intel_gpu_top -J -s 500 -n 2'])
  })

  it('are told of by a version that does not, and is stopped', async () => {
    const found = await findSources(
      container((command) =>
        command.includes('-n') ? failed('intel_gpu_top ended with 1') : ok(output),
      ),
    )
    const [, , intel] = found
    if (intel?.reading.kind !== 'ok') throw new Error('no card')
    expect(intel.reading.value.cards).toMatchObject([{ utilizationPercent: 48.97058 }])
  })

  it('are unavailable where none tells of any, with each reason', async () => {
    const found = await findSources(container(() => failed('intel_gpu_top ended with 1')))
    expect(found.map(({ reading }) => reading)).toEqual([
      { kind: 'unavailable', why: 'no NVIDIA driver: there is no /dev/nvidiactl' },
      { kind: 'unavailable', why: 'there is no /sys/class/drm' },
      {
        kind: 'unavailable',
        why: 'there is no /sys/class/drm; intel_gpu_top ended with 1',
      },
    ])
  })

  it('are unavailable, and no tool is asked, on a machine without any', async () => {
    const system = fakeSystem()
    const found = await findSources({
      ...system,
      toolOutput: () => Promise.reject(new Error('asked')),
    })
    expect(found.map(({ reading }) => reading.kind)).toEqual(Array(3).fill('unavailable'))
  })
})
