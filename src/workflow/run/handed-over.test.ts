import { describe, expect, it } from 'vitest'
import { someEnd, someStart } from '../../../test/contracts/attempts.ts'
import { someJob } from '../../../test/contracts/workflows.ts'
import { sampleIndex } from '../../model/sample.ts'
import { fakeSystem } from '../../system/fake.ts'
import type { Attempt } from './attempt.ts'
import type { AttemptOrder, AttemptResult, Executor, ExecutorListener } from './executor.ts'
import { HandedOver } from './handed-over.ts'
import { Retries } from './retries.ts'

const result: AttemptResult = { ...someEnd(), outline: [] }
const figures = { cpuPercent: null, memoryBytes: null }

const attempt = (taskId: string, isLeft = false): Attempt => {
  const record = someStart(taskId)
  const left = { taskId, owner: record.owner, isScript: false, note: null }
  return {
    stored: { jobId: 1, state: 'waiting', attempts: 0, job: someJob(taskId) },
    start: { position: 0, node: 0, gpus: ['3'] },
    identity: { workflowId: 1, runId: 1, jobId: 1, attempt: 1, outputDirectory: '/out' },
    ref: { taskId, jobId: 1, attemptId: 1 },
    record,
    retries: new Retries(),
    inputs: [],
    left: isLeft ? left : null,
  }
}

/** An executor that does nothing but write down what it is asked, and what the runner heard of it. */
function conversation({ canBeAsked = true } = {}) {
  const system = fakeSystem()
  const asked: string[] = []
  const heard: string[] = []
  const noted = new Map<string, string>()
  const says = (what: string) => (taskIds: readonly string[]) =>
    void asked.push(`${what} ${taskIds.join(' ')}`)
  let listener: ExecutorListener | undefined
  const executor: Executor = {
    asking: canBeAsked ? { afterSeconds: 10, giveUpSeconds: 60, ask: says('ask') } : null,
    tellTo: (given) => void (listener = given),
    start: ({ taskId }) => says('start')([taskId]),
    cancel: (taskId, signal, request) => says(`cancel ${signal} ${request}`)([taskId]),
    adopt(left) {
      says('adopt')(left.map(({ taskId }) => taskId))
      return left
    },
    close: () => says('close')([]),
  }
  const notes = {
    note: (about: string, text: string) => void noted.set(about, text),
    forget: (about: string) => void noted.delete(about),
  }
  const { clock } = system
  const handedOver = new HandedOver(
    { executor, clock, time: clock.wallSeconds, notes },
    {
      waits: () => {},
      orderOf: ({ record }) => ({ taskId: record.taskId }) as AttemptOrder,
      started: ({ record }) => void heard.push(`started ${record.taskId}`),
      devicesSampled: ({ record }, devices) =>
        void heard.push(`devices ${record.taskId} ${devices.length}`),
      sampled: ({ record }, _rows, count) => void heard.push(`sampled ${record.taskId} ${count}`),
      over: ({ record }, { outcome }, certainty) =>
        void heard.push(`${certainty} ${record.taskId} ${outcome.status}`),
      late: ({ record }) => void heard.push(`late ${record.taskId}`),
      note: (message) => void heard.push(message),
      trouble: (message) => void heard.push(message),
    },
  )
  if (listener === undefined) throw new Error('nobody listens')
  return { system, asked, heard, noted, handedOver, tell: listener }
}

describe('what an executor tells of an attempt', () => {
  it('is heard once, however often it comes', () => {
    const { tell, handedOver, heard } = conversation()
    handedOver.start(attempt('a'))
    for (let times = 0; times < 3; times++) tell.started('a', figures)
    for (let times = 0; times < 3; times++) tell.ended('a', result)
    tell.gone('a', 'lost its machine')
    expect(heard).toEqual(['started a', 'told a success'])
  })

  it('may come in any order', () => {
    const { tell, handedOver, heard } = conversation()
    handedOver.start(attempt('a'))
    tell.ended('a', result)
    tell.started('a', figures)
    tell.sampled('a', new Float64Array(), 2, [])
    tell.devicesSampled('a', [])
    tell.accepted('a', {})
    tell.unknown('a')
    expect(heard).toEqual(['told a success'])
  })

  it('is passed over where nobody knows the attempt', () => {
    const { tell, heard, asked } = conversation()
    tell.accepted('x', {})
    tell.started('x', figures)
    tell.sampled('x', new Float64Array(), 1, [])
    tell.devicesSampled('x', [])
    tell.ended('x', result)
    tell.gone('x', 'lost its machine')
    tell.unknown('x')
    expect([heard, asked]).toEqual([[], []])
  })

  it('is noted for who comes after, with its GPUs, until it is over', () => {
    const { tell, handedOver, noted } = conversation()
    handedOver.start(attempt('a'))
    tell.accepted('a', { job: 17 })
    expect(JSON.parse(noted.get('a') ?? '')).toEqual({ job: 17, taskId: 'a', gpus: ['3'] })
    tell.ended('a', result)
    expect(noted.size).toBe(0)
  })

  it('was last seen as it is noted until its end is in the ledger', () => {
    const { tell, handedOver, noted } = conversation({ canBeAsked: false })
    const columns = Object.keys(sampleIndex)
    handedOver.start(attempt('a'))
    tell.sampled('a', new Float64Array(columns.length).fill(1), 1, columns)
    tell.ended('a', result)
    expect([...noted.keys()]).toEqual(['a seen'])
    handedOver.endIsKept(attempt('a'))
    expect(noted.size).toBe(0)
  })

  it('is told with its certainty where nobody saw the end', () => {
    const { tell, handedOver, heard } = conversation()
    handedOver.start(attempt('a'))
    tell.gone('a', 'lost its machine')
    expect(heard).toEqual(['gone a interrupted'])
  })
})

