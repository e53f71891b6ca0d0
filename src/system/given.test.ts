import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

/** What the code answers in a process that bash starts, which can give it any bytes. */
function ask(start: string, code: string): unknown {
  const program = `import * as given from './src/system/given.ts'; ${code}`
  const line = `${start} "$NODE" --input-type=module -e "$PROGRAM" a $'caf\\xe9' 'ü \ufffd'`
  const env = { NODE: process.execPath, PROGRAM: program, LANG: 'C.UTF-8', PATH: '/usr/bin:/bin' }
  return JSON.parse(execFileSync('bash', ['-c', line], { encoding: 'utf8', env }))
}
const print = (expression: string) => `console.log(JSON.stringify(${expression}))`

describe('what this process was given', () => {
  it('is the end of its command line', () => {
    const exact = print(`given.givenWords(process.argv.slice(2)).value`)
    expect(ask('', exact)).toEqual(['caf\udce9', 'ü \ufffd'])
  })

  it('is not known once the command line was overwritten', () => {
    const code = `process.title = 'x'; ${print(`given.givenWords(process.argv.slice(2)).kind`)}`
    expect(ask('', code)).toBe('unavailable')
  })

  it('is not looked up for words that are plain', () => {
    const code = `process.title = 'x'; ${print(`given.givenWords(['b', 'ü']).value`)}`
    expect(ask('', code)).toEqual(['b', 'ü'])
  })

  it('is its environment, with what was changed since', () => {
    const start = `env A=$'\\xe9' B=$'\\xe9' C=$'\\xe9' $'D\\xe9=\\xff' E=plain`
    const code = `process.env.A = 'new'; delete process.env.B; process.env.F = 'added'
      const { A, B, C, 'D\\udce9': D, E, F } = given.givenEnvironment()
      ${print(`[A, B === undefined, C, D, E, F]`)}`
    expect(ask(start, code)).toEqual(['new', true, '\udce9', '\udcff', 'plain', 'added'])
  })

  it('is no directory of another name', () => {
    expect(ask('', print(`given.givenDirectory(process.cwd())`))).toBe(process.cwd())
  })
})
