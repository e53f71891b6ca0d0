import type { System } from '../system/system.ts'
import { makerOf, namespaceOf, ownNamespace } from './cgroup-name.ts'

/** Removes the empty cgroups of jobmeters that were killed, or whose stragglers have ended since. */
export function removeEmptyCgroups(system: System, parent: string): void {
  const names = system.files.list(parent)
  if (names.kind !== 'ok') return
  const namespace = ownNamespace(system)
  for (const name of names.value) {
    const owner = makerOf(name)
    if (Number.isNaN(owner)) continue
    const isOver =
      (namespaceOf(name) ?? namespace) === namespace
        ? owner !== system.processes.self && !isAlive(system, owner)
        : isOld(system, `${parent}/${name}`)
    // Fails, as it should, while processes live in it.
    if (isOver) system.files.removeDirectory(`${parent}/${name}`)
  }
}

/** Longer than anybody takes to put a job into a cgroup that was made for it. */
const emptySeconds = 60

function isOld({ files, clock }: System, directory: string): boolean {
  const found = files.fingerprint(directory)
  return found.kind === 'ok' && clock.wallSeconds() - found.value.modifiedSeconds > emptySeconds
}

function isAlive(system: System, pid: number): boolean {
  return system.files.readText(`/proc/${pid}/stat`).kind === 'ok'
}
