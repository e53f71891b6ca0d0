import { whyNot, type Reading } from '../model/reading.ts'
import type { RemoteProtocol, RemoteTarget } from '../model/remote-target.ts'
import type { MetricBatch } from '../render/metrics/wire/metric-batch.ts'
import type { OtlpSender } from '../render/metrics/wire/otlp-json.ts'
import type { HttpLine } from '../system/http-line.ts'
import { judgeReply, type SendOutcome } from './judge-reply.ts'
import { wireRequest } from './wire-request.ts'

export interface SendParts {
  readonly line: Pick<HttpLine, 'post'>
  readonly sender: OtlpSender
  readonly wallSeconds: () => number
  /** The first line of a private file. */
  readonly secret: (path: string) => Reading<string>
}

/** Sends batches to one target, in the newest protocol that both sides know. */
export class BatchPost {
  readonly #target: RemoteTarget
  readonly #parts: SendParts
  #protocol: RemoteProtocol
  /** Whether the other side has ever understood us. */
  #isUnderstood = false

  constructor(target: RemoteTarget, parts: SendParts) {
    this.#target = target
    this.#parts = parts
    this.#protocol = target.protocol
  }

  async send(batch: MetricBatch): Promise<{ outcome: SendOutcome; bodyBytes: number }> {
    const first = await this.#sendAs(this.#protocol, batch)
    const { outcome } = first
    if (outcome.kind === 'sent') this.#isUnderstood = true
    if (outcome.kind !== 'older') return first
    if (this.#isUnderstood && !outcome.isCertain) return { ...first, outcome: refused(outcome.why) }
    const second = await this.#sendAs('remote-write-1', batch)
    if (outcome.isCertain || second.outcome.kind === 'sent') this.#protocol = 'remote-write-1'
    return { ...second, bodyBytes: first.bodyBytes + second.bodyBytes }
  }

  async #sendAs(
    protocol: RemoteProtocol,
    batch: MetricBatch,
  ): Promise<{ outcome: SendOutcome; bodyBytes: number }> {
    const { url, labels, timeoutSeconds } = this.#target
    const secrets = this.#secretHeaders()
    if (secrets.kind !== 'ok') return { outcome: again('secret', whyNot(secrets)), bodyBytes: 0 }
    const { headers, body } = wireRequest(protocol, batch, labels, this.#parts.sender)
    const reply = await this.#parts.line.post({
      url,
      headers: { ...this.#target.headers, ...secrets.value, ...headers },
      body,
      timeoutSeconds,
    })
    const outcome =
      reply.kind === 'ok'
        ? judgeReply(protocol, reply.value, this.#parts.wallSeconds())
        : again('no_answer', whyNot(reply))
    return { outcome, bodyBytes: body.byteLength }
  }

  /** Read each time, so that a new one counts at once. */
  #secretHeaders(): Reading<Record<string, string>> {
    const { headerFiles, bearerTokenFile } = this.#target
    const found: Record<string, string> = {}
    for (const [name, path] of Object.entries(headerFiles)) {
      const secret = this.#parts.secret(path)
      if (secret.kind !== 'ok') return secret
      found[name] = secret.value
    }
    if (bearerTokenFile !== null) {
      const token = this.#parts.secret(bearerTokenFile)
      if (token.kind !== 'ok') return token
      found['authorization'] = `Bearer ${token.value}`
    }
    return { kind: 'ok', value: found }
  }
}

const refused = (why: string): SendOutcome => ({ kind: 'refused', why })

const again = (reason: 'no_answer' | 'secret', why: string): SendOutcome => ({
  kind: 'again',
  reason,
  why,
  afterSeconds: null,
})
