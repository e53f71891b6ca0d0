import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { menuPages, pageAt, pages } from '../../web/pages.ts'

describe('the page at a path', () => {
  it.each([
    ['/', { id: 'home', about: '' }],
    ['/jobs', { id: 'jobs', about: '' }],
    ['/jobs/0f', { id: 'job', about: '0f' }],
    ['/nodes/a%2Fb', { id: 'node', about: 'a/b' }],
    ['/nodes/100%', { id: 'node', about: '100%' }],
    ['/nodes/%E0%A4%A', { id: 'node', about: '%E0%A4%A' }],
    ['/workflows/12', { id: 'workflow', about: '12' }],
    ['/workflows/x', undefined],
    ['/jobs/', undefined],
    ['/jobs/0f/more', undefined],
    ['/nowhere', undefined],
  ])('%s', (path, found) => {
    expect(pageAt(path)).toEqual(found)
  })
})

describe('docs/dashboard.md', () => {
  const text = readFileSync(new URL('../../docs/dashboard.md', import.meta.url), 'utf8')
  const rowsUnder = (heading: string): string[][] => {
    const [, part = ''] = text.split(`## ${heading}\n`)
    const [section = ''] = part.split('\n## ')
    const rows = section.split('\n').filter((line) => line.startsWith('| '))
    return rows.slice(1).map((row) => row.split('|').map((cell) => cell.trim()))
  }

  it('tells of every page, in the order of the menu', () => {
    expect(rowsUnder('Pages').map(([, name]) => name)).toEqual(pages.map(({ name }) => name))
  })

  it('tells of every key that goes to a page', () => {
    const [, keys, does] = rowsUnder('Keys').find(([, cell]) => cell?.startsWith('`g ')) ?? []
    expect(keys).toBe(menuPages.map(({ key }) => `\`g ${key}\``).join(', '))
    expect(does).toBe(`go to ${menuPages.map(({ name }) => name).join(', ')}`)
  })
})
