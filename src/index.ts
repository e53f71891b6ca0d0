/**
 * The public surface: run a command, measure it, keep its record and read records back. What is not
 * listed here may change in any version.
 */
export { realSystem } from './system/real.ts'
export { Meter } from './meter/meter.ts'
export { JobCgroups } from './launch/job-cgroup.ts'
export { launch } from './launch/launch.ts'
export { measure } from './record/measure.ts'
export { openLedger } from './record/open-ledger.ts'
export { ledgerPath } from './store/ledger/location.ts'
export { StoreError } from './store/errors.ts'
export { boundBy } from './analysis/job/bound-by.ts'
export { jobStatistics } from './analysis/job/job-statistics.ts'
export { deriveSeries } from './analysis/series/rates.ts'
export { recordJson } from './render/record/record-json.ts'
export { parseBytes } from './model/bytes.ts'
export { parseDuration } from './model/duration.ts'
export { describedColumns as sampleColumns } from './meter/gauges/described-columns.ts'
export { usageKeys } from './model/usage.ts'

export type { System } from './system/system.ts'
export type { FollowRequest, SeenJob } from './meter/follow-request.ts'
export type { FollowedJob } from './meter/followed-job.ts'
export type { Gauge } from './meter/gauges/gauge.ts'
export type { SampleSink } from './meter/sample-buffer.ts'
export type { JobCgroup } from './launch/job-cgroup.ts'
export type { Launched } from './launch/launch.ts'
export type { LaunchRequest, LaunchResult, StragglerPolicy } from './launch/request.ts'
export type { RunningJob } from './launch/running-job.ts'
export type { MeasureOptions } from './record/measure.ts'
export type { Ledger } from './store/ledger/ledger.ts'
export type { StoreErrorCode } from './store/errors.ts'
export type {
  AttemptEnd,
  AttemptRef,
  AttemptStart,
  PruneResult,
  RecordQuery,
  RunningAttempt,
  SpooledAttempt,
  Store,
} from './store/ledger/store.ts'
export type {
  DeviceRows,
  SeriesQuery,
  SeriesReader,
  SeriesWriter,
  TimeRange,
} from './store/series/series.ts'
export type { Verdict, VerdictKind } from './analysis/job/bound-by.ts'
export type { JobStatistics, ToolStatistics } from './analysis/job/job-statistics.ts'
export type { DerivedPoint } from './analysis/series/rates.ts'
export type { RecordJson } from './render/record/record-json.ts'
export type { Job, Requirements } from './model/job.ts'
export type { Machine, Owner } from './model/machine.ts'
export type { Measured } from './model/measured.ts'
export type { AttemptStatus, Outcome, OutcomeStatus, Straggler } from './model/outcome.ts'
export type { Reading } from './model/reading.ts'
export type { AttemptRecord, JobRecord, SamplingFacts } from './model/record.ts'
export type { SampleColumn, SampleRow } from './model/sample.ts'
export type { Columns, Device, DeviceSeries, Series } from './model/series.ts'
export type { Usage, UsageKey } from './model/usage.ts'
