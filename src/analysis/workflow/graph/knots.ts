interface Visit {
  readonly node: number
  next: number
}

/**
 * The knots of a graph: nodes that can be reached from each other, together; each other node by itself. Tarjan's way,
 * without recursion: a chain may be a hundred thousand long.
 */
export function knots(neighbours: readonly (readonly number[])[]): number[][] {
  const order = new Map<number, number>()
  const lowest: number[] = []
  const open: number[] = []
  const isOpen = new Set<number>()
  const found: number[][] = []

  const enter = (node: number): Visit => {
    order.set(node, order.size)
    lowest[node] = order.get(node) ?? 0
    open.push(node)
    isOpen.add(node)
    return { node, next: 0 }
  }
  const leave = (node: number): void => {
    if (lowest[node] !== order.get(node)) return
    const members = open.splice(open.lastIndexOf(node))
    for (const member of members) isOpen.delete(member)
    found.push(members)
  }
  const lower = (node: number, to: number): void => {
    lowest[node] = Math.min(lowest[node] ?? 0, to)
  }

  for (const start of neighbours.keys()) {
    if (order.has(start)) continue
    const path = [enter(start)]
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const { node } = visit
      const neighbour = neighbours[node]?.[visit.next++]
      if (neighbour === undefined) {
        leave(node)
        path.pop()
        const parent = path.at(-1)
        if (parent !== undefined) lower(parent.node, lowest[node] ?? 0)
      } else if (!order.has(neighbour)) path.push(enter(neighbour))
      else if (isOpen.has(neighbour)) lower(node, order.get(neighbour) ?? 0)
    }
  }
  return found
}
