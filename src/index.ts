/**
 * The public interface: run a command, measure it, keep its record and read records back. Anything
 * that is not listed here may change in any version.
 */
export { measure } from './record/measure.ts'
export { getMonitor } from './monitor/get-monitor.ts'
export { JobMonitor } from './monitor/job-monitor.ts'
export { JobTracker } from './monitor/job-tracker.ts'
export { TaskPipeline } from './monitor/pipeline/task-pipeline.ts'
export { TeamTaskQueue } from './monitor/pipeline/team-task-queue.ts'
export { MonitorError } from './monitor/monitor-error.ts'
export { BenchmarkRunner } from './benchmark/benchmark-runner.ts'
export { readLedger } from './record/read-ledger.ts'
export { LiveMeter } from './profile/live-meter.ts'
export { ResourceMonitorCallback } from './training/resource-monitor-callback.ts'
export { tensorflowCallback } from './training/tensorflow-callback.ts'
export { getProfiler, ResourceProfiler } from './profile/resource-profiler.ts'
export { ContainerResourceMonitor } from './profile/container-monitor.ts'
export { StoreError } from './store/errors.ts'
export { boundBy } from './analysis/job/bound-by.ts'
export { jobStatistics } from './analysis/job/job-statistics.ts'
export { deriveSeries } from './analysis/series/rates.ts'
export { recordJson } from './render/record/record-json.ts'
export { parseBytes } from './model/bytes.ts'
export { parseDuration } from './model/duration.ts'
export { describedColumns as sampleColumns } from './meter/gauges/described-columns.ts'
export { usageKeys } from './model/usage.ts'

export type {
  BenchmarkRunnerOptions,
  CompareBenchmarksOptions,
  RunBenchmarkOptions,
} from './benchmark/benchmark-options.ts'
export type { BenchmarkComparisonJson } from './render/benchmark/comparison-json.ts'
export type { BenchmarkListedJson } from './render/benchmark/list.ts'
export type { BenchmarkJson } from './render/benchmark/json.ts'
export type { MeasureOptions } from './record/measure-options.ts'
export type { HistoryQuery, JobEnd, JobMonitorOptions } from './monitor/job-monitor.ts'
export type { JobRequest } from './monitor/job-request.ts'
export type { JobStatusDetails } from './monitor/job-status.ts'
export type { MonitoredJob } from './monitor/job-json.ts'
export type { Logger } from './monitor/log-lines.ts'
export type {
  TaskOptions,
  TaskPipelineOptions,
  WaitOptions,
  WorkflowTask,
} from './monitor/pipeline/task-pipeline.ts'
export type { TeamTaskQueueOptions } from './monitor/pipeline/team-task-options.ts'
export type { TaskOrder, TaskQueue, TaskResult, TaskStatus } from './monitor/pipeline/task-queue.ts'
export type { ToolCommand, ToolDefinition, Tools, ToolTask } from './monitor/pipeline/tools.ts'
export type { MonitorErrorCode } from './monitor/monitor-error.ts'
export type { LiveOptions, LiveSample, LiveSummary } from './profile/live-meter.ts'
export type {
  EpochSummary,
  LoggedBatch,
  ResourceMonitorOptions,
} from './training/resource-monitor-callback.ts'
export type { ResourceMonitorSettings } from './training/options.ts'
export type { TensorflowCallback } from './training/tensorflow-callback.ts'
export type { ProfileSection, ResourceProfile } from './profile/resource-profile.ts'
export type { ProfilerEvents, ProfilerOptions } from './profile/resource-profiler.ts'
export type { ContainerInfo } from './profile/container-info.ts'
export type { StragglerPolicy } from './launch/request.ts'
export type { JobsReader, LedgerReader, WorkflowsReader } from './store/ledger/ledger-reader.ts'
export type { RecordOrder, RecordQuery } from './store/ledger/store.ts'
export type { StoreErrorCode } from './store/errors.ts'
export type { Verdict, VerdictKind } from './analysis/job/bound-by.ts'
export type { JobStatistics, ToolStatistics } from './analysis/job/job-statistics.ts'
export type { DerivedPoint } from './analysis/series/rates.ts'
export type { RecordJson } from './render/record/record-json.ts'
export type { Job, Requirements } from './model/job.ts'
export type { Machine, Owner } from './model/machine.ts'
export type { Measured } from './model/measured.ts'
export type { AttemptStatus, Outcome, OutcomeStatus, Straggler } from './model/outcome.ts'
export type { AttemptRecord, JobRecord, SamplingFacts } from './model/record.ts'
export type { SampleColumn, SampleRow } from './model/sample.ts'
export type { Columns, Device, DeviceSeries, Series } from './model/series.ts'
export type { Usage, UsageKey } from './model/usage.ts'
