import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const url = new URL('./helper-line.ts', import.meta.url)

/** Starts a process of ours when it can open so many files more; prints what it is told, and how many it can open after that. */
const program = `
  import { closeSync, openSync } from 'node:fs'
  import { startHelper } from ${JSON.stringify(url.href)}
  const processes = { spawn: () => ({ kind: 'not-started', errorCode: 'ENOSYS', message: 'not here' }) }
  const openAll = () => {
    const opened = []
    for (;;) try { opened.push(openSync('/dev/null')) } catch { return opened }
  }
  const startWith = (free) => {
    const opened = openAll()
    for (const each of opened.splice(0, free)) closeSync(each)
    const told = startHelper(processes, 'none')
    const more = openAll()
    for (const each of [...opened, ...more]) closeSync(each)
    return [told.error, more.length]
  }
  // All that has to be loaded is loaded by these.
  startHelper(processes, 'none')
  startWith(10)
  process.stdout.write(JSON.stringify([0, 1, 2, 3, 4].map(startWith)))`

it('says that no pipe can be made, and leaves none behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jobmeter-pipes-'))
  const path = join(folder, 'program.mjs')
  writeFileSync(path, program)
  const command = ['-c', 'ulimit -n 200 && exec "$0" "$1"', process.execPath, path]
  const noPipe = 'no pipe can be made: too many files are open'
  expect(JSON.parse(String(execFileSync('sh', command)))).toEqual([
    [noPipe, 0],
    [noPipe, 1],
    [noPipe, 2],
    [noPipe, 3],
    ['not here', 4],
  ])
  rmSync(folder, { recursive: true })
})
