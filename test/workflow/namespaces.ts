import { spawnSync } from 'node:child_process'

/** Places from which the processes of others look as if they were not there. */

export interface Elsewhere {
  readonly name: string
  /** What to start a program with, to have it there. */
  readonly within: readonly string[]
}

const inOwnMounts = (prepare: string): readonly string[] => [
  'unshare',
  '--mount',
  'sh',
  '-c',
  `${prepare} && exec "$@"`,
  'sh',
]

const otherBootId =
  'file=$(mktemp) && echo 0fedcba9-8765-4321-8000-0123456789ab > $file && ' +
  'mount --bind $file /proc/sys/kernel/random/boot_id && rm -f $file'

export const elsewhere: readonly Elsewhere[] = [
  {
    name: 'in another pid namespace',
    within: ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'],
  },
  { name: 'without /proc', within: inOwnMounts('umount -l /proc') },
  { name: 'under another boot id', within: inOwnMounts(otherBootId) },
]

/** Why such places cannot be made here; undefined where they can. */
export function cannotGoElsewhere(): string | undefined {
  const failed = elsewhere.find(({ within: [program = '', ...words] }) => {
    const { status } = spawnSync(program, [...words, 'true'])
    return status !== 0
  })
  if (failed === undefined) return undefined
  if (process.env['CI'] === 'true') throw new Error(`no process can be started ${failed.name}`)
  return `no process can be started ${failed.name}: that needs root`
}
