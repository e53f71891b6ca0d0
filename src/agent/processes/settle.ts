import { Accounts, type Account, type Credit } from './account.ts'
import { moveAdopted } from './adoption.ts'
import {
  estimatedUse,
  knownUse,
  noUse,
  quantities,
  type EndedProcess,
  type FreshUse,
  type Quantity,
} from './ended-process.ts'
import type { SeenProcess } from './seen-process.ts'

export interface Settled {
  /** By process that lives. */
  readonly living: ReadonlyMap<SeenProcess, FreshUse>
  readonly ended: ReadonlyMap<EndedProcess, FreshUse>
}

/**
 * Says who used what since the round before. A child that ends leaves all that it used, to the microsecond, in the
 * counters of whoever waits for it; its own record says who it was, but counts in ticks and stops before the end. So
 * the counters say how much, and the records whose it was.
 *
 * `credit`: what was counted by records of one round though its parent had not waited for it yet.
 */
export function settle(
  living: ReadonlyMap<number, SeenProcess>,
  ended: readonly EndedProcess[],
  credit: Map<SeenProcess, Credit>,
): Settled {
  const uses = new Map<SeenProcess, FreshUse>()
  for (const process of living.values()) uses.set(process, ownUse(process))
  const endedUses = new Map<EndedProcess, FreshUse>()
  const accounts = new Accounts(living, ended, credit)
  moveAdopted(accounts)
  credit.clear()
  for (const account of accounts.all) {
    const own = account.heir === null ? undefined : uses.get(account.heir)
    if (own === undefined || account.heir === null || !account.isWaited) {
      // Nobody has waited for these: there is only what they said themselves.
      shareTime(account, 0, endedUses)
      continue
    }
    const left = share(account, own, endedUses)
    if (quantities.some((quantity) => left.owed[quantity] > 0)) credit.set(account.heir, left)
  }
  return { living: uses, ended: endedUses }
}

/** What it did itself; of files, with what its children did, which is taken out again. */
function ownUse({ before, now }: SeenProcess): FreshUse {
  return {
    cpuSeconds: Math.max(0, now.ownSeconds - before.ownSeconds),
    readBytes: now.readBytes - before.readBytes,
    writeBytes: now.writeBytes - before.writeBytes,
  }
}

/** Shares what one process's counters gained by its dead descendants among them; answers what they have in advance. */
function share(account: Account, own: FreshUse, endedUses: Map<EndedProcess, FreshUse>): Credit {
  const { gained, expected, credited } = account
  const forgiven = forgive(account)
  const short = (quantity: Quantity): number => expected[quantity] - gained[quantity]
  const estimated = account.estimatedSeconds
  const known = expected.cpuSeconds - estimated
  const fresh = gained.cpuSeconds + forgiven - known
  own.cpuSeconds += shareTime(account, fresh, endedUses)
  // Not what was in advance before: a process that does not wait for its children would be owed more and more.
  const owed = noUse()
  owed.cpuSeconds =
    forgiven + (fresh > 0 ? 0 : Math.max(0, estimated - fresh - credited.owed.cpuSeconds))
  for (const quantity of ['readBytes', 'writeBytes'] as const) {
    if (Number.isNaN(own[quantity])) continue
    own[quantity] = Math.max(0, -short(quantity))
    owed[quantity] = Math.max(0, short(quantity) - credited.owed[quantity])
  }
  const movable = noUse()
  for (const quantity of quantities) {
    const ofOrphans = account.movable[quantity] - credited.movable[quantity]
    movable[quantity] = Math.max(0, Math.min(owed[quantity], ofOrphans))
  }
  return { owed, movable }
}

/** Shares the time among those that the kernel told of; answers what is nobody's but the heir's. */
function shareTime(
  { members, estimates: uses, estimatedSeconds: estimated }: Account,
  freshSeconds: number,
  endedUses: Map<EndedProcess, FreshUse>,
): number {
  const above = uses.reduce((sum, { cpuSeconds }) => sum + Math.max(0, cpuSeconds), 0)
  const told = members.filter(({ record }) => record !== null).length
  const target = freshSeconds > 0 ? Math.min(freshSeconds, estimated) : estimated
  const scale = above > 0 ? Math.max(0, target) / above : 0
  const surplus = Math.max(0, freshSeconds - Math.max(0, estimated))
  for (const [at, one] of members.entries()) {
    const use = uses[at] ?? noUse()
    const more = one.record === null ? 0 : surplus / told
    use.cpuSeconds = Math.max(0, use.cpuSeconds) * scale + more
    endedUses.set(one, use)
  }
  return told === 0 ? surplus : 0
}

/** What the kernel says of longer lives is near enough to be believed against the counters. */
const longSeconds = 0.04
const tickSeconds = 0.01

/**
 * What is still missing after adoption may be whole lives of orphans that the kernel let go of without giving them to
 * anybody's counters, or that were adopted after the adopter was looked at. These count by their records.
 */
function forgive(account: Account): number {
  let missing = account.missing('cpuSeconds')
  if (missing < longSeconds) return 0
  const lives = account.orphans
    .map((one) => knownUse(one).cpuSeconds + estimatedUse(one).cpuSeconds)
    .toSorted((one, other) => other - one)
  let forgiven = 0
  for (const life of lives) {
    if (life < longSeconds) break
    if (life > missing + tickSeconds) continue
    missing -= life
    forgiven += life
  }
  return forgiven
}
