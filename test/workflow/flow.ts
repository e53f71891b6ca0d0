import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import type { Sandbox } from '../program.ts'

/** Workflows for the real program to run, and what it says of them. */

export interface ListedResult {
  readonly job_id: number
  readonly job_name: string
  readonly run_id: number
  readonly attempt: number
  readonly status: string
  readonly return_code: number | null
  readonly exec_time_seconds: number | null
  readonly cpu_seconds: number | null
}

export interface RunJson {
  readonly workflow_id: number
  readonly run_id: number
  readonly status_counts: Readonly<Record<string, number>>
  readonly stopped: string | null
}

/** Writes a workflow file into the sandbox; answers its path. */
export function flow(box: Sandbox, yaml: string): string {
  const path = box.path('flow.yaml')
  writeFileSync(path, `name: flow\n${yaml}`)
  return path
}

/** Puts a program on the path of whatever runs in the sandbox with `onPath(box)`. */
export function script(box: Sandbox, name: string, lines: string): void {
  writeFileSync(box.path(name), `#!/bin/sh\n${lines}\n`)
  chmodSync(box.path(name), 0o755)
}

export const onPath = (box: Sandbox) => ({
  env: { PATH: `${box.directory}:${box.env['PATH']}` },
})

export async function results(
  box: Sandbox,
  ...options: readonly string[]
): Promise<readonly ListedResult[]> {
  const { stdout, stderr } = await box.jobmeter([
    'results',
    'list',
    '1',
    '--format',
    'json',
    ...options,
  ])
  if (stdout === '') throw new Error(stderr)
  return (JSON.parse(stdout) as { results: ListedResult[] }).results
}

/** The state of each job, by name. */
export async function states(box: Sandbox): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await box.jobmeter(['jobs', 'list', '1', '--format', 'json'])
  const { jobs } = JSON.parse(stdout) as { jobs: { job_name: string; state: string }[] }
  return Object.fromEntries(jobs.map(({ job_name, state }) => [job_name, state]))
}

export const lines = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n')

/** Waits until it holds; the test's own time limit ends it. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}
