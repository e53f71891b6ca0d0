import { crossings } from './crossings.ts'
import type { Layered } from './layers.ts'

const sweeps = 6

/** The order within each layer by which few edges cross: each node near the middle of its neighbours. */
export function ordered({ layers, before, after }: Layered): number[][] {
  let current = layers.map((layer) => [...layer])
  let best = current
  let fewest = crossings(current, after)
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    const isDown = sweep % 2 === 0
    current = swept(current, isDown ? before : after, isDown)
    const found = crossings(current, after)
    if (found < fewest) [best, fewest] = [current, found]
  }
  return best
}

function swept(
  layers: readonly (readonly number[])[],
  neighbours: readonly (readonly number[])[],
  isDown: boolean,
): number[][] {
  const next = layers.map((layer) => [...layer])
  const place: number[] = []
  const number = (layer: readonly number[]): void => {
    for (const [index, node] of layer.entries()) place[node] = index
  }
  for (const layer of next) number(layer)
  for (const layer of isDown ? next : next.toReversed()) {
    const middle = new Map(
      layer.map((node) => {
        const own = neighbours[node] ?? []
        const sum = own.reduce((total, each) => total + (place[each] ?? 0), 0)
        return [node, own.length === 0 ? (place[node] ?? 0) : sum / own.length]
      }),
    )
    layer.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0))
    number(layer)
  }
  return next
}
