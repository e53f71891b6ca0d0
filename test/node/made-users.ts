import { spawnSync } from 'node:child_process'
import type { User } from '../program.ts'

/** Users that exist for as long as a test, and a group that some of them are in. */
export interface MadeUsers extends Disposable {
  readonly group: string
  readonly gid: number
  user(name: string): Required<Pick<User, 'name' | 'uid' | 'gid'>>
}

export const canMakeUsers =
  process.getuid?.() === 0 && spawnSync('useradd', ['--help']).status === 0

function must(tool: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${tool} ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}

/** `names` are short: the number of this process makes them nobody else's. */
export function makeUsers(names: readonly string[], members: readonly string[]): MadeUsers {
  const full = (name: string): string => `jm${process.pid}${name}`
  const group = full('grp')
  must('groupadd', group)
  for (const name of names) must('useradd', '--no-create-home', full(name))
  for (const name of members) must('usermod', '--append', '--groups', group, full(name))
  return {
    group,
    gid: Number(must('getent', 'group', group).split(':')[2]),
    user: (name) => ({
      name: full(name),
      uid: Number(must('id', '-u', full(name))),
      gid: Number(must('id', '-g', full(name))),
    }),
    [Symbol.dispose]: () => {
      for (const name of names) spawnSync('userdel', [full(name)])
      spawnSync('groupdel', [group])
    },
  }
}
