/** How many pairs of edges cross, counted with a tree of counts: a layer may have a thousand nodes. */
export function crossings(
  layers: readonly (readonly number[])[],
  after: readonly (readonly number[])[],
): number {
  let total = 0
  for (const [index, layer] of layers.slice(0, -1).entries()) {
    const below = layers[index + 1] ?? []
    const place = new Map(below.map((node, at) => [node, at]))
    const ends = layer.flatMap((node) =>
      (after[node] ?? []).map((each) => place.get(each) ?? 0).toSorted((a, b) => a - b),
    )
    total += inversions(ends, below.length)
  }
  return total
}

function inversions(values: readonly number[], most: number): number {
  const counts = Array.from({ length: most + 1 }, () => 0)
  let found = 0
  for (const [seen, value] of values.entries()) {
    let notGreater = 0
    for (let at = value + 1; at > 0; at -= at & -at) notGreater += counts[at] ?? 0
    found += seen - notGreater
    for (let at = value + 1; at <= most; at += at & -at) counts[at] = (counts[at] ?? 0) + 1
  }
  return found
}
