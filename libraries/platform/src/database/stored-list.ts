/** A list of texts as it lies in one column: JSON. */
export function writeList(texts: readonly string[]): string {
  return JSON.stringify(texts)
}

export function readList(column: string): string[] {
  const list: unknown = JSON.parse(column)
  if (!Array.isArray(list)) throw new Error('a column that should hold a list holds something else')
  return list.map(String)
}
