import type { Measured } from '../../../model/measured.ts'
import type { FigureDefinition } from '../../../model/usage.ts'
import { NetTotals, parseNetDev } from '../../../sensors/procfs/net-dev.ts'
import { openSocketDiagnostics } from '../../../system/socket-diagnostics.ts'
import type { JobDevice } from '../../job-devices.ts'
import type { Member } from '../../member.ts'
import type { FollowedGauge, Gauge, KeyOf, MeteredJob } from '../gauge.ts'
import { ActiveMembers } from './active-members.ts'
import { MachineRows } from './machine-rows.ts'
import { JobNamespaces } from './network/job-namespaces.ts'
import { JobSockets } from './network/job-sockets.ts'
import { networkFigure } from './network/network-figure.ts'

const figures = [
  {
    key: 'netReceivedBytes',
    says: 'received by the job: on the interfaces of its own network namespace, or through TCP sockets that were seen open, whichever is more',
  },
  { key: 'netSentBytes', says: 'sent by the job, in the same way' },
] as const satisfies readonly FigureDefinition[]

type Key = KeyOf<typeof figures>

const interfaces = { kind: 'interface', columns: ['received_bytes', 'sent_bytes'] } as const

/**
 * At full looks: `/proc/net/dev`, a row for each interface of the machine; and of the job, the interfaces of network
 * namespaces of its own, and the TCP sockets of those of its processes that share ours.
 */
export const networkGauge: Gauge<never, Key> = {
  name: 'network',
  columns: [],
  figures,
  follow: (job) => new FollowedNetwork(job),
}

class FollowedNetwork implements FollowedGauge<never, Key> {
  readonly #job: MeteredJob
  readonly #interfaces: MachineRows
  readonly #totals = new NetTotals()
  readonly #namespaces: JobNamespaces
  readonly #sockets: JobSockets
  readonly #active = new ActiveMembers()
  #device: JobDevice | undefined

  constructor(job: MeteredJob) {
    const { system, devices, request } = job
    this.#job = job
    this.#interfaces = new MachineRows(system.files, '/proc/net/dev', devices, interfaces)
    this.#namespaces = new JobNamespaces(system.files)
    this.#sockets = new JobSockets(system, openSocketDiagnostics, request.origin === 'running')
  }

  look(_row: Float64Array, _at: object, elapsedSeconds: number, full: boolean): void {
    const { members } = this.#job
    if (!full) return
    this.#interfaces.look(elapsedSeconds, (bytes, length, keep) =>
      parseNetDev(bytes, length, this.#totals, (name, ...counters) => keep(name, counters)),
    )
    if (members.liveProcesses === 0) return
    const active = this.#active.since(members.byPid)
    this.#namespaces.look(members.byPid, active)
    this.#sockets.look(active, members.byPid, this.#isElsewhere)
    this.#keepRow(elapsedSeconds)
  }

  readonly #isElsewhere = (member: Member): boolean => this.#namespaces.has(member)

  figures(): Readonly<Record<Key, Measured>> {
    this.#sockets.close()
    return {
      netReceivedBytes: networkFigure('receivedBytes', this.#namespaces, this.#sockets),
      netSentBytes: networkFigure('sentBytes', this.#namespaces, this.#sockets),
    }
  }

  #keepRow(elapsedSeconds: number): void {
    const { totals, why } = this.#sockets
    const { isEmpty, isShared, isHidden } = this.#namespaces
    if (isEmpty && (why !== null || isShared || isHidden)) return
    this.#device ??= this.#job.devices.open({ kind: 'network', id: 'job' }, interfaces.columns)
    this.#device.values[0] = Math.max(this.#namespaces.receivedBytes, totals.receivedBytes)
    this.#device.values[1] = Math.max(this.#namespaces.sentBytes, totals.sentBytes)
    this.#device.keep(elapsedSeconds)
  }
}
