import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { programCommand } from '../../../test/program.ts'
import { ourselves } from '../../record/owner.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { readSpec } from '../../workflow/spec/read-spec.ts'
import { ServedLedger } from '../served-ledger.ts'
import { cancelWorkflow } from '../change-workflow.ts'
import { specSince } from '../mended-spec.ts'
import { cancelCommand } from './cancel-command.ts'
import type { StartPlace } from './start-program.ts'
import { submitCommand, submittedJob, type SubmittedCommand } from './submit-command.ts'
import {
  refuseHostile,
  resumeWorkflow,
  submitWorkflow,
  untilTaken,
  type SubmittedWorkflow,
} from './submit-workflow.ts'

let directory: string
let system: System
let served: ServedLedger
let place: StartPlace
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-actions-'))
  const [logDirectory, workingDirectory] = [join(directory, 'logs'), join(directory, 'work')]
  for (const each of [logDirectory, workingDirectory]) mkdirSync(each)
  system = realSystem({ ownsProcess: false })
  const ledger = join(directory, 'ledger.db')
  const environment = { PATH: process.env['PATH'], HOME: directory, GIVEN: 'by configuration' }
  place = { program: programCommand, ledger, workingDirectory, environment, logDirectory }
  served = new ServedLedger(system, ledger)
})
afterEach(() => {
  served.close()
  rmSync(directory, { recursive: true })
})

async function recordOf(wanted: SubmittedCommand) {
  const submission = submitCommand(system, place, wanted)
  const record = await submittedJob(system, (question) => served.ask(question), submission, 90)
  if (record === undefined) throw new Error(readFileSync(submission.stderr, 'utf8'))
  return { record, submission }
}

