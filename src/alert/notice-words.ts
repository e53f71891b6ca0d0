import type { AlertNotice, AlertSubject } from '../model/alert.ts'
import type { Transition } from './evaluate/job-watch.ts'

/** Four digits are enough to see what is wrong. */
export const shortNumber = (value: number): string => String(Number(value.toPrecision(4)))

/** What is wrong, or why it is over, in one sentence. `reason`: why the job ended as it did. */
export function sentenceOf(
  { kind, rule, value, usual, because }: Transition,
  reason: string | null,
): string {
  const { says, metric, condition, forSeconds, at } = rule
  if (kind === 'resolved') {
    if (because !== null) return `${says}: over, because ${because}`
    return `${says}: over${value === null ? '' : `, ${metric} is ${shortNumber(value)}`}`
  }
  if (at === 'end' && reason !== null) return `${says}: ${reason}`
  const found = value === null ? says : `${says}: ${metric} is ${shortNumber(value)}`
  const lasting = forSeconds > 0 ? ` for ${shortNumber(forSeconds)} s` : ''
  if (condition.kind !== 'unusual')
    return at === 'end' ? found : `${found}, ${condition.kind} ${condition.threshold}${lasting}`
  return usual === undefined ? found : `${found}${lasting}, usually ${shortNumber(usual.median)}`
}

const longestName = 200
/** Chats refuse a message with more than some thousand characters, and what comes after it would wait. */
const longestText = 1000

/** Names and errors of jobs are not ours: none may look like a further line, nor fill the message. */
function oneLine(text: string, longest: number): string {
  const line = text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line
}

/** `job train, GPU 0, on node1`. */
export function subjectWords({ host, job, gpu }: AlertSubject): string {
  const parts = [
    ...(job === null ? [] : [`job ${oneLine(job, longestName)}`]),
    ...(gpu === null ? [] : [`GPU ${gpu}`]),
    `on ${host}`,
  ]
  return parts.join(', ')
}

/** What is wrong, as people read it. */
export const noticeText = ({ text }: AlertNotice): string => oneLine(text, longestText)

/** One line for people. */
export const noticeLine = (notice: AlertNotice): string =>
  `[${notice.kind === 'resolved' ? 'resolved' : notice.severity}] ${noticeText(notice)} (${subjectWords(notice.subject)})`

/** The head of a message of one notice or several. */
export function headline(notices: readonly AlertNotice[]): string {
  const [only] = notices
  if (only !== undefined && notices.length === 1) return noticeLine(only)
  const firing = notices.filter(({ kind }) => kind === 'firing').length
  const counts = [
    ...(firing > 0 ? [`${firing} firing`] : []),
    ...(firing < notices.length ? [`${notices.length - firing} resolved`] : []),
  ]
  return `jobmeter: ${counts.join(', ')}`
}

/** A notice as programs read it. */
export function noticeJson(notice: AlertNotice): object {
  const { subject } = notice
  return {
    id: notice.id,
    alert_id: notice.alertId,
    status: notice.kind,
    rule: notice.rule,
    severity: notice.severity,
    text: notice.text,
    metric: notice.metric,
    value: notice.value,
    threshold: notice.threshold,
    host: subject.host,
    job_name: subject.job,
    task_id: subject.taskId,
    gpu: subject.gpu,
    at: isoTime(notice.at),
    fired_at: isoTime(notice.firedAt),
  }
}

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString()
