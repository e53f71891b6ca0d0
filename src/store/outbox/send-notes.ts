import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { shownAddress } from '../ledger/team-address.ts'
import { isObject, isText } from '../valid.ts'

/**
 * Why a process that sends goes on: it was told to do so for ever; who started it may write; jobs run whose ends are to be
 * sent; something waits and the team does not take it; or nothing, and it ends if nothing comes.
 */
export const reasonsToStay = ['ever', 'starter', 'jobs', 'unsent', 'rest'] as const
export type StaysFor = (typeof reasonsToStay)[number]

/** What a sender notes beside the ledger, for each team that it is sent to: who the ledger is to the team, and how sending goes. */
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

/** A ledger, and one of the teams that it is sent to. */
export interface Destination {
  readonly ledger: string
  /** Of the team. */
  readonly address: string
}

export const sendNotesPath = (to: Destination): string => `${besideLedger(to)}.json`

/** Whoever goes on sending there holds the lock of this name. */
export const sendLockPath = (to: Destination): string => `${besideLedger(to)}.lock`

/** Names for each team: what one has, and who sends to it, says nothing of another. A password may change. */
function besideLedger({ ledger, address }: Destination): string {
  const hash = createHash('sha256').update(shownAddress(address)).digest('hex')
  return `${ledger}.team-${hash.slice(0, 16)}`
}

/** Undefined where nobody has sent yet, or what is there is not ours. */
export function readSendNotes(to: Destination): SendNotes | undefined {
  let stored: unknown
  try {
    stored = JSON.parse(plainText(sendNotesPath(to)))
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
