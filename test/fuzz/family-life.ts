import fc from 'fast-check'
import type { MadeMachine, MadeProcess } from './made-machine.ts'

/** What happens in the life of a family of processes that is looked at now and then. */
type LifeStep =
  | { readonly kind: 'look' | 'fork' | 'exit' | 'wait' | 'ignore'; readonly at: number }
  | { readonly kind: 'work'; readonly at: number; readonly ticks: number }
  /** In the middle of the next look, just after one process was looked at, another ends. */
  | { readonly kind: 'ambush'; readonly at: number; readonly victim: number }

export const anyLifeStep: fc.Arbitrary<LifeStep> = fc.oneof(
  fc.record({ kind: fc.constantFrom('look', 'fork', 'exit', 'wait'), at: fc.nat() }),
  fc.record({ kind: fc.constant('work'), at: fc.nat(), ticks: fc.nat({ max: 30 }) }),
  fc.record({ kind: fc.constant('ambush'), at: fc.nat(), victim: fc.nat() }),
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
  const endAndWait = (victim: MadeProcess) => {
    if (victim === root || victim.state !== 'S') return
    machine.exit(victim)
    if (victim.parentPid !== 1 && isWaitedFor(victim)) machine.wait(victim)
  }
  for (const one of steps) {
    if (one.kind === 'look') {
      onLook()
      reapAdopted()
    }
    const chosen = pick(one.at, one.kind === 'wait' ? 'Z' : 'S')
    if (chosen === undefined) continue
    if (one.kind === 'fork') family.push(machine.start(chosen.pid))
    if (one.kind === 'work') chosen.work(one.ticks, 0, one.ticks * 10)
    if (one.kind === 'ambush') {
      const victim = family[one.victim % family.length] ?? root
      machine.onceAfterReading(`/proc/${chosen.pid}/stat`, () => endAndWait(victim))
    }
    if (one.kind === 'ignore') chosen.ignoresChildren = true
    if (one.kind === 'exit' && chosen !== root) machine.exit(chosen)
    if (one.kind === 'wait' && chosen.parentPid !== 1) machine.wait(chosen)
    reapAdopted()
  }
  return family
}
