/** The places of a list that hold what an earlier place has held: where something is given twice. */
export function repeatedIndexes(list: readonly unknown[]): number[] {
  const previous = new Set()
  return list.flatMap((item, index) => {
    if (previous.has(item)) return [index]
    previous.add(item)
    return []
  })
}
