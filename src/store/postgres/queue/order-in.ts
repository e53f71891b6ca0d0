import type { QueueOrder } from '../../../model/queue.ts'

/** What a row says is to be run; undefined where it says nothing of the kind: others can write there as well. */
export function orderIn(definition: unknown): QueueOrder | undefined {
  const order = parsed(String(definition))
  if (!isRecord(order) || !isRunnable(order)) return undefined
  const { name, tool, script, image, labels, tags, params, attempt } = order
  const isWhole =
    [name, tool, image].every(isText) &&
    (script === null || isText(script)) &&
    [labels, tags].every(isTexts) &&
    isRecord(params) &&
    (attempt === undefined || (isRecord(attempt) && isRunnable(attempt) && hasStreams(attempt)))
  return isWhole ? (order as unknown as QueueOrder) : undefined
}

/** What an order and the attempt of a workflow in it have in common. */
function isRunnable(order: Readonly<Record<string, unknown>>): boolean {
  const { command, workingDirectory, environment, requirements } = order
  return (
    isTexts(command) &&
    isText(command[0]) &&
    isText(workingDirectory) &&
    isRecord(environment) &&
    Object.values(environment).every(isText) &&
    isRecord(requirements) &&
    Object.values(requirements).every(isNumberOrNull) &&
    isNumberOrNull(order['timeoutSeconds']) &&
    isNumberOrNull(order['memoryLimitBytes']) &&
    isNumberOrNull(order['intervalSeconds']) &&
    typeof order['graceSeconds'] === 'number'
  )
}

/** The files of its standard streams, as far as it names them. */
const hasStreams = ({ stdin = '', stdout = '', stderr = '' }: Readonly<Record<string, unknown>>) =>
  [stdin, stdout, stderr].every(isText)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string'

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(isText)

const isNumberOrNull = (value: unknown): boolean => value === null || typeof value === 'number'
