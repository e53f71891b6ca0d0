import type { StaysFor } from '../../store/outbox/send-notes.ts'
import type { System } from '../../system/system.ts'

/** Sends what is there, to a team. */
export interface Sender<Sent> {
  send(isHurried: boolean): Promise<Sent>
  hasSent(sent: Sent): boolean
  /** Whether more will come of what runs now. */
  readonly isAwaitingEnds: boolean
  /** Whether something waits to be sent, also where the team cannot be asked. */
  readonly hasUnsent: boolean
  /** Lets others know why it goes on; null: it does not. */
  stays(why: StaysFor | null): void
}

export interface LoopSettings<Sent> {
  /** Ends when nothing runs and nothing was to be sent for so long; undefined: never. */
  readonly idleSeconds: number | undefined
  /** Whether there is somebody who may write at any moment. */
  hasStarter(): boolean
  /** Ends it when resolved. */
  readonly stopped: Promise<void>
  /** Whether the team is still to be sent to. */
  isWanted(): boolean
  onSent(sent: Sent): void
  onFailure(problem: string, retrySeconds: number): void
}

/** How often the ledger is looked at. */
const paceSeconds = 1
/** How long it tries to reach a server that is not there when no job runs any more: whoever comes next sends the rest. */
const patienceSeconds = 900
const longestWaitSeconds = 60

/**
 * Sends what comes until it is stopped, or has nothing more to do. A server that is away is tried again after a second, two,
 * four and so on, and never by all at the same moment.
 */
export async function keepSending<Sent>(
  system: System,
  sender: Sender<Sent>,
  settings: LoopSettings<Sent>,
): Promise<'stopped' | 'idle' | 'left'> {
  try {
    return await sendUntilDone(system, sender, settings)
  } finally {
    sender.stays(null)
  }
}

async function sendUntilDone<Sent>(
  system: System,
  sender: Sender<Sent>,
  settings: LoopSettings<Sent>,
): Promise<'stopped' | 'idle' | 'left'> {
  const { clock } = system
  let isStopped = false
  const noteStop = async (): Promise<void> => {
    await settings.stopped
    isStopped = true
  }
  void noteStop()
  let lastSentAt = clock.monotonicSeconds()
  let failures = 0
  while (settings.isWanted()) {
    let waitSeconds = paceSeconds
    try {
      const sent = await sender.send(isStopped)
      failures = 0
      if (sender.hasSent(sent)) {
        lastSentAt = clock.monotonicSeconds()
        settings.onSent(sent)
      }
    } catch (error) {
      failures += 1
      waitSeconds = backOff(failures)
      settings.onFailure(error instanceof Error ? error.message : String(error), waitSeconds)
    }
    if (isStopped) return 'stopped'
    const why = whyStay(sender, settings, failures > 0)
    if (why !== 'unsent' && why !== 'rest') lastSentAt = clock.monotonicSeconds()
    const enough = why === 'unsent' ? patienceSeconds : (settings.idleSeconds ?? Infinity)
    if (clock.monotonicSeconds() - lastSentAt >= enough) return 'idle'
    sender.stays(why)
    await pause(system, waitSeconds, settings.stopped)
  }
  return 'left'
}

function whyStay<Sent>(
  sender: Sender<Sent>,
  { idleSeconds, hasStarter }: LoopSettings<Sent>,
  isFailing: boolean,
): StaysFor {
  if (idleSeconds === undefined) return 'ever'
  if (hasStarter()) return 'starter'
  if (sender.isAwaitingEnds) return 'jobs'
  return isFailing && sender.hasUnsent ? 'unsent' : 'rest'
}

/** Doubled each time, by chance half as long or half as long again. */
const backOff = (failures: number): number =>
  Math.min(longestWaitSeconds, 2 ** (failures - 1)) * (0.5 + Math.random())

async function pause(system: System, seconds: number, stopped: Promise<void>): Promise<void> {
  let cancel = (): void => {}
  const elapsed = new Promise<void>((resolve) => {
    cancel = system.clock.after(seconds, resolve)
  })
  await Promise.race([elapsed, stopped])
  cancel()
}
