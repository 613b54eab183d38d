/** A–Z as a–z, nothing else: bytes above 127 have no case here. */
export function foldCase(value: string): string {
  return /[A-Z]/.test(value) ? value.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : value
}
