import * as z from 'zod'
import { specErrorLines, type SpecError } from '../workflow/spec/problem.ts'
import { readChecked } from '../workflow/spec/read-checked.ts'
import {
  fromSnakeCase,
  settingKind,
  settingNames,
  snakeName,
  type ResourceMonitorSettings,
  type SettingKind,
} from './options.ts'

const kinds: Readonly<Record<SettingKind, z.ZodType>> = {
  flag: z.boolean().optional(),
  share: z.number().min(0).max(1).optional(),
  count: z.int().min(1).optional(),
  path: z.string().min(1).optional(),
}

/** Other keys of the file are for others, such as more callbacks of the same training. */
const monitorFile = z.looseObject({
  resource_monitor: z.strictObject({
    // Names the class in files of Hydra, which makes the callback by it.
    _target_: z.string().optional(),
    ...Object.fromEntries(settingNames.map((name) => [snakeName(name), kinds[settingKind(name)]])),
  }),
})

/** What is wrong with a file of settings, each with its place. */
class MonitorYamlError extends Error {
  override readonly name = 'MonitorYamlError'
  readonly errors: readonly SpecError[]

  constructor(errors: readonly SpecError[]) {
    super(specErrorLines(errors).join('\n'))
    this.errors = errors
  }
}

/** Reads `resource_monitor:` with the settings below it. Throws `MonitorYamlError`. */
export function readMonitorYaml(text: string, fileName: string): Partial<ResourceMonitorSettings> {
  const result = readChecked(text, fileName, monitorFile, {
    expected: '"resource_monitor"',
    make: ({ resource_monitor: settings }) => fromSnakeCase(settings),
  })
  if (result.kind !== 'ok') throw new MonitorYamlError(result.errors)
  return result.value
}
