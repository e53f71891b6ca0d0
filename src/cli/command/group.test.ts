import { describe, expect, it } from 'vitest'
import { Console } from '../terminal/console.ts'
import { commandGroup } from './group.ts'

class HeardConsole extends Console {
  heard = ''
  override print(text: string): boolean {
    this.heard += text
    return true
  }
  override note(text: string): void {
    this.heard += text
  }
}

describe('commandGroup', () => {
  let given: readonly string[] | undefined
  const list = async (argv: readonly string[]) => {
    given = argv
    return 7
  }
  const group = commandGroup('things', 'All things.', [
    { name: 'list', summary: 'the things', load: async () => ({ execute: list }) },
    { name: 'delete', summary: 'fewer things', load: async () => ({ execute: list }) },
  ])

  const ask = async (...argv: string[]) => {
    const console = new HeardConsole()
    const code = await group(argv, console)
    return { code, heard: console.heard }
  }

  it('hands the rest to the one that is named, global options too', async () => {
    expect(await ask('--format', 'json', 'list', '3', '--all')).toMatchObject({ code: 7 })
    expect(given).toEqual(['--format', 'json', '3', '--all'])
  })

  it.each([[['--help']], [[]], [['help']]])('lists them for %j', async (argv) => {
    const { code, heard } = await ask(...argv)
    expect(code).toBe(0)
    expect(heard).toContain('Usage: jobmeter things COMMAND [options]')
    expect(heard).toContain('  list    the things\n  delete  fewer things')
    expect(heard).toContain('Run jobmeter things COMMAND --help for more')
  })

  it('leaves the help of one of them to it', async () => {
    await ask('help', 'list')
    expect(given).toEqual(['--help'])
  })

  it('suggests what was meant', async () => {
    expect(await ask('lsit')).toEqual({
      code: 2,
      heard: 'jobmeter: things: unknown command lsit. Did you mean list?\n',
    })
    expect((await ask('potato')).heard).toContain('See jobmeter things --help')
  })
})
