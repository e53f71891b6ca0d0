import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failed, ok, unavailable, type Reading } from '../model/reading.ts'
import type { Processes } from './system.ts'

/** Not PATH: root may have been given somebody's. */
const folders = ['/usr/bin', '/usr/local/bin', '/opt/rocm/bin', '/usr/sbin', '/usr/lib/wsl/lib']
const longestMilliseconds = 10_000

/**
 * Runs a tool and answers what it prints. It is started like a job, so that whoever reaps our children knows it for ours;
 * its output goes to a file, which needs nobody to read it meanwhile.
 */
export async function toolOutput(
  processes: Pick<Processes, 'spawn' | 'signal'>,
  [tool, ...args]: readonly [tool: string, ...args: string[]],
): Promise<Reading<string>> {
  const folder = folders.find((each) => existsSync(`${each}/${tool}`))
  if (folder === undefined) return unavailable(`there is no ${tool}`)
  const place = mkdtempSync(join(tmpdir(), 'jobmeter-tool-'))
  const stdout = join(place, 'out')
  try {
    const code = await new Promise<number | null>((resolve) => {
      const started = processes.spawn(
        {
          command: [`${folder}/${tool}`, ...args],
          environment: { PATH: folders.join(':'), LC_ALL: 'C' },
          workingDirectory: '/',
          group: 'own',
          stdin: '/dev/null',
          stdout,
          stderr: '/dev/null',
        },
        { reaped: ({ exitCode }) => resolve(exitCode) },
      )
      if (started.kind !== 'started') resolve(null)
      else setTimeout(() => processes.signal(started.pid, 'SIGKILL'), longestMilliseconds).unref()
    })
    // One that streams until it is stopped has said enough by then.
    const text = readFileSync(stdout, 'utf8')
    return code === 0 || text !== '' ? ok(text) : failed(`${tool} ended with ${code ?? 'a signal'}`)
  } catch (error) {
    return failed(`${tool}: ${String(error)}`)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
