import { consoleLine } from '../../alert/channels/console.ts'
import type { Policy } from '../../model/policy.ts'
import type { Violation } from '../../model/violation.ts'
import type { NodeStore } from '../../store/node/open-node.ts'
import type { System } from '../../system/system.ts'
import type { AlertFile } from '../alerts/alert-file.ts'
import { AlertLog } from '../alerts/alert-log.ts'
import { alertsDatabase } from '../alerts/alerts-path.ts'
import { Companion } from '../alerts/companion.ts'
import type { PolicyFile } from './policy-file.ts'
import { channelsToTell, noticeOf } from './violation-notices.ts'

export interface TellingSettings {
  readonly policyFile: PolicyFile
  readonly alertFile: AlertFile
  readonly tell: (line: string) => void
  readonly onProblem: (problem: string) => void
}

/**
 * Reports violations by the channels of alerts, each once: what was queued is marked in the node's database after it is
 * kept, under an id that is made of the violation. If the agent is killed in between, it is queued again, as the same.
 */
export class ViolationTeller {
  readonly #store: NodeStore
  readonly #settings: TellingSettings
  readonly #log: AlertLog
  readonly #companion: Companion

  constructor(system: System, store: NodeStore, settings: TellingSettings) {
    this.#store = store
    this.#settings = settings
    const companion = new Companion(system, store.path)
    this.#companion = companion
    this.#log = new AlertLog(system, alertsDatabase(store.path), {
      onKept: (news) => {
        if (news.length > 0) companion.wake()
      },
      onProblem: settings.onProblem,
    })
  }

  /** Reports all that was not reported yet. */
  tell(now: number): void {
    const { violations } = this.#store
    const { begun, over } = violations.untold()
    for (const violation of begun) {
      const open = { ...violation, resolvedAt: null }
      this.#queue(open, 'firing', () => violations.reported([violation.id], now))
    }
    for (const violation of over) {
      const mark = (): void => violations.resolutionTold([violation.id], now)
      if (this.#settings.policyFile.telling.tellsResolved) this.#queue(violation, 'resolved', mark)
      else mark()
    }
  }

  end(): void {
    this.#log.end()
    this.#companion.leave()
  }

  #queue(violation: Violation, kind: 'firing' | 'resolved', onKept: () => void): void {
    const { policyFile, alertFile, tell } = this.#settings
    const policy: Policy | undefined = policyFile.policies.find(
      ({ name }) => name === violation.policy,
    )
    const notice = noticeOf(violation, policy)
    const to = channelsToTell(violation, policy ?? {}, policyFile.telling, alertFile.channels)
    const alertId = `violation-${violation.subject.host}-${violation.id}`
    const key = JSON.stringify(['policy', violation.subject.host, violation.id])
    if (to.console) {
      const id = `${alertId}-${kind}`
      tell(consoleLine({ ...notice, id, alertId, kind, firedAt: violation.firstSeen }))
    }
    const channels = to.queued.map((channel) => ({ config: alertFile.path, channel }))
    this.#log.write((store) => {
      const news =
        kind === 'firing'
          ? store.fire(key, alertId, notice, null, channels)
          : store.resolveAll(key, notice, channels)
      onKept()
      return news
    })
  }
}
