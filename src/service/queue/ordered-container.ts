/** A container that a command runs. */
interface OrderedContainer {
  readonly engine: string
  readonly image: string
  /** What of the machine it is given, as it is written. */
  readonly mounts: readonly string[]
}

interface Form {
  readonly begins: readonly string[]
  /** Options with a value of any kind in the next word. */
  readonly valued: readonly string[]
  /** Those with a value that is one of these. */
  readonly fixed: Readonly<Record<string, readonly string[]>>
  readonly mount: string
}

const dockerForm: Form = {
  begins: ['run', '--rm'],
  valued: ['--env', '--volume', '--workdir'],
  fixed: { '--gpus': ['all'], '--device': ['nvidia.com/gpu=all'] },
  mount: '--volume',
}

/** As tools (`tool-job.ts`) and workflows (`container-words.ts`) write them. */
const forms: Readonly<Record<string, Form>> = {
  docker: dockerForm,
  podman: dockerForm,
  apptainer: { begins: ['exec'], valued: ['--bind', '--pwd'], fixed: {}, mount: '--bind' },
}

/** Other programs, or names of the same ones, that run containers. */
const engineWord = /(^|\/)(docker|podman|apptainer|singularity|nerdctl|buildah|ctr|runc)$/

/**
 * The container that a command runs, if it is one of those that jobmeter itself writes. Of what else is written nobody knows
 * for certain which word is the image, nor what the other options give away: `unclear`. What a shell runs is not seen.
 */
export function orderedContainer(
  command: readonly string[],
): OrderedContainer | 'none' | 'unclear' {
  if (!command.some((word) => engineWord.test(word))) return 'none'
  const [engine = '', ...words] = command
  const form = Object.hasOwn(forms, engine) ? forms[engine] : undefined
  if (form === undefined || form.begins.some((word, at) => words[at] !== word)) return 'unclear'
  const mounts: string[] = []
  for (let at = form.begins.length; at < words.length; at += 2) {
    const [word = '', value] = words.slice(at)
    if (!word.startsWith('-')) return { engine, image: word, mounts }
    const isMeant = form.valued.includes(word) || form.fixed[word]?.includes(value ?? '') === true
    if (!isMeant || value === undefined) return 'unclear'
    if (word === form.mount) mounts.push(value.split(':')[0] ?? '')
  }
  return 'unclear'
}
