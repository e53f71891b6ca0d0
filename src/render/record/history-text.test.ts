import { describe, expect, it } from 'vitest'
import { lammps, poisson, running } from '../../../test/golden/render/crafted-records.ts'
import { historyText } from './history-text.ts'
import { colourStyle, plainStyle } from '../text/style.ts'

const view = { zone: 'utc', isFiltered: false, leftOut: 0 } as const

describe('historyText', () => {
  it('shows the documented history to the letter', async () => {
    const text = historyText([running, poisson, lammps], plainStyle, view)
    await expect(text).toMatchFileSnapshot('../../../test/golden/render/history.txt')
  })

  it('says how to begin when there is nothing', () => {
    expect(historyText([], plainStyle, view)).toBe(
      'No jobs recorded yet. Run one: jobmeter run -- COMMAND\n',
    )
    expect(historyText([], plainStyle, { ...view, isFiltered: true })).toBe(
      'No recorded job matches.\n',
    )
  })

  it('says how many attempts of workflows it leaves out, and how to see them', () => {
    const one = historyText([poisson], plainStyle, { ...view, leftOut: 1 })
    expect(one).toMatch(/\n\n1 attempt of workflow jobs not shown: --all shows them too\.\n$/)
    expect(historyText([], plainStyle, { ...view, leftOut: 12_000 })).toBe(
      'No single commands are recorded.\n\n12,000 attempts of workflow jobs not shown: --all shows them too.\n',
    )
  })

  it('shortens an error that is a whole log', () => {
    const text = historyText([{ ...lammps, reason: 'x'.repeat(5000) }], plainStyle, view)
    expect(text).toContain(`Error: ${'x'.repeat(200)}...\n`)
  })

  it('colours the status, and lets no job send escapes of its own', () => {
    const record = { ...lammps, tool: 'evil\u001b[2J', reason: 'a\n2. Task: forged' }
    const text = historyText([record], colourStyle, view)
    expect(text).toContain('\u001b[31mFAILED')
    expect(text).not.toContain('\u001b[2J')
    expect(text).toContain(String.raw`Error: a\n2. Task: forged`)
  })
})
