import { describe, expect, it } from 'vitest'
import { StoreError } from '../../store/errors.ts'
import { fakeSystem } from '../../system/fake.ts'
import { LedgerQueue } from './ledger-queue.ts'

function queue() {
  const system = fakeSystem()
  const told: string[] = []
  const writes = new LedgerQueue(system.clock, {
    onLong: () => told.push('long'),
    onDone: () => told.push('done'),
    onFailure: (error) => told.push(error instanceof StoreError ? error.code : String(error)),
  })
  let isLocked = true
  const write = (name: string) => () => {
    if (isLocked) throw new StoreError('locked', 'ledger.db', 'somebody has it')
    told.push(name)
  }
  return { system, told, writes, write, unlock: () => (isLocked = false) }
}

describe('writes to the ledger', () => {
  it('wait out a lock of some minutes, tell it once, and keep their order', () => {
    const { system, told, writes, write, unlock } = queue()
    writes.add(write('a'))
    system.advance(2)
    expect(told).toEqual([])
    writes.add(write('b'))
    system.advance(300)
    expect(told).toEqual(['long'])
    unlock()
    system.advance(1)
    expect(told).toEqual(['long', 'a', 'done', 'b', 'done'])
    expect(writes.isEmpty).toBe(true)
  })

  it('give up after ten minutes, and sooner where the run is to stop', () => {
    const patient = queue()
    patient.writes.add(patient.write('a'), () => patient.told.push('abandoned'))
    patient.system.advance(601)
    expect(patient.told).toEqual(['long', 'abandoned', 'locked', 'done'])
    const stopped = queue()
    stopped.writes.add(stopped.write('a'))
    stopped.system.advance(1)
    stopped.writes.waitNoLongerThan(10)
    stopped.system.advance(11)
    expect(stopped.told).toEqual(['long', 'locked', 'done'])
  })

  it('that fail otherwise are told, and the next are tried', () => {
    const { told, writes, write, unlock } = queue()
    unlock()
    writes.add(() => {
      writes.add(write('b'))
      throw new StoreError('full', 'ledger.db', 'no space')
    })
    expect(told).toEqual(['full', 'done', 'b', 'done'])
  })
})
