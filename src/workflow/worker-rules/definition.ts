import * as z from 'zod'

const names = z.array(z.string().min(1)).optional()

/** What a worker accepts. What is left out is not limited, but for users: without them, only its own. */
export const workerFile = z.strictObject({
  users: names,
  tools: names,
  commands: names,
  images: names,
  directories: z
    .array(z.string().regex(/^(\/|\*$)/, 'expected a path that begins with /'))
    .optional(),
  environment: z
    .array(
      z.string().regex(/^[\w*]+$/, 'expected the name of a variable; * stands for any letters'),
    )
    .optional(),
})
