import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Processes, SpawnRequest } from './system.ts'

export interface ProgramEnd {
  /** `not there`: it could not be started. */
  readonly code: number | 'a signal' | 'hangs' | 'not there'
  readonly stdout: string
  readonly stderr: string
}

type Program = Pick<SpawnRequest, 'command' | 'environment' | 'workingDirectory'>

/**
 * Runs a program and answers what it prints. It is started like a job, so that whoever reaps our children knows it for ours;
 * its output goes to files, which need nobody to read them meanwhile.
 */
export async function programOutput(
  processes: Pick<Processes, 'spawn' | 'signal'>,
  program: Program,
  longestSeconds: number,
): Promise<ProgramEnd> {
  const place = mkdtempSync(join(tmpdir(), 'jobmeter-tool-'))
  try {
    const [stdout, stderr] = [join(place, 'out'), join(place, 'err')]
    const code = await new Promise<ProgramEnd['code']>((resolve) => {
      const started = processes.spawn(
        { ...program, group: 'own', stdin: '/dev/null', stdout, stderr },
        {
          isHelper: true,
          reaped({ exitCode }) {
            clearTimeout(longest)
            resolve(exitCode ?? 'a signal')
          },
        },
      )
      // One that hangs inside the kernel is not killed by this: nobody waits for it.
      const longest = setTimeout(() => {
        if (started.kind === 'started') processes.signal(started.pid, 'SIGKILL')
        resolve('hangs')
      }, longestSeconds * 1000)
      if (started.kind === 'started') return
      clearTimeout(longest)
      resolve('not there')
    })
    return { code, stdout: textOf(stdout), stderr: textOf(stderr) }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** One that was not started has written nothing. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
