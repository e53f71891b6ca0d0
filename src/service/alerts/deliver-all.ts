import { channelFor, type ChannelConfig } from '../../alert/config/channel-config.ts'
import { send } from '../../alert/channels/send.ts'
import { Owners } from '../../record/owners.ts'
import type { AlertStore } from '../../store/alerts/alert-store.ts'
import { DeliveryLocks } from '../../store/alerts/delivery-lock.ts'
import { openAlerts } from '../../store/alerts/open-alerts.ts'
import type { ToChannel } from '../../store/alerts/delivery-queue.ts'
import { hashOf } from '../../system/fingerprint.ts'
import type { System } from '../../system/system.ts'
import type { Environment } from '../config-path.ts'
import { loadAlertFile, type AlertFile } from './alert-file.ts'
import { alertsDatabase } from './alerts-path.ts'
import { channelDoor, missingSecret } from './channel-door.ts'
import { Deliverer, type Look } from './deliver.ts'

export interface DeliveryEnd {
  readonly delivered: number
  readonly failures: number
  /** Why it ended: `another` delivers the rest, or it needs a `secret` that this process has not. */
  readonly because: 'empty' | 'time' | 'another' | 'secret'
}

interface DeliverySettings {
  readonly ledger: string
  readonly environment: Environment
  /** It does not try for longer; what is left then waits for the next one. */
  readonly forSeconds: number
}

/** Others may have queued something. */
const lookSeconds = 1

/** Delivers until nothing is left, or for so long. */
export async function deliverAll(system: System, settings: DeliverySettings): Promise<DeliveryEnd> {
  const database = alertsDatabase(settings.ledger)
  if (system.files.isMissing(database)) return { delivered: 0, failures: 0, because: 'empty' }
  const store = openAlerts(database)
  const locks = new DeliveryLocks(database, system.files.tryLock)
  const deliverer = new Deliverer({
    store,
    wallSeconds: () => system.clock.wallSeconds(),
    newId: () => system.randomId(),
    channel: channelFinder(system),
    lacks: (channel) => missingSecret(channel, settings.environment),
    hold: ({ config, channel }) =>
      locks.hold(hashOf(Buffer.from(JSON.stringify([config, channel])))),
    send: (channel, message) =>
      send(channel, message, channelDoor(system, channel.timeoutSeconds, settings.environment)),
  })
  const endsAt = system.clock.monotonicSeconds() + settings.forSeconds
  try {
    endDeadAlerts(system, store, settings.ledger)
    // Whoever queues while the holder of a lock is about to leave finds it held: so it looks once more after that.
    for (;;) {
      const { hasWorked, last } = await drain(system, deliverer, endsAt)
      locks.release()
      if (hasWorked && last !== undefined) continue
      store.tidy(system.clock.wallSeconds())
      const { delivered, failures } = deliverer
      return { delivered, failures, because: whyEnded(last, store) }
    }
  } finally {
    locks.release()
    store.close()
  }
}

function whyEnded(last: Look | undefined, { queue }: AlertStore): DeliveryEnd['because'] {
  if (last === undefined) return queue.isEmpty ? 'empty' : 'time'
  if (last.isOthers) return 'another'
  return last.isLacking ? 'secret' : 'empty'
}

/** Delivers what is ours until none is left. `last`: how things stood then; undefined if the time was over. */
async function drain(
  { clock }: System,
  deliverer: Deliverer,
  endsAt: number,
): Promise<{ hasWorked: boolean; last: Look | undefined }> {
  let hasWorked = false
  while (clock.monotonicSeconds() < endsAt) {
    const look = await deliverer.begin()
    if (!look.isOurs) return { hasWorked, last: look }
    hasWorked = true
    const wait = Math.min(lookSeconds, Math.max(0, (look.nextAt ?? Infinity) - clock.wallSeconds()))
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = clock.after(Math.max(0.01, wait), resolve)
    await Promise.race([promise, ...deliverer.underWay])
    cancel()
  }
  await Promise.all(deliverer.underWay)
  return { hasWorked, last: undefined }
}

/** Reads each file once. */
function channelFinder(system: System): (to: ToChannel) => Promise<ChannelConfig | string> {
  const files = new Map<string, Promise<AlertFile | string>>()
  return async ({ config, channel }) => {
    const reading = files.get(config) ?? readFile(system, config)
    files.set(config, reading)
    const file = await reading
    if (typeof file === 'string') return file
    // `mail/ada`: to one user by a channel for users.
    const [called, user] = channel.split('/', 2)
    const found = file.channels.find(({ name }) => name === called)
    return (
      (found !== undefined && user !== undefined ? channelFor(found, user) : found) ??
      `there is no channel ${channel} in ${config} any more`
    )
  }
}

async function readFile(system: System, config: string): Promise<AlertFile | string> {
  try {
    return await loadAlertFile(system, config)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** What only runners saw that were killed is over, as far as anybody knows. */
export function endDeadAlerts(system: System, store: AlertStore, ledger: string): void {
  const owners = new Owners(system, ledger)
  for (const { alertId, taskId, owner, since } of store.holders())
    if (owners.isDead(owner, since))
      store.drop(
        alertId,
        taskId,
        system.clock.wallSeconds(),
        'not known any more: jobmeter was killed while the job ran',
      )
}
