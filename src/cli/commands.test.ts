import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands, nestedCommands } from './commands.ts'
import { Console } from './terminal/console.ts'
import { version } from './version.ts'

const here = import.meta.dirname

describe('the list of commands', () => {
  const names = commands.flatMap(({ name, aliases }) => [name, ...aliases])

  it('has each name once', () => {
    expect(new Set(names).size).toBe(names.length)
  })

  it('has all that users were promised, with their short names', () => {
    expect(names).toEqual(
      expect.arrayContaining(
        (
          'run watch job-history job-stats job-details series export prune doctor ' +
          'history stats show'
        ).split(' '),
      ),
    )
  })

  it('leaves out no command that is there', () => {
    const files = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /^[^.]+\.ts$/.test(file),
    )
    const found = files.filter((file) =>
      /export (const|\{).*\bexecute\b/.test(readFileSync(`${here}/${file}`, 'utf8')),
    )
    expect(found.length).toBeGreaterThan(5)
    const sources = files.map((file) => readFileSync(`${here}/${file}`, 'utf8')).join('')
    const unused = found.filter(
      (file) =>
        !sources.includes(`import('./${file}')`) &&
        !sources.includes(`import('./${basename(file)}')`),
    )
    expect(unused).toEqual([])
  })

  it.each(commands)('$name loads, and explains itself in a line', async ({ summary, load }) => {
    expect(summary).toMatch(/^[a-z].{5,70}[^.]$/)
    expect((await load([])).execute).toBeTypeOf('function')
  })
})

it.each(Object.entries(nestedCommands))('%s is %s', async (name, within) => {
  const [group, subcommand] = within.split(' ')
  const entry = commands.find((command) => command.name === group)
  expect(subcommand).toBe(name)
  expect(commands.some((command) => command.name === name)).toBe(false)
  const silent = new (class extends Console {
    override print(): boolean {
      return true
    }
  })()
  const argv = [name, '--help']
  expect(await (await entry?.load(argv))?.execute(argv, silent, undefined, group ?? '')).toBe(0)
})

describe('the version', () => {
  it('is that of package.json', () => {
    const manifest = JSON.parse(readFileSync(`${here}/../../package.json`, 'utf8')) as unknown
    expect(manifest).toMatchObject({ version })
  })
})
