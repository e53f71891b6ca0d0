import type { Account, Accounts } from './account.ts'
import { quantities, type EndedProcess, type Quantity } from './ended-process.ts'
import type { SeenProcess } from './seen-process.ts'

interface Move {
  readonly from: Account
  readonly to: Account
  readonly amount: number
}

/** Sums of what counters and records say differ by less. */
const least = 1e-6
/** Less than this of what is missing may stay missing: counters go by ticks. */
const tolerance = 0.02

/**
 * A process that is killed together with its parent is not waited for by it: the kernel gives it to the first process, or
 * to another one above that asked for orphans, and its whole life comes with the counters of that one. What one account
 * misses and one above it cannot explain is the same time. It is moved to where it belongs before anything is shared.
 */
export function moveAdopted(accounts: Accounts): void {
  for (const quantity of quantities) {
    const short = accounts.all.filter((account) => account.missing(quantity) > least)
    if (short.length === 0) continue
    const missing = short.reduce((sum, account) => sum + account.missing(quantity), 0)
    const adopters = movesOf(accounts, short, quantity, ({ pid, adopts }) => adopts || pid === 1)
    const found = adopters.reduce((sum, { amount }) => sum + amount, 0)
    // Nothing says who asked for orphans, until one is seen with its new parent.
    const moves =
      found >= (1 - tolerance) * missing ? adopters : movesOf(accounts, short, quantity, () => true)
    for (const { from, to, amount } of moves) {
      from.gained[quantity] -= amount
      to.gained[quantity] += amount
    }
    if (quantity === 'cpuSeconds') moveRest(moves)
  }
}

/** A record stops before the end. What is left in the counters of an adopter belongs to all that it has waited for, by number. */
function moveRest(moves: readonly Move[]): void {
  for (const [from, received] of Map.groupBy(moves, (move) => move.from)) {
    const rest = from.unexplained('cpuSeconds')
    const adopted = received.map((move) => adoptedIn(move))
    const all = adopted.reduce((sum, number) => sum + number, toldIn(from.members))
    if (rest <= 0 || all <= 0) continue
    for (const [at, { to }] of received.entries()) {
      const amount = (rest * (adopted[at] ?? 0)) / all
      from.gained.cpuSeconds -= amount
      to.gained.cpuSeconds += amount
    }
  }
}

const toldIn = (members: readonly EndedProcess[]): number =>
  members.filter(({ record }) => record !== null).length

/** How many of the orphans came to this adopter, by how much of their time did. */
const adoptedIn = ({ to, amount }: Move): number =>
  toldIn(to.orphans) * Math.min(1, amount / Math.max(amount, to.movable.cpuSeconds))

/** From the lowest up: what the nearest above cannot explain is what one below misses, as far as it goes. */
function movesOf(
  accounts: Accounts,
  short: readonly Account[],
  quantity: Quantity,
  mayAdopt: (process: SeenProcess) => boolean,
): Move[] {
  const below = new Map<Account, { depth: number; readonly short: Account[] }>()
  for (const account of short) {
    const above = [...accounts.above(account)]
    for (const [at, process] of above.entries()) {
      if (!mayAdopt(process)) continue
      const adopter = accounts.of(process)
      if (adopter.unexplained(quantity) <= 0) continue
      const known = below.get(adopter)
      if (known !== undefined) known.short.push(account)
      else below.set(adopter, { depth: above.length - at, short: [account] })
    }
  }
  const left = new Map(short.map((account) => [account, account.missing(quantity)]))
  const moves: Move[] = []
  const lowestFirst = [...below].toSorted(([, one], [, other]) => other.depth - one.depth)
  for (const [from, { short: claimants }] of lowestFirst) {
    const claimed = claimants.reduce((sum, to) => sum + (left.get(to) ?? 0), 0)
    if (claimed <= 0) continue
    const part = Math.min(1, from.unexplained(quantity) / claimed)
    for (const to of claimants) {
      const amount = (left.get(to) ?? 0) * part
      moves.push({ from, to, amount })
      left.set(to, (left.get(to) ?? 0) - amount)
    }
  }
  return moves
}
