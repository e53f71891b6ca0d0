import { z } from '@hono/zod-openapi'
import { scopes } from '../access/viewer.ts'

export const me = z
  .object({
    user: z.string(),
    role: z.enum(['administrator', 'manager', 'user']),
    scopes: z.array(z.enum(scopes)),
    may_submit: z.boolean().openapi({
      description: 'whether this server starts what people submit or resume',
    }),
    version: z.string(),
    host: z.string(),
  })
  .openapi('Me')
export type Me = z.infer<typeof me>
