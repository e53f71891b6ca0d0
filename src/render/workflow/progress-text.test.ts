import { describe, expect, it } from 'vitest'
import { displayWidth } from '../text/display-width.ts'
import { progressText, type ProgressView } from './progress-text.ts'
import { colourStyle, plainStyle } from '../text/style.ts'

const view: ProgressView = {
  name: 'a pipeline with a long name',
  counts: { done: 30, running: 2, failed: 1, blocked: 50, ready: 17, total: 100 },
  elapsedSeconds: 62,
  running: [
    {
      name: 'train_model',
      elapsedSeconds: 12.5,
      cpuPercent: 180,
      memoryBytes: 3 * 2 ** 30,
      requestedCpus: 2,
      requestedMemoryBytes: 2 ** 32,
    },
    {
      name: 'new',
      elapsedSeconds: -0.001,
      cpuPercent: null,
      memoryBytes: null,
      requestedCpus: null,
      requestedMemoryBytes: null,
    },
  ],
}

describe('progress', () => {
  it('is one bar for the whole and a line for each running job', () => {
    expect(progressText(view, plainStyle, 120)).toMatchInlineSnapshot(`
      "███████░░░░░░░░░░░░░░░░░ a pipeline with a l… 30 done · 2 running · 1 failed · 67 waiting · about 2m 18s left
        train_model                  12.5 s  CPU 180 % of 200 %    memory 3.0 GB of 4.0 GB
        new                          0.00 s  CPU –                 memory –
      "
    `)
  })

  it('promises nothing before a twentieth is done', () => {
    const counts = { ...view.counts, done: 3, failed: 0 }
    expect(progressText({ ...view, counts, running: [] }, plainStyle, 120)).toMatchInlineSnapshot(`
      "█░░░░░░░░░░░░░░░░░░░░░░░ a pipeline with a l… 3 done · 2 running · 67 waiting · 1m 2s
      "
    `)
  })

  it.each([200, 100, 80, 60, 40, 20])('is never wider than a terminal of %d columns', (columns) => {
    for (const style of [plainStyle, colourStyle])
      for (const line of progressText({ ...view, name: '名前'.repeat(20) }, style, columns).split(
        '\n',
      ))
        expect(displayWidth(line)).toBeLessThanOrEqual(columns)
  })

  it('is whole at the end, and for a workflow without jobs', () => {
    const none = { done: 0, running: 0, failed: 0, blocked: 0, ready: 0, total: 0 }
    const done = { ...none, done: 5, total: 5 }
    for (const counts of [none, done])
      expect(progressText({ ...view, counts, running: [] }, plainStyle, 120)).toContain(
        '█'.repeat(24),
      )
  })
})
