import { parseSmapsRollup, SmapsRollup } from '../../sensors/procfs/smaps-rollup.ts'
import type { System } from '../../system/system.ts'
import type { SeenProcess } from './seen-process.ts'

/** Smaller ones share little that would be seen in the sum of their job. */
const leastBytes = 8 * 1024 * 1024
/** Reading proportional sizes holds the locks of their process: no more than this in a round, and a little more in a long one. */
const leastBudgetSeconds = 0.003
const budgetOfInterval = 0.000_3
const longestInterval = 60
/** What was found holds for so many rounds. */
const roundsBetween = 20
/** And for as long as the process and its family have about the same size: others may have come to share its pages. */
const mostChange = 0.25
const mostGenerations = 20

/** Processes that one program forked, or that were started side by side: they share most of what any of them shares. */
interface Family {
  readonly members: SeenProcess[]
  bytes: number
  /** The last of them that was read, of those for which that still holds. */
  told: SeenProcess | undefined
}

interface Due {
  readonly process: SeenProcess
  readonly family: Family
  readonly rank: number
  readonly bytes: number
}

/**
 * Corrects the memory of processes that share pages with others: what belongs to three counts a third for each. The
 * kernel has to walk all pages of a process for that, so it is read now and then, and holds for the family of the process
 * until they are read themselves. That can be too little for one of them, for a round or two; to count what is shared in
 * full would be a peak that stays.
 */
export class SharedMemory {
  readonly #system: System
  readonly #buffer = new Uint8Array(4096)
  readonly #rollup = new SmapsRollup()
  #round = 0

  constructor(system: System) {
    this.#system = system
  }

  /** Reads as many as there is time for in a round of so many seconds. */
  refresh(living: ReadonlyMap<number, SeenProcess>, intervalSeconds: number): void {
    this.#round += 1
    const families = familiesOf(living)
    this.#read(families, intervalSeconds)
    for (const family of families) for (const one of family.members) one.ownPart = part(one, family)
  }

  #read(families: readonly Family[], intervalSeconds: number): void {
    const { clock } = this.#system
    const allowed = budgetOfInterval * Math.min(longestInterval, intervalSeconds)
    const until = clock.monotonicSeconds() + Math.max(leastBudgetSeconds, allowed)
    for (const { process, family } of this.#due(families)) {
      if (clock.monotonicSeconds() >= until) return
      const pssBytes = this.#proportionalBytes(process.pid)
      const { residentBytes } = process
      process.sharing = {
        inRound: this.#round,
        residentBytes,
        familyBytes: family.bytes,
        part: pssBytes > 0 ? Math.min(1, pssBytes / residentBytes) : Number.NaN,
      }
      if (isTold(process)) family.told = process
    }
  }

  /**
   * One of each family of which nothing is known, where most could be counted twice; then the others that were not read,
   * and then those that were read long ago.
   */
  #due(families: readonly Family[]): Due[] {
    const due: Due[] = []
    for (const family of families) {
      family.members.sort((one, other) => other.residentBytes - one.residentBytes)
      const twiceBytes = family.bytes - (family.members[0]?.residentBytes ?? 0)
      let isKnown = family.told !== undefined || twiceBytes === 0
      for (const process of family.members) {
        const isRead = holds(process, family)
        if (isRead && this.#round - (process.sharing?.inRound ?? 0) < roundsBetween) continue
        const bytes = isKnown ? process.residentBytes : twiceBytes
        due.push({ process, family, rank: isRead ? 2 : isKnown ? 1 : 0, bytes })
        isKnown = true
      }
    }
    return due.sort((one, other) => one.rank - other.rank || other.bytes - one.bytes)
  }

  #proportionalBytes(pid: number): number {
    const { files } = this.#system
    const descriptor = files.open(`/proc/${pid}/smaps_rollup`)
    if (descriptor < 0) return 0
    const length = files.read(descriptor, this.#buffer)
    files.close(descriptor)
    const isKnown = length > 0 && parseSmapsRollup(this.#buffer, length, this.#rollup)
    return isKnown ? this.#rollup.pssBytes : 0
  }
}

function familiesOf(living: ReadonlyMap<number, SeenProcess>): Family[] {
  const families = new Map<string, Family>()
  for (const process of living.values()) {
    if (process.residentBytes < leastBytes) continue
    const key = familyOf(process, living)
    const family = families.get(key)
    if (family === undefined)
      families.set(key, { members: [process], bytes: process.residentBytes, told: undefined })
    else {
      family.members.push(process)
      family.bytes += process.residentBytes
    }
  }
  for (const family of families.values())
    for (const process of family.members)
      if (isTold(process) && holds(process, family) && isLater(process, family.told))
        family.told = process
  return [...families.values()]
}

/** The program that forked it has its name, and so have those beside it. */
function familyOf(process: SeenProcess, living: ReadonlyMap<number, SeenProcess>): string {
  const { uid, command } = process
  let first = process
  for (let steps = 0; steps < mostGenerations; steps++) {
    const parent = living.get(first.parentPid)
    if (parent?.uid !== uid || parent.command !== command) break
    first = parent
  }
  return `${first.parentPid} ${uid} ${command}`
}

function holds({ sharing, residentBytes }: SeenProcess, family: Family): boolean {
  return (
    sharing !== null &&
    isNear(residentBytes, sharing.residentBytes) &&
    isNear(family.bytes, sharing.familyBytes)
  )
}

const isNear = (bytes: number, then: number): boolean => Math.abs(bytes - then) <= mostChange * then

/** Of others' processes, only root is told. */
const isTold = ({ sharing }: SeenProcess): boolean =>
  sharing !== null && !Number.isNaN(sharing.part)

const isLater = ({ sharing }: SeenProcess, other: SeenProcess | undefined): boolean =>
  (sharing?.inRound ?? 0) > (other?.sharing?.inRound ?? -1)

/** How much of its memory counts for a process: by what was read of it, or else of its family. */
function part(process: SeenProcess, family: Family): number {
  const by = isTold(process) && holds(process, family) ? process : (family.told ?? process)
  if (by.sharing === null || !isTold(by)) return 1
  // What it has more than the one that was read is taken to be its own.
  const { residentBytes } = process
  const alike = Math.min(residentBytes, by.sharing.residentBytes)
  return (residentBytes - alike * (1 - by.sharing.part)) / residentBytes
}
