import fc from 'fast-check'
import { existsSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sandbox, type Running, type Sandbox } from './program.ts'

interface Sent {
  readonly type: string
  readonly id?: number | null
  readonly line?: number
  readonly message?: string
  readonly reason?: string
  readonly result?: Readonly<Record<string, unknown>>
}

interface Portion {
  readonly jobs: readonly { readonly task_id: string }[]
  readonly next: string | null
}

const lines = (text: string): Sent[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Sent)

describe('jobmeter sidecar', () => {
  let box: Sandbox
  beforeEach(() => {
    box = sandbox()
  })
  afterEach(() => box[Symbol.dispose]())

  /** Sends these and ends the input. */
  const told = async (...messages: (object | string)[]): Promise<Sent[]> => {
    const input = messages.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    const ended = await box.jobmeter(['sidecar', '--pid', String(process.pid)], {
      input: `${input.join('\n')}\n`,
    })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    return lines(ended.stdout)
  }

  it('says hello with its protocol, answers what has an id, and says why it ends', async () => {
    const sent = await told({ type: 'hello', protocol: 1, id: 7 }, { type: 'hello', protocol: 1 })
    expect(sent).toEqual([
      expect.objectContaining({ type: 'hello', protocol: 1, watching: process.pid }),
      { type: 'answer', id: 7, result: { protocol: 1 } },
      { type: 'bye', reason: 'the input has ended' },
    ])
  })

  it('answers bad lines, each with its number, and goes on', async () => {
    const [, ...sent] = await told(
      'nonsense',
      '[1]',
      '{"typ":"look"}',
      { type: 'looks' },
      { type: 'hello', protocol: 2, id: 1 },
      { type: 'batch', batch: 0 },
      { type: 'monitor', id: 2, options: { log_intervall: 5 } },
      { type: 'monitor', id: 3, options: { log_interval: 0 } },
      { type: 'monitor', id: 4, yaml: 'resource_monitor:\n  enabled: 1\n', file: 'm.yaml' },
      `"${'x'.repeat(2_000_000)}"`,
      { type: 'hello', protocol: 1, id: 5 },
    )
    expect(sent.slice(0, -2)).toEqual(
      [
        [null, 'not valid JSON: each line is one JSON object'],
        [null, 'expected a JSON object, such as {"type":"look"}'],
        [null, 'a message has a "type", such as {"type":"look"}'],
        [null, 'unknown type "looks". Did you mean look?'],
        [1, 'protocol 2 is not spoken here; this program speaks 1'],
        [null, 'nothing is monitored; send "monitor" first'],
        [2, 'unknown option "log_intervall". Did you mean log_interval?'],
        [3, 'log_interval must be a whole number of at least 1, not 0'],
        [4, 'm.yaml:2:12 resource_monitor.enabled: expected true or false, found 1'],
        [null, 'a line has at most 1048576 characters'],
      ].map(([id, message], index) => ({ type: 'error', id, line: index + 1, message })),
    )
    expect(sent.at(-2)).toEqual({ type: 'answer', id: 5, result: { protocol: 1 } })
  })

  it('ends the tasks of a client that is gone', async () => {
    const begun = box.path('begun')
    const tools = { wait: ['sh', '-c', `echo $$ > ${begun}; exec sleep 60`] }
    const tasks = [{ tool: 'wait' }]
    const [, answer] = await told({ type: 'tasks_submit', id: 1, tools, tasks })
    expect(answer).toMatchObject({ type: 'answer', result: { task_ids: [expect.any(String)] } })
    // It may have been ended before it had written its number.
    const pid = existsSync(begun) ? readFileSync(begun, 'utf8').trim() : ''
    expect(pid !== '' && existsSync(`/proc/${pid}`)).toBe(false)
    const { stdout } = await box.jobmeter(['job-history', '--format', 'json'])
    expect(stdout).toContain('"status": "cancelled"')
  })

  it('stands whatever it is sent', async () => {
    const noise = fc.sample(
      fc.oneof(
        fc.string().map((text) => text.replaceAll('\n', ' ')),
        fc.json(),
        fc.record({
          type: fc.constantFrom(
            'monitor',
            'batch',
            'epoch_end',
            'look',
            'profile_stop',
            'job_stop',
          ),
          options: fc.jsonValue(),
          batch: fc.jsonValue(),
          batch_seconds: fc.jsonValue(),
          epoch: fc.jsonValue(),
          profiler: fc.jsonValue(),
          task_id: fc.jsonValue(),
        }),
      ),
      300,
    )
    const sent = await told(...noise, { type: 'hello', protocol: 1, id: 'last' })
    expect(sent.at(-2)).toEqual({ type: 'answer', id: 'last', result: { protocol: 1 } })
  })

  it('measures a training by its marks', async () => {
    const sent = await told(
      { type: 'monitor', id: 1, options: { log_interval: 2, timeseries_path: box.path('logs') } },
      { type: 'epoch_start', epoch: 4 },
      { type: 'batch', batch: 0, batch_seconds: 0.01, data_seconds: [0.002] },
      { type: 'times', batch_seconds: [0.02] },
      { type: 'phase', phase: 'validate' },
      { type: 'batch', batch: 2, batch_seconds: [0.03] },
      { type: 'epoch_end', epoch: 4, id: 2 },
      { type: 'monitor_end', id: 3 },
    )
    const metrics = sent.filter(({ type }) => type === 'metrics')
    expect(metrics).toMatchObject([
      {
        epoch: 4,
        batch: 0,
        phase: 'train',
        metrics: {
          batch_time_mean_ms: 10,
          data_time_p95_ms: 2,
          memory_percent: expect.any(Number),
        },
        text: expect.stringContaining('[Resources] Batch 0:\n'),
      },
      { batch: 2, phase: 'validate', metrics: { batch_time_mean_ms: 25, batch_time_p95_ms: 30 } },
    ])
    expect(sent.find(({ id }) => id === 2)?.result).toMatchObject({
      epoch: 4,
      batches: 3,
      timeseries: box.path('logs/epoch_4.csv'),
    })
    expect(readFileSync(box.path('logs/epoch_4.csv'), 'utf8').split('\n')).toHaveLength(4)
  })

  it('answers a long history in portions, and gives up those that nobody goes on with', async () => {
    const settings = { log_dir: box.path('logs'), enable_profiling: false }
    const jobs = Array.from({ length: 3 }, (_, index) => `t${index}`)
    const params = { text: 'x'.repeat(250_000) }
    const asked = { type: 'job_history', in_portions: true, ...settings }
    const sent = await told(
      ...jobs.flatMap((id) => [
        { type: 'job_start', task_id: id, tool: 'tool', params, ...settings },
        { type: 'job_stop', task_id: id, ...settings },
      ]),
      { ...asked, id: 1 },
      { type: 'job_history', next: '1', id: 2 },
      { type: 'job_history', next: '1', id: 3 },
      { type: 'job_history', next: '1', id: 4 },
      { type: 'job_history', next: '1', id: 5 },
      ...Array.from({ length: 17 }, (_, index) => ({ ...asked, id: 100 + index })),
      { type: 'job_history', next: '2', id: 6 },
      { type: 'job_history', next: '3', id: 7 },
    )
    const answer = (id: number) => sent.find((one) => one.id === id)
    const portion = (id: number) => answer(id)?.result as unknown as Portion
    const portions = [1, 2, 3, 4].map(portion)
    expect(portions.map(({ jobs: some }) => some.map(({ task_id: taskId }) => taskId))).toEqual([
      ['t2'],
      ['t1'],
      ['t0'],
      [],
    ])
    expect(portions.map(({ next }) => next)).toEqual(['1', '1', '1', null])
    expect(answer(5)?.message).toBe('there is no more of history "1"')
    expect(answer(6)?.message).toBe('there is no more of history "2"')
    expect(portion(7).jobs).toHaveLength(1)
  })

  it('refuses a process that is not there', async () => {
    const ended = await box.jobmeter(['sidecar', '--pid', '4194304'])
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toContain('there is no process 4194304')
  })

  const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`)

  it('ends with the process that it watches, though its input stays open', async () => {
    const watched: Running = box.terminal('cat')
    const sidecar = box.start(['sidecar', '--pid', String(watched.pid)])
    await sidecar.saw('"hello"')
    watched.signal('SIGKILL')
    const ended = await sidecar.ended
    expect(lines(ended.stdout).at(-1)).toEqual({
      type: 'bye',
      reason: `process ${watched.pid} has ended`,
    })
    expect(isRunning(sidecar.pid)).toBe(false)
    await watched.ended
  })

  it('ends when it is told to, and when nobody reads what it says', async () => {
    const sidecar = box.start(['sidecar', '--pid', String(process.pid)])
    await sidecar.saw('"hello"')
    sidecar.signal('SIGTERM')
    expect(lines((await sidecar.ended).stdout).at(-1)?.reason).toBe('it was told to end')
    // It hears more and more, and its answers go to nobody.
    const words = `echo '{"type":"hello","protocol":1,"id":1}'`
    const talk = `for i in $(seq 100); do ${words}; sleep 0.1; done`
    const deaf = await box.shell(
      `$JOBMETER sidecar --pid $$ < <(exec 2>/dev/null; ${talk}) | head -1`,
    )
    expect(lines(deaf.stdout)).toHaveLength(1)
  })
})
