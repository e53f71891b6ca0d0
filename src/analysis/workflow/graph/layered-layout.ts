import { keptApart } from './apart.ts'
import { layered, type Edge, type Layered } from './layers.ts'
import { ordered } from './order.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export interface GraphLayout extends Size {
  /** The upper left corner of each node, in the order given. */
  readonly places: readonly Point[]
  /** For each edge, points on its way from the right side of its start to the left side of its end. */
  readonly ways: readonly (readonly Point[])[]
}

export interface LayoutGaps {
  /** Between layers; edges bend there. */
  readonly layer: number
  /** Between the nodes of a layer. */
  readonly node: number
}

const rounds = 8
/** The room that an edge needs that passes between nodes. */
const laneHeight = 6

/**
 * Draws a graph without circles from left to right: each node in a layer after those that it waits for. Nodes never
 * overlap, every edge goes to the right, and the same graph is always drawn alike.
 */
export function layeredLayout(
  sizes: readonly Size[],
  edges: readonly Edge[],
  gaps: LayoutGaps,
): GraphLayout {
  const graph = layered(sizes.length, edges)
  const order = ordered(graph)
  const heights = graph.layerOf.map((_, node) => sizes[node]?.height ?? laneHeight)
  const middles = middlesOf(graph, order, heights, gaps.node)
  const top = heights.reduce(
    (least, height, node) => Math.min(least, (middles[node] ?? 0) - height / 2),
    Infinity,
  )
  const columns = columnsOf(order, sizes, gaps.layer)
  const y = (node: number): number => (middles[node] ?? 0) - (Number.isFinite(top) ? top : 0)
  const columnOf = (node: number) => columns[graph.layerOf[node] ?? 0] ?? { x: 0, width: 0 }
  const left = (node: number): number => {
    const { x, width } = columnOf(node)
    return x + (width - (sizes[node]?.width ?? width)) / 2
  }
  const height = heights.reduce((most, each, node) => Math.max(most, y(node) + each / 2), 0)
  return {
    width: columns.reduce((most, { x, width }) => Math.max(most, x + width), 0),
    height,
    places: sizes.map((size, node) => ({ x: left(node), y: y(node) - size.height / 2 })),
    ways: graph.ways.map((way) =>
      way.flatMap((node, index): Point[] => {
        const { x, width } = columnOf(node)
        const size = sizes[node]
        if (index === 0) return [{ x: left(node) + (size?.width ?? 0), y: y(node) }]
        if (index === way.length - 1) return [{ x: left(node), y: y(node) }]
        return [
          { x, y: y(node) },
          { x: x + width, y: y(node) },
        ]
      }),
    ),
  }
}

interface Column {
  readonly x: number
  readonly width: number
}

function columnsOf(
  order: readonly (readonly number[])[],
  sizes: readonly Size[],
  gap: number,
): Column[] {
  let x = 0
  return order.map((layer) => {
    const width = layer.reduce((most, node) => Math.max(most, sizes[node]?.width ?? 0), 0)
    const column = { x, width }
    x += width + gap
    return column
  })
}

/** Where the middle of each node is across the layers: near its neighbours, and apart from those beside it. */
function middlesOf(
  { before, after }: Layered,
  order: readonly (readonly number[])[],
  heights: readonly number[],
  gap: number,
): number[] {
  const middles = heights.map(() => 0)
  const gapsOf = (layer: readonly number[]): number[] =>
    layer.map(
      (node, index) => ((heights[layer[index - 1] ?? -1] ?? 0) + (heights[node] ?? 0)) / 2 + gap,
    )
  const place = (layer: readonly number[], wanted: readonly number[]): void => {
    const kept = keptApart(wanted, gapsOf(layer))
    for (const [index, node] of layer.entries()) middles[node] = kept[index] ?? 0
  }
  for (const layer of order)
    place(
      layer,
      layer.map(() => 0),
    )
  for (let round = 0; round < rounds; round++) {
    const isDown = round % 2 === 0
    const neighbours = isDown ? before : after
    for (const layer of isDown ? order : order.toReversed())
      place(
        layer,
        layer.map((node) => meanOf(neighbours[node] ?? [], middles) ?? middles[node] ?? 0),
      )
  }
  return middles
}

const meanOf = (nodes: readonly number[], middles: readonly number[]): number | undefined =>
  nodes.length === 0
    ? undefined
    : nodes.reduce((sum, node) => sum + (middles[node] ?? 0), 0) / nodes.length
