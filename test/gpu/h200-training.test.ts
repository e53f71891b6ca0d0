import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkTraining } from './training-checks.ts'

const folder = join(import.meta.dirname, '../fixtures/training')

/** Captured by `train-lightning.ts`; see the README beside the files. */
describe('a training of three epochs with PyTorch Lightning on an H200', () => {
  it('is told as nvidia-smi and the loop itself have it', () => {
    const checks = checkTraining(folder)
    expect(checks).toHaveLength(12)
    expect(checks.filter(({ agrees }) => !agrees)).toEqual([])
  })

  it('printed what people know, and an alert until the card was at work', () => {
    const [first = '', ...further] = readFileSync(join(folder, 'console.txt'), 'utf8').split(
      /^(?=\[Resources\] Batch)/m,
    )
    expect(first).toBe(
      '[Resources] Batch 0:\n' +
        '  GPU 0: 24.0% util, 2033/143771 MB (1%), 39°C\n' +
        '  CPU: 7.0% (process: 31.2%)\n' +
        '  Memory: 127296/128888 MB available (1%)\n' +
        '  I/O: Read 66.2 MB/s, Write 0.0 MB/s, Wait 1.7%\n' +
        '  Time: batch 87.4 ms (p95 87.4), data loading 5.8 ms (p95 5.8)\n\n' +
        '[Resources] ⚠️ ALERTS:\n' +
        '  - GPU underutilized: 24.0% (threshold: 50%)\n',
    )
    expect(further.at(-1)).not.toContain('ALERTS')
  })
})
