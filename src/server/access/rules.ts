import type { Scope } from './viewer.ts'

/**
 * Whom a route serves. `open`: anybody, signed in or not; `own`: everybody who is signed in, with the objects that are theirs
 * to see (`visible-ledger.ts` and its like); `administrator`: administrators alone.
 */
export interface Rule {
  readonly serves: 'open' | 'own' | 'administrator'
  readonly scope: Scope | null
}

const open: Rule = { serves: 'open', scope: null }
const own: Rule = { serves: 'own', scope: 'read' }
const acts: Rule = { serves: 'own', scope: 'act' }

/** Every route there is, by its operation. A route that does not stand here is not served. */
export const rules: Readonly<Record<string, Rule>> = {
  getHealth: open,
  getReadiness: open,
  getDocument: open,
  getDocumentPage: open,
  getDocumentStyle: open,
  // It tells of the jobs of all users.
  getMetrics: { serves: 'administrator', scope: 'metrics' },
  getSignIn: open,
  signIn: open,
  signOut: open,
  beginOidcSignIn: open,
  endOidcSignIn: open,
  getMe: own,

  listJobs: own,
  submitCommand: acts,
  getJob: own,
  listAttempts: own,
  getSamples: own,
  getDevices: own,
  getMarks: own,
  getChart: own,
  getParts: own,
  getFindings: own,
  getJobReport: own,
  listPastRuns: own,
  getJobRecommendation: own,
  getLog: own,
  cancelJob: acts,

  listWorkflows: own,
  submitSpec: acts,
  getWorkflow: own,
  listRuns: own,
  listWorkflowJobs: own,
  listResults: own,
  getPlan: own,
  getUtilization: own,
  getRecommendations: own,
  getWorkflowReport: own,
  cancelWorkflow: acts,
  resumeWorkflow: acts,

  getStatistics: own,
  getScaling: own,
  getComparison: own,
  listBenchmarks: own,
  getBenchmark: own,
  getDoctor: { serves: 'administrator', scope: 'read' },

  getUsage: own,
  getUsageHeat: own,
  listHogs: own,
  listPolicies: own,
  listNodes: own,
  getNode: own,
  listNodeCurves: own,
  getNodeChart: own,
  getNodeUptime: own,
  listNodeJobs: own,
  getNodeJob: own,
  getReservations: own,

  listAlerts: own,
  listAlertRules: own,
  acknowledgeAlert: acts,

  streamEvents: own,
}
