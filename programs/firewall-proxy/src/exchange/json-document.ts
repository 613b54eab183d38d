/** Whether a body is an object or a list of JSON as a whole. */
export function isJsonDocument(bytes: Buffer): boolean {
  if (!/^\s*[[{]/.test(bytes.toString('latin1', 0, 64))) return false
  try {
    JSON.parse(bytes.toString('utf8'))
    return true
  } catch {
    return false
  }
}
