import type { NodeJob, NodeRound, NodeUse } from '../model/node-round.ts'
import { sumOver, unattributed } from '../model/unattributed.ts'
import { readUptimeSeconds } from '../sensors/procfs/uptime.ts'
import { UserNames } from '../sensors/user-names.ts'
import type { System, ToolPlace } from '../system/system.ts'
import { CgroupCpu } from './cgroups/cgroup-cpu.ts'
import { CgroupMounts } from './cgroups/cgroup-mounts.ts'
import { DeviceCounters } from './devices/device-counters.ts'
import type { NodeGpus, NodeGpuUse } from './gpus/node-gpus.ts'
import { JobBook } from './jobs/job-book.ts'
import type { JobTally } from './jobs/job-tally.ts'
import { NodeCounters, type NodeCounts } from './node-counters.ts'
import { EndedProcesses } from './processes/ended-processes.ts'
import type { ExitRecords } from './processes/exit-record.ts'
import { ProcessTable } from './processes/process-table.ts'
import { SharedMemory } from './processes/shared-memory.ts'
import { Reservations, type ReservationRules } from './reservations/reservations.ts'

/** Looks at the whole node, again and again, and tells what was used between two looks. */
export class NodeSampler {
  readonly #system: System
  readonly #counters: NodeCounters
  readonly #devices: DeviceCounters
  readonly #processes: ProcessTable
  readonly #ended: EndedProcesses
  readonly #sharedMemory: SharedMemory
  readonly #book = new JobBook()
  readonly #names: UserNames
  readonly #gpus: NodeGpus
  readonly #reservations: Reservations
  readonly #cgroupCpu: CgroupCpu
  readonly #hearsEnds: boolean
  #lookedAt: number

  /** The first look is taken here: rounds tell what happened since. */
  constructor(system: System, exits: ExitRecords | undefined, gpus: NodeGpus) {
    this.#gpus = gpus
    this.#system = system
    this.#counters = new NodeCounters(system)
    this.#devices = new DeviceCounters(system.files)
    this.#processes = new ProcessTable(system)
    gpus.watch(this.#processes.living)
    this.#hearsEnds = exits !== undefined
    this.#ended = new EndedProcesses(exits, system.host.ticksPerSecond)
    this.#sharedMemory = new SharedMemory(system)
    this.#names = new UserNames(system)
    const mounts = new CgroupMounts(system.files)
    this.#reservations = new Reservations(system, mounts)
    this.#cgroupCpu = new CgroupCpu(mounts)
    this.#counters.look()
    // Looking at all processes takes a while, in which the node's counters go on.
    this.#lookedAt = system.clock.monotonicSeconds()
    this.#devices.look()
    this.#processes.look()
    this.#ended.settle(
      this.#processes,
      system.clock.wallSeconds() - readUptimeSeconds(system.files),
    )
  }

  /** What the configuration implies, and where Slurm's commands are. */
  round(impliedGpus: number | null, slurm: ToolPlace = {}): NodeRound {
    const { clock, host } = this.#system
    const counts = this.#counters.look()
    // All of them now: to look at all processes may take a while.
    const now = clock.monotonicSeconds()
    const at = clock.wallSeconds()
    const uptime = readUptimeSeconds(this.#system.files)
    const bootedAt = at - uptime
    const seconds = now - this.#lookedAt
    this.#lookedAt = now
    const gpus = this.#gpus.round()
    this.#processes.look()
    this.#sharedMemory.refresh(this.#processes.living, seconds)
    const { ticksPerSecond } = host
    const { settled, lost } = this.#ended.settle(this.#processes, bootedAt)
    const tallies = this.#book.tally(this.#processes.living, settled, {
      nowTicks: uptime * ticksPerSecond,
      ticksPerSecond,
      gpuUses: gpus.byPid,
    })
    this.#cgroupCpu.fillIn(tallies, counts.busySeconds)
    const rules = { impliedGpus, slurm, nodeGpus: gpus.cards }
    const jobs = tallies.map((tally) => this.#told(tally, bootedAt, rules))
    const late = this.#reservations
      .endRound(rules)
      .map(({ uid, ...word }) => ({ ...word, user: this.#names.nameOf(uid) }))
    const node = nodeUse(counts, gpus, jobs, host.onlineCores)
    return {
      host: host.name,
      epoch: host.bootId,
      at,
      seconds,
      node: this.#hearsEnds ? { ...node, ...shortOnes(jobs) } : node,
      jobs: [...jobs, nobodys(node, jobs)],
      lostRecords: lost,
      devices: [...this.#devices.look(), ...gpus.devices],
      late,
    }
  }

  /** Users come and go, and the network's directory may answer now. */
  refreshNames(): void {
    this.#names.refresh()
  }

  close(): void {
    this.#counters.close()
    this.#processes.close()
    this.#ended.close()
    this.#gpus.close()
  }

  #told(tally: JobTally, bootedAt: number, rules: ReservationRules): NodeJob {
    const { uid, startTicks } = tally.facts
    const said = this.#reservations.of(tally.facts, rules)
    const startedAt = bootedAt + startTicks / this.#system.host.ticksPerSecond
    return tally.told({
      user: Number.isNaN(uid) ? 'unknown' : this.#names.nameOf(uid),
      startedAt: Number.isNaN(startedAt) ? null : startedAt,
      ...said,
    })
  }
}

function nodeUse(
  counts: NodeCounts,
  gpus: NodeGpuUse,
  jobs: readonly NodeJob[],
  cores: number,
): NodeUse {
  return {
    cores,
    cpuSeconds: counts.busySeconds,
    ioWaitSeconds: counts.ioWaitSeconds,
    readBytes: counts.readBytes,
    writeBytes: counts.writeBytes,
    netReceivedBytes: counts.netReceivedBytes,
    netSentBytes: counts.netSentBytes,
    gpuSeconds: gpus.gpuSeconds,
    joules: gpus.joules,
    memoryBytes: counts.memoryUsedBytes,
    memoryTotalBytes: counts.memoryTotalBytes,
    swapUsedBytes: counts.swapUsedBytes,
    gpuMemoryBytes: gpus.memoryBytes,
    gpuMemoryTotalBytes: gpus.memoryTotalBytes,
    gpus: gpus.cards,
    load: counts.load,
    coreSeconds: counts.coreSeconds,
    processes: sumOver(jobs, 'processes'),
    threads: sumOver(jobs, 'threads'),
    zombies: sumOver(jobs, 'zombies'),
  }
}

/** 0 says that there was none, and nothing that nobody tells of ends. */
const shortOnes = (
  jobs: readonly NodeJob[],
): Pick<NodeUse, 'shortProcesses' | 'shortCpuSeconds'> => ({
  shortProcesses: sumOver(jobs, 'shortProcesses'),
  shortCpuSeconds: sumOver(jobs, 'shortCpuSeconds'),
})

const nobodys = (node: NodeUse, jobs: readonly NodeJob[]): NodeJob => ({
  ...unattributed(node, jobs),
  cpuSeconds: node.cpuSeconds - sumOver(jobs, 'cpuSeconds'),
  processes: 0,
  threads: 0,
  zombies: 0,
})
