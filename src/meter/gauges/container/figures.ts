import type { FigureDefinition } from '../../../model/usage.ts'

/** What the gauge of containers adds to a usage. */
export const containerFigures = [
  { key: 'containerCpuLimitPercent', says: 'CPU that the container may use; 100 is one core' },
  { key: 'containerMemoryLimitBytes', says: 'memory that the container may use' },
  { key: 'containerMemoryReservationBytes', says: 'memory that is kept for the container' },
  { key: 'containerPidsLimit', says: 'processes and threads that the container may have' },
  { key: 'containerMemoryPeakBytes', says: 'most memory at a look, without page cache' },
  { key: 'containerMemoryMeanBytes', says: 'mean memory over time, without page cache' },
  { key: 'containerPidsPeak', says: 'most processes and threads at a look' },
  {
    key: 'containerThrottledSeconds',
    says: 'time that the CPU limit held it back, summed over CPUs',
  },
  {
    key: 'containerThrottledPercent',
    says: 'share of the periods in which it ran where the CPU limit held it back',
  },
  { key: 'containerNetReceivedBytes', says: 'received from the network' },
  { key: 'containerNetSentBytes', says: 'sent to the network' },
  { key: 'containerBlockReadBytes', says: 'read from storage' },
  { key: 'containerBlockWriteBytes', says: 'written to storage' },
  {
    key: 'containerOverheadCpuSeconds',
    says: "CPU time of the runtime's own processes for this container",
  },
  {
    key: 'containerOverheadMemoryBytes',
    says: "most memory of the runtime's own processes for this container",
  },
] as const satisfies readonly FigureDefinition[]

/** What whoever runs or watches a container knows of it besides. */
export const containerRunFigures = [
  {
    key: 'containerStartupSeconds',
    says: 'from the start of the job until the container ran; not part of the time that it ran',
  },
  {
    key: 'containerRunSeconds',
    says: 'time that the container itself ran, from its start to its end',
  },
  {
    key: 'containerCpuPercentMean',
    says: 'its CPU time over the time that it ran while it was measured; 100 is one core',
  },
  { key: 'containerOomKills', says: 'processes of the container that were killed for memory' },
  {
    key: 'containerClientCpuSeconds',
    says: 'CPU time of the command that asked for the container (`docker run`)',
  },
  {
    key: 'containerClientMemoryBytes',
    says: 'most memory of the command that asked for the container',
  },
] as const satisfies readonly FigureDefinition[]
