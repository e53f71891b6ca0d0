import type { FailureReason } from '../model/remote-state.ts'
import type { RemoteProtocol } from '../model/remote-target.ts'
import type { HttpReply } from '../system/http-line.ts'

/** What came of a request. */
export type SendOutcome =
  | { readonly kind: 'sent'; readonly refusedSamples: number; readonly why: string | null }
  /** To be sent again, as it is. */
  | {
      readonly kind: 'again'
      readonly reason: FailureReason
      readonly why: string
      readonly afterSeconds: number | null
    }
  /** Sending it again would not help. */
  | { readonly kind: 'refused'; readonly why: string }
  /** They do not know remote write 2.0; `isCertain` where nothing else can be meant. */
  | { readonly kind: 'older'; readonly isCertain: boolean; readonly why: string }

/** Of OTLP, no other answer may be tried again. */
const otlpAgain: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** What an answer says, by the specification of each protocol. */
export function judgeReply(
  protocol: RemoteProtocol,
  reply: HttpReply,
  nowSeconds: number,
): SendOutcome {
  const { status } = reply
  const why = `the server answered ${status}`
  if (status >= 200 && status < 300) return accepted(protocol, reply)
  if (status === 429 || status >= 500) {
    if (protocol === 'otlp' && !otlpAgain.has(status)) return { kind: 'refused', why }
    const reason = status === 429 ? 'too_many' : 'server_error'
    return { kind: 'again', reason, why, afterSeconds: retryAfter(reply, nowSeconds) }
  }
  // Receivers of 1.0 may answer 400 to what they cannot read.
  if (protocol === 'remote-write-2' && (status === 415 || status === 400))
    return { kind: 'older', isCertain: status === 415, why }
  return { kind: 'refused', why }
}

function accepted(protocol: RemoteProtocol, { headers, text }: HttpReply): SendOutcome {
  if (protocol === 'remote-write-2') {
    const isKnown = ['samples', 'histograms', 'exemplars'].some(
      (what) => headers[`x-prometheus-remote-write-${what}-written`] !== undefined,
    )
    // A receiver of 1.0 that does not look at the type takes such a request for an empty one.
    if (!isKnown) return { kind: 'older', isCertain: true, why: 'nothing says that it was written' }
  }
  const refusedSamples = protocol === 'otlp' ? rejectedPoints(text) : 0
  const why = refusedSamples > 0 ? `${refusedSamples} samples were refused` : null
  return { kind: 'sent', refusedSamples, why }
}

/** How many points a partial success of OTLP leaves out. */
function rejectedPoints(text: string): number {
  try {
    const { partialSuccess } = JSON.parse(text) as {
      partialSuccess?: { rejectedDataPoints?: unknown }
    }
    const rejected = Number(partialSuccess?.rejectedDataPoints ?? 0)
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0
  } catch {
    // An answer may be empty.
    return 0
  }
}

/** Nobody is waited for longer than this, whatever they ask for. */
const longestWaitSeconds = 3600

/** In seconds, or as a date. */
function retryAfter({ headers }: HttpReply, nowSeconds: number): number | null {
  const given = headers['retry-after']
  if (given === undefined) return null
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : Date.parse(given) / 1000 - nowSeconds
  return Number.isNaN(seconds) ? null : Math.min(longestWaitSeconds, Math.max(0, seconds))
}
