/** The code by which the system and Node tell errors apart, such as ENOENT; undefined when there is none. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
