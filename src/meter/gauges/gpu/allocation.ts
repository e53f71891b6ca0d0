import { cudaDevices, rocrDevices } from '../../../model/device-lists.ts'
import type { GpuCard } from '../../../sensors/gpu/gpu-card.ts'

export type Environment = ReadonlyMap<string, string>

/** `/proc/PID/environ` as it is. */
export function parseEnvironment(text: string): Environment {
  const entries = text.split('\0').flatMap((entry): [string, string][] => {
    const at = entry.indexOf('=')
    return at <= 0 ? [] : [[entry.slice(0, at), entry.slice(at + 1)]]
  })
  return new Map(entries)
}

/**
 * The cards that the environment of a job names; null where it names none, or by numbers that may mean others: CUDA counts
 * the fastest card first unless CUDA_DEVICE_ORDER says otherwise, and where cards differ that is another order than
 * the driver's.
 */
export function cardsNamedBy(
  environment: Environment,
  cards: readonly GpuCard[],
): readonly GpuCard[] | null {
  const of = (vendor: string) => cards.filter(({ identity }) => identity.vendor === vendor)
  const [nvidia, amd] = [of('nvidia'), of('amd')]
  const cuda = environment.get('CUDA_VISIBLE_DEVICES')
  if (cuda !== undefined && nvidia.length > 0) {
    const whole = nvidia.filter(({ identity }) => identity.parentId === null)
    const named = cudaDevices(cuda, whole.length)
    const byNumber = named.some(isNumber)
    const isSure = environment.get('CUDA_DEVICE_ORDER') === 'PCI_BUS_ID' || areAlike(whole)
    if (byNumber && !isSure) return null
    return named.flatMap((name) => cardCalled(name, nvidia) ?? [])
  }
  // ROCm goes by CUDA's variable as well, where there is none of its own.
  const rocr =
    environment.get('ROCR_VISIBLE_DEVICES') ?? environment.get('HIP_VISIBLE_DEVICES') ?? cuda
  if (rocr === undefined || amd.length === 0) return null
  const named = rocrDevices(rocr)
  // Its UUIDs are not the ids that the driver has for cards.
  if (named.some((name) => !isNumber(name) && cardCalled(name, amd) === undefined)) return null
  return [...new Set(named.flatMap((name) => cardCalled(name, amd) ?? []))]
}

const isNumber = (name: string): boolean => /^\d+$/.test(name)

const areAlike = (cards: readonly GpuCard[]): boolean =>
  new Set(cards.map(({ identity }) => identity.name)).size <= 1

/** By number, or by a UUID or its beginning. Of a card that is divided, CUDA takes the first instance. */
function cardCalled(name: string, cards: readonly GpuCard[]): GpuCard | undefined {
  const called = isNumber(name)
    ? cards.find(({ identity, rocmNumbers }) =>
        rocmNumbers === null
          ? identity.parentId === null && identity.index === Number(name)
          : rocmNumbers.includes(Number(name)),
      )
    : cards.find(({ identity }) => identity.id.startsWith(name))
  return called?.isDivided === true
    ? cards.find(({ identity }) => identity.parentId === called.identity.id)
    : called
}
