import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { isObject, isText } from '../valid.ts'

/**
 * Why a process that sends goes on: it was told to do so for ever; who started it may write; jobs run whose ends are to be
 * sent; something waits and the team does not take it; or nothing, and it ends if nothing comes.
 */
export const reasonsToStay = ['ever', 'starter', 'jobs', 'unsent', 'rest'] as const
export type StaysFor = (typeof reasonsToStay)[number]

/** What a sender notes beside the ledger: who the ledger is to the team, and how sending goes. */
export interface SendNotes {
  /** The name that the team knows the ledger by. */
  readonly ledgerId: string
  /** Up to which attempt it was sent. */
  readonly sentAttemptId: number
  /** Tasks of those that ran when they were last sent. */
  readonly following: readonly string[]
  readonly succeededAt: number | null
  readonly failedAt: number | null
  readonly failure: string | null
  /** Records that the team ledger cannot hold; the newest ones. */
  readonly refused: readonly { readonly record: string; readonly reason: string }[]
  /** The process that goes on sending; it may have been killed since. */
  readonly sender: { readonly pid: number; readonly staysFor: StaysFor } | null
}

export const sendNotesPath = (ledger: string): string => `${ledger}.team.json`

/** Undefined where nobody has sent yet, or what is there is not ours. */
export function readSendNotes(ledger: string): SendNotes | undefined {
  let stored: unknown
  try {
    stored = JSON.parse(plainText(sendNotesPath(ledger)))
  } catch {
    return undefined
  }
  if (!isObject(stored) || !isText(stored['ledgerId'])) return undefined
  const { ledgerId, sentAttemptId, following, succeededAt, failedAt, failure, refused, sender } =
    stored
  return {
    ledgerId,
    sentAttemptId: typeof sentAttemptId === 'number' ? sentAttemptId : 0,
    following: Array.isArray(following) ? following.filter(isText) : [],
    succeededAt: typeof succeededAt === 'number' ? succeededAt : null,
    failedAt: typeof failedAt === 'number' ? failedAt : null,
    failure: isText(failure) ? failure : null,
    refused: Array.isArray(refused) ? refused.filter(isRefused) : [],
    sender: isSender(sender) ? sender : null,
  }
}

/** Of a file alone: another may lie there, and one that nobody writes to is waited for for ever. */
function plainText(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(`${path} is not a file`)
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

const isRefused = (entry: unknown): entry is SendNotes['refused'][number] =>
  isObject(entry) && isText(entry['record']) && isText(entry['reason'])

const isSender = (entry: unknown): entry is NonNullable<SendNotes['sender']> =>
  isObject(entry) &&
  Number.isSafeInteger(entry['pid']) &&
  reasonsToStay.some((reason) => reason === entry['staysFor'])
