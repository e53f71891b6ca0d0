import { Meter } from '../meter/meter.ts'
import type { Workflow } from '../model/workflow.ts'
import type { Plan } from '../model/plan.ts'
import type { System } from '../system/system.ts'
import { planWorkflow } from '../workflow/plan/plan-workflow.ts'
import { capacityOf } from './capacity.ts'

/** What a workflow would do on this machine: jobs, stages, critical path and peak use. */
export const planHere = (system: System, workflow: Workflow): Plan =>
  planWorkflow(workflow, capacityOf(system, new Meter(system), {}))
