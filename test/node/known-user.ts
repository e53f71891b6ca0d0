import { spawnSync } from 'node:child_process'
import { userCgroup, type UserCgroup } from './user-cgroup.ts'

/** An account of its own, and the kernel's account of all that it does. */
export interface KnownUser extends Disposable {
  readonly name: string
  readonly group: UserCgroup
}

const run = (program: string, args: readonly string[]) =>
  spawnSync(program, args, { encoding: 'utf8' })

function administer(program: string, ...args: readonly string[]): void {
  const ended = run(program, args)
  if (ended.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${ended.stderr}`)
}

export function knownUser(name: string, uid: number): KnownUser {
  // One that was killed may have left it.
  run('userdel', [name])
  administer('useradd', '--no-create-home', '--no-user-group', '--uid', String(uid), name)
  const group = userCgroup(uid)
  return {
    name,
    group,
    [Symbol.dispose]() {
      group[Symbol.dispose]()
      administer('userdel', name)
    },
  }
}