/** Asks again and again until it is so. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let times = 0; times < 1200; times += 1) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('it never came')
}

const ended = (taskId: string) =>
  until(() =>
    served.ask(async ({ jobs }) => {
      const [record] = await jobs.findByPrefix(taskId)
      return record?.status === 'running' ? undefined : record
    }),
  )

describe('a command that is submitted', () => {
  it('runs as it is, without a shell, where and with what the configuration says', async () => {
    const command = [
      'node',
      '-p',
      'process.cwd() + " " + process.env.GIVEN',
      '$(id); `id` "x"',
      '--db=no',
    ]
    const { record, submission } = await recordOf({
      command,
      name: '--quiet; $(id)',
      tags: ['a,b', '--x'],
      cpus: 2,
      memoryBytes: 1_000_000,
      runtimeSeconds: 90,
    })
    expect(record).toMatchObject({
      command,
      name: '--quiet; $(id)',
      tags: ['a,b', '--x', submission.tag],
      requirements: { cpus: 2, memoryBytes: 1_000_000, runtimeSeconds: 90 },
      workingDirectory: place.workingDirectory,
    })
    expect(await ended(record.taskId)).toMatchObject({ status: 'success' })
    expect(readFileSync(submission.stdout, 'utf8')).toBe(
      `${place.workingDirectory} by configuration\n`,
    )
  })

  it('is cancelled by the process that runs it', async () => {
    const { record, submission } = await recordOf({ command: ['sleep', '60'] })
    expect(record.status).toBe('running')
    expect(cancelCommand(system, place.ledger, record)).toBe(submission.pid)
    expect(await ended(record.taskId)).toMatchObject({ signal: 'SIGTERM' })
  })

  it.each([[[]], [['']], [['a\0b']]])('is refused if it is %j', (command) => {
    expect(() => submitCommand(system, place, { command })).toThrow('command')
  })
})

describe('cancelling', () => {
  const running = { taskId: 'a', status: 'running' } as const

  it('never signals a process that only has the same pid', () => {
    const us = ourselves(system)
    for (const owner of [
      us,
      { ...us, pid: process.ppid, startTicks: 1 },
      { ...us, pid: process.ppid, bootId: 'another boot' },
      { ...us, pid: process.ppid, host: 'another host' },
    ])
      expect(() => cancelCommand(system, place.ledger, { ...running, owner })).toThrow(
        'cannot be reached',
      )
  })

  it('is refused once the job is over', () => {
    const record = { ...running, status: 'success', owner: ourselves(system) } as const
    expect(() => cancelCommand(system, place.ledger, record)).toThrow('is over')
  })
})

const submitText = (ledger: Ledger, text: string): SubmittedWorkflow => {
  const sent = { text, fileName: 'w.yaml' }
  return submitWorkflow(system, ledger, place, sent, readSpec(text, sent.fileName))
}

describe('a workflow that is submitted', () => {
  const spec = (command: string): string => `name: w\njobs:\n  - name: a\n    command: ${command}\n`

  it('is kept and run, and can be resumed', async () => {
    const text = spec('test -e go && echo done > result')
    const submitted = await served.ask((_reader, ledger) => submitText(ledger, text))
    if (submitted.kind !== 'started') throw new Error(JSON.stringify(submitted.errors))
    const { workflowId } = submitted
    const state = (wanted: 'failed' | 'succeeded') =>
      until(() =>
        served.ask(async ({ workflows }) => {
          const row = await workflows.findWorkflowRow(workflowId)
          const count = wanted === 'failed' ? row?.states.failed : row?.states.success
          return row?.leasedBy === null && count === 1 ? row : undefined
        }),
      )
    await state('failed')
    mkdirSync(join(place.workingDirectory, 'go'))
    const again = await served.ask((_reader, ledger) =>
      resumeWorkflow(system, ledger, place, String(workflowId)),
    )
    expect(again.runsBefore).toBe(1)
    await state('succeeded')
    expect(readFileSync(join(place.workingDirectory, 'result'), 'utf8')).toBe('done\n')
  })

  it('can be cancelled, and not be resumed while it runs', async () => {
    const submitted = await served.ask((_reader, ledger) => submitText(ledger, spec('sleep 60')))
    if (submitted.kind !== 'started') throw new Error(JSON.stringify(submitted.errors))
    const id = String(submitted.workflowId)
    await until(() =>
      served.ask(async ({ jobs }) => (await jobs.find({ status: 'running', limit: 1 }))[0]),
    )
    await expect(
      served.ask((_reader, ledger) => resumeWorkflow(system, ledger, place, id)),
    ).rejects.toThrow('is being run')
    const { runnerPid } = await served.ask((_reader, ledger) =>
      cancelWorkflow(system, ledger, id, () => {}),
    )
    expect(runnerPid).toBe(submitted.runner.pid)
    const [record] = await served.ask(({ jobs }) => jobs.find({ limit: 1 }))
    expect(await ended(record?.taskId ?? '')).not.toMatchObject({ status: 'success' })
  })

  it('is not compared with a file that happens to have its name', async () => {
    writeFileSync(join(place.workingDirectory, 'w.yaml'), 'of somebody else')
    const { hasChanged, path, workflowId } = await served.ask((_reader, ledger) => {
      const submitted = submitText(ledger, spec('echo'))
      if (submitted.kind !== 'started') throw new Error(JSON.stringify(submitted.errors))
      const { workflowId: id } = submitted
      return { ...specSince(system, ledger, id), workflowId: id }
    })
    expect([hasChanged, path]).toEqual([false, 'sent:w.yaml'])
    await until(() =>
      served.ask(async ({ workflows }) => {
        const row = await workflows.findWorkflowRow(workflowId)
        return row?.leasedBy === null && row.states.success === 1 ? row : undefined
      }),
    )
  })

  it('is told what is wrong with it, and leaves no trace', async () => {
    const submitted = await served.ask((_reader, ledger) => submitText(ledger, 'jobs: 3'))
    expect(submitted.kind).toBe('wrong')
    expect(await served.ask(({ workflows }) => workflows.listWorkflows())).toEqual([])
  })

  it.each(['../w.yaml', '/etc/w.yaml', '.w.yaml', 'a/b.yaml'])('has no folder: %s', (fileName) => {
    expect(() => refuseHostile({ text: spec('true'), fileName })).toThrow('file_name')
  })

  it('that no runner can begin is refused in the words of its runner', async () => {
    const text = `name: big
resource_requirements: [{ name: r, num_cpus: 4000, memory: 1g }]
jobs: [{ name: a, command: 'true', resource_requirements: r }]
`
    await expect(
      served.ask(async (reader, ledger) => {
        const made = submitText(ledger, text)
        if (made.kind !== 'started') throw new Error(JSON.stringify(made.errors))
        const { workflowId, runner } = made
        await untilTaken(system, reader, workflowId, { runner, runsBefore: 0 }, 90)
      }),
    ).rejects.toThrow('a asks for 4000 CPUs')
  })
})

describe('a workflow that is sent to keep the server busy', () => {
  it.each([
    ['brackets', '{a: '.repeat(60_000)],
    ['lists', '- '.repeat(120_000)],
    ['keys', '? '.repeat(120_000)],
    ['lists with wide gaps', '-  '.repeat(80_000)],
    [
      'anchors',
      Array.from({ length: 15_000 }, (_, each) => `a${each}: &x${each} ${each}`).join('\n'),
    ],
  ])('is refused at once: %s', (_, text) => {
    const began = process.cpuUsage()
    for (const fileName of ['w.yaml', 'w.json', 'w.kdl'])
      expect(() => refuseHostile({ text, fileName })).toThrow(
        /nested more than 200 levels deep|more than 500 anchors/,
      )
    // Of our own time: others may have the machine meanwhile.
    const { user, system: kernel } = process.cpuUsage(began)
    expect((user + kernel) / 1000).toBeLessThan(500)
  })
})
