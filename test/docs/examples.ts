import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../workloads/compile.ts'

/** A piece of TypeScript from a document or a doc comment. */
export interface Example {
  /** `src/record/measure.ts:48 measure`, for messages. */
  readonly place: string
  readonly code: string
}

/** A name that the library exports. */
export interface ExportedName {
  readonly name: string
  /** A type: it may share the example of another name. */
  readonly isType: boolean
  /** The file that declares it, and its name there. */
  readonly file: string
  readonly declaredAs: string
}

const readText = (path: string): string => readFileSync(join(repository, path), 'utf8')

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length

/** All names of `src/index.ts`, which lists them one by one. */
export function exportedNames(): ExportedName[] {
  const lists = readText('src/index.ts').matchAll(
    /^export (type )?\{([^}]*)\} from '\.\/([^']+)'/gm,
  )
  return [...lists].flatMap(([, type, names = '', file = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((listed): ExportedName => {
        const [declaredAs = '', name = declaredAs] = listed.split(' as ')
        return { name, isType: type !== undefined, file: `src/${file}`, declaredAs }
      }),
  )
}

/** The doc comment right before a declaration, and where it stands; undefined where there is none. */
function docComment({
  file,
  declaredAs,
}: ExportedName): { text: string; line: number } | undefined {
  const source = readText(file)
  const declaration = new RegExp(
    `^export (?:declare )?(?:abstract )?(?:async )?(?:function\\*?|class|const|interface|type) ${declaredAs}\\b`,
    'm',
  ).exec(source)
  if (declaration === null) throw new Error(`${file} does not declare ${declaredAs}`)
  const before = source.slice(0, declaration.index)
  const from = before.lastIndexOf('/**')
  const text = from < 0 ? '' : before.slice(from)
  // What ends before the declaration begins belongs to something else.
  return /^\/\*\*(?:(?!\*\/).)*\*\/\n$/s.test(text)
    ? { text, line: lineAt(source, from) }
    : undefined
}

const fence = /```ts\n(.*?)^```$/ms

/** The examples of a name, or the other name whose examples it shares; a text says what is missing. */
export function examplesOf(
  exported: ExportedName,
): Example[] | { readonly shares: string } | string {
  const comment = docComment(exported)
  const place = `${exported.file} ${exported.name}`
  if (comment === undefined) return `${place} has no doc comment`
  const plain = comment.text
    .replace(/^\/\*\*\n?/, '')
    .replace(/\s*\*\/\n$/, '\n')
    .replace(/^ *\* ?/gm, '')
  const [, shares] = /^@see (\w+)/m.exec(plain) ?? []
  if (exported.isType && shares !== undefined) return { shares }
  const [, ...parts] = plain.split(/^@example.*\n/m)
  const codes = parts.map((part) => fence.exec(part)?.[1])
  if (codes.length === 0 || codes.includes(undefined))
    return `${place} has no @example with a \`\`\`ts block${exported.isType ? ', nor @see NAME' : ''}`
  return codes.map((code = '', index) => ({
    place: `${exported.file}:${comment.line} ${exported.name}${index === 0 ? '' : ` (${index + 1})`}`,
    code,
  }))
}

/** All ```ts blocks of a document. */
export function documentExamples(document: string): Example[] {
  const text = readText(document)
  return [...text.matchAll(new RegExp(fence, 'gms'))].map((match) => ({
    place: `${document}:${lineAt(text, match.index) + 1}`,
    code: match[1] ?? '',
  }))
}
