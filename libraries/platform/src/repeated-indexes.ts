/** The places of a list that hold what an earlier place has held: where something is given twice. */
export function repeatedIndexes(list: readonly unknown[]): number[] {
  const seen = new Set()
  return list.flatMap((item, index) => {
    if (seen.has(item)) return [index]
    seen.add(item)
    return []
  })
}
