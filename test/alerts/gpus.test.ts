import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { card, setState, standIn, standInMissing } from '../nvml/stand-in.ts'
import { sandbox } from '../program.ts'

/** Puts itself on the first card, and stays there. */
const onCard =
  'echo "process 0 pid=$$ memory=3145728 sm=20" >> "$JOBMETER_NVML_STATE"; exec sleep 7'

const soon = `channels: [{name: screen, type: console}]
rules:
  - {name: gpu-underused, for: 1s}
  - {name: gpu-hot, for: 1s}
  - {name: gpu-untouched, for: 1s}
  - {name: memory-pressure, enabled: false}
`

/** What the console shows of a job on two cards, of which it uses the first. */
async function toldOfCards(
  state: Readonly<Record<string, number>>,
  visible: string,
): Promise<string[]> {
  using box = sandbox()
  writeFileSync(box.path('alerts.yaml'), soon)
  const path = box.path('state')
  setState(path, [card(0, { ...state, power: 300_000, clock: 1980, throttle: 0 }), card(1)])
  const args = ['run', '-q', '--alerts', 'alerts.yaml', '--name', 'train', '--', 'sh', '-c', onCard]
  const ended = await box.jobmeter(args, {
    env: { JOBMETER_NVML: standIn, JOBMETER_NVML_STATE: path, CUDA_VISIBLE_DEVICES: visible },
  })
  return [...ended.stderr.matchAll(/alert \[warning\] (.+?): .*(GPU \d)/g)].map(
    ([, says, gpu]) => `${gpu} ${says}`,
  )
}

describe.skipIf(standInMissing).concurrent('alerts of cards, through the program', () => {
  it('fire for each card that deserves it', async () => {
    const told = await toldOfCards({ util: 20, memutil: 5, temp: 88 }, '0,1')
    expect(new Set(told)).toEqual(
      new Set([
        'GPU 0 GPU under-used',
        'GPU 0 GPU hot',
        'GPU 1 GPU allocated, but no process of the job uses it',
      ]),
    )
    expect(told).toHaveLength(3)
  })

  it('are silent on a card that works and stays cool', async () => {
    expect(await toldOfCards({ util: 97, memutil: 40, temp: 65 }, '0')).toEqual([])
  })
})
