import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { repository } from '../workloads/compile.ts'
import { python } from './python.ts'

const isMissing = !existsSync(python)
const client = join(repository, 'python/jobmeter.py')

describe.skipIf(isMissing)(`the client for Python${isMissing ? ` (no ${python})` : ''}`, () => {
  it.each(['test_training', 'test_jobs', 'test_failures', 'test_questions', 'test_tasks'])(
    'passes %s',
    (name) => {
      using box = sandbox()
      const program = `${process.execPath} ${join(repository, 'bin/jobmeter.cjs')}`
      const done = spawnSync(python, ['-W', 'ignore', '-m', 'unittest', name], {
        cwd: box.directory,
        encoding: 'utf8',
        env: {
          ...box.env,
          JOBMETER_PROGRAM: program,
          PYTHONPATH: `${join(repository, 'python')}:${import.meta.dirname}`,
          PYTHONDONTWRITEBYTECODE: '1',
        },
      })
      expect(done.status, done.stderr).toBe(0)
      expect(done.stderr).toMatch(/^Ran [1-9]\d* tests/m)
    },
  )

  it('needs the standard library alone, and the words of Python 3.9', () => {
    const imported = [...readFileSync(client, 'utf8').matchAll(/^(?:import|from) (\w+)/gm)]
    const names = JSON.stringify(imported.map(([, name]) => name))
    const check = `
import ast, json, sys
assert set(json.loads(sys.argv[2])) <= sys.stdlib_module_names | {"__future__"}
ast.parse(open(sys.argv[1]).read(), feature_version=(3, 9))`
    const done = spawnSync(python, ['-c', check, client, names], { encoding: 'utf8' })
    expect(done.stderr).toBe('')
  })
})