describe('an attempt that the executor does not know', () => {
  it('is handed over again as long as it has not arrived', () => {
    const { tell, handedOver, asked } = conversation()
    handedOver.start(attempt('a'))
    tell.unknown('a')
    expect(asked).toEqual(['start a', 'start a'])
  })

  it.each(['accepted', 'started'] as const)('is not once it was %s: it may run', (word) => {
    const { tell, handedOver, asked, heard, system } = conversation()
    handedOver.start(attempt('a'))
    tell[word]('a', figures)
    system.advance(10)
    for (let times = 0; times < 10; times++) {
      tell.unknown('a')
      system.advance(10)
    }
    expect(asked.filter((each) => each.startsWith('start'))).toHaveLength(1)
    expect(heard.at(-1)).toBe('lost a interrupted')
  })

  it('is not when it is to end', () => {
    const { tell, handedOver, asked } = conversation()
    handedOver.start(attempt('a'))
    handedOver.cancelAll('SIGTERM')
    tell.unknown('a')
    expect(asked).toEqual(['start a', 'cancel SIGTERM 1 a'])
  })
})

describe('an attempt that is to end because nothing more is to start', () => {
  it('is one that has not begun', () => {
    const { tell, handedOver, asked } = conversation()
    for (const taskId of ['a', 'b']) handedOver.start(attempt(taskId))
    tell.started('a', figures)
    handedOver.withdrawUnstarted()
    tell.ended('b', result)
    expect(asked.slice(2)).toEqual(['cancel SIGTERM 1 b'])
    expect(['a', 'b'].filter((taskId) => handedOver.wasWithdrawn(taskId))).toEqual(['b'])
  })
})

describe('silence', () => {
  it('is asked about, and given up for lost in the end', () => {
    const { handedOver, asked, heard, noted, tell, system } = conversation()
    handedOver.start(attempt('a'))
    tell.accepted('a', {})
    system.advance(50)
    expect(asked).toEqual(['start a', ...Array.from({ length: 5 }, () => 'ask a')])
    expect(heard).toEqual([])
    system.advance(10)
    expect(heard).toEqual(['lost a interrupted'])
    expect(noted.has('a'), 'who comes after may still find it').toBe(true)
    tell.ended('a', result)
    tell.ended('a', result)
    expect(heard).toEqual(['lost a interrupted', 'late a'])
    const before = asked.length
    system.advance(600)
    expect(asked).toHaveLength(before)
  })

  it('is broken by any word', () => {
    const { handedOver, asked, heard, tell, system } = conversation()
    handedOver.start(attempt('a'))
    for (let times = 0; times < 20; times++) {
      system.advance(9)
      tell.started('a', figures)
    }
    expect(asked).toEqual(['start a'])
    expect(heard).toEqual(['started a'])
  })

  it('of an adopted attempt has it adopted again', () => {
    const { handedOver, asked, system } = conversation()
    handedOver.takeOver(attempt('a', true))
    system.advance(20)
    expect(asked).toEqual(['adopt a', 'adopt a'])
  })

  it('has a request to end repeated, as the same', () => {
    const { handedOver, asked, system } = conversation()
    handedOver.start(attempt('a'))
    handedOver.cancelAll('SIGINT')
    handedOver.cancelAll('SIGTERM')
    system.advance(10)
    expect(asked).toEqual([
      'start a',
      'cancel SIGINT 1 a',
      'cancel SIGTERM 2 a',
      'cancel SIGTERM 2 a',
      'ask a',
    ])
  })

  it('means nothing where nobody can be asked', () => {
    const { handedOver, asked, heard, system } = conversation({ canBeAsked: false })
    handedOver.start(attempt('a'))
    system.advance(1e6)
    expect([asked, heard]).toEqual([['start a'], []])
  })

  it('is over when the run is', () => {
    const { handedOver, asked, system } = conversation()
    handedOver.start(attempt('a'))
    handedOver.close()
    system.advance(1000)
    expect(asked).toEqual(['start a', 'close '])
  })
})
