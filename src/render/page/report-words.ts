import type {
  AboutJob,
  AboutWorkflow,
  GatheredReport,
} from '../../analysis/workflow/gathered-report.ts'
import { adviceRows } from '../reports/recommend/json.ts'
import { commandLine } from '../text/printable.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'
import type { ReportRecommendation, ReportSource } from './report-source.ts'

interface ReportWords extends Pick<ReportSource, 'zone' | 'version'> {
  /** More to say at the top, in the words of a job's summary. */
  readonly further?: ReportSource['facts']
}

/** Puts what was gathered into words. */
export function reportSource(
  gathered: GatheredReport,
  { zone, version, further = [] }: ReportWords,
): ReportSource {
  const { about, generatedAt, runs, jobs } = gathered
  return {
    kind: about.kind,
    title: about.name,
    facts: [
      ...(about.kind === 'workflow' ? workflowFacts(about, zone) : jobFacts(about, zone)),
      ...further,
    ],
    generatedAt,
    zone,
    version,
    runs,
    jobs,
    recommendations: recommendations(gathered),
  }
}

function workflowFacts(about: AboutWorkflow, zone: Zone): ReportSource['facts'] {
  return [
    ['Workflow', String(about.workflowId)],
    ['User', about.user],
    ['Host', about.hosts.join(', ')],
    ['Started', about.startedAt === null ? 'not yet' : shortTime(about.startedAt, zone)],
    ['File', about.specPath],
    ['About', about.description ?? ''],
  ].flatMap(([name = '', fact = '']) => (fact === '' ? [] : [[name, fact] as const]))
}

const jobFacts = (about: AboutJob, zone: Zone): ReportSource['facts'] => [
  ['Task', about.taskId],
  ['User', about.user],
  ['Host', `${about.machine.host}, ${about.machine.cores} cores`],
  ['Started', shortTime(about.startedAt, zone)],
  ['Command', commandLine(about.command)],
]

/** Only what should change. */
function recommendations({ recommendation }: GatheredReport): ReportRecommendation[] {
  return (recommendation === null ? [] : adviceRows(recommendation)).flatMap((row) =>
    row.recommended_value === null || row.recommended_value === row.requested_value
      ? []
      : [
          {
            requirement: row.requirement,
            resource: row.resource_type,
            now: row.requested,
            suggested: row.recommended,
            reason: row.reason,
            confidence: row.confidence,
          },
        ],
  )
}
