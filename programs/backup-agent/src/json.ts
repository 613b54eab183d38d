/** Whether a parsed JSON value is an object with members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a value of one kind from JSON; undefined when the text is none, as after a write that was cut off, or holds another. */
export function parseAs<Value>(
  text: string,
  isOfKind: (value: unknown) => value is Value,
): Value | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isOfKind(value) ? value : undefined
  } catch {
    return undefined
  }
}
