/** From one node to another. */
export type Edge = readonly [from: number, to: number]

/**
 * The layer of each node: after all that it waits for, and as late as what waits for it allows where it waits for nothing
 * itself, so that edges are short. The graph must have no circle.
 */
export function layersOf(nodeCount: number, edges: readonly Edge[]): number[] {
  const after: number[][] = Array.from({ length: nodeCount }, () => [])
  const waiting = Array.from({ length: nodeCount }, () => 0)
  for (const [from, to] of edges) {
    after[from]?.push(to)
    waiting[to] = (waiting[to] ?? 0) + 1
  }
  const isSource = waiting.map((count) => count === 0)
  const layers = Array.from({ length: nodeCount }, () => 0)
  const ready = [...isSource.keys()].filter((node) => isSource[node])
  for (const node of ready)
    for (const next of after[node] ?? []) {
      layers[next] = Math.max(layers[next] ?? 0, (layers[node] ?? 0) + 1)
      waiting[next] = (waiting[next] ?? 0) - 1
      if (waiting[next] === 0) ready.push(next)
    }
  return layers.map((layer, node) => {
    const next = after[node] ?? []
    if (isSource[node] !== true || next.length === 0) return layer
    return next.reduce((least, each) => Math.min(least, layers[each] ?? 0), Infinity) - 1
  })
}

/** A graph whose edges all go from one layer to the next: long ones go by points on their way. */
export interface Layered {
  /** Nodes first, then points on the way of long edges. */
  readonly layerOf: readonly number[]
  readonly layers: readonly (readonly number[])[]
  readonly before: readonly (readonly number[])[]
  readonly after: readonly (readonly number[])[]
  /** For each edge that was given, what it goes through, from its start to its end. */
  readonly ways: readonly (readonly number[])[]
}

export function layered(nodeCount: number, edges: readonly Edge[]): Layered {
  const layerOf = layersOf(nodeCount, edges)
  const ways = edges.map(([from, to]) => {
    const [first, last] = [layerOf[from] ?? 0, layerOf[to] ?? 0]
    const between = Array.from({ length: last - first - 1 }, (_, step) => {
      layerOf.push(first + 1 + step)
      return layerOf.length - 1
    })
    return [from, ...between, to]
  })
  const before: number[][] = layerOf.map(() => [])
  const after: number[][] = layerOf.map(() => [])
  for (const way of ways)
    for (const [index, node] of way.slice(1).entries()) {
      const previous = way[index] ?? 0
      before[node]?.push(previous)
      after[previous]?.push(node)
    }
  const layerCount = layerOf.reduce((most, layer) => Math.max(most, layer + 1), 0)
  const layers: number[][] = Array.from({ length: layerCount }, () => [])
  for (const [node, layer] of layerOf.entries()) layers[layer]?.push(node)
  return { layerOf, layers, before, after, ways }
}
