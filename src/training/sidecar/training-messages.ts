import { didYouMean } from '../../model/suggest.ts'
import type { Metrics } from '../metric-names.ts'
import {
  fromSnakeCase,
  inSnakeCase,
  settingNames,
  settled,
  snakeName,
  type ResourceMonitorSettings,
} from '../options.ts'
import {
  ResourceMonitorCallback,
  type LoggedBatch,
  type ResourceMonitorOptions,
} from '../resource-monitor-callback.ts'
import { MessageError, type Fields } from './message.ts'
import type { Handlers, SidecarContext } from './handlers.ts'

interface Monitored {
  readonly callback: ResourceMonitorCallback
  phase: string
}

/** The messages of trainings: what to watch, and where each is. A client that has several gives each a name. */
export function trainingMessages(context: SidecarContext): Handlers {
  const monitors = new Map<string | undefined, Monitored>()
  const monitored = (fields: Fields): Monitored => {
    const found = monitors.get(fields.text('monitor'))
    if (found === undefined) throw new MessageError('nothing is monitored; send "monitor" first')
    return found
  }
  const callbackOf = (fields: Fields): ResourceMonitorCallback => monitored(fields).callback
  const end = (name: string | undefined): void => {
    monitors.get(name)?.callback.onTrainEnd()
    monitors.delete(name)
  }
  return {
    async monitor(fields) {
      const name = fields.text('monitor')
      end(name)
      const settings = await settingsIn(fields)
      const phase = (): string => monitors.get(name)?.phase ?? firstPhase
      const callback = new ResourceMonitorCallback({
        ...settings,
        ...reports(context, name, phase),
      })
      monitors.set(name, { callback, phase: firstPhase })
      await callback.onTrainStart()
      return { settings: inSnakeCase(settings) }
    },
    phase(fields) {
      const found = monitored(fields)
      found.phase = fields.requiredText('phase')
      found.callback.onPause()
      return { phase: found.phase }
    },
    epoch_start(fields) {
      callbackOf(fields).onEpochStart(fields.requiredCount('epoch'))
      return {}
    },
    batch(fields) {
      const callback = callbackOf(fields)
      addTimes(callback, fields)
      return { logged: callback.onTimedBatch(fields.requiredCount('batch')) !== undefined }
    },
    times(fields) {
      addTimes(callbackOf(fields), fields)
      return {}
    },
    epoch_end(fields) {
      return { ...callbackOf(fields).onEpochEnd(fields.requiredCount('epoch')) }
    },
    look(fields) {
      return { metrics: callbackOf(fields).getMetrics() }
    },
    check_alerts(fields) {
      return { alerts: callbackOf(fields).checkAlerts(metricsIn(fields)) }
    },
    export_timeseries(fields) {
      callbackOf(fields).exportTimeseries(metricsIn(fields), fields.requiredCount('step'))
      return {}
    },
    monitor_end(fields) {
      monitored(fields)
      end(fields.text('monitor'))
      return {}
    },
  }
}

const firstPhase = 'train'

/** Options win over the file; paths begin where the client is, which need not be where this process is. */
async function settingsIn(fields: Fields): Promise<ResourceMonitorSettings> {
  const options = optionsIn(fields.record('options') ?? {})
  const yaml = fields.text('yaml')
  const file = fields.text('file') ?? 'resource_monitor.yaml'
  const given = yaml === undefined ? options : { ...(await fromYaml(yaml, file)), ...options }
  const settings = settled(given, snakeName)
  const directory = fields.text('directory')
  const { timeseriesPath } = settings
  return directory === undefined || timeseriesPath.startsWith('/')
    ? settings
    : { ...settings, timeseriesPath: `${directory}/${timeseriesPath}` }
}

/** As in Python: names in snake_case, and an unknown one is an error. */
function optionsIn(given: Readonly<Record<string, unknown>>): Partial<ResourceMonitorSettings> {
  const known = settingNames.map(snakeName)
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new MessageError(`unknown option "${unknown}".${didYouMean(unknown, known)}`)
  return fromSnakeCase(given)
}

const addTimes = (monitor: ResourceMonitorCallback, fields: Fields): void =>
  monitor.addTimes(fields.numbers('batch_seconds'), fields.numbers('data_seconds'))

function metricsIn(fields: Fields): Metrics {
  const given = Object.entries(fields.record('metrics') ?? {})
  return Object.fromEntries(
    given.filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  )
}

/** Only the file of a training that sets its options so has YAML read. */
async function fromYaml(text: string, file: string): Promise<Partial<ResourceMonitorSettings>> {
  const { readMonitorYaml } = await import('../monitor-yaml.ts')
  return readMonitorYaml(text, file)
}

/** Everything that a callback tells goes to the client. */
function reports(
  context: SidecarContext,
  name: string | undefined,
  phase: () => string,
): ResourceMonitorOptions {
  let text = ''
  return {
    pid: context.pid,
    print: (block) => (text = block),
    logger: { warn: (message) => context.send({ type: 'warning', message }) },
    onMetrics(logged: LoggedBatch) {
      const monitor = name === undefined ? {} : { monitor: name }
      context.send({ type: 'metrics', ...monitor, phase: phase(), ...logged, text })
    },
  }
}
