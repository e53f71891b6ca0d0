import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../workloads/compile.ts'

/**
 * The database of the accounting with its tables, the cluster, an account and a user in it. To make all that takes most of
 * the time in which a Slurm starts, so the first one leaves a copy for those that come after it.
 */
const kept = (): string => {
  const version = (program: string): string =>
    /\d+[.]\d+[.]\d+/.exec(String(spawnSync(program, ['--version']).stdout))?.[0] ?? ''
  const name = `slurm-accounting-${version('mariadbd')}-${version('sbatch')}`
  return join(repository, 'node_modules/.cache/jobmeter', name)
}

/** Puts the database of an earlier one into this folder; false where there is none. */
export function takeAccounting(directory: string): boolean {
  const from = kept()
  if (!existsSync(from)) return false
  cpSync(from, directory, { recursive: true })
  return true
}

/** Keeps a database that nobody uses any more. */
export function keepAccounting(directory: string): void {
  const to = kept()
  const unfinished = `${to}.${process.pid}`
  mkdirSync(join(to, '..'), { recursive: true })
  cpSync(directory, unfinished, { recursive: true })
  try {
    renameSync(unfinished, to)
  } catch {
    // Another one was faster.
    rmSync(unfinished, { recursive: true, force: true })
  }
}

export const databaseOptions = (directory: string): string[] => [
  `--datadir=${directory}/db`,
  `--socket=${directory}/db.sock`,
  `--pid-file=${directory}/db.pid`,
  '--skip-networking',
  '--user=root',
  '--innodb-buffer-pool-size=16M',
  '--innodb-log-file-size=4M',
  '--innodb-flush-log-at-trx-commit=0',
]
