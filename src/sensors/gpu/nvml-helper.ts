import { ok } from '../../model/reading.ts'
import { answerRequests, endWithParent, framed, sendAnswer } from '../../system/helper-end.ts'
import { nvmlDoor } from '../../system/nvml-door.ts'
import { realClock } from '../../system/real-clock.ts'
import type { GpuSource } from './gpu-card.ts'
import { CardFrames, nvmlRequests, type NvmlGreeting } from './nvml-answers.ts'
import { NvmlCards } from './nvml-cards.ts'

/** The program that asks NVML, in a process of its own (`nvml-process.ts` is the other end). */
async function main(): Promise<void> {
  endWithParent()
  const opened = await NvmlCards.open({ clock: realClock, nvml: nvmlDoor })
  if (opened.kind !== 'ok') return greet(opened)
  const source = opened.value
  const cards = source.cards.map(({ identity, isDivided }) => ({ identity, isDivided }))
  greet(ok(cards))
  const frames = new CardFrames()
  answerRequests((request) => {
    answer(source, new Uint32Array(new Uint8Array(request).buffer))
    return frames.write(source.cards)
  })
  source.close()
}

const greet = (greeting: NvmlGreeting): void =>
  sendAnswer(framed(Buffer.from(JSON.stringify(greeting))))

function answer(source: GpuSource, [wanted, ...places]: Uint32Array): void {
  const cards = places.flatMap((place) => source.cards[place] ?? [])
  if (wanted === nvmlRequests.activity) source.lookAtActivity(cards)
  else if (wanted === nvmlRequests.shares) for (const card of cards) source.lookAtShares?.(card)
  else source.look(wanted === nvmlRequests.lookSeldom)
}

await main()
