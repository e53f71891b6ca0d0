/** What is known of the CPU time at each sample; NaN where something is not known. */
export interface CpuColumns {
  readonly elapsedSeconds: Float64Array
  readonly cpuSeconds: Float64Array
  readonly threads: Float64Array
}
