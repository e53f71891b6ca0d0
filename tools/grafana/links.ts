import type { TableLink } from './panel.ts'

/** From a cell with a user to the page about that user, and so on; the time that is shown stays. */
const link =
  (label: string, title: string, dashboard: string, more = '') =>
  (): TableLink => ({
    label,
    title,
    url: `/d/${dashboard}?var-${label}=\${__value.text}${more}&\${__url_time_range}`,
  })

export const toHost = link('host', 'This node', 'jobmeter-node')
export const toUser = link('user', 'This user', 'jobmeter-user')
export const toJob = link('name', 'This job', 'jobmeter-job', '&var-user=${__data.fields.user}')
export const toWorkflow = link('workflow', 'This workflow', 'jobmeter-workflow')
