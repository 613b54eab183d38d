/**
 * Finds the circles of a graph: its strongly connected components of two or more nodes (Tarjan, "Depth-first search and linear graph
 * algorithms", 1972).
 *
 * @param graph what each node points to; what is no node itself is passed over
 */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const indexes = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []

  const visit = (node: string): number => {
    const index = indexes.size
    indexes.set(node, index)
    open.push(node)
    let low = index
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue
      if (!indexes.has(next)) low = Math.min(low, visit(next))
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? indexes.get(next) ?? low)
    }
    lowest.set(node, low)
    if (low === index) {
      const component = open.splice(open.indexOf(node))
      if (component.length > 1) circles.push(component)
    }
    return low
  }

  for (const node of graph.keys()) if (!indexes.has(node)) visit(node)
  return circles
}
