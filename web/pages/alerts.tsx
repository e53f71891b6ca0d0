import type { AlertRules } from '../../src/server/schemas/alert.ts'
import { rows } from '../../src/browser/report/table-parts.ts'
import { tableSeconds } from '../../src/render/units/figures.ts'
import { useAsked, type Asked } from '../asked.ts'
import { firingAlerts, latestAlerts } from '../live/alerts.ts'
import { AlertLine } from '../parts/alert-line.tsx'
import { Drawn } from '../parts/drawn.tsx'
import { NothingFires } from '../parts/nothing-fires.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Section } from '../parts/section.tsx'
import { Title } from '../parts/title.tsx'

/** What fires, what is over, and the rules that say so. */
export default function Alerts() {
  const rules = useAsked<AlertRules>('/alerts/rules').value
  const firing = firingAlerts.value
  const over = latestAlerts.value.filter(({ status }) => status !== 'firing')
  return (
    <>
      <div class="page-head">
        <Title name="Alerts" />
        <span class="quiet" role="status">
          {firing.length === 0 ? 'nothing fires' : `${firing.length} firing`}
        </span>
      </div>
      {firing.length === 0 ? (
        <NothingFires rules={rules} />
      ) : (
        <ul class="lines alert-wide">
          {firing.map((alert) => (
            <AlertLine key={alert.alert_id} alert={alert} />
          ))}
        </ul>
      )}
      {over.length > 0 && (
        <Section id="over" title="Over">
          <ul class="lines alert-wide">
            {over.map((alert) => (
              <AlertLine key={alert.alert_id} alert={alert} />
            ))}
          </ul>
        </Section>
      )}
      <Rules asked={rules} />
    </>
  )
}

function Rules({ asked: { value, error } }: { readonly asked: Asked<AlertRules> }) {
  return (
    <Section
      id="rules"
      title="Rules"
      note={
        value?.file === null
          ? 'Those that jobmeter brings: they watch once alerts are set up.'
          : value?.file
      }
    >
      {error !== undefined && <ProblemNote error={error} />}
      {value !== undefined && value.rules.length > 0 && (
        <Drawn of={value} make={() => [ruleTable(value)]} />
      )}
    </Section>
  )
}

const ruleTable = ({ rules }: AlertRules): HTMLElement =>
  rows(
    'All rules',
    [['Rule'], ['Severity'], ['Fires when'], ['for', 'figure']],
    rules.map(({ name, severity, condition, says, for_seconds: seconds }) => [
      name,
      severity,
      says === '' ? condition : says,
      seconds === 0 ? 'at once' : tableSeconds(seconds),
    ]),
  )
