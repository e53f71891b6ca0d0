import { existsSync } from 'node:fs'
import { failed, ok, unavailable, type Reading } from '../model/reading.ts'
import { programOutput } from './program-output.ts'
import type { Processes, ToolPlace } from './system.ts'

/** Not PATH: root may have been given somebody's. */
const folders = ['/usr/bin', '/usr/local/bin', '/opt/rocm/bin', '/usr/sbin', '/usr/lib/wsl/lib']
const longestSeconds = 10

/** Runs a tool of the system and answers what it prints. */
export async function toolOutput(
  processes: Pick<Processes, 'spawn' | 'signal'>,
  [tool, ...args]: readonly [tool: string, ...args: string[]],
  { folder: first, environment = {} }: ToolPlace = {},
): Promise<Reading<string>> {
  const searched = first === undefined ? folders : [first, ...folders]
  const folder = searched.find((each) => existsSync(`${each}/${tool}`))
  if (folder === undefined) return unavailable(`there is no ${tool}`)
  try {
    const { code, stdout } = await programOutput(
      processes,
      {
        command: [`${folder}/${tool}`, ...args],
        environment: { ...environment, PATH: folders.join(':'), LC_ALL: 'C' },
        workingDirectory: '/',
      },
      longestSeconds,
    )
    // One that streams until it is stopped has said enough by then.
    if (code === 0 || stdout !== '') return ok(stdout)
    return failed(
      code === 'hangs'
        ? `${tool} did not answer for ${longestSeconds} s`
        : `${tool} ended with ${code === 'not there' ? 'a signal' : code}`,
    )
  } catch (error) {
    return failed(`${tool}: ${String(error)}`)
  }
}
