/** UTF-8 text in a field of fixed length, which ends at the first zero or with the field. */
export function textUpToZero(field: Buffer): string {
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? field.length : end)
}
