import * as z from 'zod'
import { agentFile } from './agent-file.ts'

/** The JSON Schema (draft 2020-12) of a configuration of the agent, for editors: `jobmeter schema agent`. */
export function agentJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(agentFile)
  return { $schema, title: 'jobmeter agent', ...rest }
}
