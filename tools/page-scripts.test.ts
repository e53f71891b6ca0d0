import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundlePageScripts } from './page-scripts.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'jobmeter-scripts-'))
  mkdirSync(join(root, 'src/browser'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true }))

const put = (name: string, source: string) =>
  writeFileSync(join(root, 'src/browser', `${name}.ts`), source)

describe('bundlePageScripts', () => {
  it('makes one strict script a page of all that it imports, and leaves nothing else behind', async () => {
    put(
      'words',
      `export const words = (name: string): string => 'hello ' + name\nexport const unused = 7`,
    )
    put('report', `import { words } from './words.ts'\ndocument.title = words('report')`)
    put('plot', `import { words } from './words.ts'\ndocument.title = words('plot')`)
    put('heat', '')
    await bundlePageScripts(root)
    const folder = join(root, 'dist/browser')
    expect(readdirSync(folder).toSorted()).toEqual(['heat.js', 'plot.js', 'report.js'])
    const document = { title: '' }
    const script = readFileSync(join(folder, 'report.js'), 'utf8')
    new Script(script).runInNewContext({ document })
    expect(document.title).toBe('hello report')
    expect(script).toContain('use strict')
    expect(script).not.toContain('import')
  })

  it('lets nothing in it end its own element', async () => {
    put('report', `document.title = '</' + 'script>' + '</SCRIPT>'`)
    put('plot', '')
    put('heat', '')
    await bundlePageScripts(root)
    const document = { title: '' }
    const script = readFileSync(join(root, 'dist/browser/report.js'), 'utf8')
    new Script(script).runInNewContext({ document })
    expect(document.title).toBe('</script></SCRIPT>')
    expect(script).not.toMatch(/<\/script/i)
  })

  it.each([
    ['a module that no browser has', /node:util/, `import { format } from 'node:util'\nformat('')`],
    ['a module that is not there', /absent/, `import './absent.ts'`],
    ['the beginning of a comment', /would end/, `document.title = '<!-- -->'`],
  ])('refuses %s', async (_, why, source) => {
    put('report', source)
    put('plot', '')
    put('heat', '')
    await expect(bundlePageScripts(root)).rejects.toThrow(why)
  })
})
