import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseSacctAllocations, sacctCommand } from './sacct.ts'
import { parseSqueue, squeueCommand } from './squeue.ts'
import { slurmReservation } from './slurm-reservation.ts'

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/slurm', name), 'utf8')
const mebibyte = 2 ** 20

describe('what squeue prints', () => {
  const words = parseSqueue(fixture('squeue-22.05.txt'))
  const word = (id: string) => words.find((one) => one.id === id)

  it('says what a job asked for, and by which account, whatever the job is called', () => {
    expect(word('9')).toEqual({
      id: '9',
      uid: 65_534,
      account: 'physics',
      shownId: null,
      restarts: 0,
      reservation: {
        cpus: 2,
        memoryBytes: 100 * mebibyte,
        gpus: 1,
        runtimeSeconds: 600,
        source: 'slurm',
      },
    })
  })

  it('tells tasks of arrays, parts of het jobs and how often one was started again', () => {
    expect(word('14')).toMatchObject({ shownId: '10_1', restarts: 1 })
    expect(word('10')).toMatchObject({ shownId: '10_2', restarts: 0 })
    expect(word('11')).toMatchObject({ shownId: '11+0' })
    expect(word('12')).toMatchObject({ shownId: '11+1' })
    expect(word('13')).toMatchObject({ reservation: { runtimeSeconds: 26 * 3600 + 240, gpus: 0 } })
    expect(words).toHaveLength(6)
  })

  it('is taken without the end of a list that did not fit', () => {
    const [heading = '', line = ''] = fixture('squeue-22.05.txt').split('\n')
    const places = Buffer.byteLength(heading.slice(0, heading.indexOf('TRES_ALLOC')))
    const list = `cpu=2,${'gres/gpu:a100=1,'.repeat(40)}`.slice(0, 400)
    expect(list).toMatch(/,gres\/gpu:a$/)
    const [job] = parseSqueue(`${heading}\n${line.slice(0, places)}${list}`)
    expect(job?.reservation).toMatchObject({ cpus: 2, gpus: 1 })
  })

  it('is not believed with other columns than were asked for', () => {
    expect(parseSqueue('JOBID     ACCOUNT\n9         physics\n')).toEqual([])
  })

  it('does no harm, whatever it is', () => {
    const [heading = ''] = fixture('squeue-22.05.txt').split('\n')
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const { id } of parseSqueue(`${heading}\n${text}`)) expect(id).toMatch(/^\d+$/)
      }),
    )
  })
})

describe('what sacct prints', () => {
  it('says the same of jobs that are over', () => {
    const words = parseSacctAllocations(fixture('sacct-22.05.txt'))
    const word = (id: string) => words.find((one) => one.id === id)
    expect(word('3')).toMatchObject({
      uid: 65_534,
      account: 'physics',
      reservation: { cpus: 2, memoryBytes: 100 * mebibyte, gpus: 1, runtimeSeconds: 600 },
    })
    expect(word('8')).toMatchObject({ shownId: '4_1', reservation: { runtimeSeconds: null } })
    // One that never ran has nothing.
    expect(word('7')).toMatchObject({ reservation: { cpus: null, memoryBytes: null, gpus: null } })
  })

  it('does no harm, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const { id } of parseSacctAllocations(`JobIDRaw|UID\n${text}`))
          expect(id).toMatch(/^\d+$/)
      }),
    )
  })
})

it('neither is asked for text that users choose', () => {
  const words = [...squeueCommand(['1']), ...sacctCommand(['1'])].join(' ')
  expect(words).not.toMatch(/name|comment|command|workdir|std(in|out|err)/i)
})

describe('what Slurm allotted', () => {
  it.each([
    ['cpu=2,mem=500', { cpus: 2, memoryBytes: 500 * mebibyte, gpus: 0 }],
    ['cpu=2,mem=lots,gres/gpu:a100=2', { cpus: 2, memoryBytes: null, gpus: 2 }],
    ['cpu=2,gres/gpu:a100=1,gres/gpu:h100=2', { gpus: 3 }],
    ['', { cpus: null, memoryBytes: null, gpus: null }],
    ['nonsense', { cpus: null, memoryBytes: null, gpus: null }],
  ])('%j', (text, reservation) => {
    expect(slurmReservation(text, null)).toMatchObject(reservation)
  })
})
