import { describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { flow, lines } from './flow.ts'

const [first, second] = ['GPU-f7f151e1-78e1-5794-e494-2e94da2f0905', 'GPU-0a5d4c1e-1111-2222']
const spec = `jobs:
  - { name: one, command: 'echo "<$CUDA_VISIBLE_DEVICES>" > one', resource_requirements: { gpus: 1 } }
  - { name: two, command: 'echo "<$CUDA_VISIBLE_DEVICES>" > two', resource_requirements: { gpus: 2 } }
  - { name: none, command: 'echo "<$CUDA_VISIBLE_DEVICES>" > none', resource_requirements: { gpus: 0 } }
`

describe('GPUs of a runner that is told which are its own', () => {
  it.each([`${first},${second}`, 'MIG-bbbb-1,MIG-aaaa-2'])(
    'are handed out as they are: %s',
    async (told) => {
      using box = sandbox()
      const env = { CUDA_VISIBLE_DEVICES: told }
      const ended = await box.jobmeter(['run', flow(box, spec), '--quiet'], { env })
      expect(ended.code, ended.stderr).toBe(0)
      expect(lines(box.path('one'))).toEqual([`<${told.split(',')[0]}>`])
      expect(lines(box.path('two'))).toEqual([`<${told}>`])
      expect(lines(box.path('none'))).toEqual(['<>'])
    },
  )

  it.each(['-1', '', 'NoDevFiles'])('are none where it is told so: "%s"', async (told) => {
    using box = sandbox()
    const env = { CUDA_VISIBLE_DEVICES: told }
    const ended = await box.jobmeter(['run', flow(box, spec), '--quiet'], { env })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('one asks for 1 GPU, but the runner may use 0')
  })

  it('are never more than those, even where more are asked for', async () => {
    using box = sandbox()
    const env = { CUDA_VISIBLE_DEVICES: `${second},${first}` }
    const ended = await box.jobmeter(['run', flow(box, spec), '--gpus', '3'], { env })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain(
      `--gpus 3: CUDA_VISIBLE_DEVICES=${second},${first} leaves 2 GPUs`,
    )
    const fewer = await box.jobmeter(['run', flow(box, spec), '--gpus', '2', '--quiet'], { env })
    expect(fewer.code, fewer.stderr).toBe(0)
    expect(lines(box.path('two'))).toEqual([`<${second},${first}>`])
  })
})
