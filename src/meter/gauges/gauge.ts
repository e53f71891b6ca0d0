import type { Measured } from '../../model/measured.ts'
import type { ColumnDefinition } from '../../model/sample.ts'
import type { FigureDefinition } from '../../model/usage.ts'
import type { KernelAccount, System } from '../../system/system.ts'
import type { CgroupReadings } from '../cgroup-readings.ts'
import type { FollowRequest, LastSeen } from '../follow-request.ts'
import type { GpuWatch } from '../gpu-watch.ts'
import type { JobDevices } from '../job-devices.ts'
import type { JobAccounts } from '../job-accounts.ts'
import type { MachineWatch } from '../machine-watch.ts'
import type { Member } from '../member.ts'
import type { Members } from '../members.ts'
import type { Plausible } from '../plausible.ts'
import type { ProcessReader } from '../process-reader.ts'

/**
 * One thing that is measured of a job: what it adds to samples, what it says in the end, and what both mean. Samples,
 * records, their JSON and CSV and the reference are made of a list of these.
 */
export interface Gauge<Column extends string = string, Key extends string = string> {
  readonly name: string
  /** What it draws on besides the processes and the cgroup's CPU time. What no gauge of a job draws on is not read. */
  readonly reads?: readonly SharedReading[]
  /** What it adds to a sample. Names carry the unit, in snake_case. */
  readonly columns: readonly ColumnDefinition<Column>[]
  /** What it adds to a usage. Names carry the unit, in camelCase. */
  readonly figures: readonly FigureDefinition<Key>[]
  follow(job: MeteredJob): FollowedGauge<Column, Key>
}

/** What is read once for all gauges of a job. */
export type SharedReading = 'io' | 'machine' | 'memory' | 'pressure'

/**
 * A gauge of one job. What several gauges draw on has been read when they are asked: the processes and the cgroup's CPU
 * time at each look and glance, the rest of the cgroup at each look, I/O of processes and the whole machine at each full
 * look, of which there is about one a second.
 */
export interface FollowedGauge<Column extends string = string, Key extends string = string> {
  /** A look or a glance is about to come, and nothing is read yet: what takes a while to be answered is asked for here. */
  ask?(): void
  /** Processes and the cgroup's CPU time alone were looked at, and no sample is made of it. */
  glance?(elapsedSeconds: number): void
  /** The cgroup of a container was read between looks, and its processes if they are few; no sample is made of it. */
  glimpse?(elapsedSeconds: number): void
  /** Looks, and writes its columns into the sample, at their places; what it leaves out is not measured. */
  look(
    row: Float64Array,
    at: Readonly<Record<Column, number>>,
    elapsedSeconds: number,
    full: boolean,
  ): void
  /** The main process is dead and not reaped yet: the last moment at which its files can be read. */
  mainEnded?(main: Member): void
  /** A process of the job was reaped, the main one or an orphan. */
  reaped?(account: KernelAccount, isRoot: boolean): void
  /** The main process was reaped and others go on: if they are left behind, what counts is what was used until now. */
  outlived?(): void
  figures(end: FollowedEnd): Readonly<Record<Key, Measured>>
}

/** What a gauge may read of its job. */
export interface MeteredJob {
  readonly system: System
  readonly request: FollowRequest
  readonly reader: ProcessReader
  readonly plausible: Plausible
  readonly members: Members
  readonly cgroup: CgroupReadings
  readonly machine: MachineWatch
  readonly accounts: JobAccounts
  readonly seen: LastSeen
  /** For rows of devices, of which a gauge may have any number. */
  readonly devices: JobDevices
  readonly gpus: GpuWatch
}

export interface FollowedEnd {
  readonly durationSeconds: number
  /** The longest that new processes were not looked for, because that was too dear. */
  readonly blindSeconds: number
  /** For how long that was so in all while the job was followed. */
  readonly blindInAllSeconds: number
  /** The longest time between two looks: on a busy machine they may come late. */
  readonly unlookedSeconds: number
  /** Processes that outlived the main one are left behind. */
  readonly leavesProcesses?: boolean
}

export type ColumnOf<Columns extends readonly ColumnDefinition[]> = Columns[number]['name']
export type KeyOf<Figures extends readonly FigureDefinition[]> = Figures[number]['key']
