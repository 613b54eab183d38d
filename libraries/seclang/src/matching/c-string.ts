/** What C sees of a value where it takes it for a string: everything before the first NUL. */
export function upToNul(value: string): string {
  const end = value.indexOf('\0')
  return end < 0 ? value : value.slice(0, end)
}
