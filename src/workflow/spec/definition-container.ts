import * as z from 'zod'
import { containerRuntimes } from '../../model/workflow.ts'
import { names, refuseNul } from './definition-values.ts'

const mount = z
  .string()
  .superRefine(refuseNul)
  .regex(/^[^:]+:\/[^:]*(:[^:]+)?$/, {
    error: ({ input }) =>
      `${JSON.stringify(input)} is not a mount; write SOURCE:/TARGET, or SOURCE:/TARGET:ro`,
  })

export const container = z
  .strictObject({
    image: z
      .string()
      .min(1)
      .regex(/^[^-]/, { error: 'must not begin with -' })
      .superRefine(refuseNul)
      .describe('The image: `python:3.13`; for Apptainer a file or an address.'),
    runtime: z
      .enum(containerRuntimes)
      .optional()
      .describe('What runs it. Without it: the first of these that is installed.'),
    mounts: z
      .union([mount, z.array(mount)])
      .optional()
      .describe(
        'Directories to show inside: `SOURCE:/TARGET`, with `:ro` to forbid writing. A source that begins with a dot is in the directory of the workflow.',
      ),
    arguments: names
      .optional()
      .describe('Further words for `docker run`, `podman run` or `apptainer exec`.'),
    working_directory: z
      .string()
      .regex(/^\//, { error: 'must be a whole path, from / on' })
      .superRefine(refuseNul)
      .optional()
      .describe("Where the command starts, inside. Default: the image's own."),
  })
  .describe(
    'A container that the job runs in. Requests become its limits only by `resource_monitor.enforce`.',
  )

export type ContainerSpec = z.infer<typeof container>
