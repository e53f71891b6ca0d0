import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { installDebian, type Missing } from '../debian.ts'
import { freePort } from '../free-port.ts'

/** Debian's, unless another one is named. */
const program = process.env['JOBMETER_TEST_PROMETHEUS'] ?? 'prometheus'

const has = (): boolean => spawnSync(program, ['--version']).status === 0

/** Why there is no Prometheus; on CI that is a failure. */
export function whyNoPrometheus(): Missing {
  const missing = installDebian('prometheus', has, 'prometheus')
  if (missing !== undefined && process.env['CI'] === 'true') throw new Error(missing)
  return missing
}

/** Why there is none that takes remote write 2.0 and OTLP. */
export function whyNoPrometheus3(): Missing {
  const missing = whyNoPrometheus()
  if (missing !== undefined) return missing
  const { stdout, stderr } = spawnSync(program, ['--help'])
  const help = `${String(stdout)}${String(stderr)}`
  return help.includes('accepted-protobuf-messages') && help.includes('otlp-receiver')
    ? undefined
    : 'this Prometheus takes neither remote write 2.0 nor OTLP: JOBMETER_TEST_PROMETHEUS names another one'
}

interface Answer {
  readonly status: string
  readonly error?: string
  readonly data: unknown
}

/** A real Prometheus, or what answers as one, on loopback, with its data in a folder of its own. */
export class Prometheus implements AsyncDisposable {
  readonly url: string
  readonly #stop: () => Promise<void>

  private constructor(url: string, stop: () => Promise<void>) {
    this.url = url
    this.#stop = stop
  }

  static start(config: string, ...more: readonly string[]): Promise<Prometheus> {
    return Prometheus.startProgram(program, '/-/ready', (folder, address) => {
      writeFileSync(join(folder, 'prometheus.yml'), config)
      return [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=${address}`,
        '--log.level=warn',
        ...more,
      ]
    })
  }

  static async startProgram(
    command: string,
    readyPath: string,
    argumentsFor: (folder: string, address: string) => string[],
  ): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), `jobmeter-${basename(command)}-`))
    const address = `127.0.0.1:${await freePort()}`
    const stdio = ['ignore', 'ignore', 'pipe'] as const
    const child = spawn(command, argumentsFor(folder, address), { stdio: [...stdio] })
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const started = new Prometheus(`http://${address}`, async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    })
    await started.until(`${command} is ready (it said: ${said})`, async () => {
      const answer = await fetch(started.url + readyPath).catch(() => undefined)
      return answer?.ok === true
    })
    return started
  }

  /** Asks again and again, for at most a minute. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const giveUp = performance.now() + 60_000
    while (!(await isSo())) {
      if (performance.now() > giveUp) throw new Error(`not within 60 s: ${what}`)
      await wait(100)
    }
  }

  async ask(path: string, parameters: Readonly<Record<string, string>>): Promise<unknown> {
    const query = new URLSearchParams(parameters).toString()
    const answer = await fetch(`${this.url}/api/v1/${path}?${query}`)
    const { status, error, data } = (await answer.json()) as Answer
    if (status !== 'success') throw new Error(`${path} ${JSON.stringify(parameters)}: ${error}`)
    return data
  }

  /** The series that a query has now. */
  async series(query: string): Promise<readonly { metric: object; value: [number, string] }[]> {
    const data = (await this.ask('query', { query })) as { result: [] }
    return data.result
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop()
  }
}
