import { sampleNames } from '../../model/sample.ts'
import { figureNames } from './series-figures.ts'

/**
 * What a series file is written in, kept in its `user_version`. `series-upgrade.ts` says what earlier versions had. Samples
 * are columns by name, and one that is new is no new version: it gets its column when it is first written.
 */
export const seriesVersion = 4

/** The columns that people's queries and plots know come first; then the attempt; then what else was sampled. */
const known = ['timestamp', 'memory_bytes', 'num_processes']
const further = sampleNames.filter((name) => !known.includes(name))

/** All tables that are read of a file, with their columns. */
export const seriesTables = {
  job_resource_samples: `
    job_id INTEGER NOT NULL, timestamp REAL NOT NULL, cpu_percent REAL, memory_bytes INTEGER,
    num_processes INTEGER, attempt INTEGER NOT NULL, ${further.map((name) => `${name} REAL`).join(', ')}`,
  job_metadata: `
    job_id INTEGER PRIMARY KEY, job_name TEXT NOT NULL, task_id TEXT NOT NULL, cores INTEGER NOT NULL,
    requested_cpus REAL, requested_memory_bytes REAL, requested_runtime_seconds REAL`,
  job_attempts: `
    task_id TEXT PRIMARY KEY, job_id INTEGER NOT NULL, attempt INTEGER NOT NULL, started_at REAL NOT NULL,
    ended_at REAL, status TEXT NOT NULL, exit_code INTEGER, duration_seconds REAL,
    ${figureNames.map((name) => `${name} REAL`).join(', ')}, ways TEXT`,
  series_run: `
    ledger TEXT NOT NULL, host TEXT NOT NULL, workflow_id INTEGER NOT NULL, run_id INTEGER NOT NULL`,
  job_device_samples: `
    job_id INTEGER NOT NULL, attempt INTEGER NOT NULL, kind TEXT NOT NULL, device TEXT NOT NULL,
    timestamp REAL NOT NULL, elapsed_seconds REAL`,
  job_marks: `
    job_id INTEGER NOT NULL, attempt INTEGER NOT NULL, timestamp REAL NOT NULL, elapsed_seconds REAL NOT NULL,
    step REAL, epoch REAL, phase TEXT, message TEXT`,
} as const

export const seriesSchema = `
  ${Object.entries(seriesTables)
    .map(([name, columns]) => `CREATE TABLE ${name} (${columns});`)
    .join('\n')}
  CREATE INDEX job_resource_samples_by_job ON job_resource_samples (job_id, timestamp);
  CREATE INDEX job_device_samples_by_job ON job_device_samples (job_id, attempt);
  PRAGMA user_version = ${seriesVersion};`
