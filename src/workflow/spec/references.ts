import type { UserData, WorkflowFile } from '../../model/workflow.ts'
import type { JobSpec } from './definition.ts'
import type { Expanded } from './expand.ts'
import type { Indices } from './name-index.ts'
import type { Problems } from './problem.ts'
import type { RelationKey, Relations } from './relations.ts'

type ReferenceKey = Exclude<RelationKey, 'depends_on' | 'blocked_by'>

/** A command with its `${files.input.NAME}` replaced, and the relations that they imply. */
export interface Referenced {
  readonly text: string
  readonly found: readonly { readonly key: ReferenceKey; readonly indices: Indices }[]
}

const reference = /\$\{(files|user_data)\.(\w*)\.?([^}]*)\}/g

const keys: Readonly<Record<string, ReferenceKey>> = {
  'files.input': 'input_files',
  'files.output': 'output_files',
  'user_data.input': 'input_user_data',
  'user_data.output': 'output_user_data',
}

export interface ReferenceTargets {
  readonly files: Relations
  readonly userData: Relations
  readonly allFiles: readonly WorkflowFile[]
  readonly allUserData: readonly UserData[]
}

/** Paths and JSON are put in as they are: quoting them is up to whoever wrote the command. */
export function replaceReferences(
  job: Expanded<JobSpec>,
  key: 'command' | 'invocation_script',
  text: string,
  targets: ReferenceTargets,
  problems: Problems,
): Referenced {
  const found: { key: ReferenceKey; indices: Indices }[] = []
  if (!text.includes('${')) return { text, found }
  const replaced = text.replace(reference, (whole, kind: string, side: string, name: string) => {
    const relation = keys[`${kind}.${side}`]
    if (relation === undefined || name === '') {
      const message = `${whole} must be \${${kind}.input.NAME} or \${${kind}.output.NAME}`
      problems.atValue([...job.source.path, key], message)
      return whole
    }
    const relations = kind === 'files' ? targets.files : targets.userData
    const indices = relations.single(job, name, [key])
    found.push({ key: relation, indices })
    return textOf(kind, indices[0], targets) ?? whole
  })
  return { text: replaced, found }
}

function textOf(
  kind: string,
  index: number | undefined,
  { allFiles, allUserData }: ReferenceTargets,
): string | undefined {
  if (index === undefined) return undefined
  return kind === 'files' ? allFiles[index]?.path : JSON.stringify(allUserData[index]?.data ?? null)
}
