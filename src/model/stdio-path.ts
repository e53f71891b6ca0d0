/** Which attempt wrote the output. */
export interface StdioPlace {
  readonly workflowId: number
  readonly jobId: number
  readonly runId: number
  readonly attempt: number
}

/**
 * Where an attempt's standard output (`o`) or standard error (`e`) is kept:
 * `<output_dir>/job_stdio/job_<workflow_id>_<job_id>_<run_id>_<attempt>.o`
 */
export function stdioPath(outputDirectory: string, place: StdioPlace, stream: 'o' | 'e'): string {
  const { workflowId, jobId, runId, attempt } = place
  const directory = outputDirectory.replace(/\/+$/, '')
  return `${directory}/job_stdio/job_${workflowId}_${jobId}_${runId}_${attempt}.${stream}`
}
