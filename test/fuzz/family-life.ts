import fc from 'fast-check'
import type { MadeMachine, MadeProcess } from './made-machine.ts'

/** What happens in the life of a family of processes that is looked at now and then. */
type LifeStep =
  | { readonly kind: 'look' | 'fork' | 'exit' | 'wait' | 'ignore'; readonly at: number }
  | { readonly kind: 'work'; readonly at: number; readonly ticks: number }
  /** Time goes by, and the timer looks. */
  | { readonly kind: 'pass'; readonly at: number; readonly seconds: number }
  /**
   * In the middle of the next look, just after one process was looked at, another ends, and then the parent that waited for it
   * may, and that one's parent.
   */
  | {
      readonly kind: 'ambush'
      readonly at: number
      readonly victim: number
      readonly generations: number
    }

export const anyLifeStep: fc.Arbitrary<LifeStep> = fc.oneof(
  fc.record({ kind: fc.constantFrom('look', 'fork', 'exit', 'wait'), at: fc.nat() }),
  fc.record({ kind: fc.constant('work'), at: fc.nat(), ticks: fc.nat({ max: 30 }) }),
  fc.record({
    kind: fc.constant('pass'),
    at: fc.nat(),
    seconds: fc.constantFrom(0.1, 1, 5),
  }),
  fc.record({
    kind: fc.constant('ambush'),
    at: fc.nat(),
    victim: fc.nat(),
    generations: fc.integer({ min: 1, max: 3 }),
  }),
)

/** The same, where some processes come to ignore their children. */
export const anyNegligentStep: fc.Arbitrary<LifeStep> = fc.oneof(
  { weight: 6, arbitrary: anyLifeStep },
  fc.record({ kind: fc.constant('ignore'), at: fc.nat() }),
)

/** Plays a family's life. Adopted zombies are reaped at once, as SIGCHLD has us do. */
export function playLife(
  machine: MadeMachine,
  root: MadeProcess,
  steps: readonly LifeStep[],
  onLook: () => void,
): readonly MadeProcess[] {
  const family = [root]
  const pick = (at: number, state: 'S' | 'Z') => {
    const fit = family.filter((each) => each.state === state)
    return fit[at % Math.max(1, fit.length)]
  }
  const reapAdopted = () => {
    for (const each of family)
      if (each !== root && each.state === 'Z' && each.parentPid === 1) machine.reapOrphan(each)
  }
  // The kernel has let a child go already whose parent ignored it when it ended.
  const isWaitedFor = (dead: MadeProcess) => dead.state === 'Z'
  const endAndWait = (victim: MadeProcess, generations: number) => {
    if (victim === root || victim.state !== 'S') return
    const parent = family.find(({ pid }) => pid === victim.parentPid)
    machine.exit(victim)
    if (victim.parentPid !== 1 && isWaitedFor(victim)) machine.wait(victim)
    if (parent !== undefined && generations > 1) endAndWait(parent, generations - 1)
  }
  for (const one of steps) {
    if (one.kind === 'look') {
      onLook()
      reapAdopted()
    }
    if (one.kind === 'pass') machine.system.advance(one.seconds)
    const chosen = pick(one.at, one.kind === 'wait' ? 'Z' : 'S')
    if (chosen === undefined) continue
    if (one.kind === 'fork') family.push(machine.start(chosen.pid))
    if (one.kind === 'work') chosen.work(one.ticks, 0, one.ticks * 10)
    if (one.kind === 'ambush') {
      const victim = family[one.victim % family.length] ?? root
      machine.onceAfterReading(`/proc/${chosen.pid}/stat`, () =>
        endAndWait(victim, one.generations),
      )
    }
    if (one.kind === 'ignore') chosen.ignoresChildren = true
    if (one.kind === 'exit' && chosen !== root) machine.exit(chosen)
    if (one.kind === 'wait' && chosen.parentPid !== 1) machine.wait(chosen)
    reapAdopted()
  }
  return family
}
