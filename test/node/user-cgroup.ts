import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/** The kernel's own account of all that a user did: a cgroup that the user's processes are born in. */
export interface UserCgroup extends Disposable {
  readonly uid: number
  /** Runs a command in it as that user. */
  within(command: readonly string[]): string[]
  cpuSeconds(): number
  /** Once nobody is in it any more. */
  emptied(): Promise<void>
}

const v1 = '/sys/fs/cgroup/cpuacct'
const root = existsSync(`${v1}/cpuacct.usage`) ? v1 : '/sys/fs/cgroup'

/** `containerId`: an id of 64 digits, to be taken for a container. */
export function userCgroup(uid: number, { containerId = '' } = {}): UserCgroup {
  const directory = `${root}/jobmeter-test-${containerId || `${process.pid}-${uid}`}`
  mkdirSync(directory, { recursive: true })
  return {
    uid,
    within: (command) => [
      'sh',
      '-c',
      `echo $$ > ${directory}/cgroup.procs; exec setpriv --reuid=${uid} --regid=${uid} --clear-groups "$@"`,
      'sh',
      ...command,
    ],
    cpuSeconds() {
      if (root === v1) return Number(readFileSync(`${directory}/cpuacct.usage`, 'utf8')) / 1e9
      const [, usec = ''] =
        /usage_usec (\d+)/.exec(readFileSync(`${directory}/cpu.stat`, 'utf8')) ?? []
      return Number(usec) / 1e6
    },
    async emptied() {
      while (readFileSync(`${directory}/cgroup.procs`, 'utf8') !== '') await setImmediate()
    },
    [Symbol.dispose]: () => rmdirSync(directory),
  }
}

/** Runs a command to its end; null where a signal ended it. */
export async function exitCode([program = '', ...words]: readonly string[]): Promise<
  number | null
> {
  const [code] = (await once(spawn(program, words, { stdio: 'ignore' }), 'exit')) as [number | null]
  return code
}
