import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolAndScript } from './command-line.ts'

describe('the tool and script of a command line', () => {
  it.each([
    ['python3 train.py', 'python3', 'train.py'],
    ['/usr/bin/python3.11 -u /home/ada/train.py --lr 1', 'python3.11', 'train.py'],
    ['python3 -W ignore -X dev train.py', 'python3', 'train.py'],
    ['python3 -m http.server 80', 'python3', 'http.server'],
    ['python3 -c print(1)', 'python3', null],
    ['node --import ./setup.js main.js', 'node', 'main.js'],
    ['node -e 1 main.js', 'node', null],
    ['bash run.sh a b', 'bash', 'run.sh'],
    ['bash -c ./run.sh', 'bash', null],
    ['Rscript fit.R', 'Rscript', 'fit.R'],
    ['perl', 'perl', null],
    ['python3 -m', 'python3', null],
    ['/opt/blast/blastn -query a.fa', 'blastn', null],
    ['python. a.py', 'python.', 'a.py'],
    ['Rscript4 fit.R', 'Rscript4', null],
    ['3.11 a.py', '3.11', null],
    ['sleep 10', 'sleep', null],
    ['shellcheck run.sh', 'shellcheck', null],
  ])('of `%s` are %s and %s', (line, tool, script) => {
    expect(toolAndScript(line.split(' '))).toEqual({ tool, script })
  })

  it('are the name of a folder that was given with a slash at its end', () => {
    expect(toolAndScript(['python3', 'package/']).script).toBe('package/')
    expect(toolAndScript([])).toEqual({ tool: '', script: null })
  })

  const word = fc.oneof(
    fc.string(),
    fc.constantFrom('-', '--', '-c', '-m', '-W', '-X', 'python3', 'sh', '/', 'a/b', '-u'),
  )

  it('come from the words of any command line, and never from options', () => {
    fc.assert(
      fc.property(fc.array(word), (command) => {
        const { tool, script } = toolAndScript(command)
        expect(command[0] ?? '').toContain(tool)
        if (script === null) return
        expect(command.slice(1).some((each) => each.endsWith(script))).toBe(true)
        const isOption = script.startsWith('-') && command.includes(script)
        expect(isOption && !command.includes('-m')).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  it('do not change with what comes after the script', () => {
    const plain = fc.string({ minLength: 1 }).filter((each) => !each.startsWith('-'))
    fc.assert(
      fc.property(plain, fc.array(word), (script, rest) => {
        expect(toolAndScript(['python3', script, ...rest])).toEqual(
          toolAndScript(['python3', script]),
        )
      }),
    )
  })
})
