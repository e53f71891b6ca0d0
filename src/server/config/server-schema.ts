import * as z from 'zod'
import { serverFile } from './server-file.ts'

/** The JSON Schema (draft 2020-12) of a configuration of the server, for editors: `jobmeter schema server`. */
export function serverJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(serverFile)
  return { $schema, title: 'jobmeter server', ...rest }
}
