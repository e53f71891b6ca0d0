import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOver, isWaiting, type SlurmJobState } from './job-state.ts'
import { parseSqueueJson, parseSqueueStates } from './squeue-states.ts'

const widths = [24, 24, 24, 24, 16, 12, 120, 48]
const line = (...cells: readonly (string | number)[]): string =>
  cells.map((cell, at) => String(cell).padEnd(widths[at] ?? 0)).join('')

/** What one Slurm answered within a second, in columns for the user and in JSON, with the job of another. */
const captured = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../test/fixtures/slurm', name), 'utf8')

const byName = (states: readonly SlurmJobState[] | undefined) =>
  Object.fromEntries(states?.map((state) => [state.name, state]) ?? [])

describe('how jobs stand, as the controller says', () => {
  it('is read in columns', () => {
    const text = [
      line(12, 12, 'N/A', 'OUT_OF_MEMORY', 253, 0, 'c1'),
      line(14, 13, 2, 'COMPLETED', 18_432, 1, 'c[1-2]'),
      line(13, 13, 3, 'PENDING', 0, 0, '', 'PartitionConfig'),
      line(15, 15, 'N/A', 'FAILED', 53, 0, 'c1'),
      'slurm_load_jobs error: Invalid job id specified',
      '',
    ].join('\n')
    expect(parseSqueueStates(text)).toEqual([
      expect.objectContaining({ id: '12', name: '12', state: 'OUT_OF_MEMORY', exitCode: null }),
      expect.objectContaining({
        id: '14',
        name: '13_2',
        exitCode: 72,
        restarts: 1,
        nodes: 'c[1-2]',
      }),
      expect.objectContaining({ id: '13', name: '13_3', nodes: '', reason: 'PartitionConfig' }),
      expect.objectContaining({ id: '15', state: 'FAILED', exitCode: null, signal: 53 }),
    ])
  })

  it('is the same in JSON and in columns', () => {
    const told = parseSqueueJson(captured('squeue-states-22.05.json'), 'root')
    expect(byName(told)).toMatchObject({ 1_576_209: { reason: 'BeginTime' } })
    // The columns are of before there was one for reasons.
    const inJson = told?.map(({ reason: _, ...state }) => state)
    const inColumns = parseSqueueStates(captured('squeue-states-22.05.txt'))
    expect(inJson).toHaveLength(19)
    expect(byName(inJson)).toEqual(byName(inColumns))
    expect(byName(inJson)).toMatchObject({
      1_576_210: { state: 'NODE_FAIL', nodes: 'far2' },
      1_576_200: { state: 'COMPLETED', exitCode: 0, nodes: 'far[1-2]' },
      '1576204_2': { id: '1576207', state: 'FAILED', exitCode: 6 },
      '1576205_20': { id: '1576205', state: 'PENDING', exitCode: null },
      1_576_211: { state: 'FAILED', exitCode: null, signal: 9 },
      1_576_209: { state: 'PENDING', restarts: 1 },
    })
  })

  it('is read from JSON as later versions write it', () => {
    const missing = { set: false, infinite: false, number: 0 }
    const number = (value: number) => ({ set: true, infinite: false, number: value })
    const of2311 = {
      user_name: 'ann',
      job_id: 21,
      array_job_id: number(19),
      array_task_id: number(4),
      array_task_string: '',
      job_state: ['FAILED'],
      exit_code: { return_code: number(3), signal: { id: missing } },
      restart_cnt: 2,
      nodes: 'c2',
    }
    const ending = { ...of2311, array_task_id: number(5), job_state: ['CANCELLED', 'COMPLETING'] }
    const putBack = { ...of2311, array_task_id: number(6), job_state: ['RUNNING', 'REQUEUED'] }
    const killed = {
      ...of2311,
      array_job_id: missing,
      array_task_id: missing,
      exit_code: { return_code: missing, signal: { id: number(9) } },
    }
    const text = JSON.stringify({ jobs: [of2311, ending, putBack, killed] })
    expect(parseSqueueJson(text, 'ann')).toMatchObject([
      { id: '21', name: '19_4', state: 'FAILED', exitCode: 3, signal: null, restarts: 2 },
      { name: '19_5', state: 'COMPLETING', exitCode: null },
      { name: '19_6', state: 'REQUEUED', exitCode: null },
      { name: '21', state: 'FAILED', exitCode: null, signal: 9 },
    ])
    expect(parseSqueueJson(text, 'bob')).toEqual([])
  })

  it('is not read from JSON of another shape, or that was cut off', () => {
    const cut = { user_name: 'ann', job_id: 1, job_state: 'PENDING', array_task_string: '1-3,...' }
    for (const other of ['', '{}', '[]', '{"jobs":7}', '{"jobs":[{"user_name":"ann"}]}'])
      expect(parseSqueueJson(other, 'ann')).toBeUndefined()
    expect(parseSqueueJson(JSON.stringify({ jobs: [cut] }), 'ann')).toBeUndefined()
  })

  it('is over or waits, but never both', () => {
    const words = fc.constantFrom('PENDING', 'RUNNING', 'COMPLETING', 'TIMEOUT', 'REQUEUED', 'X')
    fc.assert(
      fc.property(words, fc.nat(2 ** 31), fc.nat(9999), (state, id, task) => {
        const [job] = parseSqueueStates(line(id, 7, task, state, 0, 0, 'c1'))
        expect(job).toMatchObject({ id: String(id), name: `7_${task}`, state })
        expect(job !== undefined && isOver(job) && isWaiting(job)).toBe(false)
      }),
    )
  })

  it('is never read from noise', () => {
    fc.assert(
      fc.property(fc.string(), (noise) => {
        for (const job of parseSqueueStates(noise)) expect(job.id).toMatch(/^\d+$/)
        parseSqueueJson(noise, 'ann')
      }),
    )
  })
})
